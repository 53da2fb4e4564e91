//! The numbers of layers and of their heads.
//!
//! A layer is a production and the productions right after it that share its layer. Each is a head, which reads the input of the layer.
//! Traces and limits number productions, which are the heads of all layers, in program order.

use std::fmt;

/// The place of a production: its layer, and its head there. Both are 1-based.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadPlace {
    /// The number of the layer.
    pub layer: usize,
    /// The number of the head in its layer.
    pub head: usize,
}

impl fmt::Display for HeadPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "layer {}, head {}", self.layer, self.head)
    }
}

/// The places of productions in program order, by whether each shares the layer of the one before it. Empty if none does.
pub(crate) fn places(shares_layer: impl Iterator<Item = bool>) -> Vec<HeadPlace> {
    let mut several = false;
    let mut last = HeadPlace { layer: 0, head: 0 };
    let mut place = |shares: bool| {
        several |= shares;
        last = match last {
            HeadPlace { layer, head } if shares => HeadPlace { layer, head: head + 1 },
            HeadPlace { layer, .. } => HeadPlace { layer: layer + 1, head: 1 },
        };
        last
    };
    let places: Vec<HeadPlace> = shares_layer.map(&mut place).collect();
    if several { places } else { Vec::new() }
}

/// A production's place as text: `layer 3`, or `layer 2, head 1` if some layer has several heads. `number` is that of the production.
pub fn place_of(number: usize, heads: &[HeadPlace]) -> String {
    match number.checked_sub(1).and_then(|index| heads.get(index)) {
        Some(place) => place.to_string(),
        None => format!("layer {number}"),
    }
}
