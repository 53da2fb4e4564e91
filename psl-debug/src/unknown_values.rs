//! Notes about values that a run does not have.

use psl_runtime::record::RecordedRun;
use psl_syntax::nearest;

/// A note about those of the values that no cell of the run can have, or `None` if there are none.
pub(super) fn note<'v>(run: &RecordedRun, values: impl IntoIterator<Item = &'v str>) -> Option<String> {
    let values: Vec<&str> = values.into_iter().collect();
    let unknown = run.vocabulary().unknown(&values);
    match unknown.as_slice() {
        [] => None,
        [value] => {
            let near = nearest(value, run.vocabulary().iter()).map(|near| format!("; did you mean `{near}`?"));
            Some(format!("this run has no value `{value}`{}", near.unwrap_or_default()))
        }
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(|value| format!("`{value}`")).collect();
            Some(format!("this run has no values {} and `{last}`", others.join(", ")))
        }
    }
}
