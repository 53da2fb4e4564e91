//! The variables of a scope, and the cells of a watched register.

use psl_debug::Variable;
use psl_program::File;
use serde_json::{Value, json};

use crate::breakpoints::data_id;

/// Variables, each with the number of its cells, or 0.
pub fn variables<'v>(file: &File, variables: impl Iterator<Item = (i64, &'v Variable)>) -> Value {
    let shown = variables.map(|(reference, variable)| shown(file, variable, reference));
    json!({ "variables": shown.collect::<Vec<_>>() })
}

fn shown(file: &File, variable: &Variable, reference: i64) -> Value {
    let Variable { name, value, register, cells, .. } = variable;
    let mut shown = json!({ "name": name, "value": value, "variablesReference": reference });
    let Some(object) = shown.as_object_mut() else { return shown };
    if !cells.is_empty() {
        object.insert("indexedVariables".to_owned(), cells.len().into());
    }
    match register.and_then(|(register, cell)| data_id(file, register, cell)) {
        Some(name) => object.insert("evaluateName".to_owned(), name.into()),
        None => object.insert("presentationHint".to_owned(), json!({ "attributes": ["readOnly"] })),
    };
    shown
}
