//! `psl test`: runs the `//@ test` lines of programs.

use std::{io::Write, path::PathBuf, sync::atomic::AtomicBool};

use crate::{
    Color,
    commands::runner,
    parting::parting,
    render,
    shown::shown,
    source::{Failure, Sources},
    stdio::{Content, stdout_to_the_end},
};

/// The arguments of `psl test`.
#[derive(clap::Args)]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    paths: Vec<PathBuf>,
}

/// Runs all tests of all paths. The tests of a program with errors fail.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let mut out = stdout_to_the_end(Content::People);
    let (mut passed, mut failed, mut broken) = (0, 0, false);
    let mut sources = Sources::of(&args.paths);
    for source in sources.by_ref() {
        let tests = source.check().analysis.program.tests;
        let runner = runner(&source, color);
        broken |= runner.is_none();
        for (test, number) in tests.iter().zip(1..) {
            let name = test.name.clone().unwrap_or_else(|| format!("test {number}"));
            let place = format!("{}: {name}", render::place(&source, test.span.start));
            let problem = match &runner {
                None => Some("the program has errors".to_owned()),
                Some(runner) => match runner.test(test) {
                    Ok(completion) if completion.is(&test.gold) => None,
                    Ok(completion) => {
                        let how = parting(runner, test, &completion, &AtomicBool::new(false))
                            .map_or_else(String::new, |parting| {
                                format!("; {}", parting.in_words(|span| Some(render::line(&source, span.start))))
                            });
                        Some(format!("expected `{}`, got `{}`{how}", test.gold, completion.text()))
                    }
                    Err(failure) => Some(failure.message),
                },
            };
            if let Some(problem) = problem {
                failed += 1;
                writeln!(out, "{}", shown(&format!("FAILED {place}: {problem}")))?;
            } else {
                passed += 1;
                writeln!(out, "{}", shown(&format!("ok {place}")))?;
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    sources.end(failed == 0 && !broken)
}
