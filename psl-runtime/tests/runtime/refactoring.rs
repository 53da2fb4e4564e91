//! Comparisons within a cell, split into productions, on all machines.

use std::collections::BTreeMap;

use psl_runtime::{Executable, Options};
use psl_syntax::{Code, check, diagnostic::Edit, format, refactor::split_same_cell};

/// The values of a cell's registers, by their long names.
type State = BTreeMap<String, String>;

/// Runs a prompt on all machines, which must agree. Returns the final state of each cell, or `None` if a block does not
/// end.
fn run(text: &str, prompt: &[&str]) -> Option<Vec<State>> {
    let checked = check(text);
    assert!(checked.compiles(), "{:?}\n{text}", checked.diagnostics);
    let executable = Executable::new(checked.analysis.program);
    let options = Options { max_new: Some(3), max_passes: Some(40), ..Options::default() };
    let task = executable.task(prompt, &options).unwrap();
    let run = executable.verify(&task).ok()?.run;
    let shown = |value| task.vocabulary.show(value).to_owned();
    let cell = |state: &psl_runtime::State| {
        executable.registers.long.iter().cloned().zip(state.iter().map(|&value| shown(value))).collect()
    };
    Some(run.states.iter().map(cell).collect())
}

/// Splits the comparison in a program in each of the `ways`, and runs the result.
fn check_split(production: &str, prompt: &str, ways: usize, expected: &str) {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', left: 'l', mark: 'm'}}\nconstants: {{A, B, YES}}\n\
         system: {{symbol: symbol, position: position, output: mark}}\n\
         where position[n] == position[N]@pos_decrement:\n    left[N] = symbol[n]\n{production}"
    );
    let checked = check(&text);
    let error = checked.diagnostics.iter().find(|it| it.code == Code::SameCellComparison).unwrap();
    let fixes = split_same_cell(&checked, error.span);
    assert_eq!(fixes.len(), ways, "{fixes:?}");
    for fix in fixes {
        let mut edits = fix.edits;
        edits.sort_by_key(|edit| edit.span);
        let after = Edit::apply(&edits, &text).unwrap();
        assert_eq!(format(&after).unwrap().text, after);
        let prompt: Vec<&str> = prompt.split(' ').collect();
        let cells = run(&after, &prompt).unwrap();
        let marks: Vec<&str> = cells[..prompt.len()].iter().map(|cell| cell["mark"].as_str()).collect();
        assert_eq!(marks.join(" "), expected, "{after}");
    }
}

#[test]
fn comparisons_within_a_cell() {
    let same = "where position[n] == position[N] and symbol[N] == left[N]:\n    mark[N] = YES\n";
    check_split(same, "A A B B A", 2, "∅ YES ∅ YES ∅");
    let differs = "where position[n] == position[N] and symbol[n] != left[n]:\n    mark[N] = symbol[n]\n";
    check_split(differs, "A A B B A", 2, "A ∅ B ∅ A");
    let other = "# the first pair\nwhere symbol[n] == left[n] and symbol[N] == A:\n    mark[N] = symbol[n]\n";
    check_split(other, "A B B A A", 1, "B ∅ ∅ B B");
}
