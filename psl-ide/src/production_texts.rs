//! The texts by which traces name productions without a label.

use psl_syntax::{
    Program,
    program::Production,
    token::{Token, tokenize},
};

/// The text of each production without a label, in one line and without comments: entry i is that of layer i + 1.
pub fn texts_without_label(text: &str, program: &Program) -> Vec<Option<String>> {
    let one_line = |production: &Production| {
        let (own, mut end, mut line) = (production.span.of(text), 0, String::new());
        for Token { span, .. } in tokenize(own).code {
            line.push_str(if span.start > end { " " } else { "" });
            line.push_str(span.of(own));
            end = span.end;
        }
        line
    };
    let productions = program.productions().into_iter();
    productions.map(|production| production.label.is_none().then(|| one_line(production))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    #[test]
    fn a_text_is_one_line_without_comments() {
        let text = "registers: {symbol: 's', position: 'p', m: 'm'}\nconstants: {A, B}\n\
                    where symbol[N] == A and  # the first\n        m[N] != B:\n    m[N] = A  # mark\n    symbol[N] = B\n\
                    # named\nwhere symbol[N] == B:\n    m[N] = A\n";
        let found = texts_without_label(text, &file(text).checked().analysis.program);
        let expected = "where symbol[N] == A and m[N] != B: m[N] = A symbol[N] = B";
        assert_eq!(found, [Some(expected.to_owned()), None]);
    }
}
