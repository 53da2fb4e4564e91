//! Patching: the values that a run has at some places, put into another run.

mod alignment;
mod by;
mod minimal;
mod patching;
mod place;
mod score;

pub use self::{
    alignment::{Alignment, NotAligned},
    by::{NotParts, PatchBy, PatchKey, PatchRows},
    patching::{NotPatched, PatchOptions, Patched, Patching},
    place::PatchPlace,
    score::{NoScore, Score},
};
