//! What is wrong with a file: what its text tells, what its tests showed, and how bad each is as configured.
//!
//! Invariant: this is the only place that composes them; `psl check`, the server and every code action that fixes come here.

use psl_syntax::{
    Analysis, Code, Diagnostic, Severity, Span, Tree, apply_levels,
    program::{Production, TestCase},
    undecided_look_aheads,
};

use crate::{
    failure_explanation::FailureExplanation,
    file::File,
    runner::Continuation,
    test_report::{Ahead, LayerStats, Outcome, TestReport},
};

/// All diagnostics of a file as a user is shown them, in the order of the text: those that it allows left out, each as bad as
/// configured. Without a report of its tests, what they may still decide is left out.
pub fn diagnostics(file: &File, report: Option<&TestReport>) -> Vec<Diagnostic> {
    let analysis = &file.checked().analysis;
    let no_tests = TestReport::default();
    let report = report.or(analysis.program.tests.is_empty().then_some(&no_tests));
    let decided = report.is_some_and(TestReport::is_complete);
    let pending: Vec<Code> = Code::ALL.iter().copied().filter(|code| !decided && code.is_decided_by_tests()).collect();
    let tree = &file.checked().tree;
    let found = with_tests(tree, analysis, file.text_diagnostics(), report);
    apply_levels(tree, found, &pending, &file.config().levels)
}

/// What the text tells together with what the tests showed.
fn with_tests(
    tree: &Tree,
    analysis: &Analysis,
    of_text: &[Diagnostic],
    report: Option<&TestReport>,
) -> Vec<Diagnostic> {
    let program = &analysis.program;
    let mut found = of_text.to_vec();
    let Some(report) = report.filter(|_| analysis.sound && !program.tests.is_empty()) else { return found };
    let look_ahead = |(layer, hint)| match report.layer(layer) {
        Some(stats) => decided_look_ahead(hint, stats, &program.tests, report.is_complete()),
        None => hint,
    };
    found.extend(undecided_look_aheads(analysis).into_iter().map(look_ahead));
    let never_fired = |(layer, production)| {
        // One that is proved to fire in no run is reported for that.
        let idle = report.layer(layer)?.matches == 0 && !analysis.verdicts().never_fires(layer);
        idle.then(|| never_fired(production))
    };
    if report.is_complete() {
        found.extend(program.productions().into_iter().enumerate().filter_map(never_fired));
    }
    let failing = |(index, test)| failing_test(tree, test, report.outcome(index)?);
    found.extend(program.tests.iter().enumerate().filter_map(failing));
    found
}

fn never_fired(production: &Production) -> Diagnostic {
    let message = "this production did not fire on any of the file's tests";
    let hint = Diagnostic::new(Code::NeverFires, production.head, message)
        .help("add a `//@ test` line with a prompt on which it must fire, or leave it out");
    Diagnostic { severity: Severity::Hint, ..hint }
}

/// The hint that a production may look ahead, after what the tests showed of it.
fn decided_look_ahead(hint: Diagnostic, stats: &LayerStats, tests: &[TestCase], complete: bool) -> Diagnostic {
    let LayerStats { matches, ahead, first_ahead } = stats;
    let Some(Ahead { test: index, cell, attends }) = first_ahead else {
        let never = if *matches == 0 { "it did not fire" } else { "it never did" };
        let message = if complete { format!("{}; on the file's tests {never}", hint.message) } else { hint.message };
        return Diagnostic { message, ..hint };
    };
    let test = tests.get(*index);
    let name = test.and_then(|test| test.name.as_deref());
    let place = name.map_or_else(|| format!("test {}", index + 1), |name| format!("test `{name}`"));
    let message = format!(
        "cell N reads a cell to its right in {ahead} of {matches} matches on the file's tests; \
         in {place}, cell {cell} reads cell {attends}"
    );
    let warning = Diagnostic { severity: Severity::Warning, message, ..hint };
    match test {
        Some(test) => warning.label(test.span, format!("cell {cell} reads cell {attends} here")),
        None => warning,
    }
}

fn failing_test(tree: &Tree, test: &TestCase, outcome: &Outcome) -> Option<Diagnostic> {
    let name = test.name.as_deref().map_or_else(|| "this test".to_owned(), |name| format!("test `{name}`"));
    let explanation = outcome.explanation.as_ref();
    let (why, place) = match &outcome.result {
        Ok(completion) if completion.is(&test.gold) => return None,
        Ok(completion) => {
            let how =
                explanation.map_or_else(String::new, |explanation| format!("; {}", explanation.in_words(|_| None)));
            let why = format!("expected `{}`, got `{}`{how}", test.gold, completion.text());
            (why, explanation.and_then(FailureExplanation::written))
        }
        Err(failure) => (failure.message.clone(), failure.span.map(|block| (block, "this block"))),
    };
    let missed = outcome.result.as_ref().ok().and_then(|completion| missed_symbol(tree, test, completion));
    let found = Diagnostic::new(Code::FailingTest, missed.unwrap_or(test.span), format!("{name} fails: {why}"))
        .help("repair the program, or what the test expects; `psl run --trace` shows what each layer did");
    Some(match place {
        Some((span, what)) => found.label(span, what),
        None => found,
    })
}

/// The first symbol of the gold that is not in the continuation; the whole gold where the continuation goes on behind it.
fn missed_symbol(tree: &Tree, test: &TestCase, got: &Continuation) -> Option<Span> {
    let directive = tree.directives.binary_search_by_key(&test.span.start, |directive| directive.span.start).ok()?;
    let directive = tree.directives.get(directive)?;
    let gold = directive.strings(&tree.text).into_iter().last()?;
    let written = gold.of(&tree.text);
    let got = got.symbols.iter().flat_map(|symbol| symbol.split_whitespace());
    let right = got.zip(test.gold.split_whitespace()).take_while(|(got, gold)| got == gold).count();
    // Blanks are not escaped: the words as they are written are those of the gold, in their order.
    let quoted = written.get(1..written.len() - 1)?;
    let Some(word) = quoted.split_whitespace().nth(right) else { return Some(gold) };
    let start = gold.start + (word.as_ptr() as usize - written.as_ptr() as usize) as u32;
    Some(Span::new(start, start + word.len() as u32))
}
