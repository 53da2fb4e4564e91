//! Changed registers and ablated layers, to see what the run would do with them.

use std::collections::BTreeSet;

use psl_program::{Intervention, Progress, value_in};
use psl_runtime::{CellId, Change, ChangeTime};
use psl_syntax::program::{ProductionId, RegisterId};

use super::{
    cell_view::CellView,
    debugged_run::Debugger,
    effect::Effect,
    error::DebugError,
    expression::RegisterOfCell,
    step_place::StepPlace,
    timeline::{Moment, Timeline},
};

impl Debugger {
    /// The number of changed registers.
    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    /// Whether a register of the run is changed.
    pub fn is_changed(&self) -> bool {
        self.changes() > 0
    }

    /// The layers that write nothing.
    pub fn ablated(&self) -> &BTreeSet<ProductionId> {
        &self.task.limits.ablated
    }

    /// The name of a run that is not the program's own, such as `changed run without layer 6`.
    pub fn what_if(&self) -> Option<String> {
        let without = (!self.ablated().is_empty()).then(|| without(self.ablated()));
        let changed = if self.is_changed() { "changed run" } else { "run" };
        match without {
            Some(without) => Some(format!("{changed} {without}")),
            None => self.is_changed().then(|| changed.to_owned()),
        }
    }

    /// Ablates these layers and no others, in all cells and passes. The current moment stays at its place, or moves to
    /// the next place that the new run has. Changed registers stay changed.
    ///
    /// # Errors
    ///
    /// Fails if the run is cancelled. Then nothing changes.
    pub fn ablate(&mut self, layers: BTreeSet<ProductionId>, progress: &Progress) -> Result<Effect, DebugError> {
        let (moment, place) = (self.moment(), self.place());
        let before = self.run_ablated(layers, progress)?;
        self.go_to(self.timeline().like(Timeline::new(&before), moment));
        Ok(Effect::of(&before, self.run(), self.place() != place))
    }

    /// Changes a register of a cell at the current moment and runs again from there, on the PSM and without a second
    /// machine. Earlier moments stay the same. `∅` and an empty text are null.
    ///
    /// # Errors
    ///
    /// Fails at a moment that is neither at a layer nor at a repeat block, for a cell that is not computed there, an
    /// unknown register and a value of several words, and if the run is cancelled. Then nothing changes.
    pub fn change(
        &mut self,
        register: RegisterId,
        cell: CellId,
        value: &str,
        progress: &Progress,
    ) -> Result<(), DebugError> {
        let Moment { step, index, .. } = self.moment();
        self.check_cell(cell)?;
        let count = self.file().program().registers.len();
        if register.index() >= count {
            return Err(DebugError::UnknownRegister { register: register.index(), count });
        }
        let is_before_layer = matches!(self.place(), StepPlace::Layer(_) | StepPlace::Block { .. });
        let row = self.run().rows_of_step(step).get(index).filter(|_| is_before_layer);
        let row = row.map(|&row| self.run().rows()[row].clone());
        let row = row.ok_or(DebugError::NotBeforeLayer)?;
        let value = value_in(&mut self.task, value)?;
        let (at, pass) = (ChangeTime::Before(row.layer), Some(row.pass));
        self.run_changed([Change { at, pass, cell, register, value }], progress)
    }

    /// Makes interventions, on the PSM and without a second machine. Those that the run does not reach do nothing.
    ///
    /// # Errors
    ///
    /// Fails for a place that no run of the prompt can have, and if the run is cancelled. Then nothing changes.
    pub fn intervene(&mut self, interventions: &[Intervention], progress: &Progress) -> Result<(), DebugError> {
        let changes = self.file.runner()?.changes(interventions, &mut self.task)?;
        self.run_changed(changes, progress)
    }

    /// Changes a register that is named as in a condition, such as `field[5]`. Returns its new value as text.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a register of a cell, and like [`Debugger::change`].
    pub fn change_named(&mut self, text: &str, value: &str, progress: &Progress) -> Result<String, DebugError> {
        let place = RegisterOfCell::parse(self.file(), text)?;
        let (cell, _) = place.cell_and_time(&CellView::at(self.run(), self.moment()))?;
        self.change(place.register, cell, value, progress)?;
        Ok(self.value_of(place.register, cell))
    }

    /// The value of a register of a cell at the current moment. Null is `∅`.
    pub fn value_of(&self, register: RegisterId, cell: CellId) -> String {
        let time = self.timeline().time_of(self.moment(), cell);
        self.run().vocabulary().show(self.run().value(register, cell, time)).to_owned()
    }
}

/// `without layer 6`, `without layers 2 and 20-27`, or `with all layers`.
pub(super) fn without(layers: &BTreeSet<ProductionId>) -> String {
    let mut ranges: Vec<(ProductionId, ProductionId)> = Vec::new();
    for &layer in layers {
        match ranges.last_mut() {
            Some((_, last)) if last.next() == layer => *last = layer,
            _ => ranges.push((layer, layer)),
        }
    }
    let show = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    let shown: Vec<String> = ranges.into_iter().map(show).collect();
    match shown.split_last() {
        None => "with all layers".to_owned(),
        Some((_, [])) if layers.len() == 1 => format!("without layer {}", shown.concat()),
        Some((last, [])) => format!("without layers {last}"),
        Some((last, rest)) => format!("without layers {} and {last}", rest.join(", ")),
    }
}
