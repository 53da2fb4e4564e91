//! The input of the commands: programs in any format, lines of data, and the words of the command line.

pub mod bundled;
pub mod choices;
pub mod chosen_prompt;
pub mod data_lines;
pub mod file_format;
pub mod heads;
#[cfg(unix)]
pub mod line_editor;
pub mod load;
pub mod machine;
pub mod paths;
pub mod program_file;
pub mod program_files;
pub mod repository;
