//! The scopes of a machine's run.

use psl_debug::{Debugger, Scope, Variable};
use serde_json::{Value, json};

/// Scopes, each with its number.
pub fn scopes<'s>(scopes: impl Iterator<Item = (i64, &'s Scope)>) -> Value {
    let shown = scopes.map(|(id, scope)| {
        json!({ "name": scope.name, "variablesReference": id, "expensive": false,
                "namedVariables": scope.variables.len() })
    });
    json!({ "scopes": shown.collect::<Vec<_>>() })
}

/// The scopes at the current moment, with at most `most` watched registers and a note about the others.
pub fn shown_scopes(debugger: &Debugger, most: usize) -> Vec<Scope> {
    let mut scopes = psl_debug::scopes(debugger);
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
