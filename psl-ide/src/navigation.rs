//! Navigation from a name to its declaration and its other uses.

use psl_program::File;
use psl_syntax::{
    Checked, Span, Tree, law_variable,
    names::{Access, Symbol},
    program::RegisterId,
    token::Kind,
    tree::{Entries, Repeat, Statement},
};

/// The kind of a highlighted place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// Neither read nor written.
    Mention,
    /// Read.
    Read,
    /// Written.
    Write,
}

/// Returns the declaration of the register or constant under the cursor; for a role, the declaration of its register.
pub fn definition(file: &File, offset: u32) -> Option<Span> {
    let checked = file.checked();
    let program = &checked.analysis.program;
    Some(match symbol_at(checked, offset)? {
        Symbol::Register(id) => program.registers[id].span,
        Symbol::Constant(id) => program.constants[id].span,
    })
}

/// The register or constant under the cursor; for a role, its register.
fn symbol_at(checked: &Checked, offset: u32) -> Option<Symbol> {
    let Checked { tree, analysis, .. } = checked;
    match analysis.names.at(offset) {
        Some(reference) => Some(reference.symbol),
        None => register_of_role(checked, role_at(tree, offset)?).map(Symbol::Register),
    }
}

/// The role in a `system` declaration whose name the cursor touches.
pub fn role_at(tree: &Tree, offset: u32) -> Option<Span> {
    let declaration = tree.declarations.iter().find(|declaration| declaration.span.touches(offset))?;
    let Entries::System(entries) = &declaration.entries else { return None };
    entries.iter().map(|(role, _)| role.span).find(|role| role.touches(offset))
}

fn register_of_role(checked: &Checked, role: Span) -> Option<RegisterId> {
    let name = checked.tree.str(role);
    checked.analysis.program.roles.iter().find(|(role, _)| *role == name)?.1
}

/// Returns the assignments to the register under the cursor, or to the register with the role under the cursor. For a
/// constant, the assignments of it to a register. In the order of the text, each as the span of the name.
pub fn implementations(file: &File, offset: u32) -> Vec<Span> {
    let checked = file.checked();
    let Some(symbol) = symbol_at(checked, offset) else { return Vec::new() };
    let analysis = &checked.analysis;
    let productions = analysis.program.productions();
    let assignments = productions.iter().map(|production| Span::new(production.head.end, production.span.end));
    let assigning = match symbol {
        Symbol::Register(_) => Access::Write,
        Symbol::Constant(_) => Access::Read,
    };
    let names = assignments.flat_map(|span| analysis.names.within(span));
    names.filter(|name| name.symbol == symbol && name.access == assigning).map(|name| name.span).collect()
}

/// Returns all uses of the register, constant or variable of a law under the cursor, with its declaration and short
/// name if requested.
pub fn references(file: &File, offset: u32, declaration: bool) -> Vec<Span> {
    if let Some(variable) = law_variable(&file.checked().tree, offset) {
        return variable.uses().skip(usize::from(!declaration)).collect();
    }
    let names = &file.analysis().names;
    let Some(found) = names.at(offset) else { return Vec::new() };
    names
        .references
        .iter()
        .filter(|reference| reference.symbol == found.symbol)
        .filter(|reference| declaration || !matches!(reference.access, Access::Declaration | Access::ShortName))
        .map(|reference| reference.span)
        .collect()
}

/// Returns the highlights for the name under the cursor: its other uses; for `n` or `N`, those in the same clause; for
/// `repeat` or `until`, its counterpart.
pub fn document_highlights(file: &File, offset: u32) -> Vec<(Span, Highlight)> {
    let Checked { tree, analysis, .. } = file.checked();
    if let Some(variable) = law_variable(tree, offset) {
        return variable.uses().map(|span| (span, Highlight::Mention)).collect();
    }
    if let Some(found) = analysis.names.at(offset) {
        let same = analysis.names.references.iter().filter(|reference| reference.symbol == found.symbol);
        return same.map(|reference| (reference.span, access(reference.access))).collect();
    }
    let Some(at) = tree.tokens.at(offset) else { return Vec::new() };
    match tree.tokens.code.get(at).map(|token| token.kind) {
        Some(Kind::CellSource | Kind::CellUpdated) => same_cells(tree, at),
        Some(Kind::Repeat | Kind::Until) => repeat_at(&tree.statements, offset).map_or_else(Vec::new, |repeat| {
            let keywords = [Some(repeat.keyword), repeat.until_keyword].into_iter().flatten();
            keywords.map(|keyword| (keyword, Highlight::Mention)).collect()
        }),
        _ => Vec::new(),
    }
}

fn access(access: Access) -> Highlight {
    match access {
        Access::Declaration | Access::ShortName | Access::Mention | Access::Directive => Highlight::Mention,
        Access::Read => Highlight::Read,
        Access::Write => Highlight::Write,
    }
}

/// The mentions of the token's cell in its production or `until` clause.
fn same_cells(tree: &Tree, at: usize) -> Vec<(Span, Highlight)> {
    let code = &tree.tokens.code;
    let kind = |at: usize| code.get(at).map(|token| token.kind);
    let starts = |at: &usize| kind(*at).is_some_and(Kind::starts_segment);
    let start = (0..at).rfind(starts).unwrap_or(0);
    let end = (at..code.len()).find(starts).unwrap_or(code.len());
    (start..end)
        .filter(|&other| kind(other) == kind(at))
        .filter_map(|other| {
            let written = (kind(other + 1), kind(other + 2)) == (Some(Kind::CloseBracket), Some(Kind::Assign));
            Some((code.get(other)?.span, if written { Highlight::Write } else { Highlight::Read }))
        })
        .collect()
}

/// The block whose `repeat` or `until` the offset touches. The parser limits the depth of this recursion.
fn repeat_at(statements: &[Statement], offset: u32) -> Option<&Repeat> {
    let repeat = statements.iter().find_map(|statement| match statement {
        Statement::Repeat(repeat) if repeat.span.touches(offset) => Some(repeat),
        _ => None,
    })?;
    let keywords = [Some(repeat.keyword), repeat.until_keyword];
    let touched = keywords.into_iter().flatten().any(|keyword| keyword.touches(offset));
    if touched { Some(repeat) } else { repeat_at(&repeat.body, offset) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{cursor, file};

    const DECLARATIONS: &str = "registers: {symbol: 's', position: 'p'}\nconstants: {A, '-en': 'en'}\n";

    /// Checks the highlights at the `<|>` of a text: each span with its kind.
    fn check(marked: &str, expected: &str) {
        let (file, offset) = cursor(&format!("{DECLARATIONS}{marked}"));
        let shown = document_highlights(&file, offset);
        let shown: Vec<_> = shown.iter().map(|(span, kind)| format!("{} {kind:?}", span.of(file.text()))).collect();
        assert_eq!(shown.join(", "), expected, "{marked}");
    }

    #[test]
    fn reads_and_writes_differ() {
        let symbol = "symbol Mention, 's' Mention, symbol Read, symbol Write, symbol Read";
        check("where sym<|>bol[N] == A:\n symbol[N] = symbol[N]", symbol);
        check("where symbol[N] == '<|>-en':\n symbol[N] = '-en'", "'-en' Mention, '-en' Read, '-en' Read");
        check("where symbol[n<|>] == A and symbol[N] == A:\n symbol[N] = symbol[n]", "n Read, n Read");
        check("where symbol[n] == A and symbol[<|>N] == A:\n symbol[N] = symbol[n", "N Read, N Write");
    }

    #[test]
    fn a_repeat_has_its_until() {
        let inner = "where symbol[N] == A: symbol[N] = A";
        check(
            &format!("repeat: {inner} rep<|>eat: {inner} until NO_CHANGE until NO_CHANGE"),
            "repeat Mention, until Mention",
        );
        check(
            &format!("repeat: {inner} repeat: {inner} <|>until symbol[N] == A until NO_CHANGE"),
            "repeat Mention, until Mention",
        );
        check(&format!("rep<|>eat: {inner}"), "repeat Mention");
        check("where symbol[N] == A: symbol[N] = A # repeat sym<|>bol[N]", "");
    }

    #[test]
    fn a_role_leads_to_its_register() {
        let text = format!("{DECLARATIONS}system: {{symbol: symbol, position: position, output: symbol}}");
        let file = file(&text);
        let at = text.find("output").expect("a role") as u32;
        assert_eq!(definition(&file, at), definition(&file, 12));
        assert_eq!(references(&file, 12, false).len(), 2);
        assert_eq!(references(&file, 12, true).len(), 4);
    }
}
