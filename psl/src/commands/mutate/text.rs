//! Mutants as text.

use std::io::{self, Write};

use indicatif::HumanCount;
use psl_ide::{Expected, test_line};
use psl_program::{Continuation, count};
use psl_render::{FRAME, STRONG, Terminal, shown, shown_line};
use psl_search::Fate;

use super::{score::Score, tried::Tried};
use crate::{
    commands::{comparison::cut, search::more},
    output::unified_diff::changed_lines,
};

pub fn write(out: &mut impl Write, tried: &Tried<'_>, show: usize, terminal: Terminal) -> io::Result<()> {
    let Tried { source, mutants, told_apart, score, .. } = tried;
    for (place, number) in told_apart.iter().zip(1..).take(show) {
        let Some((mutant, Some(Fate::ToldApart(found)))) = mutants.get(*place) else { continue };
        let head = format!("line {}: {}", source.line(mutant.span.start), shown_line(&mutant.description));
        writeln!(out, "{number}. {}", terminal.paint(STRONG, &head))?;
        let changed = mutant.apply(source.file.text()).unwrap_or_default();
        for line in changed_lines(source.file.text(), &changed).lines() {
            writeln!(out, "   {}", terminal.paint(FRAME, &shown(line)))?;
        }
        let [expected, got] =
            [&found.expected, &found.got].map(|it| it.as_ref().map_or_else(Clone::clone, Continuation::shown));
        for (name, text) in [("prompt", &found.prompt), ("expected", &expected), ("got", &got)] {
            writeln!(out, "{}", cut(name, text, terminal))?;
        }
        if found.compared_on > 0 {
            let like = count(found.compared_on, "prompt");
            writeln!(
                out,
                "{}",
                cut("differs", &format!("on {} of {like} like those of the tests", found.differs_on), terminal)
            )?;
        }
        if let Ok(expected) = &found.expected {
            let test = Expected { prompt: &found.prompt, gold: &expected.text(), row: expected.is_row() };
            writeln!(out, "  {}", shown_line(&test_line(test)))?;
        }
    }
    if told_apart.len() > show {
        writeln!(out, "{}", more(show, told_apart.len()))?;
    }
    summary(out, &source.shown_name(), score)
}

fn summary(out: &mut impl Write, name: &str, score: &Score) -> io::Result<()> {
    let number = |count: usize| HumanCount(count as u64);
    let Score { killed, endless, told_apart, unknown, equal, equal_up_to, lengths, invalid, left } = score;
    match score.percentage() {
        Some(percentage) => writeln!(
            out,
            "{name}: the tests notice {} of {} mutants: {percentage} %",
            number(*killed),
            number(score.all())
        )?,
        None => writeln!(out, "{name}: the tests could notice no mutant")?,
    }
    let up_to = lengths.as_ref().map_or_else(String::new, |lengths| {
        let (least, most) = (lengths.start(), lengths.end());
        let lengths = if least == most { most.to_string() } else { format!("{least} to {most}") };
        format!("equal for all prompts of up to {lengths} symbols, and for others that were tried")
    });
    let rows = [
        (*told_apart, "not noticed, and told apart by a prompt that no test has".to_owned()),
        (*unknown, "not noticed, and not tried with other prompts: the program's are structured".to_owned()),
        (*endless, "noticed by a run without end".to_owned()),
        (*equal, "equal, as the text shows".to_owned()),
        (*equal_up_to, up_to),
        (*invalid, "with errors".to_owned()),
        (*left, "not tried: the search was cut off".to_owned()),
    ];
    for (count, row) in rows.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "{:>7} {row}", number(count).to_string())?;
    }
    Ok(())
}
