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
    io::{self, IsTerminal},
    path::Path,
};

use psl_runtime::Executable;
use psl_syntax::Diagnostic;

use crate::{
    Color,
    config::Configs,
    execute::Runner,
    form::Form,
    render,
    source::{Failure, Source},
    test_prompts::TestPrompts,
};

/// Reads and compiles a program; where it has errors, reports them on standard error and returns nothing.
fn load(path: &Path, color: Color) -> Result<Option<(Source, Runner)>, Failure> {
    let source = Source::read(path)?;
    Ok(runner(&source, color)?.map(|runner| (source, runner)))
}

/// The same for a file of any form.
fn load_any(path: &Path, color: Color) -> Result<Option<(Source, Runner)>, Failure> {
    let executable = match Form::read(path)? {
        None => return Ok(None),
        Some(Form::Psl) => return load(path, color),
        Some(Form::Qkvl(program)) => Executable::of_qkvl(*program),
        Some(Form::Weights(model)) => Executable::of_weights(*model),
    };
    let name = path.display().to_string();
    let source = Source { name, path: Some(path.to_owned()), text: String::new(), not_utf8: None };
    let stop = source.config(&mut Configs::default())?.stop.clone();
    Ok(Some((source, Runner::of(executable).with_stop(stop))))
}

fn runner(source: &Source, color: Color) -> Result<Option<Runner>, Failure> {
    let checked = source.check();
    if checked.compiles() {
        let stop = source.config(&mut Configs::default())?.stop.clone();
        let program = &checked.analysis.program;
        let prompts = TestPrompts::read(&program.tests, source.folder());
        return Ok(Some(Runner::new(program).with_stop(stop).with_prompts(prompts)));
    }
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    report(source, &errors, color)?;
    Ok(None)
}

/// Reports on standard error what is wrong with a program.
fn report(source: &Source, errors: &[Diagnostic], color: Color) -> Result<(), Failure> {
    let stderr = io::stderr();
    let color = color.on(stderr.is_terminal());
    render::human(&mut stderr.lock(), source, errors, color)?;
    Ok(())
}
