//! The threads, their frames, and the source of the frames.

use std::iter;

use psl_debug::{Debugger, Frame};
use serde_json::{Value, json};

use crate::{
    source::{ALGORITHM, Source},
    transport::protocol::RUN,
};

/// The machines that run the program, each as a thread. `None` if no program is launched.
pub fn threads(debugger: Option<&Debugger>) -> Value {
    let threads = debugger.map_or_else(Vec::new, threads_of);
    json!({ "threads": threads })
}

fn threads_of(debugger: &Debugger) -> Vec<Value> {
    let run = debugger.what_if().unwrap_or_else(|| "run".to_owned());
    let name = |debugger: &Debugger| format!("{run} on {}", debugger.machine().name());
    let threads = iter::once(debugger).chain(debugger.second()).zip(RUN..);
    threads.map(|(debugger, id)| json!({ "id": id, "name": name(debugger) })).collect()
}

/// A part of a stack with this number of frames.
pub fn stack_trace(frames: impl Iterator<Item = Value>, total: usize) -> Value {
    json!({ "stackFrames": frames.collect::<Vec<_>>(), "totalFrames": total })
}

/// A frame with its number. `start` is its line and column in the source, or `None` if it is outside.
pub fn stack_frame(
    id: i64,
    frame: &Frame,
    source: &Source,
    start: Option<(usize, usize)>,
    is_innermost: bool,
) -> Value {
    // With an end, editors would select the range at each stop.
    let (line, column) = start.unwrap_or_default();
    let mut shown = json!({ "id": id, "name": frame.name, "line": line, "column": column });
    let Some(object) = shown.as_object_mut() else { return shown };
    if start.is_some() {
        object.insert("source".to_owned(), shown_source(source));
    } else if !is_innermost {
        // A client shows no variables of a label.
        object.insert("presentationHint".to_owned(), "label".into());
    }
    shown
}

/// The text that runs: the file, or the text of the session with number 1.
fn shown_source(source: &Source) -> Value {
    let name = source.name();
    let Some(path) = source.path() else { return json!({ "name": name, "sourceReference": 1 }) };
    let checksums = json!([{ "algorithm": ALGORITHM, "checksum": source.checksum() }]);
    if !source.is_edited() {
        return json!({ "name": name, "path": path, "checksums": checksums });
    }
    json!({ "name": format!("{name} (text at the launch)"), "path": path, "sourceReference": 1,
            "origin": "the file has changed since the launch", "checksums": checksums })
}
