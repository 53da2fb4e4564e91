//! The answer to the request `psl/table`, which the extension for Visual Studio Code shows as a view.

use psl_debug::{CellRow, CellTable, CellValue, Debugger, StepPlace, cell_table};
use psl_runtime::CellId;
use serde_json::{Value, json};

/// The maximum number of cells that a client shows.
const MOST_CELLS: usize = 500;

/// The cells around the current one: `{registers, cells: [{cell, values: [{value, after?}]}], current, layer, attends,
/// total, isChanged}`. `layer` is null outside of a layer, and `attends` if the current cell attends to none.
pub fn table(debugger: &Debugger) -> Value {
    let CellTable { registers, cells, attends, total } = cell_table(debugger, MOST_CELLS);
    let value = |CellValue { value, after }: &CellValue| match after {
        Some(after) => json!({ "value": value, "after": after }),
        None => json!({ "value": value }),
    };
    let cell = |row: &CellRow| json!({ "cell": row.cell.number(), "values": row.values.iter().map(value).collect::<Vec<_>>() });
    let layer = match debugger.place() {
        StepPlace::Layer(row) => Some(row.layer.number()),
        _ => None,
    };
    json!({
        "registers": registers,
        "cells": cells.iter().map(cell).collect::<Vec<_>>(),
        "current": debugger.moment().cell.number(),
        "layer": layer,
        "attends": attends.map(CellId::number),
        "total": total,
        "isChanged": debugger.what_if().is_some(),
    })
}
