//! Renames a register or a constant.

use psl_program::File;
use psl_syntax::{Renamable, RenameError, diagnostic::Edit, renamable, rename as rename_to};

/// Returns the name at an offset that can be renamed.
pub fn prepare_rename(file: &File, offset: u32) -> Option<Renamable> {
    renamable(file.checked(), offset)
}

/// Returns the edits that rename the name at an offset, or `None` if there is nothing to rename.
///
/// # Errors
///
/// Fails if the new name would change the meaning of the program.
pub fn rename(file: &File, offset: u32, name: &str) -> Option<Result<Vec<Edit>, RenameError>> {
    let checked = file.checked();
    let it = renamable(checked, offset)?;
    Some(rename_to(checked, &it, name))
}
