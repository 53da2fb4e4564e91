//! The tokens of a checkpoint, read from its tokenizer.

use indexmap::{IndexMap, IndexSet};
use serde::Deserialize;
use serde_json::Value;

use super::{
    checkpoint_error::{CheckpointError, check_claims, json},
    config::Config,
    ends::LAST,
    files::TOKENIZER,
};

/// The tokens of a checkpoint. Each number below that of the embeddings has one text.
#[derive(Clone)]
pub struct TokenList {
    /// The texts that are looked up, with their numbers.
    vocabulary: IndexMap<String, usize>,
    /// The numbers of the tokens that decoders leave out.
    special: IndexSet<usize>,
    /// The text of each token.
    texts: Vec<String>,
    /// The sequence of a prompt: a token, or the symbols.
    template: Vec<Option<usize>>,
    unknown: usize,
}

#[derive(Deserialize)]
struct TokenizerFile {
    added_tokens: Vec<AddedToken>,
    pre_tokenizer: Typed,
    post_processor: PostProcessor,
    model: WordLevel,
}

#[derive(Deserialize)]
struct AddedToken {
    id: usize,
    content: String,
    special: bool,
}

#[derive(Deserialize)]
struct Typed {
    r#type: String,
}

#[derive(Deserialize)]
struct WordLevel {
    r#type: String,
    vocab: IndexMap<String, usize>,
    unk_token: String,
}

#[derive(Deserialize)]
struct PostProcessor {
    single: Vec<Value>,
    special_tokens: IndexMap<String, SpecialToken>,
}

#[derive(Deserialize)]
struct SpecialToken {
    ids: Vec<usize>,
}

fn wrong(reason: String) -> CheckpointError {
    CheckpointError::new(TOKENIZER, reason)
}

impl TokenList {
    /// Reads a tokenizer.
    pub fn read(config: &Config, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let TokenizerFile { added_tokens, pre_tokenizer, post_processor, model } = json(TOKENIZER, bytes)?;
        let of = |name: &str, found: &str, expected: &str| {
            format!("`{name}` is `{found}`, and that of a program `{expected}`")
        };
        check_claims(
            TOKENIZER,
            [
                (model.r#type == "WordLevel", of("model.type", &model.r#type, "WordLevel")),
                (
                    pre_tokenizer.r#type == "WhitespaceSplit",
                    of("pre_tokenizer.type", &pre_tokenizer.r#type, "WhitespaceSplit"),
                ),
            ],
        )?;
        let words = model.vocab.iter().map(|(text, id)| (text.as_str(), *id));
        let texts = texts(config, words.chain(added_tokens.iter().map(|token| (token.content.as_str(), token.id))))?;
        let Some(&unknown) = model.vocab.get(&model.unk_token) else {
            return Err(wrong(format!("the `unk_token` `{}` is not in `vocab`", model.unk_token)));
        };
        let template = template(&post_processor, &texts)?;
        let special = added_tokens.iter().filter(|token| token.special).map(|token| token.id).collect();
        Ok(Self { vocabulary: model.vocab, special, texts, template, unknown })
    }

    /// The number of copies of a prompt's symbols.
    pub fn copies(&self) -> usize {
        self.template.iter().filter(|piece| piece.is_none()).count()
    }

    /// The number of the first token of a prompt, if it is always the same.
    pub fn start(&self) -> Option<usize> {
        self.template.first().copied().flatten()
    }

    /// Whether nothing follows the symbols of a prompt.
    pub fn ends_with_symbols(&self) -> bool {
        self.template.last().is_some_and(Option::is_none)
    }

    /// The number of tokens of a prompt with this number of symbols.
    pub fn length(&self, symbols: usize) -> usize {
        let copies = self.copies();
        copies.saturating_mul(symbols).saturating_add(self.template.len() - copies)
    }

    /// The token with this text.
    pub fn with_text(&self, text: &str) -> Option<usize> {
        self.texts.iter().position(|other| other == text)
    }

    /// The text of a token.
    pub fn text(&self, token: usize) -> Option<&str> {
        self.texts.get(token).map(String::as_str)
    }

    /// The text of a token that decoders show.
    pub fn shown(&self, token: usize) -> Option<&str> {
        let text = self.text(token).filter(|_| !self.special.contains(&token))?;
        Some(text.strip_prefix(' ').unwrap_or(text))
    }

    /// Whether a prompt can have this symbol.
    pub fn has_symbol(&self, symbol: &str) -> bool {
        [symbol, &format!("{symbol}{LAST}")].iter().all(|text| self.vocabulary.contains_key(*text))
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
}

/// The text of each number below that of the embeddings.
fn texts<'t>(config: &Config, tokens: impl Iterator<Item = (&'t str, usize)>) -> Result<Vec<String>, CheckpointError> {
    let size = config.vocab_size;
    let mut by_id: IndexMap<usize, &str> = IndexMap::new();
    let mut by_text: IndexMap<&str, usize> = IndexMap::new();
    for (text, id) in tokens {
        if id >= size {
            return Err(wrong(format!(
                "the token `{text}` has the number {id}, and the `vocab_size` of config.json is {size}"
            )));
        }
        let (other_text, other_id) = (*by_id.entry(id).or_insert(text), *by_text.entry(text).or_insert(id));
        if other_text != text {
            return Err(wrong(format!("the tokens `{other_text}` and `{text}` have the same number, {id}")));
        }
        if other_id != id {
            return Err(wrong(format!("the token `{text}` has two numbers, {other_id} and {id}")));
        }
    }
    if by_id.len() != size {
        return Err(wrong(format!("it has {} tokens, and the `vocab_size` of config.json is {size}", by_id.len())));
    }
    by_id.sort_unstable_keys();
    Ok(by_id.into_values().map(str::to_owned).collect())
}

/// The sequence of a prompt.
fn template(processor: &PostProcessor, texts: &[String]) -> Result<Vec<Option<usize>>, CheckpointError> {
    let piece = |piece: &Value| {
        if piece.get("Sequence").is_some() {
            return Ok(None);
        }
        let Some(name) = piece.pointer("/SpecialToken/id").and_then(Value::as_str) else {
            return Err(wrong(format!("the template has {piece}, which is neither a token nor the prompt")));
        };
        let [id] = processor.special_tokens.get(name).map(|token| token.ids.as_slice()).unwrap_or_default() else {
            return Err(wrong(format!("the template's `{name}` is not one token of `special_tokens`")));
        };
        if texts.get(*id).is_none_or(|text| text != name) {
            return Err(wrong(format!("the template's `{name}` has the number {id}, which is that of another token")));
        }
        Ok(Some(*id))
    };
    processor.single.iter().map(piece).collect()
}
