//! Effects and sets as JSON and CSV.

use std::io::{self, Write};

use psl_program::{PatchPlace, Patching};
use psl_render::shown_json;
use serde_json::{Map, Value, json};

use super::{
    effects::{Effect, Effects},
    minimal::MinimalSets,
    runs::{Runs, dotted},
};
use crate::output::csv_record;

/// Writes one object on one line.
pub fn json(out: &mut impl Write, effects: &Effects<'_>) -> io::Result<()> {
    let Effects { runs, patching, by, all } = effects;
    let mut object = head(runs, patching);
    object.insert("by".to_owned(), by.names().collect());
    object.insert("patches".to_owned(), all.iter().map(|effect| of_effect(effects, effect)).collect());
    writeln!(out, "{}", shown_json(&Value::Object(object).to_string()))
}

/// Writes one object on one line.
pub fn minimal_json(
    out: &mut impl Write,
    runs: &Runs<'_>,
    patching: &Patching<'_>,
    sets: &MinimalSets<'_>,
) -> io::Result<()> {
    let mut object = head(runs, patching);
    let set = sets.0.iter().map(|set| {
        let row = &set.row;
        let places = set.places.as_ref().map(|places| places.iter().map(|it| of_place(runs, it)).collect::<Value>());
        json!({
            "layer": row.layer.number(),
            "label": runs.label(row.layer),
            "pass": row.pass,
            "differing": set.differing,
            "set": places,
        })
    });
    object.insert("sets".to_owned(), set.collect());
    writeln!(out, "{}", shown_json(&Value::Object(object).to_string()))
}

fn head(runs: &Runs<'_>, patching: &Patching<'_>) -> Map<String, Value> {
    let sides = [&runs.base, &runs.donor].into_iter().zip(patching.scores()).map(|(side, score)| {
        json!({
            "prompt": runs.source.runner().prompt_to_json(&side.prompt),
            "continuation": side.continuation.text(),
            "stopped": side.continuation.stopped.as_str(),
            "score": score,
        })
    });
    let mut head: Map<String, Value> = ["base", "donor"].map(str::to_owned).into_iter().zip(sides).collect();
    head.insert("score".to_owned(), Value::from(patching.score().to_string()));
    head.insert("places".to_owned(), Value::from(patching.places()));
    head.insert("differing".to_owned(), Value::from(patching.differing().len()));
    head
}

fn of_effect(effects: &Effects<'_>, effect: &Effect<'_>) -> Value {
    let (Effects { runs, .. }, Effect { key, places, result }) = (effects, effect);
    let mut object = Map::new();
    let mut add = |name: &str, value: Value| {
        object.insert(name.to_owned(), value);
    };
    if let Some(layer) = key.layer {
        add("layer", layer.number().into());
        add("label", runs.label(layer).into());
    }
    if let Some(pass) = &key.pass {
        add("pass", pass.as_slice().into());
    }
    if let Some(cell) = key.cell {
        add("cell", cell.number().into());
    }
    if let Some(register) = key.register {
        add("register", runs.register(register).into());
    }
    add("places", places.iter().map(|place| of_place(runs, place)).collect());
    match result {
        Ok(patched) => {
            add("continuation", patched.continuation.text().into());
            add("stopped", patched.continuation.stopped.as_str().into());
            add("score", patched.score.as_slice().into());
            add("changes", patched.changes.into());
            add("restores", patched.restores.into());
        }
        Err(error) => add("error", error.as_str().into()),
    }
    Value::Object(object)
}

fn of_place(runs: &Runs<'_>, place: &PatchPlace) -> Value {
    json!({
        "layer": place.row.layer.number(),
        "pass": place.row.pass,
        "cell": place.cell.number(),
        "register": runs.register(place.register),
        "base": place.base,
        "donor": place.donor,
    })
}

/// Writes a line for each patch, in the order of the places.
pub fn csv(out: &mut impl Write, effects: &Effects<'_>) -> io::Result<()> {
    let Effects { runs, by, all, .. } = effects;
    let mut writer = csv::Writer::from_writer(out);
    let parts = by.names().flat_map(|name| if name == "layer" { vec!["layer", "label"] } else { vec![name] });
    csv_record::write(&mut writer, parts.chain(["places", "base", "donor", "score", "changes", "restores", "error"]))?;
    for effect in all {
        let Effect { key, places, result } = effect;
        let mut fields: Vec<String> = Vec::new();
        if let Some(layer) = key.layer {
            fields.extend([layer.to_string(), runs.label(layer).unwrap_or_default().to_owned()]);
        }
        fields.extend(key.pass.as_ref().map(|pass| dotted(pass)));
        fields.extend(key.cell.map(|cell| cell.to_string()));
        fields.extend(key.register.map(|register| runs.register(register).to_owned()));
        fields.push(places.len().to_string());
        let common = [effect.common(|place| place.base.as_deref()), effect.common(|place| place.donor.as_deref())];
        fields.extend(common.map(|value| value.unwrap_or_default().to_owned()));
        fields.extend(match result {
            Ok(it) => [it.score.join(" "), it.changes.to_string(), it.restores.to_string(), String::new()],
            Err(error) => [String::new(), String::new(), String::new(), error.clone()],
        });
        csv_record::write(&mut writer, fields)?;
    }
    writer.flush()
}

/// Writes a line for each place of each set.
pub fn minimal_csv(out: &mut impl Write, runs: &Runs<'_>, sets: &MinimalSets<'_>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    csv_record::write(&mut writer, ["layer", "label", "pass", "cell", "register", "base", "donor"])?;
    for place in sets.0.iter().filter_map(|set| set.places.as_ref()).flatten() {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "∅".to_owned());
        let fields = [
            place.row.layer.to_string(),
            runs.label(place.row.layer).unwrap_or_default().to_owned(),
            dotted(&place.row.pass),
            place.cell.to_string(),
            runs.register(place.register).to_owned(),
            value(&place.base),
            value(&place.donor),
        ];
        csv_record::write(&mut writer, fields)?;
    }
    writer.flush()
}
