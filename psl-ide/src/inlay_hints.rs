//! Inlay hints after the head, the registers and the end of a production.

use std::collections::HashMap;

use psl_program::{File, Prompt, TestReport, count};
use psl_syntax::{
    Analysis, Causality, Checked, Span,
    names::{Access, Reference, Symbol},
    program::{Comparison, Production, ProductionId, RegisterId},
    token::Kind,
};

use crate::{
    look_ahead::UNPROVED,
    markdown::{code, plain},
    watch_values::WatchValues,
};

/// Maximum number of values in a domain that is shown.
const SMALL: usize = 4;

/// The kinds of hints to show.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate setting")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlayHintSettings {
    /// The number of each layer.
    pub layers: bool,
    /// The possible values of a register, if they are few and new to the reader.
    pub domains: bool,
    /// The possible values at each production, even if they repeat or the production tests them.
    pub all_domains: bool,
    /// The productions that may attend to a cell to their right.
    pub look_ahead: bool,
    /// The values of the watched registers after each layer.
    pub values: bool,
}

impl Default for InlayHintSettings {
    fn default() -> Self {
        Self { layers: true, domains: true, all_domains: false, look_ahead: true, values: true }
    }
}

#[derive(Debug)]
pub struct InlayHint {
    /// The place of the hint: the end of a token.
    pub offset: u32,
    /// The text of the hint.
    pub label: String,
    /// The tooltip, as Markdown.
    pub tooltip: Option<String>,
    /// Whether the hint shows the possible values of a register.
    pub is_domain: bool,
}

/// Returns the hints in a span, in the order of the text. `watched` holds the watched registers of one run, if they are
/// shown.
pub fn inlay_hints(
    file: &File,
    report: Option<&TestReport>,
    watched: Option<&WatchValues>,
    span: Span,
    shown: InlayHintSettings,
) -> Vec<InlayHint> {
    let checked = file.checked();
    let productions = checked.analysis.program.productions();
    let mut hints = Vec::new();
    let mut told = HashMap::new();
    for (layer, production) in productions.ids().zip(&productions) {
        if span.end < production.span.start {
            break;
        }
        // Hints before the span decide which values are new in it.
        if shown.domains {
            domains(checked, layer, production, (!shown.all_domains).then_some(&mut told), &mut hints);
        }
        if production.span.end < span.start {
            continue;
        }
        if shown.layers {
            let tooltip = format!("layer {layer} of {}", productions.len());
            hints.push(hint(production.head.end, format!("layer {layer}"), Some(tooltip)));
        }
        if shown.look_ahead {
            hints.extend(look_ahead(&checked.analysis, report, layer, production));
        }
        if let Some(watched) = watched {
            values(watched, &checked.analysis, layer, production, &mut hints);
        }
    }
    hints.retain(|hint| span.touches(hint.offset));
    // A stable sort: at the end of a head, its own hints come before those of its actions.
    hints.sort_by_key(|hint| hint.offset);
    hints
}

fn hint(offset: u32, label: String, tooltip: Option<String>) -> InlayHint {
    InlayHint { offset, label, tooltip, is_domain: false }
}

fn look_ahead(
    analysis: &Analysis,
    report: Option<&TestReport>,
    layer: ProductionId,
    production: &Production,
) -> Option<InlayHint> {
    let causality = analysis.causality.find(layer).filter(|_| production.sound)?;
    let seen = report.and_then(|report| report.layer(layer)).map(|stats| (stats.matches, stats.ahead));
    let (label, why) = match (causality, seen) {
        (Causality::Proved(_), _) => return None,
        _ if analysis.verdicts().never_fires(layer) => return None,
        (Causality::LooksAhead, _) => ("looks ahead", "each match is the cell to the right of `N`".to_owned()),
        (Causality::Unproved, Some((matches, ahead))) if ahead > 0 => (
            "looks ahead",
            format!("on this file's tests, `n` was to the right of `N` in {ahead} of {}", count(matches, "match")),
        ),
        (Causality::Unproved, Some((matches, _))) => (
            "looks ahead?",
            format!(
                "not proved causal; on this file's tests, `n` was to the right of `N` in 0 of {}",
                count(matches, "match")
            ),
        ),
        (Causality::Unproved, None) => ("looks ahead?", UNPROVED.to_owned()),
    };
    Some(hint(production.head.end, label.to_owned(), Some(why)))
}

/// Adds the possible values of each register after the first place where the production reads it. Skips registers that
/// the machine sets, because their values are obvious. With `told`, the last hint of each register, it also skips
/// repeated hints and registers that the production compares with constants.
fn domains(
    checked: &Checked,
    layer: ProductionId,
    production: &Production,
    mut told: Option<&mut HashMap<RegisterId, String>>,
    hints: &mut Vec<InlayHint>,
) {
    let analysis = &checked.analysis;
    let mut seen: Vec<RegisterId> = Vec::new();
    if told.is_some() {
        seen.extend(production.conditions.iter().filter(|it| has_constants(&it.comparison)).map(|it| it.left.register));
    }
    for reference in analysis.names.within(production.span) {
        let Reference { symbol: Symbol::Register(id), access: Access::Read, span } = *reference else { continue };
        if seen.contains(&id) || analysis.program.machine_sets(id) {
            continue;
        }
        seen.push(id);
        let Some(domain) = analysis.domains.before(layer, id) else { continue };
        let Some(mut values) = analysis.domains.listed(domain).filter(|values| values.len() <= SMALL) else { continue };
        let Some(offset) = place_end(checked, span) else { continue };
        let name = &analysis.program.registers[id].name;
        let null = if domain.has_null() { ", or null" } else { "" };
        let held = plain(&analysis.domains.in_words(domain));
        let tooltip = format!("before layer {layer}, {} is {held}{null}", code(name));
        if domain.has_null() {
            values.push("∅");
        }
        let label = format!("∈ {{{}}}", values.join(", "));
        if let Some(told) = &mut told
            && told.insert(id, label.clone()).as_ref() == Some(&label)
        {
            continue;
        }
        hints.push(InlayHint { offset, label, tooltip: Some(tooltip), is_domain: true });
    }
}

/// Whether a comparison names constants.
fn has_constants(comparison: &Comparison) -> bool {
    match comparison {
        Comparison::In(_) | Comparison::NotIn(_) => true,
        Comparison::Is(right) | Comparison::IsNot(right) => right.register().is_none(),
    }
}

/// The end of `register[cell]`, given the register's name.
fn place_end(checked: &Checked, name: Span) -> Option<u32> {
    let code = &checked.tree.tokens.code;
    let at = code.binary_search_by_key(&name.start, |token| token.span.start).ok()?;
    let bracket = code.get(at + 3).filter(|token| token.kind == Kind::CloseBracket)?;
    Some(bracket.span.end)
}

/// The values of a watched register after the layer, next to the assignment that writes it.
fn values(
    watched: &WatchValues,
    analysis: &Analysis,
    layer: ProductionId,
    production: &Production,
    hints: &mut Vec<InlayHint>,
) {
    let rows = watched.rows(layer);
    let name = |id: RegisterId| analysis.program.registers[id].name.as_str();
    for assignment in &production.assignments {
        let Some(row) = rows.iter().find(|row| row.register == assignment.target && row.written) else { continue };
        let named: Vec<_> = rows.iter().map(|row| (name(row.register), row)).collect();
        let prompt = match &watched.prompt {
            Prompt::Plain(symbols) => code(symbols),
            Prompt::File(file) => format!("the prompt in {}", code(file)),
            Prompt::Structured(_) | Prompt::Test(_) => "the last prompt".to_owned(),
        };
        let tooltip = format!(
            "after layer {layer}, in each cell, prompt │ continuation, on {prompt}:\n\n{}",
            watched.table(&named)
        );
        hints.push(hint(assignment.span.end, format!("⇒ {}", watched.shortened(row)), Some(tooltip)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    /// The possible values that are shown, each after the text before it on its line.
    fn check(productions: &str, shown: InlayHintSettings, expected: &[&str]) {
        let file = file(&format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm', side: 'd'}}\nconstants: {{A, B}}\n{productions}"
        ));
        let hints = inlay_hints(&file, None, None, Span::from(0..file.text().len()), shown);
        let place = |hint: &InlayHint| {
            let before = file.text().get(..hint.offset as usize).unwrap_or_default();
            format!("{} {}", before.rsplit('\n').next().unwrap_or_default(), hint.label)
        };
        assert_eq!(hints.iter().filter(|hint| hint.is_domain).map(place).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn possible_values_are_shown_where_they_are_new_or_everywhere() {
        let productions = "where symbol[N] == A: mark[N] = A\n\
                           where symbol[n] == mark[N]: side[N] = mark[n]\n\
                           where position[n] == position[N] and mark[n] == side[N]: side[N] = A\n\
                           where mark[N] == A: side[N] = mark[N]\n";
        check(
            productions,
            InlayHintSettings::default(),
            &[
                "where symbol[n] == mark[N] ∈ {A, ∅}",
                "where position[n] == position[N] and mark[n] == side[N] ∈ {A, ∅}",
            ],
        );
        check(
            productions,
            InlayHintSettings { all_domains: true, ..InlayHintSettings::default() },
            &[
                "where symbol[n] == mark[N] ∈ {A, ∅}",
                "where position[n] == position[N] and mark[n] ∈ {A, ∅}",
                "where position[n] == position[N] and mark[n] == side[N] ∈ {A, ∅}",
                "where mark[N] ∈ {A, ∅}",
            ],
        );
    }
}
