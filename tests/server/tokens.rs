//! Semantic tokens as numbers.

use serde_json::Value;

/// The numbers of semantic tokens after edits, all of which refer to the original numbers.
pub fn edited_tokens(before: &Value, edits: &Value) -> Value {
    let before = list(before);
    let mut after = Vec::new();
    let mut written = 0;
    for edit in list(edits) {
        let [start, deleted] = ["start", "deleteCount"].map(|field| edit[field].as_u64().expect("a number") as usize);
        assert!(written <= start && start + deleted <= before.len(), "the edit is invalid: {edit}");
        after.extend_from_slice(&before[written..start]);
        after.extend_from_slice(list(&edit["data"]));
        written = start + deleted;
    }
    after.extend_from_slice(&before[written..]);
    after.into()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
