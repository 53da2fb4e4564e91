//! The production system machine: runs the resolved program as it stands (33)-(34).
//!
//! Cells are updated in waves: the prompt's cells side by side, then each generated cell alone. A cell leaves a record of
//! itself at every layer and every pass, in the shape of the program, and later waves read the earlier cells there.

mod conditions;
mod wave;

use std::rc::Rc;

use psl_syntax::program::{Production, Program, RegisterId, Repeat, Statement};

use crate::input::Input;
use crate::limits::Limits;
use crate::machine::{Machine, Observer, Run, RunError, Stopped};
use crate::vocabulary::{ValueId, Vocabulary};
use conditions::Values;
use wave::{Record, Wave};

/// A cell's registers. Shared, because most layers change few cells.
type CellState = Rc<[Option<ValueId>]>;

/// The production system machine.
#[derive(Debug)]
pub struct Psm<'p> {
    program: &'p Program,
    steps: Vec<Step<'p>>,
    values: Values,
    positions: &'p [ValueId],
}

/// A statement with its number in program order.
#[derive(Debug)]
enum Step<'p> {
    Layer { number: usize, production: &'p Production },
    Block { number: usize, repeat: &'p Repeat, body: Vec<Step<'p>> },
}

impl<'p> Psm<'p> {
    /// Loads a program. Productions with an error inside are left out.
    pub fn new(program: &'p Program, vocabulary: &'p Vocabulary) -> Self {
        let steps = Counters::default().steps(&program.statements);
        Self { program, steps, values: Values::new(program, vocabulary), positions: vocabulary.positions() }
    }

    /// The state in which a generated cell enters the first layer: its predecessor's last one, at its own position (34).
    fn generated(&self, predecessor: &CellState, number: usize) -> CellState {
        let mut state = predecessor.to_vec();
        let position = self.program.roles.position.and_then(|RegisterId(index)| state.get_mut(index as usize));
        if let Some(position) = position {
            *position = self.positions.get(number).copied();
        }
        state.into()
    }
}

impl Machine for Psm<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let mut entering: Vec<CellState> = input.cells.iter().map(|cell| cell.as_slice().into()).collect();
        let mut finished: Vec<CellState> = Vec::new();
        let mut records: Vec<Vec<Record>> = Vec::new();
        let mut output = Vec::new();
        let mut wave = Wave::new(&self.values, limits, observer);
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                records.clear();
                wave.forget();
            }
            let earlier: Vec<&[Record]> = records.iter().map(Vec::as_slice).collect();
            let (mut states, new) =
                wave.run(&self.steps, &earlier, entering.get(finished.len()..).unwrap_or_default())?;
            records.extend(new);
            finished.append(&mut states);
            let Some(last) = finished.last().filter(|_| output.len() < limits.max_new) else {
                break Stopped::MaxNew;
            };
            let symbol = self.program.roles.output.and_then(|register| held(last, register));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            entering.push(self.generated(last, finished.len() + 1));
        };
        Ok(Run { output, stopped, states: finished.iter().map(|cell| cell.to_vec()).collect() })
    }
}

fn held(cell: &[Option<ValueId>], RegisterId(index): RegisterId) -> Option<ValueId> {
    cell.get(index as usize).copied().flatten()
}

/// How many layers and blocks there are so far.
#[derive(Default)]
struct Counters {
    layers: usize,
    blocks: usize,
}

impl Counters {
    fn steps<'p>(&mut self, statements: &'p [Statement]) -> Vec<Step<'p>> {
        let mut steps = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::Production(production) if !production.sound => {}
                Statement::Production(production) => {
                    self.layers += 1;
                    steps.push(Step::Layer { number: self.layers, production });
                }
                Statement::Repeat(repeat) => {
                    self.blocks += 1;
                    let number = self.blocks;
                    steps.push(Step::Block { number, repeat, body: self.steps(&repeat.body) });
                }
            }
        }
        steps
    }
}
