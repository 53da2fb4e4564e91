//! The commands of `psl`. Each returns whether all was fine; a [`Failure`] is something outside the programs.

pub mod check;
pub mod compile;
pub mod demo;
pub mod eval;
pub mod explain;
pub mod fmt;
pub mod run;
pub mod test;
pub mod tgt;
pub mod trace;

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
};

use psl_runtime::Executable;
use psl_syntax::Diagnostic;

use crate::{
    Color,
    config::Configs,
    execute::Runner,
    form::Form,
    render::{self, MAX_DIAGNOSTICS},
    source::{Failure, Source},
    stdio::say,
    test_prompts::TestPrompts,
};

/// Reads and compiles a program; where it has errors, reports them on standard error and returns nothing.
fn load(path: &Path, color: Color) -> Result<Option<(Source, Runner)>, Failure> {
    let source = Source::read(path, &mut Configs::default())?;
    Ok(runner(&source, color).map(|runner| (source, runner)))
}

/// The same for a file of any form.
fn load_any(path: &Path, color: Color) -> Result<Option<(Source, Runner)>, Failure> {
    let executable = match Form::read(path)? {
        None => return Ok(None),
        Some(Form::Psl) => return load(path, color),
        Some(Form::Qkvl(program)) => Executable::of_qkvl(*program),
        Some(Form::Weights(model)) => Executable::of_weights(*model),
    };
    let source = Source::without_text(path)?;
    let runner = Runner::of(executable).with_stop(source.config.stop.clone());
    Ok(Some((source, runner)))
}

fn runner(source: &Source, color: Color) -> Option<Runner> {
    let checked = source.check();
    if checked.compiles() {
        let program = &checked.analysis.program;
        let prompts = TestPrompts::read(&program.tests, source.folder());
        return Some(Runner::new(program).with_stop(source.config.stop.clone()).with_prompts(prompts));
    }
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    report(source, &errors, color);
    None
}

/// Reports on standard error what is wrong with a program.
fn report(source: &Source, errors: &[Diagnostic], color: Color) {
    let stderr = io::stderr();
    let color = color.on(stderr.is_terminal());
    let printed = errors.get(..MAX_DIAGNOSTICS).unwrap_or(errors);
    // Where standard error cannot be written, nobody is left to be told.
    let mut out = BufWriter::new(stderr.lock());
    render::human(&mut out, source, printed, color).and_then(|()| out.flush()).ok();
    drop(out);
    if printed.len() < errors.len() {
        say(format_args!("{} more; psl check prints them", render::count(errors.len() - printed.len(), "error")));
    }
}
