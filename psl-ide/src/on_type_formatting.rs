//! Formatting while typing: indents a new line, and a line once it is clear that it starts a statement.
//!
//! Only indentation changes. In a line with text it changes only if it was copied from the line above: deliberate
//! indentation stays.

use psl_program::File;
use psl_syntax::{
    Span,
    diagnostic::Edit,
    token::{Kind, Token, Tokens},
};

/// A level of indentation.
const LEVEL: &str = "    ";

/// Returns the edits after a character was typed; `offset` is its end.
pub fn on_type_edits(file: &File, offset: u32, typed: &str) -> Vec<Edit> {
    let (text, tokens) = (file.text(), &file.checked().tree.tokens);
    let lines = Lines { text, tokens };
    let line = lines.start(offset);
    match typed {
        "\n" => {
            let Some(above) = lines.above(line) else { return Vec::new() };
            let moved = lines.statement(above);
            let indent = moved.as_ref().map_or_else(|| lines.indent(above), |edit| &edit.text).to_owned();
            let is_copied = || moved.is_some() && lines.indent(line) == lines.indent(above);
            let due = lines.opened(line, above, &indent).or_else(|| is_copied().then_some(indent));
            let begun = due.filter(|due| lines.indent(line) != due);
            let begun = begun.map(|text| Edit { span: lines.blanks(line), text });
            moved.into_iter().chain(begun).collect()
        }
        // The cursor follows a word that starts a statement, at the start of its line.
        " " if tokens
            .code
            .iter()
            .rfind(|token| token.span.end < offset)
            .is_some_and(|token| token.span.end + 1 == offset && token.span.start == lines.blanks(line).end) =>
        {
            lines.statement(line).into_iter().collect()
        }
        ":" if tokens.code.iter().any(|token| token.kind == Kind::Colon && token.span.end == offset) => {
            lines.statement(line).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

struct Lines<'t> {
    text: &'t str,
    tokens: &'t Tokens,
}

/// The indentation around a place: of the last statement in the innermost block or the file, and of `repeat`.
struct Around {
    /// The indentation of the innermost open `repeat`.
    repeat: Option<String>,
    /// The indentation of the last statement in it.
    sibling: Option<String>,
}

impl<'t> Lines<'t> {
    fn start(&self, offset: u32) -> u32 {
        let before = Span::new(0, offset).of(self.text);
        before.rfind(['\n', '\r']).map_or(0, |end| end as u32 + 1)
    }

    /// The start of the preceding line, unless it is blank.
    fn above(&self, line: u32) -> Option<u32> {
        let before = Span::new(0, line).of(self.text);
        let end = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r']))?;
        let start = self.start(end.len() as u32);
        (!Span::new(start, end.len() as u32).of(self.text).trim().is_empty()).then_some(start)
    }

    fn indent(&self, line: u32) -> &'t str {
        let rest = self.text.get(line as usize..).unwrap_or_default();
        let text = rest.trim_start_matches([' ', '\t']);
        rest.get(..rest.len() - text.len()).unwrap_or_default()
    }

    fn blanks(&self, line: u32) -> Span {
        Span::new(line, line + self.indent(line).len() as u32)
    }

    /// The tokens that start on a line.
    fn on_line(&self, line: u32) -> &'t [Token] {
        let rest = self.text.get(line as usize..).unwrap_or_default();
        let end = line + rest.find(['\n', '\r']).unwrap_or(rest.len()) as u32;
        let at = |offset: u32| self.tokens.code.partition_point(|token| token.span.start < offset);
        self.tokens.code.get(at(line)..at(end)).unwrap_or_default()
    }

    fn around(&self, line: u32) -> Around {
        let mut open: Vec<Around> = vec![Around { repeat: None, sibling: None }];
        for token in self.tokens.code.iter().take_while(|token| token.span.start < line) {
            let start = self.start(token.span.start);
            let own_line = start + self.indent(start).len() as u32 == token.span.start;
            let blanks = || own_line.then(|| self.indent(start).to_owned());
            if token.kind == Kind::Until && open.len() > 1 {
                open.pop();
            }
            if matches!(token.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat | Kind::CausalAttn)
                && let Some(innermost) = open.last_mut()
            {
                innermost.sibling = blanks();
            }
            if token.kind == Kind::Repeat {
                open.push(Around { repeat: blanks(), sibling: None });
            }
        }
        open.pop().unwrap_or(Around { repeat: None, sibling: None })
    }

    /// Moves a line that starts a statement or ends a block out of the body above, if its indentation was copied from
    /// there.
    fn statement(&self, line: u32) -> Option<Edit> {
        let first = self.on_line(line).first()?;
        let is_copied = self.above(line).map(|above| self.indent(above)) == Some(self.indent(line));
        let around = self.around(line);
        let due = match first.kind {
            Kind::Until => around.repeat?,
            Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat | Kind::CausalAttn => around.sibling?,
            _ => return None,
        };
        let deeper = self.indent(line).len() > due.len() && self.indent(line).starts_with(&due);
        (is_copied && deeper).then(|| Edit { span: self.blanks(line), text: due })
    }

    /// Returns the indentation for a new line below a head, a `repeat` or an open bracket with this indentation.
    fn opened(&self, line: u32, above: u32, indent: &str) -> Option<String> {
        let tokens = self.on_line(above);
        let (first, last) = (tokens.first()?, tokens.last()?);
        let opens = match last.kind {
            Kind::Colon => matches!(first.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm | Kind::Repeat),
            Kind::And | Kind::OpenBrace | Kind::OpenBracket => first.kind.starts_segment(),
            _ => false,
        };
        let text = self.text.get(self.blanks(line).end as usize..).unwrap_or_default();
        let level = if indent.contains('\t') { "\t" } else { LEVEL };
        (opens && !text.starts_with(['}', ']'])).then(|| format!("{indent}{level}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    /// Checks the text after the character before the `<|>` was typed.
    fn check(marked: &str, expected: &str) {
        let (file, offset) = cursor(marked);
        let before = file.text()[..offset as usize].trim_end_matches([' ', '\t']);
        let typed = if before.ends_with('\n') {
            "\n"
        } else if before.ends_with(':') {
            ":"
        } else {
            " "
        };
        let edits = on_type_edits(&file, offset, typed);
        assert_eq!(Edit::apply(&edits, file.text()).expect("edits of the text"), expected);
    }

    fn unchanged(marked: &str) {
        check(marked, cursor(marked).0.text());
    }

    #[test]
    fn a_line_below_a_head_is_indented() {
        check("where x[N] == A:\n<|>", "where x[N] == A:\n    ");
        check("  where x[N] == A: # é\r\n  <|>", "  where x[N] == A: # é\r\n      ");
        check("\twhere x[N] == A:\n\t<|>", "\twhere x[N] == A:\n\t\t");
        check("repeat:\n<|>where x[N] == A:", "repeat:\n    where x[N] == A:");
        check("where x[N] == A and\n<|>", "where x[N] == A and\n    ");
        check("registers: {\n<|>", "registers: {\n    ");
        unchanged("registers: {\n<|>}");
        unchanged("where x[N] == A:\n    <|>");
    }

    #[test]
    fn a_line_that_starts_a_statement_leaves_the_body_above() {
        let block = "repeat:\n    where x[N] == A:\n        x[N] = B\n";
        check(&format!("{block}        until NO_CHANGE\n        <|>"), &format!("{block}until NO_CHANGE\n"));
        check(&format!("{block}        where x[N] == B:<|>"), &format!("{block}    where x[N] == B:"));
        check(
            &format!("{block}        where x[N] == B:\n        <|>"),
            &format!("{block}    where x[N] == B:\n        "),
        );
    }

    #[test]
    fn a_word_that_starts_a_statement_leaves_the_body_when_typed() {
        let block = "repeat:\n    where x[N] == A:\n        x[N] = B\n";
        check("where x[N] == A:\n    x[N] = B\n    where <|>", "where x[N] == A:\n    x[N] = B\nwhere ");
        check(&format!("{block}        where_rm <|>"), &format!("{block}    where_rm "));
        check(&format!("{block}        until <|>"), &format!("{block}until "));
        unchanged(&format!("{block}        until x <|>"));
        unchanged("where x[N] == A:\n    x[N] = B\n    where x[N] <|>");
        unchanged("where x[N] == A:\n    x[N] = B\n    y <|>");
        unchanged("where x[N] == A:\n    x[N] = B\n    # where <|>");
    }

    #[test]
    fn deliberate_indentation_stays() {
        unchanged("where x[N] == A:\n    x[N] = B\n    <|>");
        unchanged("where x[N] == A:\n    x[N] = B\n\n    <|>");
        unchanged("where x[N] == A:\n    x[N] = B\n  where x[N] == B:<|>");
        unchanged("# where:\n<|>");
        unchanged("where x[N] == A: # a:<|>");
        unchanged("x\n<|>");
        unchanged("\n<|>");
    }
}
