//! The output of an evaluation, while it continues.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use indexmap::IndexMap;
use psl_program::count;
use psl_render::Terminal;
use psl_syntax::plain_label;
use psl_tasks::Scored;
use serde_json::{Value, json};

use super::{
    ablation::Ablated,
    grouping::{Counts, in_order},
    lines,
    options::{Args, Format, Show},
    scores::{self, ScoreRow},
    scoring::Score,
};
use crate::{
    commands::comparison::left_out,
    failure::Failure,
    input::paths::name,
    output::{
        color::Color,
        stdio::{Content, stdout_to_the_end},
        terminal,
    },
};

/// The number of failures that the text shows in full, unless `--show` lists all.
const FEW: usize = 20;

/// A program on one file, with one ablation.
pub struct Evaluation<'a> {
    pub data: String,
    pub ablated: &'a Ablated,
    /// By the text of a group, which is JSON: the group and its counts.
    groups: IndexMap<String, (Value, Counts)>,
    /// The number of lines listed.
    listed: usize,
}

impl<'a> Evaluation<'a> {
    pub fn new(data: &Path, ablated: &'a Ablated) -> Self {
        Self { data: name(data), ablated, groups: IndexMap::new(), listed: 0 }
    }

    /// The scores of the groups, then that of all lines.
    fn rows(&self, all: Option<Counts>) -> impl Iterator<Item = ScoreRow<'a>> {
        let groups = self.groups.values().map(|(group, counts)| (Some(group.clone()), *counts));
        let row = |(group, counts)| ScoreRow { data: self.data.clone(), ablated: self.ablated, group, counts };
        groups.chain(all.map(|counts| (None, counts))).map(row)
    }
}

/// The output.
pub struct Report<'a> {
    args: &'a Args,
    /// The label of each layer.
    labels: &'a [Option<String>],
    show: Show,
    single: bool,
    out: BufWriter<Box<dyn Write>>,
    terminal: Terminal,
    rows: Vec<ScoreRow<'a>>,
}

impl<'a> Report<'a> {
    /// Starts the output of that many evaluations.
    pub fn new(args: &'a Args, labels: &'a [Option<String>], evaluations: usize, color: Color) -> io::Result<Self> {
        let single = evaluations == 1;
        let content = if args.format == Format::Human { Content::People } else { Content::Data };
        let by_default = if single && args.format != Format::Csv { Show::Failures } else { Show::None };
        let show = args.show.unwrap_or(by_default);
        let mut out = BufWriter::new(stdout_to_the_end(content));
        if args.format == Format::Csv {
            writeln!(out, "{}", if show == Show::None { scores::HEADER } else { lines::HEADER })?;
        }
        Ok(Self { args, labels, show, single, out, terminal: terminal::stdout(color), rows: Vec::new() })
    }

    /// Counts a line, and lists it if `--show` selects it.
    pub fn line(&mut self, evaluation: &mut Evaluation<'_>, line: &Scored) -> Result<(), Failure> {
        if let Some(grouping) = &self.args.by {
            let group = grouping.group(line.info.as_deref());
            let counts = &mut evaluation.groups.entry(group.to_string()).or_insert((group, Counts::default())).1;
            counts.add(line);
        }
        let listed = match self.show {
            Show::Failures => !line.correct,
            Show::All => true,
            Show::None => false,
        };
        let few = self.args.show.is_none() && self.args.format == Format::Human;
        if !listed || (few && evaluation.listed == FEW) {
            return Ok(());
        }
        match self.args.format {
            Format::Human => {
                let Evaluation { data, ablated, .. } = evaluation;
                lines::text(&mut self.out, data, ablated, line, self.terminal)?;
            }
            Format::Json => {
                let before = if evaluation.listed == 0 { self.start() } else { ",".to_owned() };
                write!(self.out, "{before}{}", lines::json(line, self.show == Show::All))?;
            }
            Format::Csv => lines::csv(&mut self.out, &evaluation.data, evaluation.ablated, line)?,
        }
        evaluation.listed += 1;
        Ok(())
    }

    /// Ends an evaluation.
    pub fn score(&mut self, mut evaluation: Evaluation<'a>, score: &Score) -> Result<(), Failure> {
        evaluation.groups.sort_by(|_, (left, _), _, (right, _)| in_order(left, right));
        match self.args.format {
            Format::Human if self.single => self.single_score(&evaluation, score)?,
            Format::Json => self.json_score(&evaluation, score)?,
            Format::Human | Format::Csv => {}
        }
        self.rows.extend(evaluation.rows(Some(score.counts)));
        Ok(())
    }

    /// Ends the output.
    pub fn finish(mut self, seconds: f64) -> Result<(), Failure> {
        match self.args.format {
            Format::Human if !self.single => {
                let by = self.args.by.as_ref().map(|by| by.name.as_str());
                write!(self.out, "{}", scores::table(&self.rows, by, self.labels, self.terminal))?;
                let evaluations = self.rows.iter().filter(|row| row.group.is_none()).count();
                writeln!(self.out, "{}, {seconds:.3} s", count(evaluations, "evaluation"))?;
            }
            Format::Csv if self.show == Show::None => scores::csv(&mut self.out, &self.rows)?,
            Format::Human | Format::Json | Format::Csv => {}
        }
        self.out.flush()?;
        Ok(())
    }

    /// The start of a JSON object up to its first line.
    fn start(&self) -> String {
        format!("{{\"{}\":[", if self.show == Show::All { "lines" } else { "failures" })
    }

    fn single_score(&mut self, evaluation: &Evaluation<'a>, score: &Score) -> io::Result<()> {
        let Counts { total, correct, malformed, tokens, right_tokens } = score.counts;
        let hidden = (total - correct).saturating_sub(evaluation.listed);
        if self.args.show.is_none() && hidden > 0 {
            writeln!(self.out, "{}", left_out(hidden))?;
        }
        if let Some(by) = &self.args.by {
            let rows: Vec<ScoreRow<'_>> = evaluation.rows(None).collect();
            write!(self.out, "{}", scores::table(&rows, Some(&by.name), self.labels, self.terminal))?;
        }
        if correct < total && tokens > 0 {
            let percent = 100.0 * score.counts.token_accuracy();
            writeln!(self.out, "{right_tokens} of {tokens} tokens correct ({percent:.2} %)")?;
        }
        let percent = 100.0 * score.counts.accuracy();
        let malformed = if malformed > 0 { format!(", {}", count(malformed, "malformed line")) } else { String::new() };
        let (seconds, speed) = (score.seconds, score.speed());
        writeln!(
            self.out,
            "{correct} of {total} correct ({percent:.2} %){malformed}, {seconds:.3} s, {speed:.0} prompts/s"
        )
    }

    fn json_score(&mut self, evaluation: &Evaluation<'a>, score: &Score) -> io::Result<()> {
        let Counts { total, correct, malformed, tokens, right_tokens } = score.counts;
        let by_token = score.counts.token_accuracy();
        let (accuracy, seconds, speed) = (score.counts.accuracy(), score.seconds, score.speed());
        match (self.show, evaluation.listed) {
            (Show::None, _) => self.out.write_all(b"{")?,
            (_, 0) => write!(self.out, "{}],", self.start())?,
            _ => self.out.write_all(b"],")?,
        }
        let data = Value::from(evaluation.data.as_str());
        let ablated = &evaluation.ablated.layers;
        let labels: Value = ablated
            .iter()
            .map(|layer| self.labels.get(layer.index()).and_then(|label| label.as_deref()).map(plain_label))
            .collect();
        let ablated = ablated.iter().map(|layer| layer.number()).collect::<Value>();
        write!(
            self.out,
            "\"data\":{data},\"ablated\":{ablated},\"labels\":{labels},\"total\":{total},\"correct\":{correct},\"malformed\":{malformed},\
             \"accuracy\":{accuracy},\"tokens\":{tokens},\"correct_tokens\":{right_tokens},\"token_accuracy\":{by_token},\
             \"seconds\":{seconds},\"prompts_per_second\":{speed}"
        )?;
        if self.args.by.is_some() {
            let group = |(group, counts): &(Value, Counts)| json!({"info": group, "total": counts.total, "correct": counts.correct, "accuracy": counts.accuracy(), "token_accuracy": counts.token_accuracy()});
            write!(self.out, ",\"groups\":{}", evaluation.groups.values().map(group).collect::<Value>())?;
        }
        writeln!(self.out, "}}")
    }
}
