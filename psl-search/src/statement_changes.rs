//! Changes of whole productions and blocks.

use psl_syntax::{
    Span, Tree,
    diagnostic::Edit,
    program::{CausalAttn, Select},
    token::Kind,
    tree::{Production, Repeat, Statement},
    without,
};

use crate::{change::Change, operator::Operator};

/// Changes of the statements of a body, without those of the blocks inside it.
pub fn of_body(tree: &Tree, body: &[Statement], found: &mut Vec<Change>) {
    let productions = body.iter().filter_map(|statement| match statement {
        Statement::Production(production) => Some(production),
        Statement::Repeat(_) | Statement::CausalAttn(_) => None,
    });
    let count = body.iter().filter(|statement| statement.span().is_some()).count();
    for production in productions {
        of_production(tree, production, found);
        if count > 1 {
            found.push(left_out(tree, production));
        }
    }
    for (one, other) in body.iter().zip(body.iter().skip(1)) {
        if let (Statement::Production(one), Statement::Production(other)) = (one, other) {
            found.push(swapped(tree, one, other));
        }
    }
}

/// Another `causal_attn` in each place that sets it.
pub fn of_causal_attn(tree: &Tree, found: &mut Vec<Change>) {
    let all = [CausalAttn::True, CausalAttn::False, CausalAttn::Reverse];
    for value in &tree.tokens.code {
        let now = match value.kind {
            Kind::True => CausalAttn::True,
            Kind::False => CausalAttn::False,
            Kind::Reverse => CausalAttn::Reverse,
            _ => continue,
        };
        for other in all.into_iter().filter(|other| *other != now).map(CausalAttn::as_str) {
            let description = format!("Set `causal_attn` to `{other}`");
            found.push(Change::replace(Operator::CausalAttn, value.span, other, description));
        }
    }
}

/// `NO_CHANGE` for the conditions of a block, and each of several conditions left out.
pub fn of_until(tree: &Tree, repeat: &Repeat, found: &mut Vec<Change>) {
    let (Some(first), Some(last)) = (repeat.until.first(), repeat.until.last()) else { return };
    let span = Span::new(first.span.start, last.span.end);
    if !has_parentheses(tree, span) {
        let description = "Repeat until nothing changes".to_owned();
        found.push(Change::replace(Operator::Until, span, "NO_CHANGE", description));
    }
    let spans: Vec<Span> = repeat.until.iter().map(|condition| condition.span).collect();
    leave_out(tree, &spans, Operator::Condition, "condition", found);
}

fn of_production(tree: &Tree, production: &Production, found: &mut Vec<Change>) {
    let (keyword, end) = match production.select {
        Select::Leftmost => ("where_rm", "rightmost"),
        Select::Rightmost => ("where", "leftmost"),
    };
    let description = format!("Attend to the {end} of the matching cells");
    found.push(Change::replace(Operator::Selection, production.keyword, keyword, description));
    let conditions: Vec<Span> = production.conditions.iter().map(|condition| condition.span).collect();
    leave_out(tree, &conditions, Operator::Condition, "condition", found);
    let assignments: Vec<Span> = production.assignments.iter().map(|assignment| assignment.span).collect();
    leave_out(tree, &assignments, Operator::Assignment, "assignment", found);
}

/// Each of several clauses left out.
fn leave_out(tree: &Tree, clauses: &[Span], operator: Operator, name: &str, found: &mut Vec<Change>) {
    for (index, clause) in clauses.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| clauses.get(before));
        let span = match (before, clauses.get(index + 1)) {
            (_, Some(next)) => Span::new(clause.start, next.start),
            (Some(before), None) => Span::new(before.end, clause.end),
            (None, None) => continue,
        };
        if has_parentheses(tree, span) {
            continue;
        }
        let description = format!("Leave out the {name} `{}`", tree.str(*clause));
        found.push(Change { span: *clause, ..Change::replace(operator, span, "", description) });
    }
}

/// A production left out.
fn left_out(tree: &Tree, production: &Production) -> Change {
    Change {
        operator: Operator::Production,
        span: production.span,
        edits: without(tree, production.span),
        description: format!("Leave out the production {}", named(tree, production)),
        fits: true,
    }
}

/// Two neighbors swapped, with their labels and the comments at the ends of their last lines.
fn swapped(tree: &Tree, one: &Production, other: &Production) -> Change {
    // Code on the same line would become part of the comment.
    let ends = line_end(tree, one).zip(line_end(tree, other)).unwrap_or((one.span.end, other.span.end));
    let whole = |it: &Production, end: u32| Span::new(it.label.map_or(it.span.start, |label| label.start), end);
    let edit = |at: Span, text: Span| Edit { span: at, text: tree.str(text).to_owned() };
    let (first, second) = (whole(one, ends.0), whole(other, ends.1));
    Change {
        operator: Operator::Order,
        span: other.span,
        edits: vec![edit(first, second), edit(second, first)],
        description: format!("Swap the productions {} and {}", named(tree, one), named(tree, other)),
        fits: true,
    }
}

/// The end of a production with the comment after it. `None` if more code follows on its line.
fn line_end(tree: &Tree, production: &Production) -> Option<u32> {
    let line = tree.text.get(production.span.end as usize..)?.split(['\n', '\r']).next()?;
    let end = production.span.end + line.len() as u32;
    let next = tree.tokens.code.partition_point(|token| token.span.start < production.span.end);
    tree.tokens.code.get(next).is_none_or(|token| token.span.start >= end).then_some(end)
}

/// The head of a production, for sentences.
fn named(tree: &Tree, production: &Production) -> String {
    let head = tree.str(production.head).split_whitespace().collect::<Vec<_>>().join(" ");
    format!("`{}`", head.trim_end_matches(':'))
}

fn has_parentheses(tree: &Tree, span: Span) -> bool {
    let inside = |token: Span| token.start >= span.start && token.end <= span.end;
    let is_parenthesis = |kind| matches!(kind, Kind::OpenParen | Kind::CloseParen);
    tree.tokens.code.iter().any(|token| is_parenthesis(token.kind) && inside(token.span))
}
