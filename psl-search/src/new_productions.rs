//! Productions added to a program.

use std::collections::BTreeSet;

use psl_syntax::{
    Span, Tree,
    diagnostic::Edit,
    indentation,
    program::Program,
    tree::{Production, Statement},
};

use crate::{
    change::{Change, apply_all},
    operator::Operator,
    pairs::{pair, triangle},
    phrases::{Phrase, assignments, conditions, target},
    words::Words,
};

/// A place for another production.
#[derive(Clone)]
struct Place {
    at: Span,
    before: String,
    after: String,
    /// The start of the line of an assignment.
    line: String,
}

/// The copies of a program's productions with one or two of their changes, right before or after the production.
pub struct Copies<'t> {
    tree: &'t Tree,
    /// The productions, each with its changes and the places of its copy.
    productions: Vec<(&'t Production, Vec<Change>, [Place; 2])>,
}

impl<'t> Copies<'t> {
    pub fn new(tree: &'t Tree, productions: &[&'t Production], changes: &[Change]) -> Self {
        let with_changes = |production: &&'t Production| {
            let own = |change: &&Change| {
                let inside = production.span.start <= change.span.start && change.span.end <= production.span.end;
                inside && change.fits && !matches!(change.operator, Operator::Order | Operator::Production)
            };
            let changes = changes.iter().filter(own).cloned().collect();
            let place = Statement::Production((*production).clone());
            (*production, changes, places(tree, &place))
        };
        Self { tree, productions: productions.iter().map(with_changes).collect() }
    }

    /// The copies with one change.
    pub fn with_one_change(&self) -> Vec<Change> {
        let all = self.productions.iter();
        let changed = all.flat_map(|(it, changes, places)| changes.iter().map(move |one| (*it, [one], places)));
        changed.flat_map(|(it, change, places)| self.copies(it, &change, places)).collect()
    }

    /// The copies with two changes.
    pub fn with_two_changes(&self) -> Vec<Change> {
        let mut found = Vec::new();
        for (production, changes, places) in &self.productions {
            for (index, one) in changes.iter().enumerate() {
                for other in changes.iter().take(index) {
                    found.extend(self.copies(production, &[other, one], places));
                }
            }
        }
        found
    }

    fn copies(&self, production: &Production, changes: &[&Change], places: &[Place; 2]) -> Vec<Change> {
        let text = &*self.tree.text;
        let copy = apply_all(changes, text).and_then(|changed| {
            let end = (production.span.end as usize + changed.len()).checked_sub(text.len())?;
            Some(changed.get(production.span.start as usize..end)?.to_owned())
        });
        let Some(copy) = copy else { return Vec::new() };
        places.iter().map(|place| added(place, &copy)).collect()
    }
}

/// Productions of a few conditions and an assignment, all of which fit, at every place. The registers that the program reads but
/// does not set come first.
pub struct NewProductions {
    places: Vec<Place>,
    conditions: Vec<String>,
    assignments: Vec<String>,
}

impl NewProductions {
    pub fn new(tree: &Tree, program: &Program, words: &Words) -> Self {
        let text = |phrase: Phrase| phrase.fits.then_some(phrase.text);
        let mut places = Vec::new();
        of_body(tree, &tree.statements, &mut places);
        let set: BTreeSet<u32> =
            program.productions().iter().flat_map(|it| &it.assignments).map(|it| it.target.0).collect();
        let is_set = |assignment: &String| {
            let register = words.register(target(assignment));
            set.iter().any(|id| *id as usize == register)
        };
        let mut assignments: Vec<String> = assignments(words).into_iter().filter_map(text).collect();
        assignments.sort_by_key(is_set);
        let conditions = conditions(words).into_iter().filter_map(text).collect();
        Self { places, conditions, assignments }
    }

    /// The number of productions with one condition and one assignment.
    pub fn small(&self) -> usize {
        self.assignments.len() * self.conditions.len() * self.places.len()
    }

    /// One of those, by its number.
    pub fn small_change(&self, number: usize) -> Option<Change> {
        let (number, place) = (number.checked_div(self.places.len())?, number.checked_rem(self.places.len())?);
        let condition = self.conditions.get(number.checked_rem(self.conditions.len())?)?;
        let assignment = self.assignments.get(number.checked_div(self.conditions.len())?)?;
        self.production(place, false, &[condition], &[assignment])
    }

    /// The number of productions with two conditions or two assignments.
    pub fn large(&self) -> usize {
        self.assignments.len() * self.second() * self.places.len()
    }

    /// One of those, by its number. `None` for one that assigns a register twice.
    pub fn large_change(&self, number: usize) -> Option<Change> {
        let (number, place) = (number.checked_div(self.places.len())?, number.checked_rem(self.places.len())?);
        let (first, rest) = (number.checked_div(self.second())?, number.checked_rem(self.second())?);
        let assignment = self.assignments.get(first)?;
        let of_conditions = self.of_conditions();
        if let Some(rest) = rest.checked_sub(of_conditions) {
            let condition = self.conditions.get(rest.checked_div(self.assignments.len())?)?;
            let second = rest.checked_rem(self.assignments.len())?;
            let other = self.assignments.get(second).filter(|other| target(other) != target(assignment))?;
            return self.production(place, false, &[condition], &[assignment, other]);
        }
        let (one, other) = pair(rest / 2);
        let conditions = [self.conditions.get(one)?, self.conditions.get(other)?];
        let rightmost = rest % 2 == 1;
        if rightmost && !conditions.iter().any(|condition| condition.contains("[n]")) {
            return None;
        }
        self.production(place, rightmost, &conditions, &[assignment])
    }

    /// The number of second conditions or assignments for each assignment.
    fn second(&self) -> usize {
        self.of_conditions() + self.conditions.len() * self.assignments.len()
    }

    /// The number of pairs of conditions, for the leftmost and for the rightmost match.
    fn of_conditions(&self) -> usize {
        2 * triangle(self.conditions.len())
    }

    fn production(
        &self,
        place: usize,
        rightmost: bool,
        conditions: &[&String],
        assignments: &[&String],
    ) -> Option<Change> {
        let join = |parts: &[&String], by: &str| parts.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(by);
        let keyword = if rightmost { "where_rm" } else { "where" };
        let head = format!("{keyword} {}", join(conditions, " and "));
        let place = self.places.get(place)?;
        Some(added(place, &format!("{head}:{}{}", place.line, join(assignments, &place.line))))
    }
}

/// The sentence of a new production.
pub fn says(production: &str) -> String {
    format!("Add the production `{}`", production.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn added(place: &Place, production: &str) -> Change {
    Change {
        operator: Operator::Production,
        span: place.at,
        edits: vec![Edit { span: place.at, text: format!("{}{production}{}", place.before, place.after) }],
        says: says(production),
        fits: true,
    }
}

/// The places before the first statement of a body and after each. Recursion depth is the nesting of repeat blocks, which the
/// parser limits.
fn of_body(tree: &Tree, body: &[Statement], found: &mut Vec<Place>) {
    let mut is_first = true;
    for statement in body.iter().filter(|statement| statement.span().is_some()) {
        let [before, after] = places(tree, statement);
        found.extend(Some(before).filter(|_| is_first));
        is_first = false;
        if let Statement::Repeat(repeat) = statement {
            of_body(tree, &repeat.body, found);
        }
        found.push(after);
    }
}

/// The places before and after a production or a block.
fn places(tree: &Tree, statement: &Statement) -> [Place; 2] {
    let (span, label) = match statement {
        Statement::CausalAttn(_) => (Span::default(), None),
        Statement::Production(production) => (production.span, production.label),
        Statement::Repeat(repeat) => (repeat.span, repeat.label),
    };
    let start = label.map_or(span.start, |label| label.start);
    let rest = tree.text.get(span.end as usize..).unwrap_or_default();
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let (separator, line, end) = match indentation(&tree.text, start) {
        Some(indent) if line.trim_start().is_empty() || line.trim_start().starts_with(['#', '/']) => {
            let separator = format!("{}{indent}", tree.line_end());
            (separator.clone(), format!("{separator}    "), span.end + line.len() as u32)
        }
        _ => (" ".to_owned(), " ".to_owned(), span.end),
    };
    [
        Place { at: Span::new(start, start), before: String::new(), after: separator.clone(), line: line.clone() },
        Place { at: Span::new(end, end), before: separator, after: String::new(), line },
    ]
}
