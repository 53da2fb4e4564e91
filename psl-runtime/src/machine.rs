//! The trait of the machines and the result of a run.
//!
//! # Heads
//!
//! A *layer* is a production and those right after it, in the same list, that share its layer. Each is a *head* with
//! its own conditions, mask and side.
//!
//! - All heads read the layer's input: the states of the step's cells before any head writes, and those in which
//!   earlier cells entered the layer in that pass. Then all heads write.
//! - Heads may set a register of a cell to the same value. If they set it to different values, the run fails with
//!   [`RunError::Conflict`], which names the first such cell and its first such register.
//! - Traces, [`Limits::ablated`] and changes number the heads of all layers. An observer gets all cells of a head
//!   before those of the next, each with its state after the whole layer, and none of a layer that fails.
//! - An ablated head writes nothing, so that it is in conflict with none.
//!
//! # Repeat blocks
//!
//! Each machine has its own loop: if they shared one, their agreement would prove less. The loop works as follows.
//!
//! - Cells come in *forward steps*: all of the prompt at once (prefill), then each generated cell alone (decode). A
//!   step runs the block's layers and inner blocks in order, a *pass*, as often as the block requires. Earlier cells do
//!   not change: at each layer of each pass, a step reads them in the state in which they entered that layer in that
//!   pass.
//! - If a step takes more passes than an earlier cell did, that cell *rests*: the step reads it in its last pass. For
//!   an inner block, that is its last pass within the same pass of the outer block, or within its last pass of the
//!   outer block if it rests there.
//! - A step takes at least one pass and at least as many as each of the earlier cells. After that many, the block ends
//!   - under `NO_CHANGE`, with the first pass that leaves every register of the step's cells as it was before that
//!     pass, whatever happened within it;
//!   - under conditions, with the first pass after which they hold for some pair of cells n and N, or without `n` for
//!     some cell. The pair is taken from all cells so far, each in its own last pass, whatever `causal_attn` is. If
//!     there are earlier cells, the conditions hold at once: some pair of them ended the block, and they rest.
//! - A block with an ablated layer ([`Limits::ablated`]) ends under conditions also with a pass that leaves every
//!   register of the step's cells as it was: what would have met the conditions may be what the layer no longer writes.
//! - A pass that starts when all earlier cells rest depends on the step's cells alone. If these return to a state in
//!   which such a pass started, the block never ends: the run fails, and the error names the cycle and the registers
//!   that change in it. If conditions end the block, the cycle may be one pass that changes nothing.
//! - A run fails if a block needs more passes than [`Limits::max_passes`].
//! - With [`Limits::recompute`], every step consists of all cells so far, and there are no earlier cells.

use std::{fmt, ops::ControlFlow, str::FromStr};

use crate::{
    input::{Input, State},
    limits::Limits,
    run_error::RunError,
    trace::Update,
    vocabulary::ValueId,
};

/// The machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// Runs the production system itself.
    Psm,
    /// Runs QKVL.
    Qkvm,
    /// Runs the weights.
    Dat,
    /// Runs the weights by the paper's full arithmetic.
    FullDat,
}

impl MachineKind {
    /// All machines, from the most symbolic to the most numeric.
    pub const ALL: [Self; 4] = [Self::Psm, Self::Qkvm, Self::Dat, Self::FullDat];

    /// The machine's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psm => "psm",
            Self::Qkvm => "qkvm",
            Self::Dat => "dat",
            Self::FullDat => "full-dat",
        }
    }

    /// The machine with that name, or `None` if it is unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|machine| machine.name() == name)
    }
}

impl FromStr for MachineKind {
    type Err = UnknownMachine;

    fn from_str(name: &str) -> Result<Self, UnknownMachine> {
        Self::from_name(name).ok_or_else(|| UnknownMachine { name: name.to_owned() })
    }
}

/// The error for an unknown name of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMachine {
    /// The name that no machine has.
    pub name: String,
}

impl fmt::Display for UnknownMachine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = MachineKind::ALL.map(MachineKind::name).join("`, `");
        write!(out, "unknown machine `{}`; expected one of `{names}`", self.name)
    }
}

impl std::error::Error for UnknownMachine {}

/// A reader of every cell of every layer, in the order of computation, cells from left to right. `Break` ends the run
/// with [`RunError::Ended`].
pub type Observer<'o> = &'o mut dyn FnMut(&Update) -> ControlFlow<()>;

/// An observer that reads every run to its end.
pub fn to_the_end(mut read: impl FnMut(&Update)) -> impl FnMut(&Update) -> ControlFlow<()> {
    move |update| {
        read(update);
        ControlFlow::Continue(())
    }
}

/// Shows an update to an observer.
pub(crate) fn show(observer: &mut dyn FnMut(&Update) -> ControlFlow<()>, update: &Update) -> Result<(), RunError> {
    if observer(update).is_break() { Err(RunError::Ended) } else { Ok(()) }
}

/// A machine with its program loaded.
pub trait Machine {
    /// Runs the prompt pass and the generation. For the same program and input, all machines return the same result and
    /// report the same updates.
    ///
    /// # Errors
    ///
    /// A repeat block that never stops or takes too many passes, heads of a layer that set a register to different
    /// values, a run that exceeds a limit on work or on kept values, or a run that the caller cancels.
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError>;
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The continuation, or the row. A cell whose output is null generates `None`.
    pub output: Vec<Option<ValueId>>,
    /// The reason why the continuation ended.
    pub stopped: Stopped,
    /// The state of every cell after the last layer. The last symbol of the continuation has no cell.
    pub states: Vec<State>,
}

/// The reason why a continuation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The continuation generated the stop symbol.
    StopSymbol,
    /// The continuation reached its maximum length.
    MaxNew,
    /// The result is a row: the run was the prompt pass alone.
    PromptPass,
}

impl Stopped {
    /// All reasons.
    pub const ALL: [Self; 3] = [Self::StopSymbol, Self::MaxNew, Self::PromptPass];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StopSymbol => "stop-symbol",
            Self::MaxNew => "max-new",
            Self::PromptPass => "prompt-pass",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MachineKind, Stopped};

    #[test]
    fn every_machine_is_found_by_its_name() {
        for machine in MachineKind::ALL {
            assert_eq!(machine.name().parse(), Ok(machine));
        }
        let error = "dta".parse::<MachineKind>().unwrap_err().to_string();
        assert_eq!(error, "unknown machine `dta`; expected one of `psm`, `qkvm`, `dat`, `full-dat`");
    }

    #[test]
    fn each_reason_to_stop_has_a_name() {
        assert_eq!(Stopped::ALL.map(Stopped::as_str), ["stop-symbol", "max-new", "prompt-pass"]);
    }
}
