//! The keys of `psl.toml`: the single table used to read, complete, explain and validate the file.

use psl_syntax::{
    Code,
    glossary::{Section, at},
};

use super::values::{Config, Patterns};

/// A key and its kind of value.
pub struct Key {
    /// The last part of a dotted key.
    pub name: &'static str,
    /// The effect, in one or two sentences of Markdown.
    pub about: &'static str,
    /// The section of the reference.
    pub section: Section,
    /// The kind of value.
    pub value: Value,
}

/// A kind of value, and where the value is stored.
pub enum Value {
    /// A table of other keys.
    Table(&'static [Key]),
    /// A table of diagnostic codes, each with its severity.
    Severities,
    /// One symbol.
    Symbol(fn(&mut Config, String)),
    /// A number of bytes.
    Size(fn(&mut Config, u64)),
    /// A list of file patterns.
    Patterns(fn(&mut Config, Patterns)),
}

/// The keys of the file, in alphabetical order.
pub const KEYS: &[Key] = &[
    Key {
        name: "max-file-size",
        about: "Maximum size of a program or JSON file, in bytes. Default: `16777216` (16 MiB). Weights, traces and data may be larger.",
        section: at("psl-toml", "max-file-size"),
        value: Value::Size(|config, size| config.max_file_size = Some(size)),
    },
    Key {
        name: "paths",
        about: "The files that count as programs when a folder is searched. Files named on the command line always count.",
        section: at("psl-toml", "paths"),
        value: Value::Table(&[
            Key {
                name: "exclude",
                about: "Patterns of files to skip, as in a `.gitignore`.",
                section: at("psl-toml", "paths"),
                value: Value::Patterns(|config, patterns| config.exclude = Some(patterns)),
            },
            Key {
                name: "include",
                about: "Patterns of files to include, as in a `.gitignore`. Default: all `*.psl` files.",
                section: at("psl-toml", "paths"),
                value: Value::Patterns(|config, patterns| config.include = Some(patterns)),
            },
        ]),
    },
    Key {
        name: "severity",
        about: "The severity of each diagnostic, by its code: `error`, `warning`, `info`, `hint` or `off`. The severity of an error cannot be changed.",
        section: at("psl-toml", "severity"),
        value: Value::Severities,
    },
    Key {
        name: "stop",
        about: "The symbol that ends a continuation, unless the program or `--stop` sets one. Default: `.`.",
        section: at("psl-toml", "stop"),
        value: Value::Symbol(|config, stop| config.stop = Some(stop)),
    },
];

/// Returns the key at the end of a path of names, such as `paths` and `include`.
pub fn key(path: &[&str]) -> Option<&'static Key> {
    let (last, tables) = path.split_last()?;
    keys(tables)?.iter().find(|key| key.name == *last)
}

/// Returns the keys of the table at a path, or `None` if the path does not lead to a table with fixed keys.
pub fn keys(path: &[&str]) -> Option<&'static [Key]> {
    path.iter().try_fold(KEYS, |keys, name| match keys.iter().find(|key| key.name == *name)?.value {
        Value::Table(keys) => Some(keys),
        _ => None,
    })
}

/// Returns the section on the key at the end of a path, or `None` for a diagnostic code, which has a page.
pub fn section(path: &[&str]) -> Option<Section> {
    key(path).map(|key| key.section)
}

/// Returns the description of the key at the end of a path, as Markdown.
pub fn about(path: &[&str]) -> Option<String> {
    if let [table @ .., code] = path
        && let Some(Value::Severities) = key(table).map(|key| &key.value)
    {
        return Some(Code::from_name(code)?.entry().markdown());
    }
    key(path).map(|key| key.about.to_owned())
}
