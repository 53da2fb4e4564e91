//! Selection ranges: how a selection grows from the word under the cursor to the whole file.

use psl_program::File;
use psl_syntax::{
    Span, Tree,
    tree::{Assignment, Comparison, Condition, Declaration, Entries, Name, Operand, Production, Repeat, Statement},
};

/// Returns the spans around an offset, smallest first, each strictly inside the next. The last is the whole text.
pub fn selection_ranges(file: &File, offset: u32) -> Vec<Span> {
    let tree = &file.checked().tree;
    let mut around = Around { offset, spans: Vec::new() };
    around.words(tree);
    for declaration in &tree.declarations {
        around.declaration(declaration);
    }
    around.statements(&tree.statements);
    around.spans.push(Span::new(0, tree.text.len() as u32));
    around.spans.sort_by_key(|span| span.end - span.start);
    let mut grown: Vec<Span> = Vec::new();
    for span in around.spans {
        let larger = grown.last().is_none_or(|last| span.start <= last.start && last.end <= span.end && span != *last);
        if larger {
            grown.push(span);
        }
    }
    grown
}

/// Collects the spans that touch an offset.
struct Around {
    offset: u32,
    spans: Vec<Span>,
}

impl Around {
    /// Adds a span if it contains the offset, and returns whether it does.
    fn add(&mut self, span: Span) -> bool {
        let around = span.touches(self.offset);
        if around {
            self.spans.push(span);
        }
        around
    }

    /// Adds the word, and the string or comment around it.
    fn words(&mut self, tree: &Tree) {
        let inside = if let Some(comment) = tree.tokens.comment_at(self.offset) {
            self.add(comment);
            let blocks = tree.comment_blocks();
            self.spans.extend(blocks.into_iter().find(|block| block.touches(self.offset)));
            comment
        } else {
            let Some(token) = tree.tokens.at(self.offset).and_then(|at| tree.tokens.code.get(at)) else { return };
            self.add(token.span);
            let text = tree.str(token.span);
            let Some(quote) = text.chars().next().filter(|char| matches!(char, '"' | '\'')) else { return };
            let end = if text.len() > 1 && text.ends_with(quote) { token.span.end - 1 } else { token.span.end };
            Span::new(token.span.start + 1, end)
        };
        if self.add(inside) {
            self.spans.extend(word(tree, inside, self.offset));
        }
    }

    fn declaration(&mut self, declared: &Declaration) {
        if !self.add(declared.span) {
            return;
        }
        let pair = |&(name, value): &(Name, Name)| name.span.join(value.span);
        let entries: Vec<Span> = match &declared.entries {
            Entries::Registers(pairs) | Entries::System(pairs) => pairs.iter().map(pair).collect(),
            Entries::Constants(list) => {
                list.iter().map(|(name, value)| value.map_or(name.span, |value| name.span.join(value.span))).collect()
            }
            Entries::Watch(names) => names.iter().map(|name| name.span).collect(),
        };
        self.list(&entries);
    }

    /// Adds items, and the list of them.
    fn list(&mut self, items: &[Span]) {
        for item in items {
            self.add(*item);
        }
        if let (Some(first), Some(last)) = (items.first(), items.last()) {
            self.add(first.join(*last));
        }
    }

    /// The parser limits the depth of this recursion.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::CausalAttn(_) => {}
                Statement::Production(production) => self.production(production),
                Statement::Repeat(repeat) => self.repeat(repeat),
            }
        }
    }

    /// Adds a statement with its label, and returns whether they contain the offset.
    fn labeled(&mut self, label: Option<Span>, span: Span) -> bool {
        self.add(span);
        self.add(label.map_or(span, |label| label.join(span)))
    }

    fn repeat(&mut self, repeat: &Repeat) {
        if !self.labeled(repeat.label, repeat.span) {
            return;
        }
        self.statements(&repeat.body);
        let body: Vec<Span> = repeat.body.iter().filter_map(Statement::span).collect();
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            self.add(first.join(*last));
        }
        self.list(&repeat.until_spans());
        self.conditions(&repeat.until);
        if let Some(until) = repeat.until_keyword {
            self.add(Span::new(until.start, repeat.span.end));
        }
    }

    fn production(&mut self, production: &Production) {
        if !self.labeled(production.label, production.span) {
            return;
        }
        self.add(production.head);
        self.list(&production.condition_spans());
        self.conditions(&production.conditions);
        self.list(&production.assignment_spans());
        for Assignment { span, target, source } in &production.assignments {
            if span.touches(self.offset) {
                self.add(target.span);
                self.add(source.span());
            }
        }
    }

    fn conditions(&mut self, conditions: &[Condition]) {
        for Condition { span, left, comparison } in conditions {
            if !span.touches(self.offset) {
                continue;
            }
            self.add(left.span);
            match comparison {
                Comparison::Equality { right, .. } => _ = self.add(right.span()),
                Comparison::Membership { list, .. } => {
                    let items: Vec<Span> = list.iter().map(Operand::span).collect();
                    self.list(&items);
                }
            }
        }
    }
}

/// The letters, digits and `_` around an offset.
fn word(tree: &Tree, within: Span, offset: u32) -> Option<Span> {
    let other = |char: char| !char.is_alphanumeric() && char != '_';
    let before = tree.str(Span::new(within.start, offset)).rsplit(other).next()?;
    let after = tree.str(Span::new(offset, within.end)).split(other).next()?;
    let word = Span::new(offset - before.len() as u32, offset + after.len() as u32);
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::cursor;

    /// Checks the selections at the cursor `<|>` of a text, without the whole text.
    fn check(marked: &str, expected: &[&str]) {
        let (file, offset) = cursor(marked);
        let text = file.text();
        let mut spans = selection_ranges(&file, offset);
        assert!(
            spans
                .windows(2)
                .all(|pair| pair[0] != pair[1] && pair[0].start >= pair[1].start && pair[0].end <= pair[1].end)
        );
        assert_eq!(spans.pop(), Some(Span::new(0, text.len() as u32)), "{marked}");
        assert_eq!(spans.iter().map(|span| span.of(text)).collect::<Vec<_>>(), expected, "{marked}");
    }

    #[test]
    fn a_selection_grows_by_the_grammar() {
        check(
            "\n# é\nwhere a[n] == b<|>[N]@pos_increment and c[N] == D:\n a[N] = D\n",
            &[
                "b",
                "b[N]@pos_increment",
                "a[n] == b[N]@pos_increment",
                "a[n] == b[N]@pos_increment and c[N] == D",
                "where a[n] == b[N]@pos_increment and c[N] == D:",
                "where a[n] == b[N]@pos_increment and c[N] == D:\n a[N] = D",
                "# é\nwhere a[n] == b[N]@pos_increment and c[N] == D:\n a[N] = D",
            ],
        );
        check(
            "registers: {a: 's', b: '<|>p'} ",
            &["p", "'p'", "b: 'p'", "a: 's', b: 'p'", "registers: {a: 's', b: 'p'}"],
        );
        check("# one\n# tw<|>o three\n", &["two", "# two three", "# one\n# two three"]);
        check("repeat: wh<|>ere\n", &["where", "repeat: where"]);
        check("<|>", &[]);
        check("where a[N] in [A, 'B é<|>😀'", &["é", "B é😀", "'B é😀'"]);
    }
}
