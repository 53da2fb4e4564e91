//! Folding ranges: declarations, productions, repeat blocks and blocks of comments.

use psl_program::File;
use psl_syntax::{
    Span, Tree,
    token::Kind,
    tree::{Declaration, Production, Repeat, Statement},
};

/// A folding range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The hidden text. The rest of its first and last line stays visible.
    pub span: Span,
    /// Whether a closing bracket or `until` follows.
    pub closed: bool,
    /// Whether the hidden text consists of comments.
    pub comment: bool,
}

/// Returns the folding ranges of a text, including those within one line.
pub fn folding_ranges(file: &File) -> Vec<Fold> {
    let tree = &file.checked().tree;
    let mut folds: Vec<Fold> = tree.declarations.iter().filter_map(|declared| declaration(tree, declared)).collect();
    statements(tree, &tree.statements, &mut folds);
    folds.extend(tree.comment_blocks().into_iter().map(|block| {
        let first = tree.str(block).find(['\n', '\r']).map_or(block.end, |end| block.start + end as u32);
        Fold { span: Span::new(first, block.end), closed: false, comment: true }
    }));
    folds.sort_by_key(|fold| fold.span);
    folds
}

/// The span between the brackets.
fn declaration(tree: &Tree, declared: &Declaration) -> Option<Fold> {
    let open = tree.str(declared.span).find(['{', '['])? as u32 + 1;
    let closed = tree.str(declared.span).ends_with(['}', ']']);
    let span = Span::new(declared.span.start + open, declared.span.end - u32::from(closed));
    (span.start <= span.end).then_some(Fold { span, closed, comment: false })
}

/// The parser limits the depth of this recursion.
fn statements(tree: &Tree, written: &[Statement], folds: &mut Vec<Fold>) {
    for statement in written {
        match statement {
            Statement::CausalAttn(_) => {}
            Statement::Production(Production { head, span, .. }) => {
                folds.push(Fold { span: Span::new(head.end, span.end), closed: false, comment: false });
            }
            Statement::Repeat(repeat) => {
                folds.push(body(tree, repeat));
                statements(tree, &repeat.body, folds);
            }
        }
    }
}

/// The span between `repeat:` and `until`.
fn body(tree: &Tree, repeat: &Repeat) -> Fold {
    let code = &tree.tokens.code;
    let next = code.get(code.partition_point(|token| token.span.start <= repeat.keyword.start));
    let colon = next.filter(|token| token.kind == Kind::Colon);
    let start = colon.map_or(repeat.keyword, |colon| colon.span).end;
    let end = repeat.until_keyword.map_or(repeat.span.end, |until| until.start);
    Fold { span: Span::new(start, end.max(start)), closed: repeat.until_keyword.is_some(), comment: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    /// Checks a text with `⟨` and `⟩` around its folding ranges of more than one line.
    fn check(expected: &str) {
        let text = expected.replace(['⟨', '⟩'], "");
        let mut ends: Vec<(u32, char)> = Vec::new();
        for Fold { span, .. } in folding_ranges(&file(&text)) {
            if span.of(&text).contains(['\n', '\r']) {
                ends.extend([(span.start, '⟨'), (span.end, '⟩')]);
            }
        }
        ends.sort_unstable();
        let mut marked = text;
        for (at, mark) in ends.into_iter().rev() {
            marked.insert(at as usize, mark);
        }
        assert_eq!(marked, expected);
    }

    #[test]
    fn parts_of_several_lines_fold() {
        check(
            "registers: {⟨\n  symbol: 's'\n⟩}\nconstants: {A}\nwhere symbol[N] == A and\n  symbol[N] != B:⟨\n  symbol[N] = A⟩\n",
        );
        check("# é⟨\n# b⟩\n\n# c\nrepeat:⟨\r\n  where symbol[N] == A:⟨\r\n    symbol[N] = A⟩\r\n⟩until NO_CHANGE");
        check("x # a\n# b⟨\r// c\r#@ d⟩\r");
    }

    #[test]
    fn open_parts_fold_to_their_end() {
        check("registers: {⟨\n  symbol: 's'⟩");
        check("repeat:⟨\nwhere symbol[N] == A:⟨\n  symbol[N] = A⟩⟩");
        check("watch:\nwhere");
    }
}
