//! The folder of a checkpoint.

use std::{
    io::{self, Read},
    path::Path,
};

use psl_program::{CheckpointFile, CheckpointFiles, ListedFile, Sum, Summing};

use crate::{
    bounded::{open_regular, read_regular},
    folder::{Existing, FileOf, check_folder, write_folder},
};

/// The most bytes of a text in a checkpoint.
pub const MAX_TEXT_OF_CHECKPOINT: u64 = 256 << 20;

/// Checks that a checkpoint in this folder would replace nothing but a checkpoint of psl.
///
/// # Errors
///
/// Fails with [`io::ErrorKind::AlreadyExists`] and a message that names each file that would be lost.
pub fn check_checkpoint_folder(folder: &Path) -> io::Result<()> {
    let text = |name: &str| read_regular(&folder.join(name), MAX_TEXT_OF_CHECKPOINT).ok();
    let there = text(CheckpointFiles::MEANING).and_then(|meaning| {
        let config = text(CheckpointFiles::CONFIG);
        CheckpointFiles::read(&meaning, config.as_deref())
    });
    check_folder(folder, CheckpointFiles::NAMES, "a checkpoint of psl", |name, path| {
        match there.as_ref().and_then(|there| there.get(name)) {
            None => Existing::Foreign,
            Some(ListedFile::Unsummed) => Existing::Ours,
            Some(ListedFile::Summed(listed)) if sum(path).is_ok_and(|sum| sum == *listed) => Existing::Ours,
            Some(ListedFile::Summed(_)) => Existing::Changed,
        }
    })
}

/// Writes a checkpoint to a folder. Its configuration comes last, so that a folder with one is whole.
///
/// # Errors
///
/// Returns the error of the system. The folder is then as it was.
pub fn write_checkpoint(folder: &Path, files: &[CheckpointFile]) -> io::Result<()> {
    let (last, first): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.name == CheckpointFiles::CONFIG);
    let files: Vec<FileOf<'_>> = first.into_iter().chain(last).map(|file| (file.name, file.bytes.as_slice())).collect();
    write_folder(folder, &files)
}

fn sum(path: &Path) -> io::Result<Sum> {
    let mut file = open_regular(path, u64::MAX)?;
    let mut sum = Summing::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sum.finish()),
            read => sum.add(buffer.get(..read).unwrap_or_default()),
        }
    }
}
