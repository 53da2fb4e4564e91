//! The kinds of changes.

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Another constant.
    Constant,
    /// Another register.
    Register,
    /// `n` for `N`, or `N` for `n`.
    Cell,
    /// `==` for `!=`, `in` for `not in`, or the other way round.
    Negation,
    /// A function added, removed or replaced.
    Function,
    /// An entry of a list left out or added.
    ListEntry,
    /// A condition left out.
    Condition,
    /// An assignment left out.
    Assignment,
    /// The rightmost of the matching cells for the leftmost, or the other way round.
    Selection,
    /// Another `causal_attn`.
    CausalAttn,
    /// Two neighbors swapped.
    Order,
    /// Another end of a repeat block.
    Until,
    /// A production left out.
    Production,
}

impl Operator {
    /// All operators.
    pub const ALL: [Self; 13] = [
        Self::Constant,
        Self::Register,
        Self::Cell,
        Self::Negation,
        Self::Function,
        Self::ListEntry,
        Self::Condition,
        Self::Assignment,
        Self::Selection,
        Self::CausalAttn,
        Self::Order,
        Self::Until,
        Self::Production,
    ];
}
