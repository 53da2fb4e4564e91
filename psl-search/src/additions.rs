//! Conditions and assignments added to a production.

use std::collections::BTreeSet;

use psl_syntax::{
    Span, Tree, indentation, keep_comments,
    tree::{Production, Repeat},
};

use crate::{
    change::Change,
    operator::Operator,
    phrases::{Phrase, assignments, conditions, target},
    words::Words,
};

/// The clauses that could be added to a program's productions.
pub struct Additions<'c> {
    tree: &'c Tree,
    words: &'c Words,
    conditions: Vec<Phrase>,
    assignments: Vec<Phrase>,
}

impl<'c> Additions<'c> {
    pub fn new(tree: &'c Tree, words: &'c Words) -> Self {
        Self { tree, words, conditions: conditions(words), assignments: assignments(words) }
    }

    /// Each condition added to a production: only those that fit it, or the others. The changed text may have errors, such as two
    /// registers of one cell that are compared.
    pub fn conditions(&self, production: &Production, fitting: bool) -> Vec<Change> {
        let Some(last) = production.conditions.last() else { return Vec::new() };
        let known: Vec<&str> = production.conditions.iter().map(|it| self.tree.str(it.span)).collect();
        let new = |it: &&Phrase| it.fits == fitting && !known.contains(&it.text.as_str());
        let add = |phrase: &Phrase| condition_after(last.span, phrase, Operator::Condition);
        self.conditions.iter().filter(new).map(add).collect()
    }

    /// Each assignment to one of these registers added to a production that does not set it: only those that fit it, or the
    /// others.
    pub fn assignments(&self, production: &Production, registers: &BTreeSet<usize>, fitting: bool) -> Vec<Change> {
        let Some(last) = production.assignments.last() else { return Vec::new() };
        let set: Vec<&str> = production.assignments.iter().map(|it| self.tree.str(it.target.register)).collect();
        let registers = registers.iter().filter_map(|register| self.words.registers.get(*register));
        let targets: Vec<&str> = registers.map(String::as_str).filter(|name| !set.contains(name)).collect();
        let new = |it: &&Phrase| it.fits == fitting && targets.contains(&target(&it.text));
        let (place, before) = self.next_line(last.span);
        let add = |Phrase { text, fits, .. }: &Phrase| {
            let says = format!("Add the assignment `{text}`");
            let change = Change::replace(Operator::Assignment, place, format!("{before}{text}"), says);
            Change { span: last.span, fits: *fits, ..change }
        };
        self.assignments.iter().filter(new).map(add).collect()
    }

    /// Each condition that fits, as the end of a block or one more of its conditions.
    pub fn ends(&self, repeat: &Repeat) -> Vec<Change> {
        let Some(keyword) = repeat.until_keyword else { return Vec::new() };
        let fitting = self.conditions.iter().filter(|phrase| phrase.fits);
        let end = |phrase: &Phrase| match (repeat.until.last(), &phrase.text) {
            (Some(last), _) => condition_after(last.span, phrase, Operator::Until),
            (None, text) => {
                let span = Span::new(keyword.end, repeat.span.end);
                let says = format!("Repeat until `{text}`");
                let mut change = Change::replace(Operator::Until, span, format!(" {text}"), says);
                keep_comments(self.tree, &mut change.edits);
                change
            }
        };
        fitting.map(end).collect()
    }

    /// The place for another assignment and the text before it: a line of its own if the last one has its own line.
    fn next_line(&self, last: Span) -> (Span, String) {
        let text = &*self.tree.text;
        let rest = text.get(last.end as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let code_follows = self
            .tree
            .tokens
            .code
            .iter()
            .any(|token| token.span.start >= last.end && token.span.start < last.end + line.len() as u32);
        match indentation(text, last.start).filter(|_| !code_follows) {
            Some(indent) => {
                let end = Span::new(last.end, last.end + line.len() as u32);
                (after(end), format!("{}{indent}", self.tree.line_end()))
            }
            None => (after(last), " ".to_owned()),
        }
    }
}

fn condition_after(last: Span, Phrase { text, fits }: &Phrase, operator: Operator) -> Change {
    let says = format!("Add the condition `{text}`");
    let change = Change::replace(operator, after(last), format!(" and {text}"), says);
    Change { span: last, fits: *fits, ..change }
}

fn after(span: Span) -> Span {
    Span::new(span.end, span.end)
}
