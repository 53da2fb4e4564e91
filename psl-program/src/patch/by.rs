//! Patches, by the parts of their places that tell them apart.

use std::str::FromStr;

use indexmap::IndexMap;
use psl_runtime::{CellId, record::Row};
use psl_syntax::program::{ProductionId, RegisterId};
use thiserror::Error;

use super::place::PatchPlace;

/// The parts of a place that tell patches apart. One patch sets all places that have these parts in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchBy {
    /// The times.
    pub rows: PatchRows,
    /// By cell.
    pub cell: bool,
    /// By register.
    pub register: bool,
}

/// The times that tell patches apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchRows {
    /// None.
    Together,
    /// The layers. A patch sets the places after a layer in all passes.
    Layers,
    /// The layers in each pass of the repeat blocks around them.
    Passes,
}

/// The parts that the places of a patch have in common. `None` where it comprises all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PatchKey {
    /// The layer.
    pub layer: Option<ProductionId>,
    /// The passes of the repeat blocks around it.
    pub pass: Option<Vec<usize>>,
    /// The cell.
    pub cell: Option<CellId>,
    /// The register.
    pub register: Option<RegisterId>,
}

impl PatchKey {
    /// The layer, with its passes if these tell patches apart.
    pub fn row(&self) -> Option<Row> {
        Some(Row { layer: self.layer?, pass: self.pass.clone().unwrap_or_default() })
    }
}

impl Default for PatchBy {
    fn default() -> Self {
        Self { rows: PatchRows::Layers, ..Self::EACH_PLACE }
    }
}

impl PatchBy {
    /// The names of the parts.
    pub const NAMES: [&str; 4] = ["layer", "pass", "cell", "register"];

    /// Every place by itself.
    pub const EACH_PLACE: Self = Self { rows: PatchRows::Passes, cell: true, register: true };

    /// All places after a layer in a pass together.
    pub const ROWS: Self = Self { cell: false, register: false, ..Self::EACH_PLACE };

    /// Whether the layer tells patches apart.
    pub fn layer(self) -> bool {
        self.rows != PatchRows::Together
    }

    /// Whether the pass tells patches apart.
    pub fn pass(self) -> bool {
        self.rows == PatchRows::Passes
    }

    /// The names of the chosen parts, in the order of [`PatchBy::NAMES`].
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let chosen = [self.layer(), self.pass(), self.cell, self.register];
        Self::NAMES.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(name, _)| name)
    }

    /// The places with the same parts, as indices, in the order of the first of each.
    pub fn groups(self, places: &[PatchPlace]) -> IndexMap<PatchKey, Vec<usize>> {
        let mut groups: IndexMap<PatchKey, Vec<usize>> = IndexMap::new();
        for (index, PatchPlace { row, cell, register, .. }) in places.iter().enumerate() {
            let key = PatchKey {
                layer: self.layer().then_some(row.layer),
                pass: self.pass().then(|| row.pass.clone()),
                cell: self.cell.then_some(*cell),
                register: self.register.then_some(*register),
            };
            groups.entry(key).or_default().push(index);
        }
        groups
    }
}

impl FromStr for PatchBy {
    type Err = NotParts;

    fn from_str(text: &str) -> Result<Self, NotParts> {
        let mut chosen = [false; 4];
        for part in text.split(',').map(str::trim) {
            let index = Self::NAMES.iter().position(|name| *name == part);
            let slot = index.and_then(|index| chosen.get_mut(index));
            *slot.ok_or_else(|| NotParts::Unknown(part.to_owned()))? = true;
        }
        let [layer, pass, cell, register] = chosen;
        let rows = match (layer, pass) {
            (false, true) => return Err(NotParts::PassWithoutLayer),
            (false, false) => PatchRows::Together,
            (true, false) => PatchRows::Layers,
            (true, true) => PatchRows::Passes,
        };
        Ok(Self { rows, cell, register })
    }
}

/// A text that does not name parts of a place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotParts {
    /// A place has no such part.
    #[error("`{0}` is not a part of a place: choose among layer, pass, cell and register, with commas")]
    Unknown(String),
    /// The passes of different layers are not comparable.
    #[error("`pass` needs `layer`: each repeat block has passes of its own")]
    PassWithoutLayer,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let found = text.parse::<PatchBy>().map(|by| by.names().collect::<Vec<_>>().join(" "));
        assert_eq!(found.as_deref().map_err(ToString::to_string), expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn parts_have_names() {
        check("layer,cell,register", Ok("layer cell register"));
        check("register, pass, layer", Ok("layer pass register"));
        check("cell", Ok("cell"));
        check("pass,cell", Err("`pass` needs `layer`: each repeat block has passes of its own"));
        for text in ["", "layer,", "row"] {
            let part = text.rsplit(',').next().unwrap_or_default();
            let message = "is not a part of a place: choose among layer, pass, cell and register, with commas";
            check(text, Err(&format!("`{part}` {message}")));
        }
        assert_eq!("layer,cell,register".parse(), Ok(PatchBy::default()));
    }
}
