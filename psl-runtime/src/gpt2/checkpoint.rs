//! A checkpoint read from its files, which completes prompts by the arithmetic of GPT-2.

use std::{fmt, mem};

use indexmap::{IndexMap, IndexSet};
use safetensors::SafeTensors;
use serde::Deserialize;
use serde_json::Value;

use super::{
    ends::{End, LAST},
    files::{CONFIG, CheckpointFile, MEANING, PARAMETERS, TOKENIZER},
    forward::{Forward, best},
    meaning::Meaning,
    model::{BlockOfModel, Dense, Gpt2, Linear, Norm, Sparse, name_in_block},
    precision::Precision,
};

/// A checkpoint.
#[derive(Clone)]
pub struct Checkpoint {
    /// The parameters.
    pub model: Gpt2<Sparse>,
    /// The meaning of the parts.
    pub meaning: Meaning,
    /// The texts of the tokens that are looked up, with their numbers.
    vocabulary: IndexMap<String, usize>,
    /// The numbers of the tokens that decoders leave out.
    special: IndexSet<usize>,
    /// The text of each token.
    texts: Vec<String>,
    /// The sequence of a prompt: a token, or the symbols.
    template: Vec<Option<usize>>,
    unknown: usize,
    /// The tokens that end a continuation.
    stops: Vec<usize>,
}

/// The reason why a checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointError {
    /// The name of the file.
    pub file: &'static str,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for CheckpointError {}

/// A completed prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The symbols generated.
    pub output: Vec<String>,
    /// The reason to end the continuation early.
    pub end: Option<End>,
    /// The least distance of a logit chosen from the second, in nats.
    pub margin: f32,
    /// The number of tokens generated.
    pub tokens: usize,
}

/// The state of a completion after a block.
pub struct Seen<'s> {
    /// The cell, counted from 1, if the token stands for one: a symbol of the last copy of the prompt, or the last token of a generated cell.
    pub cell: Option<usize>,
    /// The block, counted from 0.
    pub block: usize,
    /// The residual stream.
    pub stream: &'s [f32],
}

#[derive(Deserialize)]
struct Config {
    n_layer: usize,
    n_head: usize,
    layer_norm_epsilon: f64,
    dtype: String,
    eos_token_id: Vec<usize>,
}

#[derive(Deserialize)]
struct Tokenizer {
    added_tokens: Vec<AddedToken>,
    model: WordLevel,
    post_processor: PostProcessor,
}

#[derive(Deserialize)]
struct AddedToken {
    id: usize,
    content: String,
    special: bool,
}

#[derive(Deserialize)]
struct WordLevel {
    vocab: IndexMap<String, usize>,
    unk_token: String,
}

#[derive(Deserialize)]
struct PostProcessor {
    single: Vec<Value>,
}

impl Checkpoint {
    /// The names of the files that a checkpoint is read from.
    pub const FILES: [&str; 4] = [CONFIG, PARAMETERS, TOKENIZER, MEANING];

    /// Reads a checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing, is malformed, or does not fit the others.
    pub fn read(files: &[CheckpointFile]) -> Result<Self, CheckpointError> {
        let wrong = |file, reason: String| CheckpointError { file, reason };
        let bytes = |name: &'static str| {
            let file = files.iter().find(|file| file.name == name);
            file.map(|file| file.bytes.as_slice()).ok_or_else(|| wrong(name, "the file is missing".to_owned()))
        };
        let config: Config = json(CONFIG, bytes(CONFIG)?)?;
        let tokenizer: Tokenizer = json(TOKENIZER, bytes(TOKENIZER)?)?;
        let meaning: Meaning = json(MEANING, bytes(MEANING)?)?;
        let model = model(&config, bytes(PARAMETERS)?)?;
        let added = tokenizer.added_tokens.iter();
        let special = added.clone().filter(|token| token.special).map(|token| token.id).collect();
        let all: IndexMap<&str, usize> = tokenizer
            .model
            .vocab
            .iter()
            .map(|(text, id)| (text.as_str(), *id))
            .chain(added.map(|token| (token.content.as_str(), token.id)))
            .collect();
        let mut texts = vec![String::new(); model.wte.rows];
        for (text, id) in &all {
            let Some(slot) = texts.get_mut(*id) else {
                return Err(wrong(TOKENIZER, format!("token {id} has no embedding")));
            };
            (*text).clone_into(slot);
        }
        let piece = |piece: &Value| match piece.pointer("/SpecialToken/id").and_then(Value::as_str) {
            None => Ok(None),
            Some(text) => {
                let id =
                    all.get(text).ok_or_else(|| wrong(TOKENIZER, format!("the template's `{text}` is not a token")));
                id.map(|id| Some(*id))
            }
        };
        let template = tokenizer.post_processor.single.iter().map(piece).collect::<Result<_, _>>()?;
        let unknown = all.get(tokenizer.model.unk_token.as_str()).copied().unwrap_or_default();
        if meaning.blocks.len() != model.blocks.len() {
            let reason =
                format!("it describes {} blocks, and the model has {}", meaning.blocks.len(), model.blocks.len());
            return Err(wrong(MEANING, reason));
        }
        let vocabulary = tokenizer.model.vocab;
        Ok(Self { model, meaning, vocabulary, special, texts, template, unknown, stops: config.eos_token_id })
    }

    /// The checkpoint without the symbol that ends a continuation, for comparisons at greater lengths.
    #[must_use]
    pub fn without_stop(mut self) -> Self {
        let stop = mem::take(&mut self.meaning.stop);
        let texts = &self.texts;
        self.stops.retain(|token| texts.get(*token).is_none_or(|text| text.trim_start() != stop));
        self
    }

    /// The tokens of a prompt.
    pub fn prompt(&self, symbols: &[&str]) -> Vec<usize> {
        let last = symbols.len().saturating_sub(1);
        let id = |text: &str| self.vocabulary.get(text).copied().unwrap_or(self.unknown);
        let symbol = |(index, text): (usize, &&str)| match text {
            // The mark is the tokenizer's.
            text if text.contains(LAST) => self.unknown,
            text if index == last => id(&format!("{text}{LAST}")),
            text => id(text),
        };
        let all: Vec<usize> = symbols.iter().enumerate().map(symbol).collect();
        self.template.iter().flat_map(|piece| piece.map_or_else(|| all.clone(), |token| vec![token])).collect()
    }

    /// The text of a token that decoders show.
    fn shown(&self, token: usize) -> Option<&str> {
        let text = self.texts.get(token).filter(|_| !self.special.contains(&token))?;
        Some(text.strip_prefix(' ').unwrap_or(text))
    }

    /// Completes a prompt by at most `max_new` symbols. `visit` sees the residual stream after each block. `None` if the prompt has
    /// more tokens than the model has places.
    pub fn complete(&self, symbols: &[&str], max_new: usize, mut visit: impl FnMut(&Seen<'_>)) -> Option<Completion> {
        let prompt = self.prompt(symbols);
        if prompt.len() > self.model.wpe.rows {
            return None;
        }
        let mut forward = Forward::new(&self.model);
        let mut logits = Vec::new();
        let before = prompt.len() - symbols.len();
        for (place, token) in prompt.iter().enumerate() {
            let cell = (place + 1).checked_sub(before).filter(|cell| *cell > 0);
            logits = forward.read(*token, |block, stream| visit(&Seen { cell, block, stream }));
        }
        let mut done = Completion { output: Vec::new(), end: None, margin: f32::INFINITY, tokens: 0 };
        let tokens = self.meaning.cell.len().max(1);
        while done.output.len() < max_new {
            let (token, margin) = best(&logits);
            done.margin = done.margin.min(margin);
            done.tokens += 1;
            if let Some(text) = self.shown(token) {
                done.end = End::ALL.into_iter().find(|end| self.stops.contains(&token) && end.text() == text);
                if done.end.is_some() {
                    break;
                }
                done.output.push(text.to_owned());
                if self.stops.contains(&token) {
                    break;
                }
            }
            if forward.length() == self.model.wpe.rows {
                break;
            }
            let is_last = done.tokens.is_multiple_of(tokens);
            let cell = is_last.then(|| symbols.len() + done.tokens / tokens);
            logits = forward.read(token, |block, stream| visit(&Seen { cell, block, stream }));
        }
        Some(done)
    }
}

fn json<'b, T: Deserialize<'b>>(file: &'static str, bytes: &'b [u8]) -> Result<T, CheckpointError> {
    serde_json::from_slice(bytes).map_err(|error| CheckpointError { file, reason: error.to_string() })
}

fn model(config: &Config, bytes: &[u8]) -> Result<Gpt2<Sparse>, CheckpointError> {
    let wrong = |reason: String| CheckpointError { file: PARAMETERS, reason };
    let precision: Precision = config.dtype.parse().map_err(|_| CheckpointError {
        file: CONFIG,
        reason: format!("unknown dtype `{}`; expected one of {:?}", config.dtype, Precision::ALL.map(Precision::name)),
    })?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| wrong(error.to_string()))?;
    let read = Reader { tensors, precision };
    let wte = read.matrix("transformer.wte.weight", None)?;
    let width = wte.columns;
    if width == 0 || config.n_head == 0 || !width.is_multiple_of(config.n_head) {
        return Err(CheckpointError { file: CONFIG, reason: format!("{} heads do not divide {width}", config.n_head) });
    }
    let block = |index: usize| {
        let name = |part: &str| name_in_block(index, part);
        let c_fc = read.linear(&name("mlp.c_fc"), width, None)?;
        let neurons = c_fc.weight.columns;
        Ok(BlockOfModel {
            ln_1: read.norm(&name("ln_1"), width)?,
            c_attn: read.linear(&name("attn.c_attn"), width, Some(3 * width))?,
            attn_proj: read.linear(&name("attn.c_proj"), width, Some(width))?,
            ln_2: read.norm(&name("ln_2"), width)?,
            c_fc,
            mlp_proj: read.linear(&name("mlp.c_proj"), neurons, Some(width))?,
        })
    };
    let wpe = read.matrix("transformer.wpe.weight", None)?;
    if wpe.columns != width {
        return Err(wrong(format!("places have {} components, and tokens {width}", wpe.columns)));
    }
    Ok(Gpt2 {
        precision,
        heads: config.n_head,
        epsilon: config.layer_norm_epsilon as f32,
        blocks: (0..config.n_layer).map(block).collect::<Result<_, CheckpointError>>()?,
        ln_f: read.norm("transformer.ln_f", width)?,
        lm_head: read.matrix("lm_head.weight", Some([wte.rows, width]))?,
        wte,
        wpe,
    })
}

struct Reader<'b> {
    tensors: SafeTensors<'b>,
    precision: Precision,
}

impl Reader<'_> {
    fn tensor(&self, name: &str) -> Result<(Vec<usize>, Vec<f32>), CheckpointError> {
        let wrong = |reason: String| CheckpointError { file: PARAMETERS, reason };
        let view = self.tensors.tensor(name).map_err(|error| wrong(format!("{name}: {error}")))?;
        let values = self.precision.decode(view.data());
        if values.len() != view.shape().iter().product::<usize>() {
            return Err(wrong(format!("{name} has another dtype than {}", self.precision.name())));
        }
        Ok((view.shape().to_vec(), values))
    }

    fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, CheckpointError> {
        let (shape, values) = self.tensor(name)?;
        if shape == [length] { Ok(values) } else { Err(shape_of(name, &shape, &[length])) }
    }

    fn matrix(&self, name: &str, expected: Option<[usize; 2]>) -> Result<Dense, CheckpointError> {
        let (shape, entries) = self.tensor(name)?;
        match shape.as_slice() {
            &[rows, columns] if expected.is_none_or(|expected| expected == [rows, columns]) => {
                Ok(Dense { rows, columns, entries })
            }
            shape => Err(shape_of(name, shape, &expected.unwrap_or_default())),
        }
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, CheckpointError> {
        let [weight, bias] = ["weight", "bias"].map(|part| self.vector(&format!("{name}.{part}"), width));
        Ok(Norm { weight: weight?, bias: bias? })
    }

    fn linear(&self, name: &str, rows: usize, columns: Option<usize>) -> Result<Linear<Sparse>, CheckpointError> {
        let weight = Sparse::from(self.matrix(&format!("{name}.weight"), columns.map(|columns| [rows, columns]))?);
        if weight.rows != rows {
            return Err(shape_of(name, &[weight.rows, weight.columns], &[rows, weight.columns]));
        }
        let bias = self.vector(&format!("{name}.bias"), weight.columns)?;
        Ok(Linear { weight, bias })
    }
}

fn shape_of(name: &str, found: &[usize], expected: &[usize]) -> CheckpointError {
    CheckpointError { file: PARAMETERS, reason: format!("{name} has the shape {found:?}, not {expected:?}") }
}
