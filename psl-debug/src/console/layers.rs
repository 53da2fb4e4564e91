//! Layers as commands name them.

use psl_program::File;
use psl_syntax::program::ProductionId;

use super::error::CommandError;

/// The layer on a line or after it, or with a name: see [`LayerNames`](psl_program::LayerNames).
///
/// # Errors
///
/// Fails if there is no such layer.
pub fn layer(file: &File, place: &str) -> Result<ProductionId, CommandError> {
    let Ok(line) = place.trim().parse::<usize>() else { return Ok(file.layer_names().layer(place)?) };
    let productions = file.program().productions();
    let ends = |layer: &ProductionId| file.line_index().line(productions[*layer].span.end) + 1 >= line;
    productions.ids().find(ends).ok_or(CommandError::LineAfterProductions(line))
}
