//! The symbols of a continuation that differ from the gold.

use psl_runtime::record::RecordedRun;

use super::timeline::{Moment, Timeline};

/// A symbol that differs from the gold.
pub(super) struct WrongSymbol {
    /// The expected symbol, or `None` if the gold is shorter.
    pub(super) expected: Option<String>,
    /// The symbol of the continuation, or `None` if the continuation is shorter.
    pub(super) got: Option<String>,
    /// The moment at which the symbol has been generated, or the end of the run if the continuation is shorter.
    pub(super) moment: Moment,
}

/// The symbols of a run that differ from the gold, in order, compared as in [`psl_runtime::Continuation::is`]. The last
/// one is the end of a continuation that is too short, unless the record is cut.
pub(super) fn wrong_symbols(run: &RecordedRun, gold: &str) -> Vec<WrongSymbol> {
    let Some(output) = run.output() else { return Vec::new() };
    let timeline = Timeline::new(run);
    let mut gold = gold.split_whitespace();
    let mut wrong = Vec::new();
    for (step, moment) in (0..).map_while(|step| Some((step, timeline.at_symbol(step)?))) {
        let value = run.value(output, run.cell_of_symbol(step), run.end());
        let got = run.vocabulary().show(value);
        // Each word takes one of the gold.
        let words: Vec<_> = got.split_whitespace().map(|word| (word, gold.next())).collect();
        if let Some((_, expected)) = words.into_iter().find(|(word, expected)| *expected != Some(*word)) {
            wrong.push(WrongSymbol { expected: expected.map(str::to_owned), got: Some(got.to_owned()), moment });
        }
    }
    if let Some(expected) = gold.next().filter(|_| !run.is_cut()) {
        wrong.push(WrongSymbol { expected: Some(expected.to_owned()), got: None, moment: timeline.end() });
    }
    wrong
}
