//! Runs single layers for the cells of a forward step, under the limits of the run, and reports to its observer.

use std::{mem, sync::Arc};

use psl_syntax::{
    index::{at, at_mut},
    program::RegisterId,
};

use super::{
    maps::{HeadMaps, Repeat},
    step::DatStep,
    timeline::BlockTime,
    value::{Value, held},
};
use crate::{
    cell_id::CellId,
    cycle_detection::CycleDetection,
    input::State,
    limits::Limits,
    machine::{Observer, show},
    meter::Meter,
    run_error::RunError,
    trace::Update,
};

pub(super) struct Walk<'m, 'o> {
    pub(super) limits: &'m Limits,
    pub(super) meter: Meter<'m>,
    observer: Option<Observer<'o>>,
    /// The update for the observer, reused.
    update: Update,
    /// The states of the step's cells, for the observer. Empty at the start of a step.
    states: Vec<Arc<State>>,
    /// 0 for the prompt's step, k for the step of the k-th generated cell.
    pub(super) number: usize,
    pub(super) step: DatStep<'m>,
    /// The times of the blocks of the current step.
    pub(super) times: Vec<BlockTime>,
    /// Reused by each block that runs.
    pub(super) cycles: CycleDetection<Value>,
}

impl<'m, 'o> Walk<'m, 'o> {
    /// The work of a layer beside what it compares, in comparisons.
    const LAYER_COST: usize = 16;

    pub(super) fn new(step: DatStep<'m>, limits: &'m Limits, observer: Option<Observer<'o>>) -> Self {
        Self {
            limits,
            meter: Meter::new(limits),
            observer,
            update: Update::default(),
            states: Vec::new(),
            number: 0,
            step,
            times: Vec::new(),
            cycles: CycleDetection::default(),
        }
    }

    /// Forgets all cells.
    pub(super) fn reset(&mut self) {
        self.step.reset();
        self.meter.reset();
    }

    pub(super) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Passes a layer that does nothing for a generated cell, as its first test shows. Returns whether it does.
    #[inline]
    pub(super) fn passes_by(&mut self, layer: &HeadMaps) -> bool {
        let passes = self.observer.is_none() && self.step.passes_by(layer);
        self.step.tick += u32::from(passes);
        passes
    }

    /// Runs a layer.
    pub(super) fn layer(&mut self, layer: &HeadMaps) -> Result<(), RunError> {
        let Self { step, meter, observer, .. } = self;
        step.tick += 1;
        // An observer gets every cell, unchanged ones too.
        if observer.is_none() && !step.path.is_empty() && step.rests(layer) {
            return meter.compared(1);
        }
        let again = observer.is_some();
        self.attend(layer, again)?;
        self.write(layer)?;
        if self.is_observed() {
            self.note_states(layer);
            self.observe(layer)?;
        }
        Ok(())
    }

    /// Finds the cells that the step's cells attend to. With `again`, also those that were found before.
    #[inline]
    pub(super) fn attend(&mut self, layer: &HeadMaps, again: bool) -> Result<(), RunError> {
        let Self { step, meter, .. } = self;
        meter.passed(Self::LAYER_COST)?;
        if step.is_prefill() {
            return step.prefill(layer, again, meter);
        }
        step.decode(layer, meter)?;
        if step.path.is_empty() {
            step.note_key(layer);
        }
        Ok(())
    }

    pub(super) fn is_ablated(&self, layer: &HeadMaps) -> bool {
        self.limits.ablated.contains(&layer.id)
    }

    /// Sets the registers of the cells that attend to a cell.
    #[inline]
    pub(super) fn write(&mut self, layer: &HeadMaps) -> Result<(), RunError> {
        if self.step.scratch.matches.sources.is_empty() || self.is_ablated(layer) {
            return Ok(());
        }
        self.meter.keep(self.step.write(layer))
    }

    /// Starts a forward step with these cells.
    pub(super) fn enter(&mut self, states: &[Value]) {
        self.states.clear();
        self.step.enter(states);
    }

    /// Notes for the observer what a layer has written, so that a state is copied as a whole only once.
    pub(super) fn note_states(&mut self, layer: &HeadMaps) {
        let Self { states, step, .. } = self;
        if states.is_empty() {
            let state = |cell: &[Value]| Arc::new(cell.iter().map(|&value| held(value)).collect());
            states.extend(step.scratch.states.chunks_exact(step.width).map(state));
            return;
        }
        for cell in step.scratch.matches.targets.iter() {
            let of_cell = at(&step.scratch.states, cell * step.width..);
            let state = Arc::make_mut(at_mut(states, cell));
            for (register, _) in &layer.value {
                *at_mut(state, *register) = held(*at(of_cell, *register));
            }
        }
    }

    /// Reports the step's cells to the observer, with the states that are noted.
    #[inline]
    pub(super) fn observe(&mut self, layer: &HeadMaps) -> Result<(), RunError> {
        let is_ablated = self.observer.is_some() && self.is_ablated(layer);
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let Self { update, step, states, .. } = self;
        update.step = self.number;
        update.layer = layer.id;
        update.pass.clear();
        update.pass.extend(step.path.iter().map(|pass| pass.pass));
        let mut sources = step.scratch.matches.sources.iter().enumerate();
        for (cell, state) in states.iter_mut().enumerate() {
            let found = step.scratch.matches.targets.contains(cell).then(|| sources.next()).flatten();
            update.cell = CellId::new(step.first + cell);
            update.attends = found.map(|(_, n)| CellId::new(*n));
            update.set.clear();
            if let Some((index, _)) = found.filter(|_| !is_ablated) {
                let set = layer.value.iter().enumerate();
                let set =
                    set.map(|(place, (register, _))| (*register, step.scratch.matches.received(layer, place, index)));
                update.set.extend(set.filter_map(|(register, value)| Some((RegisterId::new(register), held(value)?))));
            }
            // Counting another holder of the state would take longer than the rest of an update.
            mem::swap(&mut update.state, state);
            let shown = show(observer, update);
            mem::swap(&mut update.state, state);
            shown?;
        }
        Ok(())
    }

    /// Starts a pass of a block. Once a cycle is found, passes only collect the registers that change in it, and are
    /// neither observed nor counted.
    pub(super) fn start_pass(
        &mut self,
        repeat: &Repeat,
        pass: usize,
        cycles: &CycleDetection<Value>,
    ) -> Result<(), RunError> {
        if cycles.is_closed() {
            self.observer = None;
        } else if pass > self.limits.max_passes {
            return Err(RunError::TooManyPasses { block: repeat.name(), max_passes: self.limits.max_passes });
        }
        if let Some(innermost) = self.step.path.last_mut() {
            innermost.pass = pass;
        }
        self.step.start_pass();
        Ok(())
    }

    /// Fails if a block that continues can never end.
    pub(super) fn check_cycle(&mut self, repeat: &Repeat, cycles: &mut CycleDetection<Value>) -> Result<(), RunError> {
        self.meter.worked(self.step.scratch.states.len())?;
        let DatStep { scratch, first, width, .. } = &self.step;
        match cycles.after_pass(&scratch.states, *first, *width, held) {
            Some(cycle) => Err(RunError::Endless { block: repeat.name(), cycle }),
            None => Ok(()),
        }
    }
}
