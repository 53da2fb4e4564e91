//! The two runs that are compared.

use psl_program::{PatchPlace, Progress, Prompt, RunFailure};
use psl_runtime::{
    CellId, Continuation, MachineKind, Options, Task,
    record::{RecordedRun, Row, Time},
};
use psl_syntax::program::{ProductionId, RegisterId};

use crate::input::program_file::ProgramFile;

/// The two runs of a comparison.
pub struct Runs<'p> {
    pub source: &'p ProgramFile,
    pub base: Side,
    pub donor: Side,
}

/// A recorded run.
pub struct Side {
    pub prompt: Prompt,
    pub task: Task,
    pub run: RecordedRun,
    pub continuation: Continuation,
}

impl Side {
    /// Runs a prompt and records it.
    pub fn record(source: &ProgramFile, prompt: Prompt, options: &Options) -> Result<Self, RunFailure> {
        let runner = source.runner();
        let task = runner.prompt_task(&prompt, &runner.options(options))?;
        let run = runner.record(task.clone(), MachineKind::Psm, &Progress::default());
        let continuation = run.outcome().clone()?;
        Ok(Self { prompt, task, run, continuation })
    }
}

impl Runs<'_> {
    /// The label of a layer.
    pub fn label(&self, layer: ProductionId) -> Option<&str> {
        self.source.runner().label(layer)
    }

    /// The short name of a row.
    pub fn row_name(&self, Row { layer, pass }: &Row) -> String {
        let name = self.source.runner().layer_name(*layer);
        if pass.is_empty() { name } else { format!("{name} {}", passes(pass)) }
    }

    /// The long name of a register.
    pub fn register(&self, register: RegisterId) -> &str {
        let registers = &self.source.runner().executable().registers.long;
        registers.get(register.index()).map_or("", String::as_str)
    }

    /// `field[7]=4`.
    pub fn assignment(&self, place: &PatchPlace) -> String {
        format!("{}[{}]={}", self.register(place.register), place.cell, place.donor.as_deref().unwrap_or("∅"))
    }

    /// The symbol that a cell of the base run starts with.
    pub fn symbol(&self, cell: CellId) -> &str {
        let run = &self.base.run;
        let symbol = self.source.runner().executable().registers.roles.symbol;
        run.vocabulary().show(symbol.and_then(|symbol| run.value(symbol, cell, Time::START)))
    }
}

/// Passes in words: `pass 2`, or `pass 2.1` of nested blocks.
pub fn passes(pass: &[usize]) -> String {
    format!("pass {}", dotted(pass))
}

/// Passes with dots between them.
pub fn dotted(pass: &[usize]) -> String {
    pass.iter().map(usize::to_string).collect::<Vec<_>>().join(".")
}
