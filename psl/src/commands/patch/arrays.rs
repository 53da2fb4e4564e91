//! Effects as arrays for NumPy.

use std::io::{self, Write};

use super::{axes::Axes, effects::Effects, runs::dotted};
use crate::output::npz::{Array, Npz};

/// Writes an array for each part that tells patches apart, and the arrays `patched`, `changes` and `restores` with
/// these axes: 1 where a patch sets anything, the number of changed symbols of the score (-1 for a run that fails), and
/// 1 where it restores the donor's score.
pub fn write(out: &mut impl Write, effects: &Effects<'_>) -> io::Result<()> {
    let (runs, axes) = (effects.runs, Axes::of(effects));
    let mut npz = Npz::new(out);
    let mut shape = Vec::new();
    let mut add = |name: &str, array: Array, length: usize, chosen: bool| {
        if !chosen {
            return Ok(());
        }
        shape.push(length);
        npz.add(name, &array)
    };
    let by = effects.by;
    let numbers = |numbers: Vec<usize>| Array::of_i64(&[numbers.len()], &numbers);
    let rows = axes.rows.len();
    add("layers", numbers(axes.rows.iter().map(|row| row.layer.number()).collect()), rows, by.layer())?;
    let cells = axes.cells.iter().map(|cell| cell.number()).collect();
    add("cells", numbers(cells), axes.cells.len(), by.cell)?;
    let registers: Vec<String> = axes.registers.iter().map(|it| runs.register(*it).to_owned()).collect();
    add("registers", Array::of_texts(&registers), registers.len(), by.register)?;
    if by.layer() {
        let labels: Vec<String> =
            axes.rows.iter().map(|row| runs.label(row.layer).unwrap_or_default().to_owned()).collect();
        npz.add("labels", &Array::of_texts(&labels))?;
    }
    if by.pass() {
        let passes: Vec<String> = axes.rows.iter().map(|row| dotted(&row.pass)).collect();
        npz.add("passes", &Array::of_texts(&passes))?;
    }
    if by.cell {
        let symbols: Vec<String> = axes.cells.iter().map(|cell| runs.symbol(*cell).to_owned()).collect();
        npz.add("symbols", &Array::of_texts(&symbols))?;
    }
    let size = shape.iter().product();
    let (mut patched, mut restores, mut changes) = (vec![0_u8; size], vec![0_u8; size], vec![0_i64; size]);
    for effect in &effects.all {
        let indices = axes.indices(&effect.key);
        let place = indices.into_iter().flatten().zip(&shape).fold(0, |place, (index, length)| place * length + index);
        let set = |array: &mut Vec<u8>, value: bool| {
            if let Some(slot) = array.get_mut(place) {
                *slot = u8::from(value);
            }
        };
        set(&mut patched, true);
        set(&mut restores, effect.restores());
        if let Some(slot) = changes.get_mut(place) {
            *slot = effect.result.as_ref().map_or(-1, |patched| i64::try_from(patched.changes).unwrap_or(i64::MAX));
        }
    }
    npz.add("patched", &Array::of_u8(&shape, patched))?;
    npz.add("changes", &Array::of_signed(&shape, &changes))?;
    npz.add("restores", &Array::of_u8(&shape, restores))?;
    npz.finish()
}
