//! Signature help: the possible forms of the condition or assignment under the cursor.

use psl_program::File;
use psl_syntax::{
    Span, Tree,
    glossary::{CELLS, FUNCTIONS, GlossaryEntry, KEYWORDS, meaning},
    token::{Kind, Token},
};

/// The possible forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The forms; at least one.
    pub forms: Vec<Signature>,
    /// The index of the form that is being written.
    pub active: usize,
}

/// A form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The form, as code.
    pub label: String,
    pub meaning: &'static str,
    /// The parts as they appear in the label, each with a description.
    pub parts: Vec<(&'static str, &'static str)>,
    /// The index of the part that is being written.
    pub active: usize,
}

const LEFT: (&str, &str) = ("left", "A register of a cell: `x[n]` or `x[N]`.");
const RIGHT: (&str, &str) =
    ("right", "A constant, or a register of a cell: `y[n]` or `y[N]`, optionally with `@pos_increment`.");
const LIST: (&str, &str) = ("constants", "Constants, separated by commas.");
const TARGET: (&str, &str) = ("target[N]", "The register of cell `N` to assign to.");
const VALUE_OF_N: (&str, &str) =
    ("value", "A constant, or a register of cell `n`: `y[n]`, since a condition mentions `n`.");
const OWN_VALUE: (&str, &str) =
    ("value", "A constant, or a register of cell `N`: `y[N]`, since no condition mentions `n`.");

const ASSIGNMENT: &str = "Sets a register of cell `N`. A null value changes nothing.";

/// Returns the forms at an offset.
pub fn signature_help(file: &File, offset: u32) -> Option<SignatureHelp> {
    let tree = &file.checked().tree;
    if tree.tokens.comment_at(offset).is_some() {
        return None;
    }
    let code = &tree.tokens.code;
    let written = code.get(..code.partition_point(|token| token.span.start < offset))?;
    let start = written.iter().rposition(|token| token.kind.starts_segment())?;
    let (keyword, clauses) = written.get(start..)?.split_first()?;
    if !matches!(keyword.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Until) || keyword.span.end >= offset
    {
        return None;
    }
    let colon = clauses.iter().position(|token| token.kind == Kind::Colon);
    let (conditions, assignments) = match colon {
        Some(colon) => (clauses.get(..colon)?, clauses.get(colon + 1..)),
        None => (clauses, None),
    };
    let binds_n = conditions.iter().any(|token| token.kind == Kind::CellSource);
    match assignments {
        None => condition(tree, conditions, offset),
        Some(assignments) => Some(assignment(tree, assignments, binds_n, offset)),
    }
}

fn condition(tree: &Tree, conditions: &[Token], offset: u32) -> Option<SignatureHelp> {
    let clause = conditions.rsplit(|token| token.kind == Kind::And).next()?;
    if let Some(help) = place(tree, clause, &["n", "N"], offset) {
        return Some(help);
    }
    let has = |kind| clause.iter().any(|token| token.kind == kind);
    let operators = ["==", "!=", "in", "not in"];
    let active = match (has(Kind::NotEqual), has(Kind::In), has(Kind::Not)) {
        (true, ..) => 1,
        (_, true, false) => 2,
        (_, _, true) => 3,
        _ => 0,
    };
    let part = usize::from(active > 0 || has(Kind::Equal));
    let form = |operator: &&str| {
        let (label, right) = match *operator {
            "==" | "!=" => (format!("left {operator} right"), RIGHT),
            _ => (format!("left {operator} [constants]"), LIST),
        };
        Signature { label, meaning: summary(KEYWORDS, operator), parts: vec![LEFT, right], active: part }
    };
    Some(SignatureHelp { forms: operators.iter().map(form).collect(), active })
}

fn assignment(tree: &Tree, assignments: &[Token], binds_n: bool, offset: u32) -> SignatureHelp {
    let kinds: Vec<Kind> = assignments.iter().map(|token| token.kind).collect();
    let assign = kinds.iter().rposition(|kind| *kind == Kind::Assign);
    let value = assign.and_then(|at| kinds.get(at + 1..)).unwrap_or_default();
    let length = match value {
        [Kind::Name | Kind::Hole, Kind::OpenBracket, _, Kind::CloseBracket, Kind::At, ..] => 6,
        [Kind::Name | Kind::Hole, Kind::OpenBracket, ..] => 4,
        _ => 1,
    };
    let on_new_line = assignments
        .last()
        .is_some_and(|last| value.len() == length && tree.str(Span::new(last.span.end, offset)).contains(['\n', '\r']));
    let in_value = assign.is_some() && value.len() <= length && !on_new_line;
    let cells: &[&str] = if in_value && binds_n { &["n"] } else { &["N"] };
    place(tree, assignments, cells, offset).unwrap_or_else(|| {
        let value = if binds_n { VALUE_OF_N } else { OWN_VALUE };
        let form = Signature {
            label: "target[N] = value".to_owned(),
            meaning: ASSIGNMENT,
            parts: vec![TARGET, value],
            active: usize::from(in_value),
        };
        SignatureHelp { forms: vec![form], active: 0 }
    })
}

/// The cells or functions that are valid at the end of the tokens, if that is inside the brackets of a register or
/// after an `@`.
fn place(tree: &Tree, tokens: &[Token], cells: &[&'static str], offset: u32) -> Option<SignatureHelp> {
    let (of, typed) = match tokens {
        [.., of, last] if matches!(last.kind, Kind::OpenBracket | Kind::At) => (of, ""),
        [.., of, open, last] if matches!(open.kind, Kind::OpenBracket | Kind::At) && last.span.touches(offset) => {
            (of, tree.str(last.span))
        }
        _ => return None,
    };
    let opens = |kind| tokens.iter().rev().take(2).any(|token| token.kind == kind);
    let plain = |label: String, meaning| Signature { label, meaning, parts: Vec::new(), active: 0 };
    let (words, forms): (Vec<&str>, Vec<Signature>) =
        if opens(Kind::OpenBracket) && of.kind == Kind::Name && typed != "]" {
            let name = tree.str(of.span);
            cells.iter().map(|cell| (*cell, plain(format!("{name}[{cell}]"), summary(CELLS, cell)))).unzip()
        } else if opens(Kind::At) && of.kind == Kind::CloseBracket {
            FUNCTIONS.iter().map(|it| (it.word, plain(format!("@{}", it.word), summary(FUNCTIONS, it.word)))).unzip()
        } else {
            return None;
        };
    let active = words.iter().position(|word| !typed.is_empty() && word.starts_with(typed)).unwrap_or(0);
    Some(SignatureHelp { forms, active })
}

/// The first part of a word's meaning, without the example.
fn summary(table: &'static [GlossaryEntry], word: &str) -> &'static str {
    let meaning = meaning(table, word).unwrap_or_default();
    meaning.split("\n\n").next().unwrap_or(meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    /// Checks the labels at the `<|>` of a text, the active one in `<>`, with its active part.
    fn check(marked: &str, expected: &str) {
        let (file, offset) = cursor(marked);
        let shown = signature_help(&file, offset).map_or_else(String::new, |help| {
            let label = |(index, form): (usize, &Signature)| {
                let part = form.parts.get(form.active).map_or("", |part| part.0);
                if index == help.active {
                    format!("<{}> {part}", form.label).trim().to_owned()
                } else {
                    form.label.clone()
                }
            };
            help.forms.iter().enumerate().map(label).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(shown, expected, "{marked}");
    }

    #[test]
    fn a_condition_has_its_forms() {
        let rest = "left != right, left in [constants], left not in [constants]";
        check("where <|>", &format!("<left == right> left, {rest}"));
        check("where x[N] <|>", &format!("<left == right> left, {rest}"));
        check("where x[N] ==<|>", &format!("<left == right> right, {rest}"));
        check("where x[N] == A and y<|>", &format!("<left == right> left, {rest}"));
        check(
            "until x[N] != <|>",
            "left == right, <left != right> right, left in [constants], left not in [constants]",
        );
        check(
            "where x[N] in [A, <|>",
            "left == right, left != right, <left in [constants]> constants, left not in [constants]",
        );
        check(
            "where x[N] not in [<|>",
            "left == right, left != right, left in [constants], <left not in [constants]> constants",
        );
        check("whe<|>re x[N] == A", "");
        check("where x[N] == A # <|>", "");
        check("registers: {a: <|>", "");
    }

    #[test]
    fn a_register_has_its_cells_and_functions() {
        check("where x[<|>", "<x[n]>, x[N]");
        check("where x[N<|>", "x[n], <x[N]>");
        check("where x[n] == y[N]@<|>", "<@pos_increment>, @pos_decrement");
        check("where x[n] == y[N]@pos_d<|>:", "@pos_increment, <@pos_decrement>");
    }

    #[test]
    fn an_assignment_reads_the_cell_that_the_conditions_bind() {
        check("where x[N] == A: <|>", "<target[N] = value> target[N]");
        check("where x[N] == A: y[<|>", "<y[N]>");
        check("where x[N] == A: y[N] = z[<|>", "<z[N]>");
        check("where x[n] == A: y[N] = z[<|>", "<z[n]>");
        check("where x[n] == A: y[N] = <|>", "<target[N] = value> value");
        check("where x[n] == A: y[N] = A<|>", "<target[N] = value> value");
        check("where x[n] == A: y[N] = z[n]@pos_increment\n <|>", "<target[N] = value> target[N]");
        check("where x[n] == A: y[N] = A\n z<|>", "<target[N] = value> target[N]");
        check("where x[n] == A: y[N] = A\n z[<|>", "<z[N]>");
    }
}
