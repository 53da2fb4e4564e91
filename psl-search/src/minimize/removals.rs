//! The parts that can be left out of a program, one at a time.

use psl_syntax::{Checked, Code, diagnostic::Edit, with_comments};

use crate::{
    changes::changes,
    operator::Operator,
    productions::{around, productions},
};

/// The parts of a program that are left out in turn, the greatest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Productions,
    Clauses,
    Entries,
    /// Unused registers and constants.
    Names,
}

impl Part {
    pub const ALL: [Self; 4] = [Self::Productions, Self::Clauses, Self::Entries, Self::Names];
}

/// A part to leave out.
pub struct Removal {
    pub edits: Vec<Edit>,
    /// The index of the production that goes, if one does.
    pub production: Option<usize>,
}

/// The single removals, in text order.
pub fn removals(checked: &Checked, part: Part) -> Vec<Removal> {
    if part == Part::Names {
        let is_unused = |code| matches!(code, Code::UnusedRegister | Code::UnusedConstant);
        let unused = checked.rule_diagnostics().iter().filter(|found| is_unused(found.code));
        let fixes = unused.filter_map(|found| found.fixes.first());
        return fixes.map(|fix| Removal { edits: fix.edits.clone(), production: None }).collect();
    }
    let all = productions(&checked.tree);
    let of_part = changes(checked).into_iter().filter(|change| match change.operator {
        Operator::Production => part == Part::Productions,
        Operator::Condition | Operator::Assignment => part == Part::Clauses,
        Operator::ListEntry => part == Part::Entries && change.edits.iter().all(|edit| edit.text.is_empty()),
        _ => false,
    });
    let removal = of_part.map(|change| match part {
        Part::Productions => {
            Removal { edits: vec![with_comments(&checked.tree, change.span)], production: around(&all, change.span) }
        }
        Part::Clauses | Part::Entries | Part::Names => Removal { edits: change.edits, production: None },
    });
    removal.collect()
}
