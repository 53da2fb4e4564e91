//! Renaming a register or a constant.

use psl_syntax::{Renamable, diagnostic::Edit, renamable, rename as rename_to};

use crate::file::File;

/// What can be renamed at an offset.
pub fn prepare_rename(file: &File, offset: u32) -> Option<Renamable> {
    renamable(file.checked(), offset)
}

/// The edits that rename what stands at an offset; nothing where nothing can be renamed there.
///
/// # Errors
///
/// Why the program would mean something else, in words.
pub fn rename(file: &File, offset: u32, name: &str) -> Option<Result<Vec<Edit>, String>> {
    let checked = file.checked();
    let it = renamable(checked, offset)?;
    Some(rename_to(checked, &it, name))
}
