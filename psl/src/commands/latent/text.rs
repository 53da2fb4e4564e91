//! Codes as tables.

use std::io::{self, Write};

use psl_program::{
    count,
    latent::{CodeCount, Head, Pair, ScheduledLayer, Statistics},
};
use psl_render::shown_line;
use unicode_width::UnicodeWidthStr;

/// Writes the heads of each layer, its codes, and the similarities of its heads.
pub fn write(out: &mut impl Write, layers: &[ScheduledLayer<'_>]) -> io::Result<()> {
    for (index, layer) in layers.iter().enumerate() {
        let statistics = layer.statistics(|_, _| {});
        let (heads, pairs) = (count(layer.heads.len(), "head"), count(statistics.pairs(), "pair"));
        writeln!(out, "{}layer {}: {heads}, {pairs}", if index == 0 { "" } else { "\n" }, layer.id)?;
        let head = |(number, head): (usize, &Head<'_>)| [number.to_string(), place_of(head), shown_line(head.title())];
        table(out, &(1..).zip(&layer.heads).map(head).collect::<Vec<_>>())?;
        if !statistics.code_counts.is_empty() {
            writeln!(out)?;
            let names = ["code", "pairs", "first pair", "meaning"].map(str::to_owned);
            let code = |CodeCount { pairs, first }: &CodeCount| {
                [numbers(&first.code), pairs.to_string(), place(first), shown_line(&layer.meaning(&first.code))]
            };
            let rows: Vec<_> = std::iter::once(names).chain(statistics.code_counts.iter().map(code)).collect();
            table(out, &rows)?;
        }
        if layer.heads.len() > 1 {
            similarities(out, &statistics)?;
        }
    }
    Ok(())
}

/// Maximum number of heads in the table of similarities.
const MOST_COMPARED: usize = 50;

/// Writes the similarities of the heads that attend, unless no two of them attend to one cell together.
fn similarities(out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
    let attending: Vec<usize> = statistics.attending().collect();
    if attending.len() < 2 {
        return Ok(());
    }
    if statistics.code_counts.iter().all(|code| code.first.code.len() == 1) {
        return writeln!(out, "\n  no two heads attend to the same cell from the same cell");
    }
    let shown = attending.get(..MOST_COMPARED).unwrap_or(&attending);
    match attending.len() - shown.len() {
        0 => writeln!(out, "\n  similarity of the mean codes")?,
        _ => writeln!(
            out,
            "\n  similarity of the mean codes of the first {MOST_COMPARED} of {} heads; `--format json` has all",
            attending.len()
        )?,
    }
    let of_head = |head: &usize| {
        let similarities = shown.iter().map(|other| statistics.similarity(*head, *other));
        let cells = similarities.map(|it| it.map_or_else(String::new, |similarity| format!("{similarity:.2}")));
        std::iter::once((head + 1).to_string()).chain(cells).collect::<Vec<_>>()
    };
    let names = std::iter::once(String::new()).chain(shown.iter().map(|head| (head + 1).to_string())).collect();
    table(out, &std::iter::once(names).chain(shown.iter().map(of_head)).collect::<Vec<Vec<_>>>())
}

/// The line of a head's production, or its number if the program has no text.
fn place_of(head: &Head<'_>) -> String {
    head.line.map_or_else(|| format!("production {}", head.production), |line| format!("line {line}"))
}

/// A code as the numbers of its heads.
fn numbers(code: &[usize]) -> String {
    code.iter().map(|head| (head + 1).to_string()).collect::<Vec<_>>().join("+")
}

/// The place of a pair: `step 0, pass 1.2, N 5, n 4`.
fn place(Pair { step, pass, cell, attends, .. }: &Pair) -> String {
    let pass = match pass.as_slice() {
        [] => String::new(),
        passes => format!("pass {}, ", passes.iter().map(usize::to_string).collect::<Vec<_>>().join(".")),
    };
    format!("step {step}, {pass}N {cell}, n {attends}")
}

/// Writes rows with columns that are as wide as their widest cells.
fn table<R: AsRef<[String]>>(out: &mut impl Write, rows: &[R]) -> io::Result<()> {
    let columns = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.as_ref().get(column)).map(|cell| cell.width()).max().unwrap_or_default()
        })
        .collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.as_ref().iter().zip(&widths) {
            line.push_str("  ");
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.width()));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
