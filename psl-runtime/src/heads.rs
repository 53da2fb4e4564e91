//! The numbers of layers and of their heads.
//!
//! A layer is a production and the productions right after it that share its layer. Each is a head, which reads the
//! input of the layer. Traces and limits number productions, which are the heads of all layers, in program order.

use std::fmt;

use psl_syntax::{index::numbered_id, program::ProductionId};

numbered_id! {
    /// Index of a layer, which may have several heads.
    pub LayerId
}

/// The place of a production: its layer, and its head there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadPlace {
    /// The layer.
    pub layer: LayerId,
    /// The number of the head in its layer, from 1.
    pub head: usize,
}

impl fmt::Display for HeadPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "layer {}, head {}", self.layer, self.head)
    }
}

/// The places of productions in program order, by whether each shares the layer of the one before it. Empty if none
/// does.
pub(crate) fn places(shares_layer: impl Iterator<Item = bool>) -> Vec<HeadPlace> {
    let mut several = false;
    let (mut layers, mut heads) = (0, 0);
    let mut place = |shares: bool| {
        several |= shares;
        (layers, heads) = if shares { (layers, heads + 1) } else { (layers + 1, 1) };
        HeadPlace { layer: LayerId::new(layers - 1), head: heads }
    };
    let places: Vec<HeadPlace> = shares_layer.map(&mut place).collect();
    if several { places } else { Vec::new() }
}

/// A production's place as text: `layer 3`, or `layer 2, head 1` if some layer has several heads.
pub fn place_of(production: ProductionId, heads: &[HeadPlace]) -> String {
    match heads.get(production.index()) {
        Some(place) => place.to_string(),
        None => format!("layer {production}"),
    }
}
