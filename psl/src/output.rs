//! The output of the commands: files, standard output and standard error, and texts for a terminal.

pub mod browser;
pub mod color;
pub mod columns;
pub mod csv_record;
pub mod markdown;
pub mod npz;
pub mod output_file;
pub mod part_colors;
pub mod progress;
pub mod sizes;
pub mod stdio;
pub mod terminal;
pub mod unified_diff;
