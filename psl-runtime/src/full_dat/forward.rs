//! Forward passes through layers and repeat blocks, with the cache of keys and values.

use std::collections::BTreeMap;
use std::mem;

use rustc_hash::FxHashMap;

use super::attention::{KeysValues, add_and_normalize, apply, dat_max, some_pair_matches, visible};
use super::{FullDat, Node};
use crate::input::State;
use crate::limits::{Limits, Meter};
use crate::machine::{BlockName, Cycle, Observer, RunError, Turning};
use crate::trace::Update;
use crate::vocabulary::ValueId;
use crate::weights::{Affine, Layer, Repeat, nonzero};

/// The passes of the repeat blocks around a layer or a block, from the outermost in, counting from 1.
type Path = Vec<usize>;

pub(super) struct Forward<'m, 'o> {
    dat: &'m FullDat<'m>,
    limits: &'m Limits,
    meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    dimension: usize,
    cell_size: usize,
    /// By layer: keys and values of all earlier cells in each pass.
    cache: Vec<FxHashMap<Path, KeysValues>>,
    /// By repeat block: how many passes earlier cells made it run.
    passes: Vec<FxHashMap<Path, usize>>,
    /// The same for the cells of this wave, which count as earlier ones only when it is over.
    new_passes: Vec<(usize, Path, usize)>,
    step: usize,
    /// The number of earlier cells.
    first: usize,
    /// The residual stream of the wave's cells.
    stream: Vec<f32>,
    /// Where the wave is.
    path: Path,
    /// Where the earlier cells are: the same, or in their last pass.
    resting: Path,
}

impl<'m, 'o> Forward<'m, 'o> {
    pub(super) fn new(dat: &'m FullDat<'m>, limits: &'m Limits, observer: Option<Observer<'o>>) -> Self {
        Self {
            dat,
            limits,
            meter: Meter::new(limits),
            observer,
            dimension: dat.dimension,
            cell_size: dat.cell_size,
            cache: vec![FxHashMap::default(); dat.layers],
            passes: vec![FxHashMap::default(); dat.repeats],
            new_passes: Vec::new(),
            step: 0,
            first: 0,
            stream: Vec::new(),
            path: Path::new(),
            resting: Path::new(),
        }
    }

    /// Empties the cache: there are no earlier cells any more.
    pub(super) fn forget(&mut self) {
        self.cache.iter_mut().for_each(FxHashMap::clear);
        self.passes.iter_mut().for_each(FxHashMap::clear);
        self.first = 0;
        self.meter.forget();
    }

    /// Takes the next cells through all layers and gives their residual stream after the last.
    pub(super) fn wave(&mut self, nodes: &[Node<'_>], stream: Vec<f32>) -> Result<Vec<f32>, RunError> {
        self.meter.keep(stream.len())?;
        self.stream = stream;
        self.nodes(nodes)?;
        for (repeat, path, passes) in self.new_passes.drain(..) {
            if let Some(counts) = self.passes.get_mut(repeat) {
                counts.insert(path, passes);
            }
        }
        self.step += 1;
        self.first += self.stream.len() / self.cell_size;
        Ok(mem::take(&mut self.stream))
    }

    fn nodes(&mut self, nodes: &[Node<'_>]) -> Result<(), RunError> {
        for node in nodes {
            match node {
                Node::Layer(index, layer) => self.layer(*index, layer)?,
                Node::Repeat(index, repeat, body) => self.repeat(*index, repeat, body)?,
            }
        }
        Ok(())
    }

    fn layer(&mut self, index: usize, layer: &Layer) -> Result<(), RunError> {
        let cells = self.stream.len() / self.cell_size;
        self.meter.layer(cells, self.first + cells)?;
        let Some(cache) = self.cache.get_mut(index) else { return Ok(()) };
        let mut cached = if let Some(cached) = cache.remove(&self.path) {
            cached
        } else {
            // The earlier cells were never in this pass, or there are none.
            let resting = cache.get(&self.resting).cloned().unwrap_or_default();
            self.meter.keep(resting.nonzero())?;
            resting
        };
        cached.keys.truncate(self.first);
        cached.values.truncate(self.first);
        let kept = cached.nonzero();
        let mut buffer = Vec::new();
        for cell in self.stream.chunks_exact(self.cell_size) {
            cached.keys.push(nonzero(apply(&layer.matching.key, cell, self.dimension, &mut buffer)));
            cached.values.push(nonzero(apply(&layer.value, cell, self.dimension, &mut buffer)));
        }
        self.meter.keep(cached.nonzero() - kept)?;
        let count = cached.keys.rows();
        for (number, cell) in (self.first..).zip(self.stream.chunks_exact_mut(self.cell_size)) {
            let query = apply(&layer.matching.query, cell, self.dimension, &mut buffer);
            let visible = visible(layer.causal_attn, number, count);
            let attends = dat_max(query, &cached.keys, visible, layer.matching.count, layer.right_match);
            let value = attends.map(|n| cached.values.row(n)).unwrap_or_default();
            add_and_normalize(cell, &layer.value, value, self.dimension);
            if let Some(observer) = &mut self.observer {
                observer(&Update {
                    step: self.step,
                    layer: index + 1,
                    pass: self.path.clone(),
                    cell: number + 1,
                    attends: attends.map(|n| n + 1),
                    set: set(&layer.value, value, self.dimension),
                    state: self.dat.decode(cell),
                });
            }
        }
        cache.insert(self.path.clone(), cached);
        Ok(())
    }

    fn repeat(&mut self, index: usize, repeat: &Repeat, body: &[Node<'_>]) -> Result<(), RunError> {
        let before = self.passes.get(index).and_then(|counts| counts.get(&self.resting)).copied();
        let least = before.unwrap_or(1);
        let name = || BlockName { number: index + 1, label: repeat.label.clone() };
        let mut orbit = Orbit::default();
        let mut input = self.dat.decode(&self.stream);
        let mut pass = 1;
        loop {
            if pass > self.limits.max_passes {
                return Err(RunError::TooManyPasses { block: name(), max_passes: self.limits.max_passes });
            }
            self.path.push(pass);
            self.resting.push(before.map_or(pass, |last| pass.min(last)));
            self.nodes(body)?;
            self.path.pop();
            self.resting.pop();
            let output = self.dat.decode(&self.stream);
            if pass >= least {
                let ends = match &repeat.until {
                    None => output == input,
                    // Some earlier cells, which rest in their last pass, satisfied the conditions then.
                    Some(_) if before.is_some() => true,
                    Some(matching) => some_pair_matches(matching, &self.stream, self.cell_size, self.dimension),
                };
                if ends {
                    break;
                }
                if pass == least {
                    orbit = Orbit::new(input, 1);
                }
                if let Some(cycle) = orbit.closed_by(&output, self.first, self.dat.weights.state_registers) {
                    return Err(RunError::Endless { block: name(), cycle });
                }
            }
            input = output;
            pass += 1;
        }
        self.new_passes.push((index, self.path.clone(), pass));
        Ok(())
    }
}

/// What a value vector sets each register to.
fn set(map: &Affine, value: &[(u32, f32)], dimension: usize) -> Vec<(usize, ValueId)> {
    let component = |&(index, _): &(u32, f32)| {
        let register = *map.targets.get(index as usize / dimension)?;
        Some((register, ValueId(index % dimension as u32)))
    };
    value.iter().filter_map(component).collect()
}

/// The passes since some state, while the next pass depends on nothing but the last; a new orbit starts whenever the old one
/// has become as long as its limit, which doubles.
#[derive(Default)]
struct Orbit {
    start: State,
    passes: usize,
    limit: usize,
    /// By register, cell after cell: the values that it has had, where it changed.
    turning: BTreeMap<usize, Vec<Option<ValueId>>>,
}

impl Orbit {
    fn new(start: State, limit: usize) -> Self {
        Self { start, passes: 0, limit, turning: BTreeMap::new() }
    }

    /// Whether the state, of the cells after the `first`, is back where the orbit started.
    fn closed_by(&mut self, state: &State, first: usize, registers: usize) -> Option<Cycle> {
        self.passes += 1;
        if self.start == *state {
            let turning = mem::take(&mut self.turning).into_iter().map(|(place, values)| Turning {
                cell: first + place / registers + 1,
                register: place % registers,
                values,
            });
            return Some(Cycle { passes: self.passes, turning: turning.collect() });
        }
        for (place, (then, now)) in self.start.iter().zip(state).enumerate() {
            if then != now {
                let values = self.turning.entry(place).or_insert_with(|| vec![*then]);
                if !values.contains(now) {
                    values.push(*now);
                }
            }
        }
        if self.passes == self.limit {
            *self = Self::new(state.clone(), 2 * self.limit);
        }
        None
    }
}
