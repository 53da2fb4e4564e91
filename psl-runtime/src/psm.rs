//! The production system machine: runs the resolved program as it stands (33)-(34).
//!
//! Cells are updated in waves: the prompt's cells side by side, then each generated cell alone. At every layer and every pass
//! a cell leaves what the layer may need of it, in the shape of the program, and later waves find the earlier cells there.

mod conditions;
mod cycle;
mod search;
mod wave;

use psl_syntax::program::{Condition, Production, Program, RegisterId, Repeat, Statement, Until};

use crate::input::Input;
use crate::limits::Limits;
use crate::machine::{Machine, Observer, Run, Stopped};
use crate::run_error::{BlockName, RunError};
use crate::vocabulary::{ValueId, Vocabulary};
use conditions::Values;
use search::Asked;
use wave::{Wave, untrodden};

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
    Layer(Layer<'p>),
    Block(Block<'p>),
}

#[derive(Debug)]
struct Layer<'p> {
    number: usize,
    production: &'p Production,
    asked: Asked<'p>,
}

#[derive(Debug)]
struct Block<'p> {
    number: usize,
    repeat: &'p Repeat,
    /// No conditions for `NO_CHANGE`.
    until: Asked<'p>,
    body: Vec<Step<'p>>,
}

impl Block<'_> {
    fn name(&self) -> BlockName {
        BlockName { number: self.number, label: self.repeat.label.clone() }
    }
}

impl<'p> Psm<'p> {
    /// Loads a program. Productions with an error inside are left out.
    pub fn new(program: &'p Program, vocabulary: &'p Vocabulary) -> Self {
        let steps = Counters::default().steps(&program.statements);
        Self { program, steps, values: Values::new(program, vocabulary), positions: vocabulary.positions() }
    }
}

impl Machine for Psm<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let width = self.program.registers.len().max(1);
        let mut entering: Vec<Option<ValueId>> = Vec::with_capacity(2 * input.cells.len() * width);
        for cell in &input.cells {
            entering.extend((0..width).map(|register| cell.get(register).copied().flatten()));
        }
        let mut finished: Vec<Option<ValueId>> = Vec::new();
        let mut trails = untrodden(&self.steps, 0);
        let mut output = Vec::new();
        let mut wave = Wave::new(&self.values, width, limits, observer);
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                trails = untrodden(&self.steps, 0);
                wave.reset();
            }
            let new = entering.get(finished.len()..).unwrap_or_default();
            finished.extend_from_slice(wave.run(&self.steps, &mut trails, new)?);
            let last = finished.rchunks_exact(width).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = self.program.roles.output.and_then(|register| held(last, register));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            // A generated cell starts as its predecessor ended, at its own position (34).
            let number = finished.len() / width + 1;
            entering.extend_from_slice(last);
            let start = entering.len() - width;
            let position = self.program.roles.position.map(|RegisterId(register)| start + register as usize);
            if let Some(slot) = position.and_then(|place| entering.get_mut(place)) {
                *slot = self.positions.get(number).copied();
            }
        };
        let registers = self.program.registers.len();
        let states = finished.chunks_exact(width).map(|cell| cell.iter().take(registers).copied().collect());
        Ok(Run { output, stopped, states: states.collect() })
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
                    let asked = Asked::new(&production.conditions);
                    steps.push(Step::Layer(Layer { number: self.layers, production, asked }));
                }
                Statement::Repeat(repeat) => {
                    self.blocks += 1;
                    let conditions: &[Condition] = match &repeat.until {
                        Until::NoChange => &[],
                        Until::Conditions(conditions) => conditions,
                    };
                    let (number, until) = (self.blocks, Asked::new(conditions));
                    steps.push(Step::Block(Block { number, repeat, until, body: self.steps(&repeat.body) }));
                }
            }
        }
        steps
    }
}
