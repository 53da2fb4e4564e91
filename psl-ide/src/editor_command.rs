//! Commands that an editor runs for a click on a lens or for a code action.

use crate::proposals::Search;

/// A command about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditorCommand {
    RunTests,
    /// Runs the usual prompt, or asks the user for one.
    Run,
    /// Runs the test with this index.
    RunTest(usize),
    RunPrompt(String),
    /// Debugs the test with this index.
    Debug(usize),
    /// Opens the explorer on the test with this index.
    Explore(usize),
    /// Searches for proposals.
    Search(Search),
}
