//! The fixes of diagnostics, one by one or all of a kind, and accepting one.

use std::collections::BTreeSet;

use psl_syntax::{Code, Diagnostic, allow_here, apply_levels, check, fix};

use super::{Action, Kind, action};
use crate::{
    diff,
    evidence::{self, Evidence},
    server::documents::Snapshot,
};

/// Each fix of each diagnostic.
pub fn fixes(here: &[&Diagnostic]) -> Vec<Action> {
    let of = |found: &&Diagnostic| {
        let found = (*found).clone();
        let preferred = found.fixes.len() == 1;
        let fixes = found.fixes.clone().into_iter();
        fixes.map(move |fix| Action { preferred, ..action(fix, Kind::QuickFix, Some(&found)) })
    };
    here.iter().flat_map(of).collect()
}

/// For each code of which there are several diagnostics with a fix, and one of them here: the fixes of all of them.
pub fn all_of_a_kind(snapshot: &Snapshot, all: &[Diagnostic], here: &[&Diagnostic]) -> Vec<Action> {
    let fixable = |found: &&Diagnostic| found.fixes.len() == 1;
    let codes: BTreeSet<Code> = here.iter().copied().filter(fixable).map(|found| found.code).collect();
    let fix_all = |code: Code| {
        let of_it: Vec<Diagnostic> = all.iter().filter(fixable).filter(|found| found.code == code).cloned().collect();
        let edits = if of_it.len() > 1 { fixed(snapshot, Some(code)) } else { None }?;
        let title = format!("Fix all `{}` in the file", code.as_str());
        Some(Action { title, kind: Kind::QuickFix, edits, diagnostics: of_it, preferred: false })
    };
    codes.into_iter().filter_map(fix_all).collect()
}

/// All certain fixes of the file.
pub fn fix_all(snapshot: &Snapshot) -> Option<Action> {
    let edits = fixed(snapshot, None)?;
    let title = "Fix all that can be fixed safely".to_owned();
    Some(Action { title, kind: Kind::FixAll, edits, diagnostics: Vec::new(), preferred: false })
}

/// What applies the certain fixes, or all single fixes of one code, without a further error; nothing where that is nothing.
fn fixed(snapshot: &Snapshot, only: Option<Code>) -> Option<Vec<psl_syntax::diagnostic::Edit>> {
    let text = &snapshot.checked().tree.text;
    let levels = snapshot.levels();
    let no_tests = Evidence::default();
    let diagnose = |text: &str| {
        let checked = check(text);
        let program = &checked.analysis.program;
        // Tests are not run once more: what they may still show stays.
        let shown = program.tests.is_empty().then_some(&no_tests);
        let found = evidence::join(&checked.analysis, &checked.diagnostics, shown);
        let mut found = apply_levels(&checked.tree, found, evidence::pending(shown), &levels);
        for diagnostic in &mut found {
            match only {
                Some(code) if diagnostic.code != code || diagnostic.fixes.len() != 1 => diagnostic.fixes.clear(),
                Some(_) => diagnostic.fixes.iter_mut().for_each(|fix| fix.certain = true),
                None => {}
            }
        }
        found
    };
    let fixed = fix(text, diagnose);
    (fixed.text != **text).then(|| diff::edits(text, &fixed.text))
}

/// Accepting each warning where it stands.
pub fn allow(snapshot: &Snapshot, here: &[&Diagnostic]) -> Vec<Action> {
    let tree = &snapshot.checked().tree;
    let mut actions: Vec<Action> = Vec::new();
    for found in here {
        if let Some(fix) = allow_here(tree, found) {
            match actions.iter_mut().find(|action| action.edits == fix.edits) {
                Some(same) => same.diagnostics.push((*found).clone()),
                None => actions.push(action(fix, Kind::QuickFix, Some(found))),
            }
        }
    }
    actions
}
