//! Applies many fixes at once.

use std::sync::Arc;

use psl_program::{File, diagnostics};
use psl_syntax::{Code, diagnostic::Edit, fix};

use crate::text_edits;

/// Returns the edits that apply the safe fixes of a file, or all single fixes of one code, without causing a new error.
/// `None` if there are no fixes.
pub fn edits_of_fixes(file: &File, only: Option<Code>) -> Option<Vec<Edit>> {
    let config = Arc::new(file.config().clone());
    let fixed = fix(file.text(), |text| {
        // Tests are not run again: their diagnostics may stay.
        let mut found = diagnostics(&File::new(text, Arc::clone(&config)), None);
        for diagnostic in &mut found {
            match only {
                Some(code) if diagnostic.code != code || diagnostic.fixes.len() != 1 => diagnostic.fixes.clear(),
                Some(_) => diagnostic.fixes.iter_mut().for_each(|fix| fix.certain = true),
                None => {}
            }
        }
        found
    });
    (fixed.text != file.text()).then(|| text_edits::between(file.text(), &fixed.text))
}
