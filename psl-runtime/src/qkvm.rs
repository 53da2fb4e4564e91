//! The query-key-value machine: runs QKVL on symbolic structures (62)-(63).
//!
//! Every layer keeps the keys and values of the cells that have passed it, and so does every pass of a repeat block. A new
//! cell adds its own and attends to all of them. A pass that the cells before it did not need starts from a copy of what they
//! left in their last.

mod attributes;
mod blocks;
mod keys;

use indexmap::IndexMap;
use psl_syntax::program::CausalAttn;

use crate::input::{Input, Registers};
use crate::limits::Limits;
use crate::machine::{Machine, Observer, Run, Stopped};
use crate::qkvl::{Block, Program, Slots, Term, Until};
use crate::run_error::RunError;
use crate::vocabulary::{ValueId, Vocabulary};
use attributes::{Filling, Lookup, Reading, Shifts};
use blocks::{Cells, Traffic};

/// What a register holds.
type Held = Option<ValueId>;

/// The query-key-value machine.
#[derive(Debug)]
pub struct Qkvm<'p> {
    blocks: Vec<Loaded<'p>>,
    shifts: Shifts<'p>,
    /// The number of registers that hold state.
    width: usize,
    position: Option<usize>,
    output: Option<usize>,
}

/// A block with its names resolved.
#[derive(Debug)]
enum Loaded<'p> {
    Layer(Layer),
    Repeat(Repeat<'p>),
}

#[derive(Debug)]
struct Layer {
    number: usize,
    causal_attn: Option<CausalAttn>,
    right_match: bool,
    matching: Matching,
    /// Register to what it is set to.
    value: Vec<(usize, Reading)>,
}

#[derive(Debug)]
struct Repeat<'p> {
    number: usize,
    label: Option<&'p str>,
    /// None for `NO_CHANGE`.
    until: Option<Matching>,
    body: Vec<Loaded<'p>>,
}

/// Query and key, slot by slot, by which of the two is the same in every cell.
#[derive(Debug, Default)]
struct Matching {
    /// Some slot never matches.
    never: bool,
    /// The query varies: the key, then the query.
    queries: Vec<(Filling, Filling)>,
    /// The key varies: the query, then the key.
    keys: Vec<(Filling, Filling)>,
    /// Both do.
    compared: Vec<Compared>,
}

/// A slot in which query and key hold a register's value, or one of them its complement.
#[derive(Debug)]
struct Compared {
    query: Reading,
    key: Reading,
    sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Same,
    /// The query holds the complement.
    NotQuery,
    /// The key holds it.
    NotKey,
}

impl<'p> Qkvm<'p> {
    /// Loads a program. A name that its `register_map` does not list reads as null.
    pub fn new(program: &'p Program, vocabulary: &'p Vocabulary) -> Self {
        let Registers { short, roles, .. } = Registers::from(program);
        let lookup = Lookup::new(&short, vocabulary);
        let mut loader = Loader { lookup: &lookup, layers: 0, repeats: 0 };
        Self {
            blocks: loader.blocks(&program.weights),
            shifts: Shifts::new(vocabulary),
            width: short.len(),
            position: roles.position.map(|register| register.0 as usize),
            output: roles.output.map(|register| register.0 as usize),
        }
    }
}

impl Machine for Qkvm<'_> {
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError> {
        let mut entering = Cells::new(self.width, &input.cells);
        let mut finished = Cells::new(self.width, &[]);
        let mut cache = blocks::empty(&self.blocks);
        let mut traffic = Traffic::new(&self.shifts, limits, observer);
        let mut output = Vec::new();
        loop {
            if limits.recompute {
                finished.clear();
                traffic.reset();
                cache = blocks::empty(&self.blocks);
            }
            let wave = entering.from(finished.len());
            finished.append(traffic.run(&self.blocks, &mut cache, finished.len(), wave)?);
            let stopped = |output, stopped| Ok(Run { output, stopped, states: finished.to_states() });
            if output.len() >= limits.max_new {
                return stopped(output, Stopped::MaxNew);
            }
            let Some(mut last) = finished.last() else { return stopped(output, Stopped::MaxNew) };
            let symbol = self.output.and_then(|register| last.get(register).copied().flatten());
            output.push(symbol);
            if symbol.is_some() && symbol == limits.stop {
                return stopped(output, Stopped::StopSymbol);
            }
            if output.len() >= limits.max_new {
                return stopped(output, Stopped::MaxNew);
            }
            if let Some(position) = self.position.and_then(|register| last.get_mut(register)) {
                *position = self.shifts.position(finished.len() + 1);
            }
            entering.push(&last);
        }
    }
}

/// Resolves names and counts.
struct Loader<'l, 'p> {
    lookup: &'l Lookup<'p>,
    layers: usize,
    repeats: usize,
}

impl<'p> Loader<'_, 'p> {
    fn blocks(&mut self, blocks: &'p [Block]) -> Vec<Loaded<'p>> {
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&mut self, block: &'p Block) -> Loaded<'p> {
        match block {
            Block::Layer(layer) => {
                self.layers += 1;
                Loaded::Layer(Layer {
                    number: self.layers,
                    causal_attn: layer.causal_attn,
                    right_match: layer.right_match,
                    matching: self.matching(&layer.weights.q, &layer.weights.k),
                    value: self.value(&layer.weights.v),
                })
            }
            Block::Repeat(repeat) => {
                self.repeats += 1;
                Loaded::Repeat(Repeat {
                    number: self.repeats,
                    label: repeat.layer_comment.as_deref(),
                    until: match &repeat.until {
                        Until::NoChange {} => None,
                        Until::Conditions { q, k } => Some(self.matching(q, k)),
                    },
                    body: self.blocks(&repeat.weights),
                })
            }
        }
    }

    /// A slot that only one side has matches nothing.
    fn matching(&self, q: &Slots, k: &Slots) -> Matching {
        let nothing = || Filling::Is(Reading::Nothing);
        let fill = |slots: &Slots, name: &String| slots.get(name).map_or_else(nothing, |it| self.lookup.filling(it));
        let mut matching = Matching::default();
        for name in q.keys().chain(k.keys().filter(|name| !q.contains_key(*name))) {
            let (query, key) = (fill(q, name), fill(k, name));
            match (query.is_fixed(), key.is_fixed()) {
                (true, true) => matching.never |= !query.alike().matches(key.alike()),
                (false, true) => matching.queries.push((key, query)),
                (true, false) => matching.keys.push((query, key)),
                (false, false) => match (query, key) {
                    (Filling::Is(query), Filling::Is(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::Same });
                    }
                    (Filling::Not(query), Filling::Is(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::NotQuery });
                    }
                    (Filling::Is(query), Filling::Not(key)) => {
                        matching.compared.push(Compared { query, key, sign: Sign::NotKey });
                    }
                    // Two demands never meet.
                    _ => matching.never = true,
                },
            }
        }
        matching
    }

    fn value(&self, v: &IndexMap<String, Term>) -> Vec<(usize, Reading)> {
        let entry = |(name, term): (&String, &Term)| Some((self.lookup.register(name)?, self.lookup.reading(term)));
        v.iter().filter_map(entry).collect()
    }
}
