//! The services of the machine that the tools run on: files, messages in streams, and a server of pages.
//!
//! ```text
//! bounded, configs, search, test_prompt, stamp    reads programs, their configurations and the files of their tests
//! atomic, endings, docs_cache                     writes files, whole or not at all
//! folder, checkpoint_folder                       writes the files of a folder together
//! changes                                         waits for changes of files
//! framing                                         messages of editors and debuggers in a stream
//! page_server                                     serves pages to browsers on loopback
//! ```
//!
//! Invariant: this crate knows no protocol of editors or debuggers, and no page. Callers pass in pages as text.

mod atomic;
mod bounded;
mod changes;
mod checkpoint_folder;
mod configs;
mod docs_cache;
pub mod endings;
mod folder;
pub mod framing;
pub mod page_server;
mod search;
mod stamp;
mod test_prompt;

pub use atomic::{Destination, NewFile, Replaced, commit_all, create_new, replace};
pub use bounded::{
    MAX_LINE, line_too_long, open_regular, read, read_at_most, read_regular, with_short_lines, without_mark,
};
pub use changes::{Changes, WatchError, WatchedFiles};
pub use checkpoint_folder::{MAX_TEXT_OF_CHECKPOINT, check_checkpoint_folder, write_checkpoint};
pub use configs::{Configs, FolderConfig, check_config};
pub use docs_cache::cache_page;
pub use folder::{Existing, FileOf, cannot_write, check_folder, write_folder};
pub use search::{Found, FoundFile, expand};
pub use stamp::Stamp;
pub use test_prompt::read_prompt;
