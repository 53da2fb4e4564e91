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

use psl_syntax::Diagnostic;

use crate::{
    Color,
    config::Configs,
    execute::Runner,
    render,
    source::{Failure, Source},
};

/// Reads and compiles a program; where it has errors, reports them on standard error and returns nothing.
fn load(path: &Path, color: Color) -> Result<Option<(Source, Runner)>, Failure> {
    let source = Source::read(path)?;
    Ok(runner(&source, color)?.map(|runner| (source, runner)))
}

fn runner(source: &Source, color: Color) -> Result<Option<Runner>, Failure> {
    let checked = source.check();
    if checked.compiles() {
        let stop = source.config(&mut Configs::default())?.stop.clone();
        return Ok(Some(Runner::new(&checked.analysis.program).with_stop(stop)));
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
