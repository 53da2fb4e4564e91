//! The discrete-attention-only transformer, fast: the same layers with each register as the index of its value, each block
//! of the weights as the map it is, and each match found through an index over the keys.
//!
//! Like the full arithmetic it reads only tensors: [`Maps`] are what [`recognize`] finds in them. A program's maps are made
//! once and run on any prompt; [`Executable`](crate::Executable) says why they may.

mod conditions;
mod forward;
mod history;
mod index;
mod rivals;
mod wave;

use crate::input::{Input, State};
use crate::limits::Limits;
use crate::machine::{Machine, Observer, Run, Stopped};
use crate::qkvl::CausalAttn;
use crate::run_error::RunError;
use crate::vocabulary::ValueId;
use crate::weights::{Form, Instructions, NotPsl, Step, Weights, recognize};
use conditions::{Conditions, Reading, Shifts};
use forward::Forward;

/// The index of a value, or [`NULL`].
type Value = u32;

/// What a register holds that was never set.
const NULL: Value = Value::MAX;

/// The weights of a program as maps from values to values.
#[derive(Clone, Debug)]
pub struct Maps {
    nodes: Vec<Node>,
    /// The number of registers that hold state.
    width: usize,
    position: Option<usize>,
    output: Option<usize>,
    /// Whether some layer sets the position: then a cell's position may be another than its place.
    sets_position: bool,
}

/// A layer or a repeat block.
#[derive(Clone, Debug)]
enum Node {
    Layer(Layer),
    Repeat(Repeat),
}

#[derive(Clone, Debug)]
struct Layer {
    number: usize,
    conditions: Conditions,
    /// Register to what it is set to.
    value: Vec<(usize, Source)>,
    causal_attn: Option<CausalAttn>,
    right_match: bool,
}

#[derive(Clone, Debug)]
struct Repeat {
    number: usize,
    label: Option<String>,
    until: Option<Conditions>,
    body: Vec<Node>,
    /// Whether there is a repeat block inside.
    nests: bool,
}

/// What a register is set to.
#[derive(Clone, Copy, Debug)]
enum Source {
    Register(Reading),
    Constant(Value),
}

impl Maps {
    /// Reads the maps off the weights. `unnamed` are components of values that the program cannot name, as [`recognize`]
    /// needs them where the maps are to run on other vocabularies.
    ///
    /// Errors: weights that are none of a production.
    pub fn new(weights: &Weights, unnamed: &[u32]) -> Result<Self, NotPsl> {
        let mut loader = Loader { position: weights.position, layers: 0, repeats: 0, sets_position: false };
        let nodes = loader.nodes(&recognize(weights, unnamed)?);
        Ok(Self {
            nodes,
            width: weights.state_registers,
            position: weights.position,
            output: weights.output,
            sets_position: loader.sets_position,
        })
    }
}

/// Counts layers and blocks.
struct Loader {
    position: Option<usize>,
    layers: usize,
    repeats: usize,
    sets_position: bool,
}

impl Loader {
    fn nodes(&mut self, steps: &[Step]) -> Vec<Node> {
        steps.iter().map(|step| self.node(step)).collect()
    }

    fn node(&mut self, step: &Step) -> Node {
        match step {
            Step::Layer(Instructions { slots, value, causal_attn, right_match, .. }) => {
                self.layers += 1;
                self.sets_position |= value.iter().any(|(register, _)| Some(*register) == self.position);
                Node::Layer(Layer {
                    number: self.layers,
                    conditions: Conditions::new(slots, self.position),
                    value: value.iter().filter_map(|(register, form)| Some((*register, Source::new(form)?))).collect(),
                    causal_attn: *causal_attn,
                    right_match: *right_match,
                })
            }
            Step::Repeat { label, until, steps } => {
                self.repeats += 1;
                Node::Repeat(Repeat {
                    number: self.repeats,
                    label: label.clone(),
                    until: until.as_ref().map(|slots| Conditions::new(slots, self.position)),
                    body: self.nodes(steps),
                    nests: steps.iter().any(|step| matches!(step, Step::Repeat { .. })),
                })
            }
        }
    }
}

impl Source {
    /// None for null, which sets nothing.
    fn new(form: &Form) -> Option<Self> {
        match form {
            Form::Register(register, function) => Some(Self::Register(Reading::new(*register, *function))),
            Form::OneOf(values) => values.first().copied().map(Self::Constant),
            Form::Nothing | Form::Not(..) | Form::NoneOf(_) => None,
        }
    }
}

/// The fast discrete-attention-only transformer.
#[derive(Debug)]
pub struct Dat<'m> {
    maps: &'m Maps,
    shifts: Shifts,
}

impl<'m> Dat<'m> {
    /// A machine with these weights for a vocabulary with these positions.
    pub fn new(maps: &'m Maps, positions: &[ValueId]) -> Self {
        Self { maps, shifts: Shifts::new(positions) }
    }

    /// Whether every cell's position is its place, and stays so: then a position is its own index.
    fn is_pinned(&self, input: &Input) -> bool {
        let Some(register) = self.maps.position.filter(|_| !self.maps.sets_position) else { return false };
        let held = |cell: &State| cell.get(register).copied().flatten().map_or(NULL, |value| value.0);
        (1..).zip(&input.cells).all(|(number, cell)| held(cell) == self.shifts.position(number))
    }
}

impl Machine for Dat<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let Maps { width, position, output: read_out, .. } = self.maps;
        let mut entering: Vec<Value> = Vec::with_capacity(2 * input.cells.len() * width);
        for cell in &input.cells {
            let held = (0..*width).map(|register| cell.get(register).copied().flatten());
            entering.extend(held.map(|held| held.map_or(NULL, |value| value.0)));
        }
        let mut finished: Vec<Value> = Vec::with_capacity(2 * entering.len());
        let mut forward = Forward::new(self, limits, observer, self.is_pinned(input));
        let mut output = Vec::new();
        let stopped = loop {
            if limits.recompute {
                finished.clear();
                forward.forget();
            }
            finished.extend_from_slice(forward.wave(entering.get(finished.len()..).unwrap_or_default())?);
            let cells = finished.len().checked_div(*width).unwrap_or_default();
            let last = finished.rchunks_exact((*width).max(1)).next();
            let Some(last) = last.filter(|_| output.len() < limits.max_new) else { break Stopped::MaxNew };
            let symbol = read_out.and_then(|register| held(*last.get(register)?));
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                break Stopped::StopSymbol;
            }
            if output.len() == limits.max_new {
                break Stopped::MaxNew;
            }
            entering.extend_from_slice(last);
            let start = entering.len() - width;
            if let Some(slot) = position.and_then(|register| entering.get_mut(start + register)) {
                *slot = self.shifts.position(cells + 1);
            }
        };
        let states = finished.chunks_exact((*width).max(1)).map(|cell| cell.iter().map(|&value| held(value)).collect());
        Ok(Run { output, stopped, states: states.collect() })
    }
}

fn held(value: Value) -> Option<ValueId> {
    (value != NULL).then_some(ValueId(value))
}
