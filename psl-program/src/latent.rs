//! Latent codes: attention over the heads of a layer as a hypernetwork, by equation 4 of "Attention as a Hypernetwork"
//! (Schug et al., ICLR 2025).
//!
//! The *code* of cells N and n is the set of heads of a layer with which N attends to n. As a vector z(N, n), it has a
//! component 1 for each of these heads, and 0 for the others. The sum of the heads' value maps, weighted by the code,
//! is one map, which the layer applies to n:
//!
//! ```text
//! sum over h of V_h x_α(N, h)  =  sum over n of (sum over h of z_h(N, n) V_h) x_n
//! ```
//!
//! `x_n` is the layer's input in cell n, and α(N, h) the cell that N attends to with head h. In general, a code holds
//! attention scores. Discrete attention makes them 0 or 1, so a code selects productions, whose assignments are its
//! meaning. All components are small integers, so the equation holds exactly, which [`check`] verifies.
//!
//! A [schedule](psl_syntax::schedule) groups the productions of a program as heads of layers. A recorded run has a row
//! for each head.

mod check;
mod heads;
mod latent_codes;
mod meaning;
mod pairs;
mod scheduled;
mod scheduled_layer;
mod statistics;
mod value_map;

pub use check::{Difference, DifferenceKind, check};
pub use heads::{LayerHeads, layers, sound_productions};
pub use latent_codes::{LatentCodes, LatentRequest, NoCodes, latent_codes};
pub use meaning::meaning;
pub use pairs::{Pair, pairs};
pub use scheduled_layer::{Head, ScheduledLayer};
pub use statistics::{CodeCount, Statistics};
