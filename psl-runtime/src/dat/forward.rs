//! Waves of cells through layers and repeat blocks: the prompt's cells side by side, then each generated cell alone.

use std::mem;

use super::history::History;
use super::wave::Wave;
use super::{Dat, Layer, Node, Repeat, Value, held};
use crate::limits::Limits;
use crate::machine::Observer;
use crate::meter::Meter;
use crate::orbit::Orbit;
use crate::run_error::{BlockName, RunError};
use crate::trace::Update;

pub(super) struct Forward<'m, 'o> {
    nodes: &'m [Node],
    limits: &'m Limits,
    meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    /// What the observer is told, each time anew.
    update: Update,
    step: usize,
    pass: Vec<usize>,
    wave: Wave<'m>,
    /// Room for the block that runs.
    orbit: Orbit<Value>,
    /// None before the first cell.
    kept: Option<Vec<Kept>>,
}

/// What is kept of a layer or a block.
#[derive(Clone, Debug)]
enum Kept {
    Layer {
        /// The time of its last run.
        ran: Option<u64>,
        /// What later cells read; none where they attend to no earlier cell.
        history: Option<Box<History>>,
    },
    Repeat {
        /// The passes so far.
        passes: usize,
        /// Of a block without blocks inside one list, whose histories tell the passes apart; else one for each pass.
        inside: Vec<Vec<Kept>>,
    },
}

impl<'m, 'o> Forward<'m, 'o> {
    /// What a cell's way through a layer takes besides its comparisons, in comparisons.
    const PASSAGE: usize = 16;

    /// `pinned` says whether each cell's position is its place.
    pub(super) fn new(dat: &'m Dat<'_>, limits: &'m Limits, observer: Option<Observer<'o>>, pinned: bool) -> Self {
        Self {
            nodes: &dat.maps.nodes,
            limits,
            meter: Meter::new(limits),
            observer,
            update: Update::default(),
            step: 0,
            pass: Vec::new(),
            wave: Wave::new(&dat.shifts, dat.maps.width, pinned),
            orbit: Orbit::default(),
            kept: None,
        }
    }

    /// There are no earlier cells any more.
    pub(super) fn forget(&mut self) {
        self.kept = None;
        self.wave.first = 0;
        self.meter.forget();
    }

    /// Takes the next cells through all layers and gives their registers after the last. All cells of the first wave come
    /// at once, and every later one alone.
    pub(super) fn wave(&mut self, states: &[Value]) -> Result<&[Value], RunError> {
        self.meter.look()?;
        self.wave.enter(states);
        let nodes = self.nodes;
        let mut kept = self.kept.take().unwrap_or_else(|| nothing_kept(nodes, &self.wave));
        self.nodes(nodes, &mut kept, None)?;
        self.kept = Some(kept);
        self.step += 1;
        self.wave.first += self.wave.cells();
        Ok(&self.wave.states)
    }

    /// `pass` is that of the block around, where it has no blocks inside.
    fn nodes(&mut self, nodes: &[Node], kept: &mut [Kept], pass: Option<u32>) -> Result<(), RunError> {
        for (node, kept) in nodes.iter().zip(kept) {
            match (node, kept) {
                (Node::Layer(layer), Kept::Layer { ran, history }) => {
                    self.layer(layer, ran, history.as_deref_mut(), pass)?;
                }
                (Node::Repeat(repeat), Kept::Repeat { passes, inside }) => self.repeat(repeat, passes, inside)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn layer(
        &mut self,
        layer: &Layer,
        ran: &mut Option<u64>,
        mut history: Option<&mut History>,
        pass: Option<u32>,
    ) -> Result<(), RunError> {
        let wave = &mut self.wave;
        // An observer is told of every cell, also of those for which all is as it was.
        let since = ran.replace(wave.tick()).filter(|&since| since >= wave.entered && self.observer.is_none());
        self.meter.passed(Self::PASSAGE * if since.is_none() { wave.cells() } else { 1 })?;
        wave.attend(layer, since, history.as_deref_mut(), pass, &mut self.meter)?;
        if let Some(history) = history {
            self.meter.keep(history.take_recorded())?;
        }
        wave.write(&layer.value, pass.is_some());
        self.tell(layer);
        Ok(())
    }

    fn tell(&mut self, layer: &Layer) {
        let Some(observer) = &mut self.observer else { return };
        let Self { update, wave, .. } = self;
        update.step = self.step;
        update.layer = layer.number;
        update.pass.clone_from(&self.pass);
        wave.matches.sort_unstable_by_key(|found| found.cell);
        let mut matches = wave.matches.iter().peekable();
        for (cell, state) in wave.states.chunks_exact(wave.width).enumerate() {
            let found = matches.next_if(|found| found.cell as usize == cell);
            update.cell = wave.first + cell + 1;
            update.attends = found.map(|found| found.n as usize + 1);
            update.set.clear();
            if let Some(found) = found {
                let set = layer.value.iter().zip(wave.values_of(found));
                update.set.extend(set.filter_map(|((register, _), &value)| Some((*register, held(value)?))));
            }
            update.state.clear();
            update.state.extend(state.iter().map(|&value| held(value)));
            observer(update);
        }
    }

    /// Runs a block until it ends: see [the machines' contract](crate::machine#repeat-blocks).
    fn repeat(&mut self, repeat: &Repeat, passes: &mut usize, inside: &mut Vec<Vec<Kept>>) -> Result<(), RunError> {
        let before = *passes;
        // Where blocks nest, what the earlier cells left in their last pass is copied for those beyond it.
        let resting = if repeat.nests { inside.last().cloned() } else { None };
        self.meter.worked(resting.iter().flatten().map(|kept| 2 * kept.len()).sum())?;
        // For how long the earlier cells change, where that is known.
        let quiet = if repeat.nests || self.observer.is_some() { usize::MAX } else { last_change(inside) };
        let mut orbit = mem::take(&mut self.orbit);
        let mut input = Vec::new();
        for pass in 1.. {
            if orbit.is_closed() {
                self.observer = None;
            } else if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: name(repeat), max_passes: self.limits.max_passes });
            }
            let index = if repeat.nests { pass - 1 } else { 0 };
            if inside.len() <= index {
                let new = resting.clone().unwrap_or_else(|| nothing_kept(&repeat.body, &self.wave));
                self.meter.keep(new.iter().map(Kept::len).sum())?;
                inside.push(new);
            }
            let Some(kept) = inside.get_mut(index) else { break };
            if pass == before.max(1) {
                orbit.start(&self.wave.states);
            }
            if repeat.nests {
                input.clone_from(&self.wave.states);
            }
            self.wave.start_pass();
            self.pass.push(pass);
            self.nodes(&repeat.body, kept, (!repeat.nests).then_some(pass as u32))?;
            self.pass.pop();
            if pass < before {
                if pass >= quiet && self.wave.changes_of_pass().is_empty() {
                    // The passes that are left change nothing either.
                    break;
                }
                continue;
            }
            let ends = match &repeat.until {
                // Of a block inside, only the changes of the last pass are known.
                None if repeat.nests => self.wave.states == input,
                None => self.wave.is_unchanged(),
                Some(_) if before > 0 => true,
                Some(conditions) => self.wave.some_pair_matches(conditions, &mut self.meter)?,
            };
            *passes = pass;
            if ends {
                break;
            }
            self.meter.worked(self.wave.states.len())?;
            let Wave { states, first, width, .. } = &self.wave;
            if let Some(cycle) = orbit.after_pass(states, *first, *width, held) {
                return Err(RunError::Endless { block: name(repeat), cycle });
            }
        }
        self.orbit = orbit;
        self.wave.changes.clear();
        if !repeat.nests {
            for kept in inside.iter_mut().flatten() {
                if let Kept::Layer { history: Some(history), .. } = kept {
                    history.rest();
                    self.meter.keep(history.take_recorded())?;
                }
            }
        }
        Ok(())
    }
}

fn nothing_kept(nodes: &[Node], wave: &Wave<'_>) -> Vec<Kept> {
    let nothing = |node: &Node| match node {
        Node::Layer(layer) => Kept::Layer { ran: None, history: wave.history(layer).map(Box::new) },
        Node::Repeat(_) => Kept::Repeat { passes: 0, inside: Vec::new() },
    };
    nodes.iter().map(nothing).collect()
}

/// The pass from which on all earlier cells stay as they are.
fn last_change(inside: &[Vec<Kept>]) -> usize {
    let change = |kept: &Kept| match kept {
        Kept::Layer { history: Some(history), .. } => history.last_change() as usize,
        Kept::Layer { .. } | Kept::Repeat { .. } => 0,
    };
    inside.iter().flatten().map(change).max().unwrap_or_default()
}

fn name(repeat: &Repeat) -> BlockName {
    BlockName { number: repeat.number, label: repeat.label.clone() }
}

impl Kept {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::Layer { history, .. } => history.as_ref().map_or(0, |history| history.len()),
            Self::Repeat { inside, .. } => inside.iter().flatten().map(Self::len).sum(),
        }
    }
}
