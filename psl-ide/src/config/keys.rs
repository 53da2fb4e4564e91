//! What may stand in a `psl.toml`: the one table that reads it, completes it, explains it and gives its schema.

use psl_syntax::Code;

use super::values::{Config, Patterns};

/// A key, and what it takes.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence or two of Markdown.
    pub about: &'static str,
    /// What it takes.
    pub value: Value,
}

/// What a key takes, and where that goes.
pub enum Value {
    /// A table of other keys.
    Table(&'static [Key]),
    /// A table of diagnostics' codes, each with its severity.
    Severities,
    /// One symbol.
    Symbol(fn(&mut Config, String)),
    /// A number of bytes.
    Size(fn(&mut Config, u64)),
    /// A list of patterns of files.
    Patterns(fn(&mut Config, Patterns)),
}

/// The keys of the file, in the order of their names.
pub const KEYS: &[Key] = &[
    Key {
        name: "max-file-size",
        about: "The largest program, JSON file or `psl.toml` that is read, in bytes; 16777216 (16 MiB) where nothing is set. Weights, traces and data may be larger.",
        value: Value::Size(|config, size| config.max_file_size = Some(size)),
    },
    Key {
        name: "paths",
        about: "Which files count as programs where a folder is searched. Files named on the command line always count.",
        value: Value::Table(&[
            Key {
                name: "exclude",
                about: "Patterns, as in a `.gitignore`, of files that are left out.",
                value: Value::Patterns(|config, patterns| config.exclude = Some(patterns)),
            },
            Key {
                name: "include",
                about: "Patterns, as in a `.gitignore`, of the files that count; without it, all `*.psl` files do.",
                value: Value::Patterns(|config, patterns| config.include = Some(patterns)),
            },
        ]),
    },
    Key {
        name: "severity",
        about: "How bad each diagnostic is, by its code: `error`, `warning`, `info`, `hint` or `off`. Errors stay errors.",
        value: Value::Severities,
    },
    Key {
        name: "stop",
        about: "The symbol that ends a continuation, where neither the program nor `--stop` names one; `.` where nothing is set.",
        value: Value::Symbol(|config, stop| config.stop = Some(stop)),
    },
];

/// The key at the end of a path of names, such as `paths` and `include`.
pub fn key(path: &[&str]) -> Option<&'static Key> {
    let (last, tables) = path.split_last()?;
    keys(tables)?.iter().find(|key| key.name == *last)
}

/// The keys of the table at a path; nothing where it takes others, or is not a table.
pub fn keys(path: &[&str]) -> Option<&'static [Key]> {
    path.iter().try_fold(KEYS, |keys, name| match keys.iter().find(|key| key.name == *name)?.value {
        Value::Table(keys) => Some(keys),
        _ => None,
    })
}

/// What is known of the key at the end of a path, as Markdown.
pub fn about(path: &[&str]) -> Option<String> {
    if let [table @ .., code] = path
        && let Some(Value::Severities) = key(table).map(|key| &key.value)
    {
        return Some(Code::from_name(code)?.entry().markdown());
    }
    key(path).map(|key| key.about.to_owned())
}
