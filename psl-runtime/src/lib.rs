//! Everything that running a PSL program can tell: QKVL, the numeric weights, the machines and their traces.
//!
//! ```text
//! compile(&Program)                     -> qkvl::Program
//! decompile(&qkvl::Program)             -> PSL text; decompile::program gives the program as data
//! weights(&qkvl::Program, &Vocabulary)  -> Weights
//! weights::file::{write, read}          -> a Model as safetensors, and back, by whatever the caller opened
//! weights::program::program(&Model)     -> qkvl::Program
//! weights::recognize(&Weights, &[u32])  -> the instructions of table (72) that they carry out; as Maps, what the Dat reads
//! Psm, Qkvm, Dat, FullDat: Machine      -> Run, and an Update for every cell of every layer
//! Executable::run, Executable::verify   -> all of it for a Program, on one machine or on all
//! ```
//!
//! Invariant: the machines share the trait, the trace and the plain data (vocabulary, input), and nothing else: the PSM
//! reads only the resolved program, the QKVM only QKVL, the DATs only tensors; otherwise their agreement would prove nothing.
//!
//! Invariant: this crate does no I/O and knows no terminal, no editor protocol, no clock and no thread pool.

pub mod compile;
mod cycle_detection;
pub mod dat;
pub mod decompile;
pub mod executable;
pub mod full_dat;
pub mod input;
pub mod limits;
pub mod machine;
mod meter;
pub mod psm;
pub mod qkvl;
pub mod qkvm;
pub mod run_error;
pub mod trace;
pub mod verify;
pub mod vocabulary;
pub mod weights;

pub use compile::{compile, compile_production, primed_names};
pub use dat::{Dat, Maps};
pub use decompile::{NoPsl, decompile};
pub use executable::Executable;
pub use full_dat::{Embedding, FullDat};
pub use input::{Cell, Input, InputError, Options, Registers, State, Task};
pub use limits::Limits;
pub use machine::{Machine, MachineKind, Observer, Run, Stopped, UnknownMachine};
pub use psm::Psm;
pub use qkvm::Qkvm;
pub use run_error::RunError;
pub use trace::{Trace, Update};
pub use verify::{Divergence, Verified, VerifyError, verify};
pub use vocabulary::{ValueId, Vocabulary};
pub use weights::{Weights, weights};
