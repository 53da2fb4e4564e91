//! Files as callers create them: from bytes, with a configuration, with unreadable prompts, and with tests that stop
//! early.

use std::sync::{Arc, atomic::AtomicBool};

use psl_ide::{InlayHintSettings, inlay_hints};
use psl_program::{Config, File, TestReport, diagnostics, run_test};
use psl_syntax::Span;

const PROGRAM: &str = "//@ test turn \"A\" => \"A\"\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                       where symbol[n] == A and symbol[N] == A:\n    symbol[N] = B\n";

fn configured(toml: &str) -> Arc<Config> {
    Arc::new(Config::parse(toml).expect("a configuration"))
}

/// The report of a file's tests, or `None` if the file does not compile.
fn report(file: &File, cancelled: bool) -> Option<TestReport> {
    let tests = 0..file.program().tests.len();
    let runs = tests.map(|test| run_test(file, test, &AtomicBool::new(cancelled))).collect::<Option<_>>()?;
    Some(TestReport::new(runs))
}

/// Each diagnostic of a file and its tests, as `severity code`.
fn found(file: &File) -> Vec<String> {
    let found = diagnostics(file, report(file, false).as_ref());
    found.iter().map(|found| format!("{} {}", found.severity.as_str(), found.code.as_str())).collect()
}

#[test]
fn levels_are_as_configured() {
    let of = |toml: &str| found(&File::new(PROGRAM, configured(toml)));
    assert_eq!(of(""), ["warning failing-test", "warning unused-register"]);
    assert_eq!(
        of("[severity]\nunused-register = 'error'\nfailing-test = 'hint'"),
        ["hint failing-test", "error unused-register"]
    );
    assert_eq!(of("[severity]\nunused-register = 'off'"), ["warning failing-test"]);
    let file = File::new(PROGRAM, Arc::default()).with_config(configured("[severity]\nfailing-test = 'off'"));
    assert_eq!(found(&file), ["warning unused-register"]);
}

#[test]
fn the_stop_symbol_is_as_configured() {
    let program = PROGRAM.replace("=> \"A\"", "=> \"B\"");
    let message = |file: &File| {
        let found = diagnostics(file, report(file, false).as_ref());
        found.first().expect("a diagnostic").message.clone()
    };
    let file = File::new(program, Arc::default());
    assert!(message(&file).starts_with("test `turn` fails: expected `B`, got `B B B"), "{}", message(&file));
    assert_eq!(message(&file.with_config(configured("stop = 'B'"))), "register `mark` is never used");
}

#[test]
fn bytes_that_are_not_utf_8_are_the_only_diagnostic() {
    let mut bytes = b"registers: {symbl: 's'}\n# ".to_vec();
    bytes.extend([0xFF, b'\n', 0xC0]);
    let file = File::from_bytes(bytes, Arc::default());
    assert_eq!(file.text(), "registers: {symbl: 's'}\n# \u{fffd}\n\u{fffd}");
    let [found] = &diagnostics(&file, None)[..] else { panic!("expected one diagnostic") };
    assert_eq!((found.message.as_str(), found.span), ("byte 0xFF is not UTF-8", Span::new(26, 29)));
    assert_eq!(file.runner().err().map(|error| error.to_string()).as_deref(), Some("line 2: byte 0xFF is not UTF-8"));
    assert_eq!(file.format().err().map(|why| why.len()), Some(1));
    assert!(report(&file, false).is_some_and(|report| report.outcome(0).is_none()), "no tests run");
}

#[test]
fn a_prompt_that_cannot_be_read_fails_its_test_alone() {
    let program =
        format!("//@ test lost json \"lost.json\" => \"A\"\n//@ test odd json \"odd.json\" => \"A\"\n{PROGRAM}");
    let read = |path: &str| if path == "odd.json" { Ok("[".to_owned()) } else { Err("it is gone".to_owned()) };
    let file = File::new(program, Arc::default()).with_prompts(read);
    let report = report(&file, false).expect("it compiles");
    let why = |test| match &report.outcome(test).expect("it ran to its end").result {
        Ok(continuation) => continuation.text(),
        Err(failure) => failure.message.clone(),
    };
    assert_eq!(why(0), "the prompt in lost.json: it is gone");
    assert!(why(1).starts_with("the prompt in odd.json: cell 1: the JSON ends in the middle of a list"), "{}", why(1));
    assert!(why(2).starts_with("B B"), "{}", why(2));
    assert_eq!(file.prompt_files().collect::<Vec<_>>(), ["lost.json", "odd.json"]);
}

#[test]
fn a_test_that_is_stopped_early_decides_nothing() {
    let file = File::new(PROGRAM, Arc::default());
    let report = report(&file, true).expect("it compiles");
    assert_eq!((report.is_complete(), report.outcome(0).is_none()), (false, true));
    let found = diagnostics(&file, Some(&report));
    assert_eq!(found.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(), ["unused-register"]);
}

#[test]
fn hints_are_shown_as_set() {
    let file = File::new(PROGRAM.replace("[n] == A", "[n] == B"), Arc::default());
    let shown = |shown| {
        let hints = inlay_hints(&file, None, None, Span::new(0, u32::MAX), shown);
        hints.into_iter().map(|hint| hint.label).collect::<Vec<_>>()
    };
    let all = InlayHintSettings::default();
    assert_eq!(shown(all), ["layer 1", "looks ahead?"]);
    assert_eq!(shown(InlayHintSettings { layers: false, ..all }), ["looks ahead?"]);
    assert_eq!(shown(InlayHintSettings { look_ahead: false, ..all }), ["layer 1"]);
}
