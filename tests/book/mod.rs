//! Runs the pages of `docs`: programs, commands and the output that the pages show.
//!
//! The form of a page. A directive is an HTML comment on the line above a block.
//!
//! | block | test |
//! |---|---|
//! | `<!-- file NAME -->`, any language | writes the file; a program must have no errors or warnings |
//! | `<!-- append NAME -->` | appends to the file after an empty line, and checks it again |
//! | `<!-- file NAME, diagnostics: CODE CODE -->`, the same with `append` | has errors or warnings with exactly these codes |
//! | `<!-- exercise NAME from FILE -->`, `psl` with tests | writes the file: `FILE`, if it is given, and the block. A test fails there, and all pass in the file of this name at the end of the page, with the block added if it lacks the tests |
//! | `psl` | a part of a program, checked with the declarations that it lacks, has no errors |
//! | `<!-- diagnostics: CODE -->`, `psl` | has these codes, and no other errors |
//! | `console` | each line `$ COMMAND` succeeds and prints the lines below it |
//! | `console` with the time of a search | shows 0.1 s |
//! | `console` with lines `(psl) COMMAND` | `psl debug` above gets these commands; a block that starts with one continues it |
//! | `<!-- exit CODE -->`, `console` | the last command ends with this code |
//! | `sh` | the commands succeed |
//! | `<!-- hover FILE LINE:COLUMN -->`, `text` | the hover at this place |
//! | `<!-- computed NAME -->`, `text` | the result of this function of `computed.rs` |
//! | `python` | runs after the earlier ones of the page, in the tests' environment for Python; `tests/engines/test_page.py` runs those that need PyTorch |
//! | `<!-- prints -->`, `text` | the output of the `python` block before it |
//! | `pycon` | a session with the Python package: `python/tests/test_pages.py` runs it |
//! | `json`, `toml`, `yaml` | is valid |
//! | `text`, `ebnf` | none |
//!
//! A part of a program is a text of declarations and statements, lines of conditions, or assignments.
//!
//! A page runs in a folder with links to `examples` and `tests`. The pages in `tutorial` share a folder, in the order
//! of `SUMMARY.md`.

mod blocks;
mod computed;
mod console;
mod data;
mod exercise;
mod folder;
mod fragment;
mod hover;
pub mod links;
pub mod pages;
pub mod prose;
mod python;
pub mod run;
pub mod self_tests;
