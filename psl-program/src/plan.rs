//! A plan: the schedule of a program as users see it, with the names of its productions, the reasons of its critical
//! path, and what flows between its heads.

mod flows;
mod json;
mod named_layers;
mod picture;
mod text;
mod words;

pub use named_layers::Plan;
