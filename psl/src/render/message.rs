//! A diagnostic in one text.

use psl_syntax::Diagnostic;

/// What is wrong and the way out, where only one text can be shown.
pub fn message_and_help(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    }
}
