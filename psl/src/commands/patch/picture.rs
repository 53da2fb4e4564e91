//! Effects as a heat map.

use psl_program::count;
use psl_render::{HeatCell, HeatMap, Panel, heat_map};

use super::{
    axes::Axes,
    effects::{Effect, Effects},
};

/// Layers by cells, with a panel for each register that has an effect. Patches that are not told apart by all three
/// have fewer axes.
pub fn svg(effects: &Effects<'_>) -> String {
    let (runs, axes) = (effects.runs, Axes::of(effects));
    let by = effects.by;
    let cells = || axes.cells.iter().map(|cell| runs.symbol(*cell).to_owned()).collect::<Vec<_>>();
    let registers = || axes.registers.iter().map(|register| runs.register(*register).to_owned()).collect::<Vec<_>>();
    let has_effect = |register: usize| {
        let of_register = |effect: &&Effect<'_>| axes.indices(&effect.key).last() == Some(&Some(register));
        effects.all.iter().filter(of_register).any(Effect::changes_score)
    };
    let rows =
        if by.layer() { axes.rows.iter().map(|row| runs.row_name(row)).collect() } else { vec!["all".to_owned()] };
    let panels: Vec<(String, Vec<String>, Option<usize>)> = match (by.cell, by.register) {
        (true, true) => {
            let named = registers().into_iter().enumerate().filter(|(index, _)| has_effect(*index));
            named.map(|(index, name)| (name, cells(), Some(index))).collect()
        }
        (true, false) => vec![("cells".to_owned(), cells(), None)],
        (false, true) => vec![("registers".to_owned(), registers(), None)],
        (false, false) => vec![("all".to_owned(), vec![String::new()], None)],
    };
    let most = effects.all.iter().filter_map(|effect| Some(effect.result.as_ref().ok()?.changes)).max();
    let most = most.unwrap_or_default();
    let panel = |(name, columns, chosen): (String, Vec<String>, Option<usize>)| {
        let cell = |effect: &Effect<'_>| {
            let [row, cell, register] = axes.indices(&effect.key);
            if chosen.is_some() && chosen != register {
                return None;
            }
            let column = if by.cell { cell } else { register };
            let size = effect.result.as_ref().map_or(most, |patched| patched.changes);
            let (row, column) = (row.unwrap_or_default(), column.unwrap_or_default());
            Some(HeatCell { row, column, effect: size, restores: effect.restores(), title: title(effects, effect) })
        };
        Panel { name, columns, cells: effects.all.iter().filter_map(cell).collect() }
    };
    let changing = effects.all.iter().filter(|effect| effect.changes_score()).count();
    let summary = format!("{changing} of {} have an effect", count(effects.all.len(), "patch"));
    heat_map(&HeatMap { summary, most, rows, panels: panels.into_iter().map(panel).collect() })
}

fn title(effects: &Effects<'_>, effect: &Effect<'_>) -> String {
    const MOST: usize = 4;
    let runs = effects.runs;
    let layer = effect.key.layer.map(|layer| format!("after {}: ", runs.source.runner().layer_name(layer)));
    let places: Vec<String> = effect.places.iter().take(MOST).map(|place| runs.assignment(place)).collect();
    let more = if effect.places.len() > MOST { ", …" } else { "" };
    format!("{}{}{more} → {}", layer.unwrap_or_default(), places.join(", "), effect.score())
}
