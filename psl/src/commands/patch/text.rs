//! Effects and sets as tables.

use std::io::{self, Write};

use psl_program::{Patching, Score, count};
use psl_render::{Terminal, grid::fitting, shown_line};

use super::{
    effects::{Effect, Effects},
    minimal::{MinimalSet, MinimalSets},
    runs::{Runs, Side},
    stretches::stretches,
};
use crate::{
    commands::search::more,
    output::columns::{Column, beside},
};

/// Writes the runs, the largest effects and their numbers. Rows right after each other with equal effects share a line.
pub fn effects(out: &mut impl Write, effects: &Effects<'_>, show: usize, terminal: Terminal) -> io::Result<()> {
    let Effects { runs, patching, by, all } = effects;
    head(out, runs, patching, terminal)?;
    if all.is_empty() {
        return writeln!(out, "\n{}", no_difference(patching));
    }
    let found = stretches(effects);
    let listed = found.get(..show).unwrap_or(&found);
    let column = |heading: &str, text: &dyn Fn(&Effect<'_>) -> Option<String>| {
        let text = |stretch: &Vec<&Effect<'_>>| stretch.first().and_then(|effect| text(effect)).unwrap_or_default();
        Column::left(heading, listed.iter().map(text))
    };
    let mut columns = Vec::new();
    if by.layer() {
        let number = |effect: &&Effect<'_>| effect.key.layer.map_or_else(String::new, |layer| layer.to_string());
        columns.push(Column::left("layers", listed.iter().map(|stretch| ends(stretch, number, "-"))));
        let name = |effect: &&Effect<'_>| effect.key.row().map_or_else(String::new, |row| runs.row_name(&row));
        columns.push(Column::left("after", listed.iter().map(|stretch| ends(stretch, name, " to "))));
    }
    if by.cell {
        columns.push(column("cell", &|effect| Some(effect.key.cell?.to_string())));
        columns.push(column("", &|effect| Some(runs.symbol(effect.key.cell?).to_owned())));
    }
    if by.register {
        columns.push(column("register", &|effect| Some(runs.register(effect.key.register?).to_owned())));
    }
    if by.cell && by.register {
        let value = |common: Option<&str>| Some(common.unwrap_or("several").to_owned());
        columns.push(column("value", &|effect| value(effect.common(|place| place.base.as_deref()))));
        columns.push(column("becomes", &|effect| value(effect.common(|place| place.donor.as_deref()))));
    } else {
        columns.push(column("places", &|effect| Some(effect.places.len().to_string())));
    }
    columns.push(column("result", &|effect| Some(effect.score())));
    columns.push(column("", &|effect| effect.restores().then(|| "restored".to_owned())));
    if !listed.is_empty() {
        write!(out, "\n{}", beside(&columns, terminal.columns))?;
    }
    if found.len() > listed.len() {
        writeln!(out, "{}", more(listed.len(), found.len()))?;
    }
    let changing = all.iter().filter(|effect| effect.changes_score()).count();
    let [base, donor] = patching.scores();
    let restoring = match all.iter().filter(|effect| effect.restores()).count() {
        _ if base == donor => "both runs have the same one".to_owned(),
        0 => "none restores that of the other run".to_owned(),
        1 => "1 restores that of the other run".to_owned(),
        some => format!("{some} restore that of the other run"),
    };
    let score = if *patching.score() == Score::Continuation { "continuation" } else { "score" };
    writeln!(
        out,
        "\n{} of {} have another value; {changing} of {} change the {score}, {restoring}",
        patching.differing().len(),
        count(patching.places(), "place"),
        count(all.len(), "patch"),
    )
}

/// The first and the last item of a stretch, once if they are equal.
fn ends<T>(stretch: &[T], text: impl Fn(&T) -> String, dash: &str) -> String {
    let ends = [stretch.first(), stretch.last()].map(|item| item.map(&text).unwrap_or_default());
    let [first, last] = &ends;
    if first == last { first.clone() } else { ends.join(dash) }
}

/// Writes the sets, one line for rows with equal ones.
pub fn minimal(
    out: &mut impl Write,
    runs: &Runs<'_>,
    patching: &Patching<'_>,
    sets: &MinimalSets<'_>,
    terminal: Terminal,
) -> io::Result<()> {
    head(out, runs, patching, terminal)?;
    if sets.0.is_empty() {
        return writeln!(out, "\n{}", no_difference(patching));
    }
    let stretches: Vec<&[MinimalSet<'_>]> = sets.stretches().collect();
    let column = |heading: &str, text: &dyn Fn(&[MinimalSet<'_>]) -> String| {
        Column::left(heading, stretches.iter().map(|stretch| text(stretch)))
    };
    let columns = [
        column("layers", &|stretch| ends(stretch, |set| set.row.layer.to_string(), "-")),
        column("after", &|stretch| ends(stretch, |set| runs.row_name(&set.row), " to ")),
        column("differ", &|stretch| {
            let sizes = || stretch.iter().map(|set| set.differing);
            let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
            if least == most { least.to_string() } else { format!("{least}-{most}") }
        }),
        column("a minimal set", &|stretch| match stretch.first().and_then(|set| set.places.as_ref()) {
            Some(places) => places.iter().map(|place| runs.assignment(place)).collect::<Vec<_>>().join(", "),
            None => "none: not even all places together carry the difference".to_owned(),
        }),
    ];
    write!(out, "\n{}", beside(&columns, usize::MAX))?;
    let found = sets.0.iter().filter(|set| set.places.is_some()).count();
    let by_pass = if sets.0.iter().any(|set| !set.row.pass.is_empty()) { ", counted pass by pass," } else { "" };
    writeln!(out, "\nthe places after {found} of {}{by_pass} carry the difference", count(sets.0.len(), "layer"))
}

fn no_difference(patching: &Patching<'_>) -> String {
    format!("none of {} has another value: nothing was patched", count(patching.places(), "place"))
}

/// The prompts of both runs with their scores.
fn head(out: &mut impl Write, runs: &Runs<'_>, patching: &Patching<'_>, terminal: Terminal) -> io::Result<()> {
    let Runs { source, base, donor } = runs;
    let sides = [("run", base), ("values of", donor)].into_iter().zip(patching.scores());
    let lines = sides.map(|((name, Side { prompt, .. }), score)| {
        let prompt = match source.runner().prompt_to_json(prompt) {
            serde_json::Value::String(symbols) => symbols,
            other => other.to_string(),
        };
        format!("{name:9}  {prompt}  →  {}", score.join(" "))
    });
    lines.into_iter().try_for_each(|line| writeln!(out, "{}", fitting(&shown_line(&line), terminal.columns)))
}
