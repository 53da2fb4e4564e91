//! The layers that an evaluation ablates.

use std::{collections::BTreeSet, str::FromStr};

use psl_program::{NoLayer, Ranges};
use psl_syntax::program::ProductionId;

/// The value of `--ablate`.
#[derive(Clone, Debug)]
pub enum Ablation {
    /// `none`.
    None,
    /// `each`: no layer, then every layer by itself.
    Each,
    /// Layers, together.
    Layers(Ranges),
}

impl FromStr for Ablation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            "each" => Ok(Self::Each),
            _ => text.parse().map(Self::Layers).map_err(|error| format!("{error}; `each` and `none` are possible too")),
        }
    }
}

/// Ablated layers with their name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ablated {
    /// `none`, or the numbers as given.
    pub name: String,
    pub layers: BTreeSet<ProductionId>,
}

impl Ablated {
    pub fn none() -> Self {
        Self { name: "none".to_owned(), layers: BTreeSet::new() }
    }

    fn of(chosen: &Ranges, count: usize) -> Result<Self, NoLayer> {
        Ok(Self { name: chosen.to_string(), layers: chosen.productions(count)? })
    }
}

/// The ablations of a program with `count` layers, in the order of the options. Without options, no layer is ablated.
///
/// # Errors
///
/// Names a layer that the program lacks.
pub fn ablations(given: &[Ablation], count: usize) -> Result<Vec<Ablated>, NoLayer> {
    let mut all = Vec::new();
    for ablation in given {
        match ablation {
            Ablation::None => all.push(Ablated::none()),
            Ablation::Layers(chosen) => all.push(Ablated::of(chosen, count)?),
            Ablation::Each => {
                all.push(Ablated::none());
                for layer in 1..=count {
                    all.push(Ablated::of(&Ranges::of([layer]), count)?);
                }
            }
        }
    }
    Ok(if all.is_empty() { vec![Ablated::none()] } else { all })
}
