//! The layers of a schedule with names for their productions and repeat blocks.

use std::{num::NonZeroUsize, ops::Range};

use psl_syntax::{
    LineIndex, plain_label,
    program::{Production, Program, Statement},
    schedule::{Schedule, schedule},
};

/// The layers and heads of a program, with names.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The layers, and the productions of the critical path.
    pub schedule: Schedule,
    /// The maximum number of heads in a layer, if it is limited.
    pub max_heads: Option<NonZeroUsize>,
    /// The productions, in the order of the text.
    pub productions: Vec<PlannedProduction>,
    /// The repeat blocks, each before those inside it.
    pub repeats: Vec<PlannedRepeat>,
}

/// A production with its place in the text and in the plan.
#[derive(Clone, Debug)]
pub struct PlannedProduction {
    /// The short name: see [`Plan::name`].
    pub name: String,
    /// The label, without its comment mark.
    pub label: Option<String>,
    /// The line, 1-based.
    pub line: Option<usize>,
    /// The layer and the head, both from 0.
    pub place: (usize, usize),
    /// The registers that it writes, by their long names.
    pub writes: Vec<String>,
}

/// A repeat block.
#[derive(Clone, Debug)]
pub struct PlannedRepeat {
    /// The label, or its line.
    pub name: String,
    /// The block's layers, 0-based.
    pub layers: Range<usize>,
    /// The number of blocks around it.
    pub nesting: usize,
}

impl Plan {
    /// Schedules a program without errors. `lines` are those of its text, if it has one.
    pub fn new(program: &Program, lines: Option<&LineIndex>, max_heads: Option<NonZeroUsize>) -> Self {
        let schedule = schedule(program, max_heads);
        let productions = program.productions();
        let mut places = vec![(0, 0); productions.len()];
        for (layer, heads) in schedule.layers.iter().enumerate() {
            for (head, production) in heads.iter().enumerate() {
                if let Some(place) = places.get_mut(*production) {
                    *place = (layer, head);
                }
            }
        }
        let mut repeats = Vec::new();
        add_repeats(&program.statements, (&mut 0, 0), &places, lines, &mut repeats);
        let named = (1..).zip(productions).zip(places).map(|((number, production), place)| {
            let line = lines.map(|lines| lines.line(production.span.start) + 1);
            let label = production.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
            let name = match (label, line) {
                (Some(label), _) => short_label(label),
                (None, Some(line)) => format!("line {line}"),
                (None, None) => format!("production {number}"),
            };
            PlannedProduction {
                name,
                label: label.map(str::to_owned),
                line,
                place,
                writes: writes(program, production),
            }
        });
        Self { productions: named.collect(), schedule, max_heads, repeats }
    }

    /// The short name of a production: the part of its label before a colon, or the start of the label; without a
    /// label, its line or its number.
    pub fn name(&self, production: usize) -> &str {
        self.productions.get(production).map_or("", |named| &named.name)
    }

    /// The layer of a production and the others in it: `layer 12 of 27, beside P3a`. `None` if each production has its
    /// own layer.
    pub fn place_in_words(&self, production: usize) -> Option<String> {
        let depth = self.schedule.depth();
        let (layer, _) = self.productions.get(production)?.place;
        let heads = self.schedule.layers.get(layer)?;
        let mut others = heads.iter().filter(|head| **head != production).map(|head| self.name(*head));
        let beside = match (others.next(), others.next(), heads.len()) {
            (None, ..) => String::new(),
            (Some(one), None, _) => format!(", beside {one}"),
            (Some(one), Some(two), 3) => format!(", beside {one} and {two}"),
            (Some(one), Some(_), count) => format!(", beside {one} and {} others", count - 2),
        };
        (depth < self.productions.len()).then(|| format!("layer {} of {depth}{beside}", layer + 1))
    }
}

fn writes(program: &Program, production: &Production) -> Vec<String> {
    let targets = production.assignments.iter().map(|assignment| &program.registers[assignment.target]);
    targets.map(|register| register.name.clone()).collect()
}

/// The part of a label before its colon, cut off if it is long.
pub fn short_label(label: &str) -> String {
    const LONGEST: usize = 24;
    let name = label.split_once(':').map_or(label, |(name, _)| name).trim();
    match name.char_indices().nth(LONGEST) {
        Some(_) => format!("{}…", name.chars().take(LONGEST - 1).collect::<String>().trim_end()),
        None => name.to_owned(),
    }
}

fn add_repeats(
    statements: &[Statement],
    (next, nesting): (&mut usize, usize),
    places: &[(usize, usize)],
    lines: Option<&LineIndex>,
    repeats: &mut Vec<PlannedRepeat>,
) {
    for statement in statements {
        let Statement::Repeat(repeat) = statement else {
            *next += 1;
            continue;
        };
        let (index, start) = (repeats.len(), *next);
        let label = repeat.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
        let name = match (label, lines) {
            (Some(label), _) => label.to_owned(),
            (None, Some(lines)) => format!("line {}", lines.line(repeat.keyword.start) + 1),
            (None, None) => format!("block {}", index + 1),
        };
        repeats.push(PlannedRepeat { name, layers: 0..0, nesting });
        add_repeats(&repeat.body, (&mut *next, nesting + 1), places, lines, repeats);
        let layers = || places.get(start..*next).unwrap_or_default().iter().map(|(layer, _)| *layer);
        if let Some(repeat) = repeats.get_mut(index) {
            repeat.layers = layers().min().unwrap_or_default()..layers().max().map_or(0, |last| last + 1);
        }
    }
}
