//! Productions added to a program.

use std::collections::BTreeSet;

use psl_syntax::{
    Span, Tree,
    diagnostic::Edit,
    indentation,
    program::{Program, RegisterId},
    tree::{Production, Statement},
};

use crate::{
    change::{Change, apply_all},
    name_sorts::NameSorts,
    operator::Operator,
    pairs::{pair, triangle},
    phrases::{Kinds, Phrase, assignments_to, conditions},
    productions::around,
    workers::{Workers, going_on},
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
        let mut own: Vec<Vec<Change>> = vec![Vec::new(); productions.len()];
        for change in changes {
            let fits = change.fits && !matches!(change.operator, Operator::Order | Operator::Production);
            if let Some(own) = around(productions, change.span).filter(|_| fits).and_then(|index| own.get_mut(index)) {
                own.push(change.clone());
            }
        }
        let with_changes = |(production, changes): (&&'t Production, Vec<Change>)| {
            let place = Statement::Production((*production).clone());
            (*production, changes, places(tree, &place))
        };
        Self { tree, productions: productions.iter().zip(own).map(with_changes).collect() }
    }

    /// The copies with one change.
    pub fn with_one_change(&self) -> impl Iterator<Item = Change> {
        let all = self.productions.iter();
        let changed = all.flat_map(|(it, changes, places)| changes.iter().map(move |one| (*it, [one], places)));
        changed.flat_map(|(it, change, places)| self.copies(it, &change, places))
    }

    /// The copies with two changes.
    pub fn with_two_changes(&self) -> impl Iterator<Item = Change> {
        self.productions.iter().flat_map(move |(production, changes, places)| {
            let pairs = (0..triangle(changes.len())).filter_map(|number| {
                let (one, other) = pair(number);
                Some([changes.get(one)?, changes.get(other)?])
            });
            pairs.flat_map(move |pair| self.copies(production, &pair, places))
        })
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

/// Productions of a few conditions and an assignment, all of which fit, at every place. The registers that the program
/// reads but does not set come first.
pub struct NewProductions<'w> {
    names: &'w NameSorts,
    places: Vec<Place>,
    conditions: Vec<Phrase>,
    assignments: Vec<Phrase>,
}

/// The conditions and the assignments that new productions are made of. No search gets to the others.
const MOST: usize = 1_000_000;

impl<'w> NewProductions<'w> {
    pub fn new(tree: &Tree, program: &Program, names: &'w NameSorts, workers: &dyn Workers) -> Self {
        let mut places = Vec::new();
        of_body(tree, &tree.statements, &mut places);
        let set: BTreeSet<RegisterId> =
            program.productions().iter().flat_map(|it| &it.assignments).map(|it| it.target).collect();
        let (late, early): (Vec<RegisterId>, Vec<RegisterId>) = names.register_ids().partition(|id| set.contains(id));
        let targets = early.into_iter().chain(late);
        let assignments = targets.flat_map(|id| assignments_to(names, id, Kinds::ALL));
        Self {
            names,
            places,
            conditions: fitting(conditions(names, Kinds::ALL), workers),
            assignments: fitting(assignments, workers),
        }
    }

    /// Whether some phrases are left out because there are so many.
    pub fn lacks_some(&self) -> bool {
        self.conditions.len().max(self.assignments.len()) >= MOST
    }

    /// The number of productions with one condition and one assignment.
    pub fn small(&self) -> usize {
        product([self.assignments.len(), self.conditions.len(), self.places.len()])
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
        product([self.assignments.len(), self.second(), self.places.len()])
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
            let other = self.assignments.get(second).filter(|other| other.target() != assignment.target())?;
            return self.production(place, false, &[condition], &[assignment, other]);
        }
        let (one, other) = pair(rest / 2);
        let conditions = [self.conditions.get(one)?, self.conditions.get(other)?];
        let rightmost = rest % 2 == 1;
        if rightmost && !conditions.iter().any(|condition| condition.reads_source()) {
            return None;
        }
        self.production(place, rightmost, &conditions, &[assignment])
    }

    /// The number of second conditions or assignments for each assignment.
    fn second(&self) -> usize {
        self.of_conditions().saturating_add(product([self.conditions.len(), self.assignments.len()]))
    }

    /// The number of pairs of conditions, for the leftmost and for the rightmost match.
    fn of_conditions(&self) -> usize {
        triangle(self.conditions.len()).saturating_mul(2)
    }

    fn production(
        &self,
        place: usize,
        rightmost: bool,
        conditions: &[&Phrase],
        assignments: &[&Phrase],
    ) -> Option<Change> {
        let texts = |parts: &[&Phrase]| parts.iter().map(|it| it.text(self.names)).collect::<Vec<_>>();
        let keyword = if rightmost { "where_rm" } else { "where" };
        let head = format!("{keyword} {}", texts(conditions).join(" and "));
        let place = self.places.get(place)?;
        Some(added(place, &format!("{head}:{}{}", place.line, texts(assignments).join(&place.line))))
    }
}

/// A number of programs. There may be more than a number can count, and no search gets so far.
fn product<const N: usize>(factors: [usize; N]) -> usize {
    factors.into_iter().fold(1, usize::saturating_mul)
}

/// The first phrases that fit.
fn fitting(all: impl Iterator<Item = Phrase>, workers: &dyn Workers) -> Vec<Phrase> {
    let mut go_on = going_on(workers);
    all.take_while(|_| go_on()).filter(|phrase| phrase.fits).take(MOST).collect()
}

/// The sentence of a new production.
pub fn description(production: &str) -> String {
    format!("Add the production `{}`", production.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn added(place: &Place, production: &str) -> Change {
    Change {
        operator: Operator::Production,
        span: place.at,
        edits: vec![Edit { span: place.at, text: format!("{}{production}{}", place.before, place.after) }],
        description: description(production),
        fits: true,
    }
}

/// The places before the first statement of a body and after each. Recursion depth is the nesting of repeat blocks,
/// which the parser limits.
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
