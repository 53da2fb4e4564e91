//! Files and folders that an editor renames: the tests of programs keep their prompt files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in},
    server::client::Client,
};

const PROMPT: &str = "[{\"symbol\": \"A\"}]";

/// A program with one test, whose prompt is in a file.
fn program(prompt: &str) -> String {
    format!(
        "//@ test json {prompt} => \"A\"\n//@ max-new 1\nregisters: {{symbol: 's', position: 'p'}}\nconstants: {{A}}\n\
         where symbol[N] == A:\n    symbol[N] = A\n"
    )
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display()).replace(' ', "%20")
}

/// Asks the server for the edits before renames of paths in the folder.
fn edits(client: &mut Client, folder: &Path, renames: &[(&str, &str)]) -> Value {
    let file = |(old, new): &(&str, &str)| json!({"oldUri": uri(&folder.join(old)), "newUri": uri(&folder.join(new))});
    let files: Vec<_> = renames.iter().map(file).collect();
    client.request("workspace/willRenameFiles", &json!({"files": files})).expect("edits")
}

/// Applies edits, each within a line, to the files.
fn apply(edits: &Value) {
    for (uri, edits) in edits["changes"].as_object().into_iter().flatten() {
        let path = PathBuf::from(uri.strip_prefix("file://").expect("a file").replace("%20", " "));
        let text = fs::read_to_string(&path).expect("a program");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for edit in edits.as_array().expect("edits").iter().rev() {
            let at = |end: &str, axis: &str| edit["range"][end][axis].as_u64().expect("a number") as usize;
            let line = &mut lines[at("start", "line")];
            line.replace_range(
                at("start", "character")..at("end", "character"),
                edit["newText"].as_str().expect("a text"),
            );
        }
        fs::write(&path, lines.join("\n") + "\n").expect("a program");
    }
}

/// Renames paths as an editor does, and checks that all tests still pass, and the number of edited programs.
fn check(files: &[(&str, &str)], renames: &[(&str, &str)], edited: usize) {
    let folder = folder(files);
    let root = dunce::canonicalize(folder.path()).expect("a folder");
    let tested = |root: &Path| {
        let output = psl_in(root, &["test", "."], b"");
        assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    };
    tested(&root);
    let mut client = Client::in_folder(&root);
    let edits = edits(&mut client, &root, renames);
    client.finish();
    assert_eq!(edits["changes"].as_object().map_or(0, serde_json::Map::len), edited, "{edits}");
    apply(&edits);
    for (old, new) in renames {
        let new = root.join(new);
        fs::create_dir_all(new.parent().expect("a folder")).expect("a folder");
        fs::rename(root.join(old), new).expect("the file is renamed");
    }
    tested(&root);
}

#[test]
fn the_tests_of_programs_keep_their_prompt_files() {
    let (here, quoted, below, above) =
        (program("\"x.json\""), program("'it\\'s.txt'"), program("\"d/./x.json\""), program("\"../x.json\""));
    let x = ("x.json", PROMPT);
    check(&[("a.psl", &here), x], &[("x.json", "y z.json")], 1);
    check(&[("a.psl", &here), x], &[("x.json", "d/y\"z.json")], 1);
    check(&[("a.psl", &quoted), ("it's.txt", PROMPT)], &[("it's.txt", "so it's.txt")], 1);
    check(&[("a.psl", &here), ("b.psl", &here), ("c/c.psl", &above), x], &[("x.json", "y.json")], 3);
    check(&[("a.psl", &here), x], &[("a.psl", "b.psl")], 0);
    check(&[("a.psl", &here), x], &[("a.psl", "d/a.psl")], 1);
    check(&[("a.psl", &here), x], &[("a.psl", "d/a.psl"), ("x.json", "d/x.json")], 0);
    check(&[("a.psl", &below), ("d/x.json", PROMPT)], &[("d", "e")], 1);
    check(&[("c/a.psl", &above), x], &[("c", "d/e")], 1);
    check(&[("c/a.psl", &here), ("c/x.json", PROMPT)], &[("c", "d/e")], 0);
    check(&[("a.psl", &here), x, ("y.json", PROMPT)], &[("y.json", "z.json")], 0);
}

#[test]
fn the_text_of_an_open_program_counts() {
    let folder = folder(&[("a.psl", "# saved\n"), ("x.json", PROMPT)]);
    let root = dunce::canonicalize(folder.path()).expect("a folder");
    let elsewhere = root.join("sub");
    fs::create_dir(&elsewhere).expect("a folder");
    let mut client = Client::in_folder(&elsewhere);
    let open = uri(&root.join("a.psl"));
    client.open(&open, &format!("# é\n{}", program("\"x.json\"")));
    let found = edits(&mut client, &root, &[("x.json", "y.json")]);
    let at = |column: u32| json!({"line": 1, "character": column});
    let edit = json!({"range": {"start": at(14), "end": at(22)}, "newText": "\"y.json\""});
    assert_eq!(found, json!({"changes": BTreeMap::from([(open, [edit])])}));
    assert_eq!(edits(&mut client, &root, &[("y.json", "z.json")]), Value::Null);
    client.finish();
}

#[test]
fn renames_of_other_documents_change_nothing() {
    let mut client = Client::start();
    let greeting = client.greet(&json!({"processId": null, "rootUri": null, "capabilities": {}}));
    let will_rename = &greeting["capabilities"]["workspace"]["fileOperations"]["willRename"];
    assert_eq!(will_rename["filters"][0]["scheme"], "file");
    client.open("untitled:1", &program("\"x.json\""));
    for (old, new) in [("untitled:1", "file:///a.psl"), ("file:///x.json", "untitled:2")] {
        let files = json!({"files": [{"oldUri": old, "newUri": new}]});
        assert_eq!(client.request("workspace/willRenameFiles", &files), Ok(Value::Null));
    }
    client.finish();
}
