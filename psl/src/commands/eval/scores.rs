//! Scores as a table and as CSV.

use std::{
    io::{self, Write},
    path::Path,
};

use psl_render::Terminal;
use serde_json::Value;

use super::{
    ablation::Ablated,
    grouping::{self, Counts},
};
use crate::output::{
    columns::{Column, beside},
    csv_record,
};

/// The columns of the CSV.
pub const HEADER: &str = "data,ablated,info,total,correct,malformed,accuracy,tokens,correct_tokens,token_accuracy";

/// The score of one group of lines, or of all lines.
pub struct ScoreRow<'a> {
    pub data: String,
    pub ablated: &'a Ablated,
    /// `None` for all lines.
    pub group: Option<Value>,
    pub counts: Counts,
}

/// Writes rows in the columns of [`HEADER`].
pub fn csv(out: &mut impl Write, rows: &[ScoreRow<'_>]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for ScoreRow { data, ablated, group, counts } in rows {
        let info = group.as_ref().map_or_else(|| "all".to_owned(), grouping::name);
        let Counts { total, correct, malformed, tokens, right_tokens } = counts;
        let numbers = [total, correct, malformed, tokens, right_tokens].map(ToString::to_string);
        let [accuracy, by_token] = [counts.accuracy(), counts.token_accuracy()].map(|share| share.to_string());
        let [total, correct, malformed, tokens, right] = &numbers;
        let row = [data, &ablated.name, &info, total, correct, malformed, &accuracy, tokens, right, &by_token];
        csv_record::write(&mut writer, row)?;
    }
    writer.flush()
}

/// The rows as a table. Several files with several ablations and no groups have a column for each file.
pub fn table(rows: &[ScoreRow<'_>], by: Option<&str>, labels: &[Option<String>], terminal: Terminal) -> String {
    let several = |differ: &dyn Fn(&ScoreRow<'_>) -> bool| rows.iter().any(differ);
    let Some(first) = rows.first() else { return String::new() };
    let files = several(&|row| row.data != first.data);
    let ablations = several(&|row| row.ablated != first.ablated);
    let label = |row: &ScoreRow<'_>| {
        let alone = (row.ablated.layers.len() == 1).then(|| row.ablated.layers.first()).flatten();
        alone.and_then(|layer| labels.get(layer.index())?.clone()).unwrap_or_default()
    };
    let mut columns: Vec<Column> = Vec::new();
    if files && ablations && by.is_none() {
        let in_first: Vec<&ScoreRow<'_>> = rows.iter().filter(|row| row.data == first.data).collect();
        columns.push(Column::left("ablated", in_first.iter().map(|row| row.ablated.name.clone())));
        for of_first in rows.iter().take_while(|row| row.ablated == first.ablated) {
            let file = rows.iter().filter(|row| row.data == of_first.data);
            let heading = Path::new(&of_first.data).file_name().map(|name| name.display().to_string());
            columns.push(Column::right(&heading.unwrap_or_default(), file.map(|row| percent(row.counts.accuracy()))));
        }
        columns.push(Column::left("", in_first.iter().map(|row| label(row))));
    } else {
        if files {
            columns.push(Column::left("data", rows.iter().map(|row| row.data.clone())));
        }
        if ablations {
            columns.push(Column::left("ablated", rows.iter().map(|row| row.ablated.name.clone())));
        }
        if let Some(by) = by {
            let group = |row: &ScoreRow<'_>| row.group.as_ref().map_or_else(|| "all".to_owned(), grouping::name);
            columns.push(Column::left(by, rows.iter().map(group)));
        }
        columns.push(Column::right("correct", rows.iter().map(|row| row.counts.correct.to_string())));
        columns.push(Column::right("total", rows.iter().map(|row| row.counts.total.to_string())));
        columns.push(Column::right("accuracy", rows.iter().map(|row| percent(row.counts.accuracy()))));
        columns.push(Column::right("tokens", rows.iter().map(|row| percent(row.counts.token_accuracy()))));
        if ablations {
            columns.push(Column::left("", rows.iter().map(label)));
        }
    }
    beside(&columns, terminal.columns)
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
