//! The order of the layers of two productions.

/// The layers that a production may have by an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The later production needs a later layer, because the earlier one affects it.
    After,
    /// The later production needs the same layer or a later one, because it affects the earlier one.
    NotBefore,
}
