//! The reasons for which a run does not begin.

use psl_runtime::RunFailure;

use crate::{file::NotCompiled, structured_prompt::NotAPrompt, test_name::UnknownTest, test_prompts::NoPrompt};

/// Turns an error into the failure of a run that did not begin.
macro_rules! refused {
    ($($error:ty),*) => {
        $(impl From<$error> for RunFailure {
            fn from(error: $error) -> Self {
                Self::refused(error)
            }
        })*
    };
}

refused!(NotCompiled, UnknownTest, NotAPrompt, NoPrompt);
