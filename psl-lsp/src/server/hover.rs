//! Hovers, by what the cursor is on: a name, a word of the language, a directive, else the production around it.

mod names;
mod production;

use psl_syntax::{
    Analysis, Checked, Code, Span, Tree,
    domains::{Domain, DomainsAtPoint, ProgramPoint, domains_at},
    glossary::{CELLS, DIRECTIVES, FUNCTIONS, KEYWORDS, ROLES, meaning},
    names::{Access, Symbol},
    program::{Production, RegisterId},
    token::Kind,
    tree::DirectiveKind,
};

use crate::server::{documents::Snapshot, navigation::role_at, outline::plain_label};

/// The hover at an offset: Markdown, and the span it is about.
pub fn hover(snapshot: &Snapshot, offset: u32) -> Option<(String, Span)> {
    let checked = snapshot.checked();
    let (tree, analysis) = (&checked.tree, &checked.analysis);
    let reference = analysis.names.at(offset);
    if let Some(comment) = tree.tokens.comment_at(offset)
        && reference.is_none_or(|reference| reference.access != Access::Input)
    {
        return directive(tree, comment, offset);
    }
    let layers = Layers::new(analysis.program.productions());
    if let Some(reference) = reference {
        let text = match reference.symbol {
            Symbol::Register(id) => names::register(checked, &layers, id, reference.span)?,
            Symbol::Constant(id) => names::constant(analysis, &layers, id)?,
        };
        return Some((text, reference.span));
    }
    if let Some(role) = role_at(tree, offset) {
        let name = tree.str(role);
        return Some((format!("**role** `{name}`\n\n{}", meaning(ROLES, name)?), role));
    }
    let around = layers.at(offset).map(|(index, found)| (production::production(snapshot, index, found), found.span));
    match (word(tree, offset), around) {
        // The keyword stands for its production.
        (Some(("where" | "where_lm" | "where_rm", meaning, _)), Some((production, span))) => {
            let first = meaning.split("\n\n").next().unwrap_or(meaning);
            Some((format!("{production}\n---\n\n{first}"), span))
        }
        (Some((word, meaning, span)), _) => Some((format!("**`{word}`**\n\n{meaning}"), span)),
        (None, around) => around,
    }
}

/// The word of the language under the cursor, what it means and where it stands.
fn word(tree: &Tree, offset: u32) -> Option<(&str, &'static str, Span)> {
    let code = &tree.tokens.code;
    let at = tree.tokens.at(offset)?;
    let token = code.get(at)?;
    let before = at.checked_sub(1).and_then(|before| code.get(before)).map(|token| token.kind);
    let after = code.get(at + 1).map(|token| token.kind);
    let (table, word) = match token.kind {
        Kind::Name if before == Some(Kind::At) => (FUNCTIONS, tree.str(token.span)),
        Kind::CellSource | Kind::CellUpdated => (CELLS, tree.str(token.span)),
        Kind::Not if after == Some(Kind::In) => (KEYWORDS, "not in"),
        Kind::In if before == Some(Kind::Not) => (KEYWORDS, "not in"),
        // As it is spelt, whatever the case of its letters.
        kind => (KEYWORDS, kind.describe().trim_matches('`')),
    };
    Some((word, meaning(table, word)?, token.span))
}

/// A directive; on the code in an `allow`, that diagnostic.
fn directive(tree: &Tree, comment: Span, offset: u32) -> Option<(String, Span)> {
    let text = tree.str(comment);
    let body = text.strip_prefix("//@").or_else(|| text.strip_prefix("#@"))?;
    let found = tree.directives.partition_point(|directive| directive.span.start < comment.start);
    if let Some(DirectiveKind::Allow { code, .. }) = tree.directives.get(found).map(|directive| &directive.kind)
        && code.touches(offset)
    {
        return Some((Code::from_name(tree.str(*code))?.entry().markdown(), *code));
    }
    let word = body.split_whitespace().next()?;
    Some((format!("**directive** `{word}`\n\n{}", meaning(DIRECTIVES, word)?), comment))
}

/// The productions by their place.
struct Layers<'p> {
    /// Entry i is layer i + 1.
    productions: Vec<&'p Production>,
}

impl<'p> Layers<'p> {
    const fn new(productions: Vec<&'p Production>) -> Self {
        Self { productions }
    }

    /// How many productions start at or before an offset.
    fn before(&self, offset: u32) -> usize {
        self.productions.partition_point(|production| production.span.start <= offset)
    }

    /// The production around an offset, and its index.
    fn at(&self, offset: u32) -> Option<(usize, &'p Production)> {
        let index = self.before(offset).checked_sub(1)?;
        let production = self.productions.get(index)?;
        production.span.touches(offset).then_some((index, production))
    }
}

/// What registers can hold in front of a layer. In a program with errors that is worked out anew, as far as it goes.
struct Holding<'a> {
    analysis: &'a Analysis,
    layer: usize,
    guessed: Option<DomainsAtPoint>,
}

impl<'a> Holding<'a> {
    fn new(checked: &'a Checked, layer: usize) -> Self {
        let analysis = &checked.analysis;
        let guessed = || domains_at(&analysis.program, &analysis.names, ProgramPoint::Layer(layer));
        Self { analysis, layer, guessed: (!checked.compiles()).then(guessed) }
    }

    /// What a register that the layer mentions can hold, in words.
    fn in_words(&self, register: RegisterId) -> Option<String> {
        let domains = &self.analysis.domains;
        match &self.guessed {
            Some(held) => held.in_words(register),
            None => Some(domains.in_words_or_null(domains.before(self.layer, register)?)),
        }
    }

    /// Whether it can hold any symbol.
    fn is_any(&self, register: RegisterId) -> bool {
        match &self.guessed {
            Some(held) => held.is_any(register),
            None => self.analysis.domains.before(self.layer, register).is_some_and(Domain::is_any),
        }
    }
}

/// A layer's number, and its label if it has one.
fn title(index: usize, production: &Production) -> String {
    let label = production.label.as_deref().map(plain_label).filter(|label| !label.is_empty());
    label.map_or_else(|| format!("layer {}", index + 1), |label| format!("layer {} · {label}", index + 1))
}

/// As inline code, which may hold backquotes.
pub fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_language_is_explained() {
        let text = "registers: {a: 's'} constants: {A} system: {symbol: a} watch: [a] causal_attn: True
            causal_attn: false causal_attn: reverse
            where a[n] == a[N]@pos_increment and a[N] not in [A]: a[N] = A
            where_lm a[n] != a[N]@pos_decrement: a[N] = A
            repeat: where_rm a[N] in [A]: a[N] = A until NO_CHANGE";
        let tree = psl_syntax::check(text).tree;
        let others = ["a", "A", "symbol"];
        let explained = |written: &str| written.starts_with(char::is_alphabetic) && !others.contains(&written);
        for span in tree.tokens.code.iter().map(|token| token.span) {
            let written = tree.str(span);
            if explained(written) || matches!(written, "==" | "!=") {
                assert_eq!(word(&tree, span.start).map(|(_, _, found)| found), Some(span), "{written}");
            }
        }
    }
}
