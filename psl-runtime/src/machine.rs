//! What the machines have in common: what they are asked for, and what they answer.
//!
//! # Repeat blocks
//!
//! Each machine has a loop of its own, as their agreement would prove less of one that they share. What it does is this.
//!
//! - Cells come in *forward steps*: all of the prompt at once (prefill), then each generated cell alone (decode). A step takes
//!   the block's layers and blocks in order, a *pass*, as often as the block needs it to. Every earlier cell stays as it was: a
//!   step reads it, at each layer of each pass, in the state that it had on entering that layer in that pass.
//! - Where a step takes more passes than an earlier cell did, that cell *rests*: it is read in its last pass. Of a block
//!   inside, that is its last pass within the same pass of the block around; a cell that rests in the block around rests in
//!   all that is inside.
//! - A step takes at least as many passes as each of the earlier cells, and at least one. After that many, the block ends
//!   with the first pass
//!   - under `NO_CHANGE`, that leaves every register of the step's cells as it was before that pass, whatever happened within;
//!   - under conditions, after which they hold for some pair of cells n and N, or without `n` for some cell, of all so far,
//!     each in its own last pass, whatever `causal_attn` says. That is so at once where there are earlier cells: some pair
//!     of them ended the block, and they rest.
//! - A pass that starts when all earlier cells rest depends on the step's cells alone. If these come back to a state in which
//!   such a pass started, the block never ends: the run fails, and names the cycle and the registers that turn in it. Where
//!   conditions end the block, the cycle may be one pass that changes nothing.
//! - A block that needs more passes than [`Limits::max_passes`] makes the run fail.
//! - With [`Limits::recompute`], every step is all cells so far, and there are no earlier ones.

use std::fmt;
use std::str::FromStr;

use crate::input::{Input, State};
use crate::limits::Limits;
use crate::run_error::RunError;
use crate::trace::Update;
use crate::vocabulary::ValueId;

/// The machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineKind {
    /// Runs the production system itself.
    Psm,
    /// Runs QKVL.
    Qkvm,
    /// Runs the weights.
    Dat,
    /// Runs the weights by the paper's arithmetic in full.
    FullDat,
}

impl MachineKind {
    /// All machines there are, from the most symbolic to the most numeric.
    pub const ALL: [Self; 4] = [Self::Psm, Self::Qkvm, Self::Dat, Self::FullDat];

    /// As the command line spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Psm => "psm",
            Self::Qkvm => "qkvm",
            Self::Dat => "dat",
            Self::FullDat => "full-dat",
        }
    }

    /// The machine that the command line spells so; none where there is no such machine.
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

/// No machine has that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMachine {
    /// The name that was given.
    pub name: String,
}

impl fmt::Display for UnknownMachine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = MachineKind::ALL.map(MachineKind::name).join(", ");
        write!(out, "no machine is called `{}`; there are {names}", self.name)
    }
}

impl std::error::Error for UnknownMachine {}

/// Is told of every cell of every layer, in the order of computation, cells from the left.
pub type Observer<'o> = &'o mut dyn FnMut(&Update);

/// A machine with its program loaded.
pub trait Machine {
    /// Runs the prompt pass and the generation. The machines promise the same answer and the same updates for the same
    /// program and input.
    ///
    /// # Errors
    ///
    /// A repeat block that can never stop or takes too many passes, a run that goes past the limits on work and on
    /// what is kept, and one that the caller cancels.
    fn run(&self, input: &Input, limits: &Limits, observer: Option<Observer<'_>>) -> Result<Run, RunError>;
}

/// What a run gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The continuation; a cell without an output value puts out null.
    pub output: Vec<Option<ValueId>>,
    /// What ended it.
    pub stopped: Stopped,
    /// Every cell after the last layer. The continuation's last symbol has no cell of its own.
    pub states: Vec<State>,
}

/// What ended a continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The continuation put out the stop symbol.
    StopSymbol,
    /// The continuation reached its greatest length.
    MaxNew,
}

impl Stopped {
    /// As JSON has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StopSymbol => "stop-symbol",
            Self::MaxNew => "max-new",
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
        assert_eq!(error, "no machine is called `dta`; there are psm, qkvm, dat, full-dat");
    }

    #[test]
    fn what_ended_a_run_has_a_name() {
        assert_eq!([Stopped::StopSymbol, Stopped::MaxNew].map(Stopped::as_str), ["stop-symbol", "max-new"]);
    }
}
