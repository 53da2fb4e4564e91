//! The runtime of PSL: QKVL, numeric weights, the machines and their traces.
//!
//! ```text
//! compile(&Program)                     -> qkvl::Program
//! decompile(&qkvl::Program)             -> PSL text; decompile::program gives the program as data
//! weights(&qkvl::Program, &Vocabulary)  -> Weights
//! weights::file::{write, read}          -> a Model to safetensors and back, through the caller's writer or reader
//! weights::program::program(&Model)     -> qkvl::Program
//! weights::recognize(&Weights, &[u32])  -> their instructions in table (72); the Dat reads them as Maps
//! Psm, Qkvm, Dat, FullDat: Machine      -> Run, and an Update for every cell of every layer
//! Executable::run, Executable::verify   -> a Program on one machine, or on all
//! Executable::run_changed               -> a Program on the PSM, with changed registers
//! record::Recorder                      -> a RecordedRun, from the updates of a run; its questions are functions over it
//! ```
//!
//! Invariant: the machines share only the trait, the trace and the plain data (vocabulary, input). The PSM reads only
//! the resolved program, the QKVM only QKVL, the DATs only tensors. Otherwise their agreement would prove nothing.
//!
//! Invariant: this crate does no I/O and uses no terminal, editor protocol, clock or thread pool.
#![warn(missing_docs)]

mod cell_id;
pub mod changes;
pub mod compile;
mod continuation;
mod cycle_detection;
pub mod dat;
pub mod decompile;
pub mod equality;
pub mod executable;
pub mod full_dat;
pub mod gpt2;
pub mod heads;
pub mod input;
pub mod json_error;
mod layers;
pub mod limits;
pub mod machine;
mod meter;
pub mod psm;
pub mod qkvl;
pub mod qkvm;
pub mod record;
pub mod run_error;
pub mod trace;
pub mod verify;
pub mod vocabulary;
pub mod weights;

pub use cell_id::CellId;
pub use changes::{Change, ChangeTime};
pub use compile::{compile, compile_production, primed_names};
pub use continuation::{Continuation, FailureCause, RunFailure, SymbolId};
pub use dat::{Dat, Maps};
pub use decompile::{DecompileError, decompile};
pub use executable::Executable;
pub use full_dat::{Embedding, FullDat, StateVectors};
pub use heads::{HeadPlace, LayerId, place_of};
pub use input::{Cell, Input, InputError, Options, Registers, State, Task};
pub use limits::Limits;
pub use machine::{Machine, MachineKind, Observer, Run, Stopped, UnknownMachine, to_the_end};
pub use psm::{ConditionResult, Psm, Right, Tester};
pub use qkvm::Qkvm;
pub use run_error::{Conflict, RunError};
pub use trace::{Trace, Update};
pub use verify::{Divergence, Verified, VerifyError, verify};
pub use vocabulary::{ValueId, Vocabulary};
pub use weights::{Weights, weights};
