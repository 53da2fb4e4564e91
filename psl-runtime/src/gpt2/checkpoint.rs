//! A checkpoint read from its files, which completes prompts by the arithmetic of GPT-2.

use std::mem;

use super::{
    checkpoint_error::{CheckpointError, json},
    claims::{check_meaning, check_tokens},
    config::Config,
    ends::End,
    files::{CONFIG, CheckpointFile, GENERATION, MEANING, PARAMETERS, TOKENIZER},
    forward::{Forward, best},
    meaning::Meaning,
    model::{Gpt2, Sparse},
    parameters,
    token_list::TokenList,
};
use crate::cell_id::CellId;

/// A checkpoint.
#[derive(Clone)]
pub struct Checkpoint {
    /// The parameters.
    pub model: Gpt2<Sparse>,
    /// The meaning of the parts.
    pub meaning: Meaning,
    tokens: TokenList,
    /// The tokens that end a continuation.
    stops: Vec<usize>,
}

/// A completed prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The symbols generated.
    pub output: Vec<String>,
    /// The reason to end the continuation early.
    pub end: Option<End>,
    /// The least distance of a logit chosen from the second, in nats. NaN if a logit is not a number, which ends the
    /// completion.
    pub margin: f32,
    /// The number of tokens generated.
    pub tokens: usize,
}

/// The state of a completion after a block.
pub struct Seen<'s> {
    /// The cell, if the token stands for one: a symbol of the last copy of the prompt, or the last token of a generated
    /// cell.
    pub cell: Option<CellId>,
    /// The block, counted from 0.
    pub block: usize,
    /// The residual stream.
    pub stream: &'s [f32],
}

impl Checkpoint {
    /// The names of the files that a checkpoint is read from, the parameters last.
    pub const FILES: [&str; 5] = [CONFIG, GENERATION, TOKENIZER, MEANING, PARAMETERS];

    /// The name of the file of parameters.
    pub const PARAMETERS: &str = PARAMETERS;

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing, is malformed, or does not fit the others.
    pub fn read(files: &[CheckpointFile]) -> Result<Self, CheckpointError> {
        let Texts { config, meaning, tokens } = Texts::read(files)?;
        let model = parameters::read(&config, bytes(files, PARAMETERS)?)?;
        Ok(Self { model, meaning, tokens, stops: config.eos_token_id })
    }

    /// The most bytes of the file of parameters, by the other files.
    ///
    /// # Errors
    ///
    /// Fails like [`Checkpoint::read`].
    pub fn most_bytes(files: &[CheckpointFile]) -> Result<u64, CheckpointError> {
        parameters::most_bytes(&Texts::read(files)?.config)
    }

    /// The checkpoint without the symbol that ends a continuation, for comparisons at greater lengths.
    #[must_use]
    pub fn without_stop(mut self) -> Self {
        let stop = mem::take(&mut self.meaning.stop);
        let tokens = &self.tokens;
        self.stops.retain(|token| tokens.text(*token).is_none_or(|text| text.trim_start() != stop));
        self
    }

    /// The tokens of a prompt.
    pub fn prompt(&self, symbols: &[&str]) -> Vec<usize> {
        self.tokens.prompt(symbols)
    }

    /// Completes a prompt by at most `max_new` symbols. `visit` sees the residual stream after each block. `None` if
    /// the prompt has more tokens than the model has places.
    pub fn complete(&self, symbols: &[&str], max_new: usize, mut visit: impl FnMut(&Seen<'_>)) -> Option<Completion> {
        let length = self.tokens.length(symbols.len());
        if length > self.model.wpe.rows {
            return None;
        }
        let mut forward = Forward::new(&self.model);
        let mut logits = Vec::new();
        let before = length.saturating_sub(symbols.len());
        for (place, token) in self.prompt(symbols).into_iter().enumerate() {
            let cell = place.checked_sub(before).map(CellId::new);
            logits = forward.read(token, |block, stream| visit(&Seen { cell, block, stream }));
        }
        let mut done = Completion { output: Vec::new(), end: None, margin: f32::INFINITY, tokens: 0 };
        let tokens = self.meaning.cell.len().max(1);
        // A model of others may generate only tokens that are not shown.
        let most = max_new.saturating_mul(tokens);
        while done.output.len() < max_new && done.tokens < most {
            let (token, margin) = best(&logits);
            // Of a number and NaN, `min` would be the number.
            done.margin = if margin.is_nan() { margin } else { done.margin.min(margin) };
            done.tokens += 1;
            if let Some(text) = self.tokens.shown(token) {
                let is_last = self.stops.contains(&token);
                done.end = End::ALL.into_iter().find(|end| is_last && end.text() == text);
                if done.end.is_some() {
                    break;
                }
                done.output.push(text.to_owned());
                if is_last {
                    break;
                }
            }
            if margin.is_nan() || forward.length() == self.model.wpe.rows {
                break;
            }
            let is_last = done.tokens.is_multiple_of(tokens);
            let cell = is_last.then(|| CellId::new(symbols.len() + done.tokens / tokens - 1));
            logits = forward.read(token, |block, stream| visit(&Seen { cell, block, stream }));
        }
        Some(done)
    }
}

/// The files without the parameters.
struct Texts {
    config: Config,
    meaning: Meaning,
    tokens: TokenList,
}

impl Texts {
    /// Reads the files, and checks them against each other.
    fn read(files: &[CheckpointFile]) -> Result<Self, CheckpointError> {
        let config = Config::read(bytes(files, CONFIG)?)?;
        let meaning: Meaning = json(MEANING, bytes(files, MEANING)?)?;
        check_meaning(&config, &meaning)?;
        let tokens = TokenList::read(&config, bytes(files, TOKENIZER)?)?;
        check_tokens(&config, &tokens, &meaning, bytes(files, GENERATION)?)?;
        Ok(Self { config, meaning, tokens })
    }
}

fn bytes<'f>(files: &'f [CheckpointFile], name: &'static str) -> Result<&'f [u8], CheckpointError> {
    let file = files.iter().find(|file| file.name == name);
    file.map(|file| file.bytes.as_slice()).ok_or_else(|| CheckpointError::new(name, "the file is missing"))
}
