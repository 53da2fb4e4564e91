//! The results of tests, as text, as JSON and as JUnit's XML.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    time::Duration,
};

use psl_program::laws::LawVerdict;
use psl_render::{Terminal, grid::Part, shown_json, shown_line};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;

use super::{
    failure_text::failure_text,
    suite::{Broken, Case, Format, MachineRun, Problem, Suite, Unread},
};
use crate::{
    commands::comparison::paragraph,
    output::{part_colors::painter, stdio::print_to_stderr},
};

/// The width of JUnit's descriptions.
const PAGE: Terminal = Terminal { color: false, unicode: true, columns: 100 };

/// Prints each file's results when its tests have run, but JUnit's document at the end.
pub struct Report<W: Write> {
    /// `None` if the coverage is the output: then failures are on standard error.
    format: Option<Format>,
    out: W,
    terminal: Terminal,
    junit: quick_junit::Report,
    passed: usize,
    failed: usize,
}

impl<W: Write> Report<W> {
    pub fn new(format: Option<Format>, out: W, terminal: Terminal) -> Self {
        Self { format, out, terminal, junit: quick_junit::Report::new("psl test"), passed: 0, failed: 0 }
    }

    /// Takes the results of a file.
    pub fn add(&mut self, suite: &Suite) -> io::Result<()> {
        self.passed += suite.passed();
        self.failed += suite.failed();
        match self.format {
            Some(Format::Human) => text(&mut self.out, suite, self.terminal),
            Some(Format::Json) => json(&mut self.out, suite),
            Some(Format::Junit) => {
                self.junit.add_test_suite(junit(suite));
                Ok(())
            }
            Some(Format::Lcov) | None => {
                say_failures(suite, self.terminal);
                Ok(())
            }
        }
    }

    /// Ends the document. Returns how many tests passed and failed. The summary is part of the text, otherwise on
    /// standard error.
    pub fn finish(mut self) -> io::Result<(usize, usize)> {
        let summary = format!("{} passed, {} failed", self.passed, self.failed);
        if self.format == Some(Format::Junit) {
            self.junit.serialize(&mut self.out).map_err(io::Error::other)?;
            writeln!(self.out)?;
        }
        if self.format == Some(Format::Human) {
            writeln!(self.out, "{summary}")?;
        } else {
            print_to_stderr(summary);
        }
        self.out.flush()?;
        Ok((self.passed, self.failed))
    }
}

/// Prints a line for each failure on standard error.
fn say_failures(suite: &Suite, terminal: Terminal) {
    let broken = suite.broken.iter().map(|Broken { reason, .. }| format!("{}: {reason}", suite.file));
    let unread = suite.unread.iter().map(|Unread { place, error, .. }| format!("{place}: {error}"));
    let failed = suite.cases.iter().filter_map(|case| {
        let (message, _) = failure_text(case, terminal)?;
        Some(format!("{}: {}: {message}", case.place, case.title()))
    });
    for line in broken.chain(unread).chain(failed) {
        print_to_stderr(format_args!("FAILED {}", shown_line(&line)));
    }
}

fn text(out: &mut impl Write, suite: &Suite, terminal: Terminal) -> io::Result<()> {
    let paint = painter(terminal);
    if let Some(Broken { reason, .. }) = &suite.broken {
        // The file's errors are on standard error.
        let failed = paint(Part::Wrong, "FAILED");
        writeln!(out, "{failed} {}", shown_line(&format!("{}: {reason}", suite.file)))?;
    }
    for Unread { place, error, .. } in &suite.unread {
        writeln!(out, "{} {}", paint(Part::Wrong, "FAILED"), shown_line(&format!("{place}: {error}")))?;
    }
    for case in &suite.cases {
        let title = shown_line(&format!("{}: {}", case.place, case.title()));
        let Some((message, lines)) = failure_text(case, terminal) else {
            let mark = paint(Part::Passed, "ok");
            match case.holds().map(shown_line) {
                None => writeln!(out, "{mark} {title}")?,
                Some(holds) if "ok : ".width() + title.width() + holds.width() <= terminal.columns => {
                    writeln!(out, "{mark} {title}: {holds}")?;
                }
                Some(holds) => {
                    writeln!(out, "{mark} {title}")?;
                    let (name, symbols) = holds.split_once(' ').unwrap_or(("", &holds));
                    for line in paragraph(name, symbols, terminal) {
                        writeln!(out, "{line}")?;
                    }
                }
            }
            continue;
        };
        writeln!(out, "{} {title}: {}", paint(Part::Wrong, "FAILED"), shown_line(&message))?;
        for line in lines {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Explains why a test failed, and on which machines if they differ. `None` if it passed.
fn problem_in_words(case: &Case) -> Option<String> {
    let one = |run: &MachineRun| {
        let problem = run.problem.as_ref()?;
        Some(match &run.got {
            Some(got) => format!("expected `{}`, got `{got}`; {}", case.gold, problem.explanation()),
            None => problem.explanation(),
        })
    };
    let groups = case.groups();
    if let [(_, run)] = groups.as_slice() {
        return one(run);
    }
    if case.passed() {
        return None;
    }
    let results = groups.iter().map(|(machines, run)| {
        let names: Vec<&str> = machines.iter().map(|machine| machine.name()).collect();
        format!("{}: {}", names.join(", "), one(run).unwrap_or_else(|| "passed".to_owned()))
    });
    Some(format!("the machines differ; {}", results.collect::<Vec<_>>().join("; ")))
}

fn json(out: &mut impl Write, suite: &Suite) -> io::Result<()> {
    let object = |line: usize, shown: Option<(&Case, &MachineRun)>, problem: Option<&Problem>| {
        let (case, run) = shown.unzip();
        let mut object = json!({
            "file": suite.file,
            "line": line,
            "name": case.and_then(|case| case.name.as_deref()),
            "machine": run.map(|run| run.machine.name()),
            "passed": problem.is_none(),
            "prompt": case.map_or(&Value::Null, |case| &case.prompt),
            "gold": case.map(|case| case.gold.as_str()),
            "got": run.and_then(|run| run.got.as_deref()),
            "first_wrong": problem.and_then(|problem| problem.first_wrong),
            "explanation": problem.map(Problem::explanation),
            "seconds": run.map_or(0.0, |run| run.time.as_secs_f64()),
        });
        if let (Some((case, run)), Some(fields)) = (shown, object.as_object_mut())
            && case.is_law
        {
            fields.extend(law_fields(run.law.as_ref()));
        }
        object
    };
    let broken = suite.broken.iter().map(|Broken { reason, line, error }| (*line, format!("{reason}: {error}")));
    let unread = suite.unread.iter().map(|Unread { line, error, .. }| (*line, error.clone()));
    for (line, message) in broken.chain(unread) {
        let problem = Problem { first_wrong: None, message, cause: None, options: Vec::new() };
        writeln!(out, "{}", shown_json(&object(line, None, Some(&problem)).to_string()))?;
    }
    for case in &suite.cases {
        for run in &case.runs {
            let object = object(case.line, Some((case, run)), run.problem.as_ref());
            writeln!(out, "{}", shown_json(&object.to_string()))?;
        }
    }
    Ok(())
}

/// The fields of a law beside those of a test. `law` is its verdict, if it could be decided.
fn law_fields(law: Option<&LawVerdict>) -> Map<String, Value> {
    let refutation = law.and_then(|law| law.refutation.as_ref());
    let symbols = refutation.map(|it| it.symbols.iter().cloned().collect::<BTreeMap<String, String>>());
    let fields = [
        ("kind", json!("law")),
        ("runs", json!(law.map(|law| law.runs))),
        ("holds", json!(law.and_then(|law| law.holds.as_deref()))),
        ("symbols", json!(symbols)),
        ("breaks_if", json!(refutation.map(|it| &it.equalities))),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn junit(suite: &Suite) -> TestSuite {
    let file = xml_line(&suite.file_from_root);
    let mut junit = TestSuite::new(file.as_str());
    let mut add = |name: &str, line: usize, status: TestCaseStatus, time: Duration| {
        let mut case = TestCase::new(xml_line(name), status);
        case.set_classname(file.as_str()).set_time(time);
        case.extra.insert("file".into(), file.as_str().into());
        case.extra.insert("line".into(), line.to_string().into());
        junit.add_test_case(case);
    };
    let error = |line: usize, error: &str| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(xml_line(&format!("line {line}: {error}")));
        status
    };
    if let Some(Broken { line, error: message, .. }) = &suite.broken {
        add("the program compiles", *line, error(*line, message), Duration::ZERO);
    }
    for Unread { line, error: message, .. } in &suite.unread {
        add(&format!("the test in line {line} can be read"), *line, error(*line, message), Duration::ZERO);
    }
    for case in &suite.cases {
        let status = problem_in_words(case).map_or_else(TestCaseStatus::success, |problem| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(xml_line(&problem));
            if let Some((_, lines)) = failure_text(case, PAGE) {
                // Readers trim it, so it starts at the margin.
                let lines: Vec<&str> = lines.iter().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
                status.set_description(xml(&lines.join("\n")));
            }
            status
        });
        add(&case.title(), case.line, status, case.runs.iter().map(|run| run.time).sum());
    }
    junit
}

/// A text without the characters that XML forbids. The library removes the other control characters.
fn xml(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

fn xml_line(text: &str) -> String {
    xml(&shown_line(text))
}
