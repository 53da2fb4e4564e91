//! The imports between files of Python and of TypeScript.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    circles::{Uses, circles},
    findings::none,
    source::{all_files, root},
};

/// The texts of files by their paths.
type Texts = BTreeMap<String, String>;

/// The files of the repository with these extensions.
fn texts(extensions: &[&str]) -> Texts {
    let has_one = |path: &String| Path::new(path).extension().is_some_and(|it| extensions.iter().any(|one| it == *one));
    let text = |path: String| (path.clone(), fs::read_to_string(root().join(path)).expect("a file of text"));
    all_files().into_iter().filter(has_one).map(text).collect()
}

/// The imports of Python, also those inside functions and for types alone. Stubs describe code in Rust, and do not
/// count.
fn python(texts: &Texts) -> Uses {
    let mut uses = Uses::new();
    for (from, text) in texts {
        for (at, word) in text.match_indices("import ") {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let after = &text[at + word.len()..];
            let names = match after.strip_prefix('(') {
                Some(list) => list.split(')').next(),
                None => after.lines().next(),
            };
            for name in listed(names.unwrap_or_default()) {
                let module = match text[line..at].trim() {
                    "" => name,
                    before if before.starts_with("from ") => before["from ".len()..].trim(),
                    _ => continue,
                };
                let endings = [&format!("/{name}.py"), ".py", "/__init__.py"];
                let found = places(module).iter().find_map(|place| find(texts, from, place, &endings));
                add(&mut uses, from, found, name);
            }
        }
    }
    uses
}

/// The relative paths that a module of Python can have. One without dots is in the folder of a script, or is a package
/// beside it.
fn places(module: &str) -> Vec<String> {
    let name = module.trim_start_matches('.');
    let path = name.replace('.', "/");
    match module.len() - name.len() {
        0 => vec![path.clone(), format!("../{path}")],
        dots => vec![format!("{}{path}", "../".repeat(dots - 1))],
    }
}

/// The imports and the exports of imported names of TypeScript, also those of types alone.
fn typescript(texts: &Texts) -> Uses {
    let mut uses = Uses::new();
    for (from, text) in texts {
        for (at, _) in text.match_indices("'.") {
            let place = text[at + 1..].split('\'').next().unwrap_or_default();
            let before = text[..at].trim_end();
            let names = if let Some(statement) = before.strip_suffix("from") {
                let start = statement.rfind("import ").max(statement.rfind("export "));
                &statement[start.unwrap_or_default() + "import ".len()..]
            } else if before.ends_with("import") || before.ends_with("import(") {
                "import"
            } else {
                continue;
            };
            for name in listed(names) {
                add(&mut uses, from, find(texts, from, place, &["", ".ts", ".tsx"]), name);
            }
        }
    }
    uses
}

/// The names in a list, as they are where they come from.
fn listed(names: &str) -> impl Iterator<Item = &str> {
    let names = names.split([',', '{', '}']).map(|name| name.trim().trim_start_matches("type "));
    names.filter_map(|name| name.split(' ').next()).filter(|name| !name.is_empty() && *name != "type")
}

/// The file with a path relative to that of another and one of the endings.
fn find(texts: &Texts, from: &str, place: &str, endings: &[&str]) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in place.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    endings.iter().map(|ending| format!("{path}{ending}")).find(|path| texts.contains_key(path))
}

fn add(uses: &mut Uses, from: &str, to: Option<String>, name: &str) {
    if let Some(to) = to.filter(|to| to != from) {
        uses.entry((from.to_owned(), to)).or_default().insert(name.to_owned());
    }
}

#[test]
fn no_two_files_of_python_or_typescript_import_each_other() {
    let check = |uses: &Uses, least: usize| {
        assert!(uses.len() >= least, "expected at least {least} imports, found {}", uses.len());
        none(&circles(uses), "Each block is a cycle of files. Move what they share to a separate file.");
    };
    check(&python(&texts(&["py"])), 200);
    check(&typescript(&texts(&["mjs", "ts", "tsx"])), 800);
}

#[test]
fn imports_lead_to_files() {
    let check = |uses: fn(&Texts) -> Uses, files: &[(&str, &str)], expected: &[&str]| {
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let lines = uses(&texts)
            .into_iter()
            .map(|((from, to), names)| format!("{from} -> {to}: {}", names.into_iter().collect::<Vec<_>>().join(", ")));
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    };
    check(
        python,
        &[
            ("p/q/__init__.py", "import sys\n\nfrom .a import A\n"),
            ("p/q/a.py", "if TYPE_CHECKING:\n    from . import b, c\n    from .. import x\n"),
            ("p/q/b.py", "def f():\n    from .a import (\n        B as C,\n        D,\n    )\n"),
            ("p/t.py", "import u, sys\nfrom q import A\nfrom q.b import B\n# An import of u.\n"),
            ("p/u.py", ""),
        ],
        &[
            "p/q/__init__.py -> p/q/a.py: A",
            "p/q/a.py -> p/q/__init__.py: c",
            "p/q/a.py -> p/q/b.py: b",
            "p/q/b.py -> p/q/a.py: B, D",
            "p/t.py -> p/q/__init__.py: A",
            "p/t.py -> p/q/b.py: B",
            "p/t.py -> p/u.py: u",
        ],
    );
    check(
        typescript,
        &[
            ("w/a.ts", "import { x } from 'y';\nimport { type B, b as c } from './d/b';\nexport * from './c';\n"),
            ("w/c.tsx", "import './a';\nimport type {\n  B,\n} from './d/b';\nconst d = '.';\n"),
            ("w/d/b.ts", "const a = await import('../a');\n"),
        ],
        &[
            "w/a.ts -> w/c.tsx: *",
            "w/a.ts -> w/d/b.ts: B, b",
            "w/c.tsx -> w/a.ts: import",
            "w/c.tsx -> w/d/b.ts: B",
            "w/d/b.ts -> w/a.ts: import",
        ],
    );
}
