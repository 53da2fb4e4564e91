//! Short answers: results, values, texts, faults and targets.

use psl_debug::{Debugger, Exception, Moment, StepPlace};
use psl_syntax::program::ProductionId;
use serde_json::{Value, json};

/// The result of an expression or a command.
pub fn result(text: &str) -> Value {
    json!({ "result": text, "variablesReference": 0 })
}

/// The new value of a register.
pub fn changed_value(value: &str) -> Value {
    json!({ "value": value })
}

/// The answer to a request that moves a thread. The thread of the other machine moves with it.
pub fn continued() -> Value {
    json!({ "allThreadsContinued": true })
}

/// The text of the program as it was launched.
pub fn content(debugger: &Debugger) -> Value {
    json!({ "content": debugger.file().text(), "mimeType": "text/x-psl" })
}

/// A fault at the current moment.
pub fn exception_info(debugger: &Debugger, exception: Exception) -> Value {
    let fault = exception.fault();
    let description = match debugger.run().outcome() {
        Err(failure) if debugger.place() == StepPlace::End => failure.message.as_str(),
        _ => fault.description,
    };
    json!({ "exceptionId": fault.label, "description": description, "breakMode": "always" })
}

/// The moments of a layer, the production on this line, as targets. The number of a target is its index.
pub fn goto_targets(debugger: &Debugger, line: usize, layer: ProductionId, moments: &[Moment]) -> Value {
    let (timeline, cell) = (debugger.timeline(), debugger.moment().cell);
    let targets = moments.iter().enumerate().map(|(id, moment)| {
        let label = match timeline.place(*moment) {
            StepPlace::Layer(row) if !row.pass.is_empty() => {
                format!("layer {layer}, pass {:?}, cell {cell}", row.pass)
            }
            _ => format!("layer {layer}, cell {cell}"),
        };
        json!({ "id": id, "label": label, "line": line })
    });
    json!({ "targets": targets.collect::<Vec<_>>() })
}
