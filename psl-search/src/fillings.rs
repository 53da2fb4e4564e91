//! The parts that could belong in a hole.

use psl_syntax::{
    Checked, Tree,
    holes::{Hole, HoleKind},
    program::Function,
    tree::{Assignment, Comparison, Condition, Operand, Statement},
};

use crate::{
    other_side::OtherSide,
    phrases::{Phrase, assignments, conditions, sources},
    words::Words,
};

/// The parts that could belong in a hole: those that fit first, and shorter ones before others.
pub fn fillings(checked: &Checked, words: &Words, hole: Hole) -> Vec<Phrase> {
    let left = left_of(&checked.tree, hole).map_or(usize::MAX, |name| words.register(name));
    let any = |text: &str| Phrase { text: text.to_owned(), fits: true };
    let mut found = match hole.kind {
        HoleKind::Value | HoleKind::Source => sources(words, left, &["n", "N"]),
        HoleKind::ListEntry | HoleKind::SurplusEntry => {
            let listed = entries(&checked.tree, hole);
            let is_new = |phrase: &Phrase| !listed.contains(&phrase.text.as_str());
            sources(words, left, &[]).into_iter().filter(is_new).collect()
        }
        HoleKind::Register => {
            let other = other_side(&checked.tree, words, hole);
            let names = words.registers.iter().enumerate();
            names.map(|(register, name)| Phrase { text: name.clone(), fits: other.fits(words, register) }).collect()
        }
        HoleKind::Cell => ["N", "n"].map(any).to_vec(),
        HoleKind::Function => Function::ALL.map(|function| any(function.as_str())).to_vec(),
        HoleKind::Comparison => ["==", "!="].map(any).to_vec(),
        HoleKind::Condition => conditions(words),
        HoleKind::Assignment => assignments(words),
    };
    found.sort_by_key(|phrase| (!phrase.fits, phrase.text.contains('@'), phrase.text.contains("!=")));
    found
}

/// The other side of a register that is a hole.
fn other_side(tree: &Tree, words: &Words, hole: Hole) -> OtherSide {
    let is_right = |operand: &Operand| matches!(operand, Operand::Register(place) if place.register == hole.span);
    let mut found = OtherSide::Unknown;
    for_each_clause(&tree.statements, &mut |clause| match clause {
        Clause::Condition(Condition { left, comparison: Comparison::Equality { right, .. }, .. })
        | Clause::Assignment(Assignment { target: left, source: right, .. }) => {
            if left.register == hole.span {
                found = OtherSide::operand(tree, words, right);
            } else if is_right(right) {
                found = OtherSide::Register(words.register(tree.str(left.register)));
            }
        }
        Clause::Condition(Condition { left, comparison: Comparison::Membership { list, .. }, .. }) => {
            if left.register == hole.span {
                found = OtherSide::list(tree, words, list);
            }
        }
    });
    found
}

/// The register on the left of the clause whose right side is a hole.
fn left_of(tree: &Tree, hole: Hole) -> Option<&str> {
    let mut found = None;
    for_each_clause(&tree.statements, &mut |clause| {
        let (left, is_right) = match clause {
            Clause::Condition(Condition { left, comparison: Comparison::Equality { right, .. }, .. })
            | Clause::Assignment(Assignment { target: left, source: right, .. }) => (left, is_hole(right, hole)),
            Clause::Condition(Condition { left, comparison: Comparison::Membership { list, .. }, .. }) => {
                (left, list.iter().any(|entry| is_hole(entry, hole)))
            }
        };
        if is_right {
            found = Some(left.register);
        }
    });
    found.map(|register| tree.str(register))
}

/// The entries of the list with a hole.
fn entries(tree: &Tree, hole: Hole) -> Vec<&str> {
    let mut found = Vec::new();
    for_each_clause(&tree.statements, &mut |clause| {
        if let Clause::Condition(Condition { comparison: Comparison::Membership { list, .. }, .. }) = clause
            && list.iter().any(|entry| is_hole(entry, hole))
        {
            found.extend(list.iter().map(|entry| tree.str(entry.span())));
        }
    });
    found
}

fn is_hole(operand: &Operand, hole: Hole) -> bool {
    matches!(operand, Operand::Hole(span) if *span == hole.span)
}

enum Clause<'t> {
    Condition(&'t Condition),
    Assignment(&'t Assignment),
}

/// Recursion depth is the nesting of repeat blocks, which the parser limits.
fn for_each_clause<'t>(body: &'t [Statement], each: &mut dyn FnMut(Clause<'t>)) {
    for statement in body {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(production) => {
                production.conditions.iter().for_each(|condition| each(Clause::Condition(condition)));
                production.assignments.iter().for_each(|assignment| each(Clause::Assignment(assignment)));
            }
            Statement::Repeat(repeat) => {
                for_each_clause(&repeat.body, each);
                repeat.until.iter().for_each(|condition| each(Clause::Condition(condition)));
            }
        }
    }
}
