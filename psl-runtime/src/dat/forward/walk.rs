//! Runs one layer for the cells of a forward step, and keeps the state that all blocks share.

use crate::{
    cycle_detection::CycleDetection,
    dat::{
        forward_step::ForwardStep,
        kv_cache::KvCache,
        maps::{Layer, Repeat},
        reading::Shifts,
        value::{Value, held},
    },
    limits::Limits,
    machine::Observer,
    meter::Meter,
    run_error::RunError,
    trace::Update,
};

/// The cache of one layer.
#[derive(Clone, Debug)]
pub(super) struct LayerCache {
    /// The time of its last run, or `None` before the first.
    ran: Option<u64>,
    /// The rows for later cells, or `None` if they attend to no earlier cell.
    kv: Option<Box<KvCache>>,
}

impl LayerCache {
    pub(super) fn empty(layer: &Layer, step: &ForwardStep<'_>) -> Self {
        Self { ran: None, kv: step.empty_cache(layer).map(Box::new) }
    }

    /// The number of values.
    pub(super) fn len(&self) -> usize {
        self.kv.as_ref().map_or(0, |kv| kv.len())
    }

    /// The last pass in which the row of an earlier cell changes.
    pub(super) fn last_change(&self) -> usize {
        self.kv.as_ref().map_or(0, |kv| kv.last_change() as usize)
    }
}

pub(super) struct Walk<'m, 'o> {
    pub(super) limits: &'m Limits,
    pub(super) meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    /// The update for the observer, reused.
    update: Update,
    /// 0 for the prompt's step, k for the step of the k-th generated cell.
    pub(super) step_number: usize,
    /// The passes of the enclosing blocks.
    passes: Vec<usize>,
    pub(super) step: ForwardStep<'m>,
    /// Reused by each block that runs.
    pub(super) cycles: CycleDetection<Value>,
}

impl<'m, 'o> Walk<'m, 'o> {
    /// The work per cell and layer other than comparisons, counted in comparisons.
    const LAYER_COST: usize = 16;

    pub(super) fn new(
        shifts: &'m Shifts,
        width: usize,
        pinned: bool,
        limits: &'m Limits,
        observer: Option<Observer<'o>>,
    ) -> Self {
        Self {
            limits,
            meter: Meter::new(limits),
            observer,
            update: Update::default(),
            step_number: 0,
            passes: Vec::new(),
            step: ForwardStep::new(shifts, width, pinned),
            cycles: CycleDetection::default(),
        }
    }

    pub(super) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Runs a layer. `pass` is the pass of the enclosing block if that is a block of layers, whose passes share a cache.
    pub(super) fn layer(&mut self, layer: &Layer, cache: &mut LayerCache, pass: Option<u32>) -> Result<(), RunError> {
        let step = &mut self.step;
        // An observer gets every cell, unchanged ones too.
        let since = cache.ran.replace(step.tick()).filter(|&since| since >= step.entered && self.observer.is_none());
        self.meter.passed(Self::LAYER_COST * if since.is_none() { step.cells() } else { 1 })?;
        step.attend(layer, since, cache.kv.as_deref_mut(), pass, &mut self.meter)?;
        if let Some(kv) = &mut cache.kv {
            self.meter.keep(kv.take_recorded())?;
        }
        if self.limits.ablated.contains(&layer.number) {
            step.attend_only();
        }
        step.write(&layer.value, pass.is_some());
        self.observe(layer);
        Ok(())
    }

    fn observe(&mut self, layer: &Layer) {
        let Some(observer) = &mut self.observer else { return };
        let Self { update, step, .. } = self;
        update.step = self.step_number;
        update.layer = layer.number;
        update.pass.clone_from(&self.passes);
        step.matches.sort_unstable_by_key(|found| found.cell);
        let mut matches = step.matches.iter().peekable();
        for (cell, state) in step.states.chunks_exact(step.width).enumerate() {
            let found = matches.next_if(|found| found.cell as usize == cell);
            update.cell = step.first + cell + 1;
            update.attends = found.map(|found| found.n as usize + 1);
            update.set.clear();
            if let Some(found) = found {
                let set = layer.value.iter().zip(step.values_of(found));
                update.set.extend(set.filter_map(|((register, _), &value)| Some((*register, held(value)?))));
            }
            update.state.clear();
            update.state.extend(state.iter().map(|&value| held(value)));
            observer(update);
        }
    }

    /// Starts a pass of a block. Once a cycle is found, passes only collect the registers that change in it, and are
    /// neither observed nor counted.
    pub(super) fn start_pass<B>(
        &mut self,
        repeat: &Repeat<B>,
        pass: usize,
        cycles: &CycleDetection<Value>,
    ) -> Result<(), RunError> {
        if cycles.is_closed() {
            self.observer = None;
        } else if pass > self.limits.max_passes {
            return Err(RunError::TooManyPasses { block: repeat.name(), max_passes: self.limits.max_passes });
        }
        self.step.start_pass();
        self.passes.push(pass);
        Ok(())
    }

    pub(super) fn end_pass(&mut self) {
        self.passes.pop();
    }

    /// Fails if a block that continues can never end.
    pub(super) fn check_cycle<B>(
        &mut self,
        repeat: &Repeat<B>,
        cycles: &mut CycleDetection<Value>,
    ) -> Result<(), RunError> {
        self.meter.worked(self.step.states.len())?;
        let ForwardStep { states, first, width, .. } = &self.step;
        match cycles.after_pass(states, *first, *width, held) {
            Some(cycle) => Err(RunError::Endless { block: repeat.name(), cycle }),
            None => Ok(()),
        }
    }

    /// Keeps the rows recorded at a layer of a block, for later cells.
    pub(super) fn commit(&mut self, cache: &mut LayerCache) -> Result<(), RunError> {
        let Some(kv) = &mut cache.kv else { return Ok(()) };
        kv.commit();
        self.meter.keep(kv.take_recorded())
    }
}
