//! Hovers: for a name, a hole, a keyword or a directive, otherwise for the production around the cursor.

mod hole;
mod known_values;
mod layers;
mod meaning;
mod names;
mod production;

use layers::Layers;
use psl_program::{File, TestReport, count};
use psl_syntax::{
    Code, Span, Tree,
    glossary::{CELLS, DIRECTIVES, FUNCTIONS, GlossaryEntry, KEYWORDS, ROLES, Section, at, find},
    holes::holes,
    names::{Access, Symbol},
    token::Kind,
    tree::DirectiveKind,
};

use crate::navigation::role_at;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The text, as Markdown.
    pub markdown: String,
    /// The span it explains.
    pub span: Span,
    /// The section of the reference with more about it, if there is one.
    pub section: Option<Section>,
}

/// The section on the contents of a production's hover.
const COMPILED: Section = at("compiled", "Query, key and value");

/// Returns the hover at an offset. With the address of the program, layers are links to their lines.
pub fn hover(file: &File, report: Option<&TestReport>, offset: u32, address: Option<&str>) -> Option<Hover> {
    let checked = file.checked();
    let (tree, analysis) = (&checked.tree, &checked.analysis);
    let reference = analysis.names.at(offset);
    if let Some(comment) = tree.tokens.comment_at(offset)
        && reference.is_none_or(|reference| reference.access != Access::Directive)
    {
        return directive(file, report, comment, offset);
    }
    let layers = Layers::new(file, address);
    if let Some(reference) = reference {
        let (markdown, section) = match reference.symbol {
            Symbol::Register(id) => {
                (names::register(checked, &layers, id, reference.span), names::section(&analysis.program, id))
            }
            Symbol::Constant(id) => (names::constant(analysis, &layers, id), at("programs", "Constants")),
        };
        return Some(Hover { markdown, span: reference.span, section: Some(section) });
    }
    if let Some(hole) = holes(tree).into_iter().find(|hole| hole.span.touches(offset)) {
        return Some(Hover { markdown: hole::hole(checked, hole)?, span: hole.span, section: None });
    }
    if let Some(role) = role_at(tree, offset) {
        let name = tree.str(role);
        let entry = find(ROLES, name)?;
        let markdown = format!("**role** `{name}`\n\n{}", entry.meaning);
        return Some(Hover { markdown, span: role, section: Some(entry.section) });
    }
    let around = layers.at(offset).map(|found| (production::production(file, report, &layers, found), found.1.span));
    match (word(tree, offset), around) {
        // On its keyword, the hover of the production comes first.
        (
            Some((GlossaryEntry { word: "where" | "where_lm" | "where_rm", meaning, section }, _)),
            Some((production, span)),
        ) => {
            let first = meaning.split("\n\n").next().unwrap_or(meaning);
            Some(Hover { markdown: format!("{production}\n---\n\n{first}"), span, section: Some(*section) })
        }
        (Some((GlossaryEntry { word, meaning, section }, span)), _) => {
            Some(Hover { markdown: format!("**`{word}`**\n\n{meaning}"), span, section: Some(*section) })
        }
        (None, around) => around.map(|(markdown, span)| Hover { markdown, span, section: Some(COMPILED) }),
    }
}

/// The keyword, operator, function or cell under the cursor, and its span.
fn word(tree: &Tree, offset: u32) -> Option<(&'static GlossaryEntry, Span)> {
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
        // The canonical spelling: the case of some keywords may vary.
        kind => (KEYWORDS, kind.describe().trim_matches('`')),
    };
    Some((find(table, word)?, token.span))
}

/// The hover of a directive, or of the diagnostic whose code in an `allow` is under the cursor.
fn directive(file: &File, report: Option<&TestReport>, comment: Span, offset: u32) -> Option<Hover> {
    let tree = &file.checked().tree;
    let text = tree.str(comment);
    let body = text.strip_prefix("//@").or_else(|| text.strip_prefix("#@"))?;
    let found = tree.directives.partition_point(|directive| directive.span.start < comment.start);
    if let Some(DirectiveKind::Allow { code, .. }) = tree.directives.get(found).map(|directive| &directive.kind)
        && code.touches(offset)
    {
        let markdown = Code::from_name(tree.str(*code))?.entry().markdown();
        return Some(Hover { markdown, span: *code, section: None });
    }
    let GlossaryEntry { word, meaning, section } = find(DIRECTIVES, body.split_whitespace().next()?)?;
    let verdict = verdict(file, report, comment).map_or_else(String::new, |verdict| format!("{verdict}\n\n---\n\n"));
    let markdown = format!("{verdict}**directive** `{word}`\n\n{meaning}");
    Some(Hover { markdown, span: comment, section: Some(*section) })
}

/// The verdict of a law after its runs.
fn verdict(file: &File, report: Option<&TestReport>, comment: Span) -> Option<String> {
    let index = file.program().tests.iter().position(|test| test.span == comment)?;
    let law = report?.outcome(index)?.law.as_ref()?;
    let runs = count(law.runs, "run");
    let name = law.case.name.as_deref().map_or_else(String::new, |name| format!(" `{name}`"));
    Some(match (&law.holds, &law.refutation) {
        (_, Some(broken)) => {
            let breaks = broken.equalities.iter().map(|it| format!("- if {it}\n"));
            let breaks = breaks.collect::<String>();
            let breaks = if breaks.is_empty() { breaks } else { format!("\n\nIt breaks\n\n{}", breaks.trim_end()) };
            format!("**law{name}** is broken for {}.{breaks}", broken.symbols_in_words())
        }
        (Some(holds), None) => format!("**law{name}** {holds}, proved by {runs}."),
        (None, None) => return None,
    })
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
                assert_eq!(word(&tree, span.start).map(|(_, found)| found), Some(span), "{written}");
            }
        }
    }
}
