//! Comments and labels of other languages.

use super::phrase_cursor::{Part, PhraseCursor, Rewrite, Rule};
use crate::{parse::parser::syntax, span::Span, token::Kind};

pub const RULES: &[Rule] = &[block_comment, line_comment, label];

/// The marks around a comment of several lines.
const BLOCKS: [(&str, &str); 3] = [("/*", "*/"), ("\"\"\"", "\"\"\""), ("'''", "'''")];

const TITLE: &str = "Write as a comment of PSL";

/// `/* … */` and `"""…"""`.
fn block_comment(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let start = cursor.span(0, 1).start;
    let rest = cursor.text.get(start as usize..)?;
    let (open, close) = BLOCKS.into_iter().find(|(open, _)| rest.starts_with(open))?;
    if open != "/*" && !cursor.starts_line(0) {
        return None;
    }
    let inner = rest.get(open.len()..)?;
    let closed = inner.find(close);
    let end = start + (open.len() + closed.map_or(inner.len(), |at| at + close.len())) as u32;
    let length = cursor.code.get(cursor.at..)?.iter().take_while(|token| token.span.start < end).count();
    let span = Span::new(start, start + open.len() as u32);
    let diagnostic = syntax(span, format!("unexpected `{open}`")).help("start each line of a comment with `#` or `//`");
    let inside = inner.get(..closed.unwrap_or(inner.len()))?.trim();
    let ends_line = cursor.text.get(end as usize..)?.trim_start_matches([' ', '\t']);
    let one_line = !inside.contains(['\n', '\r']) && (ends_line.is_empty() || ends_line.starts_with(['\n', '\r']));
    let diagnostic = if one_line && closed.is_some() {
        diagnostic.fix(TITLE, Span::new(start, end), format!("# {inside}"))
    } else {
        diagnostic
    };
    Some(Rewrite::new(length, [], diagnostic))
}

/// `-- …`, `;; …` and `% …`.
fn line_comment(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let span = cursor.span(0, 1);
    let line = cursor.text.get(span.start as usize..)?.lines().next()?;
    let mark = ["--", ";;", "%"].into_iter().find(|mark| line.starts_with(mark))?;
    let after = line.get(mark.len()..)?;
    let comment = cursor.starts_line(0) || cursor.after_operand() && after.starts_with(' ') && mark == "--";
    if !comment || cursor.tests() {
        return None;
    }
    let whole = Span::new(span.start, span.start + line.trim_end().len() as u32);
    let diagnostic = syntax(Span::new(span.start, span.start + mark.len() as u32), format!("unexpected `{mark}`"))
        .help("start a comment with `#` or `//`")
        .fix(TITLE, whole, format!("# {}", after.trim_start_matches(mark).trim()));
    Some(Rewrite::new(cursor.line(), [], diagnostic))
}

/// `rule1: where …`.
fn label(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let between = cursor.part == Part::Outside || cursor.part == Part::Body && cursor.after_operand();
    let labels = cursor.kind(0)? == Kind::Name && cursor.kind(1) == Some(Kind::Colon) && cursor.starts_line(0);
    if !between
        || !labels
        || cursor.starts_line(2)
        || !matches!(cursor.kind(2)?, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat)
    {
        return None;
    }
    let span = cursor.span(0, 2);
    let label = cursor.word(0);
    let before = cursor.text.get(..span.start as usize)?;
    let indentation = before.rsplit('\n').next().unwrap_or_default();
    let next = cursor.span(2, 1).start;
    let diagnostic = syntax(span, format!("unexpected `{label}:`"))
        .help(format!("write a label as a comment on the line above: `# {label}`"))
        .fix(format!("Replace with `# {label}`"), Span::new(span.start, next), format!("# {label}\n{indentation}"));
    Some(Rewrite::new(2, [], diagnostic))
}
