//! Layers and blocks in normal form.

use super::{claims::Claims, layer::Layer};

/// A layer or a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Layer(Layer),
    Block { body: Vec<Part>, end: End },
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    NoChange,
    Claims(Claims),
    Never,
}
