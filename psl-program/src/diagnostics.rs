//! The diagnostics of a file: from its text and its tests, with the configured severities.
//!
//! Invariant: only this module combines them. `psl check`, the server and every code action that fixes use it.

use psl_syntax::{
    Checked, Code, Diagnostic, Levels, Severity, apply_levels,
    diagnostic::Label,
    program::{Production, ProductionId, TestCase},
    separate_layers, undecided_look_aheads,
};

use crate::{
    counting::count,
    failed_test::failed_test,
    file::File,
    test_report::{Ahead, LayerStats, Outcome, TestReport},
};

/// Returns all diagnostics that a user sees, in the order of the text, with the configured severities and without
/// allowed ones. Without a report of the tests, diagnostics that the tests may still decide are left out.
pub fn diagnostics(file: &File, report: Option<&TestReport>) -> Vec<Diagnostic> {
    let analysis = file.analysis();
    let no_tests = TestReport::default();
    let report = report.or(analysis.program.tests.is_empty().then_some(&no_tests));
    let decided = report.is_some_and(TestReport::is_complete);
    let pending: Vec<Code> = Code::ALL.iter().copied().filter(|code| !decided && code.is_decided_by_tests()).collect();
    let tree = &file.checked().tree;
    let found = with_tests(file, report);
    apply_levels(tree, found, &pending, &file.config().levels)
}

/// Computes what a file keeps for its [`diagnostics`].
pub fn prepare_diagnostics(file: &File) {
    file.text_diagnostics();
}

/// The warnings of a program's text, without configuration and without those that tests decide.
pub fn text_warnings(checked: &Checked) -> Vec<Diagnostic> {
    let pending: Vec<Code> = Code::ALL.iter().copied().filter(|code| code.is_decided_by_tests()).collect();
    let mut shown = apply_levels(&checked.tree, checked.rule_diagnostics().to_vec(), &pending, &Levels::default());
    shown.retain(|found| found.severity == Severity::Warning);
    shown
}

/// The diagnostics of the text and of the tests.
fn with_tests(file: &File, report: Option<&TestReport>) -> Vec<Diagnostic> {
    let analysis = file.analysis();
    let program = &analysis.program;
    let mut found = file.text_diagnostics().to_vec();
    // The search for separate layers takes longer than the other rules together.
    if analysis.sound && !file.config().levels.is_off(Code::SeparateLayers) {
        found.extend(separate_layers(program));
    }
    let Some(report) = report.filter(|_| analysis.sound && !program.tests.is_empty()) else { return found };
    let look_ahead = |(layer, hint)| match report.layer(layer) {
        Some(stats) => decided_look_ahead(hint, stats, &program.tests, report.is_complete()),
        None => hint,
    };
    found.extend(undecided_look_aheads(analysis).into_iter().map(look_ahead));
    let productions = program.productions();
    let never_fired = |layer: ProductionId| {
        // A production that can never fire has its own diagnostic.
        let idle = report.layer(layer)?.matches == 0 && !analysis.verdicts().never_fires(layer);
        idle.then(|| never_fired(productions[layer]))
    };
    if report.is_complete() {
        found.extend(productions.ids().filter_map(never_fired));
    }
    let failing = |(index, test)| failing_test(file, test, report.outcome(index)?);
    found.extend(program.tests.iter().enumerate().filter_map(failing));
    found
}

fn never_fired(production: &Production) -> Diagnostic {
    let message = "this production did not fire on any test in this file";
    let hint = Diagnostic::new(Code::NeverFires, production.head, message)
        .help("add a `//@ test` with a prompt on which it fires, or remove the production");
    Diagnostic { severity: Severity::Hint, ..hint }
}

/// The hint that a production may look ahead, refined by the results of the tests.
fn decided_look_ahead(hint: Diagnostic, stats: &LayerStats, tests: &[TestCase], complete: bool) -> Diagnostic {
    let LayerStats { matches, ahead, first_ahead } = stats;
    let Some(Ahead { test: index, cell, attends }) = first_ahead else {
        let never = if *matches == 0 { "it did not fire" } else { "it never did" };
        let message = if complete { format!("{}; on this file's tests, {never}", hint.message) } else { hint.message };
        return Diagnostic { message, ..hint };
    };
    let test = tests.get(*index);
    let name = test.and_then(|test| test.name.as_deref());
    let place = name.map_or_else(|| format!("test {}", index + 1), |name| format!("test `{name}`"));
    let message = format!(
        "cell `N` attends to a cell to its right in {ahead} of {} on this file's tests; \
         in {place}, cell {cell} attends to cell {attends}",
        count(*matches, "match")
    );
    let warning = Diagnostic { severity: Severity::Warning, message, ..hint };
    match test {
        Some(test) => warning.label(test.span, format!("cell {cell} attends to cell {attends}")),
        None => warning,
    }
}

fn failing_test(file: &File, test: &TestCase, outcome: &Outcome) -> Option<Diagnostic> {
    let name = test
        .name
        .as_deref()
        .map_or_else(|| format!("this {}", test.kind()), |name| format!("{} `{name}`", test.kind()));
    let why = match &outcome.result {
        _ if outcome.passes(test) => return None,
        Ok(continuation) => {
            let program = file.program();
            let explanation = outcome.explanation.as_ref();
            let how = explanation.map_or_else(String::new, |it| format!("; {}", it.in_words(program, |_| None)));
            let case = outcome.case(test);
            let refutation = outcome.law.as_ref().and_then(|law| law.refutation.as_ref());
            let symbols = refutation.map_or_else(String::new, |it| format!("for {}, ", it.symbols_in_words()));
            format!("{symbols}expected `{}`, got `{}`{how}", case.gold, continuation.text())
        }
        Err(failure) => failure.message.clone(),
    };
    let help = match &test.law {
        Some(law) if law.any => "fix the program, or remove `any` if the law is about different symbols",
        Some(_) => "fix the program, or change the law",
        None => "fix the program, or change the expected continuation",
    };
    let failed = failed_test(file, test, outcome);
    let found = Diagnostic::new(Code::FailingTest, failed.missed.unwrap_or(test.span), format!("{name} fails: {why}"))
        .help(help);
    Some(match failed.related {
        Some(Label { span, message }) => found.label(span, message),
        None => found,
    })
}
