//! The layers that an evaluation ablates.

use std::{collections::BTreeSet, convert::Infallible, str::FromStr};

use psl_program::{File, NotALayer, Ranges};
use psl_syntax::program::ProductionId;

use crate::failure::Failure;

/// The value of `--ablate`.
#[derive(Clone, Debug)]
pub enum Ablation {
    /// `none`.
    None,
    /// `each`: no layer, then every layer by itself.
    Each,
    /// Layers, together, by their numbers and labels.
    Layers(String),
}

impl FromStr for Ablation {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "none" => Self::None,
            "each" => Self::Each,
            _ => Self::Layers(text.to_owned()),
        })
    }
}

/// Ablated layers with their name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ablated {
    /// `none`, or the layers as given.
    pub name: String,
    pub layers: BTreeSet<ProductionId>,
}

impl Ablated {
    pub fn none() -> Self {
        Self { name: "none".to_owned(), layers: BTreeSet::new() }
    }

    fn of(chosen: &str, file: &File) -> Result<Self, NotALayer> {
        let name = chosen.parse::<Ranges>().map_or_else(|_| chosen.trim().to_owned(), |ranges| ranges.to_string());
        Ok(Self { name, layers: file.layer_names().layers(chosen)? })
    }
}

/// The ablations of a program, in the order of the options. Without options, no layer is ablated.
///
/// # Errors
///
/// Names a layer that the program lacks.
pub fn ablations(given: &[Ablation], file: &File) -> Result<Vec<Ablated>, Failure> {
    let mut all = Vec::new();
    for ablation in given {
        match ablation {
            Ablation::None => all.push(Ablated::none()),
            Ablation::Layers(chosen) => all.push(Ablated::of(chosen, file).map_err(|error| failure(&error))?),
            Ablation::Each => {
                all.push(Ablated::none());
                let each = ProductionId::first(file.compiled().productions());
                all.extend(each.map(|layer| Ablated { name: layer.to_string(), layers: BTreeSet::from([layer]) }));
            }
        }
    }
    Ok(if all.is_empty() { vec![Ablated::none()] } else { all })
}

fn failure(error: &NotALayer) -> Failure {
    Failure::Message(match error {
        NotALayer::Unknown { .. } => format!("{error}; `each` and `none` are possible too"),
        _ => error.to_string(),
    })
}
