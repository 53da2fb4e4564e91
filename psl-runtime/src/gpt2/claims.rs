//! The claims of a checkpoint's files against each other, checked before anything is computed from them.

use indexmap::IndexSet;
use serde::Deserialize;

use super::{
    checkpoint_error::{CheckpointError, check_claims, json},
    config::Config,
    ends::End,
    files::{CONFIG, GENERATION, MEANING, TOKENIZER},
    meaning::{Components, Meaning, RegisterMeaning},
    refusal::MAX_CELLS,
    token_list::TokenList,
};
use crate::vocabulary::Vocabulary;

/// The content of `generation_config.json` that decides where an engine ends a continuation.
#[derive(Deserialize)]
struct Generation {
    eos_token_id: Vec<usize>,
}

/// The most places beyond those of the longest prompt and continuation, for each token of a cell and each copy of the
/// prompt.
const MAX_ROOM: usize = 64;

fn wrong(reason: String) -> CheckpointError {
    CheckpointError::new(MEANING, reason)
}

/// Checks the meaning against the configuration.
pub fn check_meaning(config: &Config, meaning: &Meaning) -> Result<(), CheckpointError> {
    let Meaning { max_prompt, max_new, positions, .. } = *meaning;
    let blocks = meaning.blocks.len();
    let cells = max_prompt.saturating_add(max_new);
    let last = Vocabulary::last_position(max_prompt, max_new);
    let heads = meaning.blocks.iter().map(|block| block.heads).max().unwrap_or_default();
    check_claims(
        MEANING,
        [
            (
                blocks == config.n_layer,
                format!("it describes {blocks} blocks, and the `n_layer` of config.json is {}", config.n_layer),
            ),
            (
                heads <= config.n_head,
                format!("a block has {heads} `heads`, and the `n_head` of config.json is {}", config.n_head),
            ),
            (
                cells <= MAX_CELLS,
                format!(
                    "`max_prompt` and `max_new` add up to {cells} symbols, and a checkpoint has at most {MAX_CELLS}"
                ),
            ),
            (positions == last, format!("`positions` is {positions}, and by `max_prompt` and `max_new` {last}")),
            (
                // The output, each register at most once, and the position.
                (1..=meaning.registers.len() + 2).contains(&meaning.cell.len()),
                format!("`cell` has {} registers of {}", meaning.cell.len(), meaning.registers.len()),
            ),
        ],
    )?;
    meaning.registers.iter().try_for_each(check_register)?;
    check_ranges(config.n_embd, meaning)
}

/// Each value of a register has one component of each part, and no other has the same.
fn check_register(register: &RegisterMeaning) -> Result<(), CheckpointError> {
    let RegisterMeaning { name, parts, values, null, .. } = register;
    let mut seen: IndexSet<&[usize]> = IndexSet::new();
    let of_values = values.iter().map(|(text, components)| (format!("`{text}`"), components));
    for (value, components) in of_values.chain([("null".to_owned(), null)]) {
        let is_in = |(component, &[first, end]): (&usize, &[usize; 2])| (first..end).contains(component);
        if components.len() != parts.len() || !components.iter().zip(parts).all(is_in) {
            return Err(wrong(format!(
                "the components {components:?} of {value} are not one of each part of the register `{name}`"
            )));
        }
        if !seen.insert(components) {
            return Err(wrong(format!("two values of the register `{name}` have the components {components:?}")));
        }
    }
    Ok(())
}

/// The ranges lie side by side within the width.
fn check_ranges(width: usize, meaning: &Meaning) -> Result<(), CheckpointError> {
    let Components { kinds, copies, ends, places, cycle, saved, time, pad, write } = &meaning.components;
    let of_registers = meaning.registers.iter().flat_map(|register| {
        register.parts.iter().map(|range| (format!("`parts` of the register `{}`", register.name), *range))
    });
    let named = |name: &str, range: &[usize; 2]| (format!("`{name}` of `components`"), *range);
    let others = [("kinds", kinds), ("copies", copies), ("ends", ends), ("time", time), ("write", write)];
    let others = others.into_iter().map(|(name, range)| named(name, range));
    let lists = [("cycle", cycle.as_slice()), ("places", places), ("saved", saved)];
    let lists = lists.into_iter().flat_map(|(name, ranges)| ranges.iter().map(move |range| named(name, range)));
    let pad = named("pad", &[*pad, pad.saturating_add(1)]);
    let mut ranges: Vec<(String, [usize; 2])> = of_registers.chain(others).chain(lists).chain([pad]).collect();
    ranges.sort_by_key(|(_, range)| *range);
    let mut free = 0;
    for (name, [first, end]) in ranges {
        if first >= end || end > width {
            return Err(wrong(format!("{name} is {first} to {end}, and the `n_embd` of config.json is {width}")));
        }
        if first < free {
            return Err(wrong(format!("{name} is {first} to {end}, which other parts have, too")));
        }
        free = end;
    }
    Ok(())
}

/// Checks the tokens against the meaning and the configuration.
pub fn check_tokens(
    config: &Config,
    tokens: &TokenList,
    meaning: &Meaning,
    generation: &[u8],
) -> Result<(), CheckpointError> {
    let Meaning { copies, max_prompt, max_new, .. } = *meaning;
    let length = tokens.length(max_prompt).saturating_add(max_new.saturating_mul(meaning.cell.len()));
    // The compiler adds places for one more symbol, or for longer prompts, which end visibly.
    let room = MAX_ROOM.saturating_mul(meaning.cell.len().saturating_add(copies));
    let start = tokens.start();
    check_claims(
        MEANING,
        [
            (copies > 0, "`copies` is 0".to_owned()),
            (copies == tokens.copies(), format!("`copies` is {copies}, and by tokenizer.json {}", tokens.copies())),
            (
                (length..=length.saturating_add(room)).contains(&config.n_positions),
                format!(
                    "`max_prompt`, `max_new`, `copies` and `cell` need {length} places, and the `n_positions` of config.json is {}",
                    config.n_positions
                ),
            ),
        ],
    )?;
    check_claims(
        TOKENIZER,
        [
            (
                start == Some(config.bos_token_id),
                "a prompt does not start with the `bos_token_id` of config.json".to_owned(),
            ),
            (tokens.ends_with_symbols(), "a prompt does not end with its symbols".to_owned()),
            (tokens.length(0) <= 1 + copies, format!("a prompt has {} tokens beside its symbols", tokens.length(0))),
        ],
    )?;
    if let Some(symbol) = meaning.symbols.iter().find(|symbol| !tokens.has_symbol(symbol)) {
        return Err(wrong(format!("the symbol `{symbol}` has no tokens in tokenizer.json")));
    }
    let mut ends = meaning.ends.keys();
    if let Some(end) = ends.find(|end| End::ALL.iter().all(|known| known.text() != end.as_str())) {
        return Err(wrong(format!("unknown reason `{end}` to end a continuation in `ends`")));
    }
    check_stops(tokens, meaning, CONFIG, &config.eos_token_id)?;
    let generation: Generation = json(GENERATION, generation)?;
    check_stops(tokens, meaning, GENERATION, &generation.eos_token_id)
}

/// A continuation ends with the stop symbol or with a reason to end, and with nothing else.
fn check_stops(
    tokens: &TokenList,
    meaning: &Meaning,
    file: &'static str,
    found: &[usize],
) -> Result<(), CheckpointError> {
    let all = meaning.ends.keys().chain([&meaning.stop]);
    let expected: IndexSet<usize> = all.filter_map(|text| tokens.with_text(&format!(" {text}"))).collect();
    let show = |token: &usize| {
        tokens.text(*token).map_or_else(|| token.to_string(), |text| format!("{token}, the token `{}`,", text.trim()))
    };
    if let Some(more) = found.iter().find(|token| !expected.contains(*token)) {
        return Err(CheckpointError::new(
            file,
            format!("`eos_token_id` has {} which by psl.json ends no continuation", show(more)),
        ));
    }
    if let Some(less) = expected.iter().find(|token| !found.contains(token)) {
        return Err(CheckpointError::new(
            file,
            format!("`eos_token_id` lacks {} which by psl.json ends a continuation", show(less)),
        ));
    }
    Ok(())
}
