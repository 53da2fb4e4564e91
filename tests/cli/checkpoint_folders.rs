//! The folders that `psl` writes: whole or not at all, and never over the files of others.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::{code, err, folder, psl, repository};

/// The content of each file of a folder, and the target of each link.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let of_entry = |entry: fs::DirEntry| {
        let path = entry.path();
        let link = fs::read_link(&path).ok().map(|link| link.display().to_string().into_bytes());
        let bytes = link.unwrap_or_else(|| fs::read(&path).unwrap_or_default());
        (entry.file_name().display().to_string(), bytes)
    };
    fs::read_dir(folder).expect("a folder").map(|entry| of_entry(entry.expect("an entry"))).collect()
}

/// Compiles a program to the folder `out` of another.
fn compile(folder: &Path, options: &[&str]) -> Output {
    let out = folder.join("out").display().to_string();
    psl(&[&["compile", "examples/reverse.psl", "--emit", "hf", "-o", &out], options].concat())
}

fn compiled(files: &[(&str, &str)]) -> TempDir {
    let folder = folder(files);
    let output = compile(folder.path(), &[]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    folder
}

/// The compilation is refused for this reason, and nothing in the folder changes.
fn check_refused(folder: &Path, reason: &str) {
    let before = content(&folder.join("out"));
    let output = compile(folder, &[]);
    let way = ": choose another directory, or replace it with `--force`\n";
    let message = format!("psl: cannot write {}: {reason}{way}", folder.join("out").display());
    assert_eq!((code(&output), err(&output)), (2, message));
    assert_eq!(content(&folder.join("out")), before);
}

#[test]
fn a_checkpoint_is_replaced_and_other_files_stay() {
    let folder = compiled(&[("out/notes.txt", "mine")]);
    let first = content(&folder.path().join("out"));
    assert_eq!(first.len(), 8, "{:?}", first.keys());
    let output = compile(folder.path(), &["--max-new", "3"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let second = content(&folder.path().join("out"));
    assert_eq!(second.keys().collect::<Vec<_>>(), first.keys().collect::<Vec<_>>());
    assert_eq!(second.get("notes.txt").map(Vec::as_slice), Some(b"mine".as_slice()));
    assert_ne!(second.get("model.safetensors"), first.get("model.safetensors"));
}

#[test]
fn files_of_others_are_not_replaced() {
    for name in ["README.md", "config.json", "tokenizer.json", "psl.json"] {
        let folder = folder(&[(&format!("out/{name}"), "mine")]);
        check_refused(folder.path(), &format!("{name} is not from a checkpoint of psl"));
        assert_eq!(code(&compile(folder.path(), &["--force"])), 0);
        assert_ne!(fs::read(folder.path().join("out").join(name)).expect("a file"), b"mine");
    }
    let folder = folder(&[("out/README.md", "mine"), ("out/config.json", r#"{"model_type": "gpt2"}"#)]);
    let both = "README.md is not from a checkpoint of psl, and config.json is not from a checkpoint of psl";
    check_refused(folder.path(), both);
}

#[test]
fn changed_files_of_a_checkpoint_are_not_replaced() {
    let folder = compiled(&[]);
    let out = folder.path().join("out");
    for name in ["README.md", "config.json", "model.safetensors"] {
        let whole = fs::read(out.join(name)).expect("a file");
        let mut changed = whole.clone();
        *changed.last_mut().expect("a byte") ^= 1;
        fs::write(out.join(name), changed).expect("written");
        check_refused(folder.path(), &format!("{name} has changed since psl wrote it"));
        fs::write(out.join(name), whole).expect("written");
    }
    fs::remove_file(out.join("README.md")).expect("removed");
    assert_eq!(code(&compile(folder.path(), &[])), 0);
}

#[test]
fn the_list_has_the_sum_of_each_other_file() {
    let folder = compiled(&[]);
    let files = content(&folder.path().join("out"));
    let meaning: Value = serde_json::from_slice(files.get("psl.json").expect("a file")).expect("JSON");
    let list = meaning["files"].as_object().expect("a list");
    assert_eq!(list.len(), 6, "{list:?}");
    for (name, sum) in list {
        let bytes = files.get(name).expect("a file");
        assert_eq!(sum["bytes"], bytes.len(), "{name}");
        assert_eq!(sum["crc32"].as_str().map(str::len), Some(8), "{name}");
    }
}

#[test]
fn a_checkpoint_of_version_0_2_is_replaced() {
    let folder = compiled(&[]);
    let path = folder.path().join("out/psl.json");
    let mut meaning: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    meaning.as_object_mut().expect("an object").shift_remove("files");
    fs::write(&path, meaning.to_string()).expect("written");
    assert_eq!(code(&compile(folder.path(), &[])), 0);
    fs::write(&path, meaning.to_string()).expect("written");
    fs::write(folder.path().join("out/config.json"), r#"{"model_type": "llama"}"#).expect("written");
    let output = compile(folder.path(), &[]);
    assert!(err(&output).contains("config.json is not from a checkpoint of psl"), "{}", err(&output));
}

#[test]
fn links_are_not_followed() {
    let folder = compiled(&[("mine.md", "mine")]);
    let readme = folder.path().join("out/README.md");
    fs::remove_file(&readme).expect("removed");
    symlink("../mine.md", &readme).expect("a link");
    check_refused(folder.path(), "README.md is a symbolic link");
    assert_eq!(code(&compile(folder.path(), &["--force"])), 0);
    assert_eq!(fs::read_to_string(folder.path().join("mine.md")).expect("a file"), "mine");
    assert!(fs::symlink_metadata(&readme).expect("a file").is_file(), "the link is replaced");
}

#[test]
fn what_is_no_file_stays() {
    let folder = folder(&[("out/config.json/mine", "mine")]);
    let output = compile(folder.path(), &["--force"]);
    assert!(err(&output).contains("config.json: it is a folder, not a file"), "{}", err(&output));
    assert_eq!((code(&output), content(&folder.path().join("out")).len()), (2, 1));
    let output = psl(&["compile", "examples/reverse.psl", "--emit", "hf", "-o", "README.md"]);
    assert!(err(&output).contains("cannot write README.md: it is a file, not a folder"), "{}", err(&output));
}

/// A file larger than the limit cannot be written.
fn compile_with_limit(folder: &Path, kilobytes: usize) -> Output {
    let command = format!("ulimit -f {kilobytes}; exec \"$@\"");
    let out = folder.join("out").display().to_string();
    Command::new("bash")
        .args([
            "-c",
            &command,
            "bash",
            env!("CARGO_BIN_EXE_psl"),
            "compile",
            "examples/reverse.psl",
            "--emit",
            "hf",
            "-o",
            &out,
        ])
        .args(["--max-new", "4"])
        .current_dir(repository())
        .output()
        .expect("bash")
}

#[test]
fn a_failed_write_leaves_the_folder_as_it_was() {
    let folder = compiled(&[("out/notes.txt", "mine")]);
    let before = content(&folder.path().join("out"));
    for kilobytes in [0, 1, 4, 40, 500] {
        let output = compile_with_limit(folder.path(), kilobytes);
        assert_eq!(code(&output), 2, "{kilobytes}: {}", err(&output));
        assert!(err(&output).contains("File too large"), "{}", err(&output));
        assert_eq!(content(&folder.path().join("out")), before, "{kilobytes}");
    }
    fs::remove_dir_all(folder.path().join("out")).expect("removed");
    let output = compile_with_limit(folder.path(), 40);
    assert_eq!((code(&output), folder.path().join("out").exists()), (2, false), "{}", err(&output));
}

#[test]
fn pages_of_others_are_not_replaced() {
    let folder = folder(&[("psl.1", ".TH \"PSL\" \"1\"\n")]);
    let write = || psl(&["man", "-o", &folder.path().display().to_string()]);
    let output = write();
    assert!(err(&output).contains("psl.1 is not from this psl: choose another folder"), "{}", err(&output));
    assert_eq!((code(&output), content(folder.path()).len()), (2, 1));
    fs::remove_file(folder.path().join("psl.1")).expect("removed");
    for _ in 0..2 {
        assert_eq!(code(&write()), 0);
    }
}

#[test]
fn the_prompt_of_a_tape_replaces_only_a_prompt() {
    let folder = folder(&[("up.tm", "go 1 halt x R\n"), ("up.json", "{}")]);
    let [table, program] = ["up.tm", "up.psl"].map(|name| folder.path().join(name).display().to_string());
    let write = |tape: &str| psl(&["turing", &table, "--tape", tape, "-o", &program]);
    let refused = write("1 _");
    assert!(err(&refused).contains("up.json is not from `psl turing`: choose another name"), "{}", err(&refused));
    assert_eq!((code(&refused), content(folder.path()).len()), (2, 2));
    fs::remove_file(folder.path().join("up.json")).expect("removed");
    assert_eq!(code(&write("1 _")), 0);
    assert_eq!(code(&write("1 1 _")), 0, "a prompt of ours is replaced");
}
