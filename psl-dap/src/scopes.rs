//! The scopes of a machine's run with the parts that a client can ask for.

use psl_debug::{Debugger, Scope, Variable, scopes as all_scopes};

/// The scopes at the current moment, with at most `most` watched registers and a note about the others.
pub fn scopes(debugger: &Debugger, most: usize) -> Vec<Scope> {
    let mut scopes = all_scopes(debugger);
    for Scope { variables, .. } in &mut scopes {
        let watched = variables.iter().filter(|variable| !variable.cells.is_empty()).count();
        if watched > most {
            variables.truncate(most);
            variables.push(note(format!(
                "the first {most} of {watched} watched registers; `table` in the console shows all"
            )));
        }
    }
    scopes
}

fn note(value: String) -> Variable {
    Variable { name: "…".to_owned(), value, register: None, changed: false, cells: Vec::new() }
}
