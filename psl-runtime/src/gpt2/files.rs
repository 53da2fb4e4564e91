//! The files of a checkpoint, as transformers reads them.

use std::collections::HashMap;

use safetensors::{
    SafeTensorError,
    tensor::{Dtype, TensorView, serialize},
};
use serde_json::{Map, Value, json};

use super::{
    ends::{End, LAST},
    meaning::Meaning,
    model::{Gpt2, tensors},
    precision::Precision,
    tokens::Tokens,
};

/// A file with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckpointFile {
    /// The name in the directory of the checkpoint.
    pub name: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The name of the configuration.
pub const CONFIG: &str = "config.json";
/// The name of the configuration of generation.
pub const GENERATION: &str = "generation_config.json";
/// The name of the parameters.
pub const PARAMETERS: &str = "model.safetensors";
/// The name of the tokenizer.
pub const TOKENIZER: &str = "tokenizer.json";
/// The name of what the parts mean.
pub const MEANING: &str = "psl.json";

/// The files of a model.
///
/// # Errors
///
/// Fails if the parameters cannot be written.
pub fn files(model: &Gpt2, tokens: &Tokens, meaning: &Meaning) -> Result<Vec<CheckpointFile>, SafeTensorError> {
    let text = |name, value: &Value| CheckpointFile { name, bytes: format!("{value:#}\n").into_bytes() };
    let stop = format!(" {}", meaning.stop);
    let ends: Vec<String> = End::ALL.iter().map(|end| format!(" {}", end.text())).collect();
    let is_end = |text: &String| *text == stop || ends.contains(text);
    let stops: Vec<usize> =
        (0..).zip(&tokens.list).filter(|(_, token)| is_end(&token.text)).map(|(id, _)| id).collect();
    let ids = json!({"bos_token_id": tokens.start, "eos_token_id": stops, "pad_token_id": tokens.pad});
    let generation = merged(&ids, &json!({"do_sample": false, "max_new_tokens": meaning.max_new * meaning.cell.len()}));
    Ok(vec![
        text(CONFIG, &merged(&config(model), &ids)),
        text(GENERATION, &generation),
        CheckpointFile { name: PARAMETERS, bytes: parameters(model)? },
        text(TOKENIZER, &tokenizer(tokens, meaning)),
        text("tokenizer_config.json", &tokenizer_config(model)),
        // Only maps whose keys are not strings could fail.
        text(MEANING, &serde_json::to_value(meaning).unwrap_or_default()),
    ])
}

fn merged(one: &Value, other: &Value) -> Value {
    let objects = [one, other].into_iter().filter_map(Value::as_object).flatten();
    Value::Object(objects.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn config(model: &Gpt2) -> Value {
    json!({
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "activation_function": "relu",
        "vocab_size": model.wte.rows,
        "n_positions": model.wpe.rows,
        "n_embd": model.wte.columns,
        "n_layer": model.blocks.len(),
        "n_head": model.heads,
        "n_inner": model.blocks.first().map_or(0, |block| block.c_fc.bias.len()),
        "layer_norm_epsilon": super::block::EPSILON,
        "resid_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "attn_pdrop": 0.0,
        "scale_attn_weights": true,
        "tie_word_embeddings": false,
        "dtype": model.precision.name(),
    })
}

fn tokenizer_config(model: &Gpt2) -> Value {
    json!({
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": "<bos>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        // Older versions return types of tokens otherwise, which GPT-2 would add to its stream.
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": model.wpe.rows,
        "clean_up_tokenization_spaces": false,
        "padding_side": "left",
        // A prompt cannot contain the tokens of the model's own.
        "split_special_tokens": true,
    })
}

fn tokenizer(tokens: &Tokens, meaning: &Meaning) -> Value {
    let numbered = || (0_usize..).zip(&tokens.list);
    let added = numbered().filter(|(id, _)| *id == tokens.unknown || *id >= tokens.special).map(|(id, token)| {
        json!({
            "id": id, "content": token.text, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
            "special": true,
        })
    });
    let pieces = template(meaning.copies);
    let special_tokens: Map<String, Value> = pieces
        .iter()
        .flatten()
        .filter_map(|name| {
            let (id, _) = numbered().find(|(_, token)| token.text == *name)?;
            Some((name.clone(), json!({"id": name, "ids": [id], "tokens": [name]})))
        })
        .collect();
    let piece = |piece: &Option<String>| match piece {
        Some(name) => json!({"SpecialToken": {"id": name, "type_id": 0}}),
        None => json!({"Sequence": {"id": "A", "type_id": 0}}),
    };
    let template: Vec<Value> = pieces.iter().map(piece).collect();
    let vocabulary: Map<String, Value> =
        numbered().take(tokens.special).map(|(id, token)| (token.text.clone(), json!(id))).collect();
    json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added.collect::<Vec<_>>(),
        // A mark that a prompt contains is unknown. The end of the prompt gets one.
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Replace", "pattern": {"String": LAST}, "content": char::REPLACEMENT_CHARACTER},
            {"type": "Replace", "pattern": {"Regex": "\\s*\\z"}, "content": LAST},
        ]},
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing", "single": template, "pair": template, "special_tokens": special_tokens,
        },
        "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": LAST}, "content": ""},
            {"type": "Replace", "pattern": {"Regex": "\\A(?! )"}, "content": " "},
        ]},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<unk>"},
    })
}

/// The sequence of a prompt: special tokens by their text, and the symbols of the prompt as `None`.
pub fn template(copies: usize) -> Vec<Option<String>> {
    let copy = |copy: usize| {
        let separator = (copies > 1).then(|| Some(Tokens::separator(copy)));
        separator.into_iter().chain([None])
    };
    [Some("<bos>".to_owned())].into_iter().chain((0..copies).flat_map(copy)).collect()
}

fn parameters(model: &Gpt2) -> Result<Vec<u8>, SafeTensorError> {
    let encoded: Vec<(String, Vec<usize>, Vec<u8>)> =
        tensors(model).into_iter().map(|(name, shape, values)| (name, shape, model.precision.encode(values))).collect();
    let dtype = dtype(model.precision);
    let views = encoded.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(dtype, shape.clone(), bytes)?;
        Ok((name.as_str(), view))
    });
    let views = views.collect::<Result<Vec<_>, SafeTensorError>>()?;
    serialize(views, Some(HashMap::from([("format".to_owned(), "pt".to_owned())])))
}

/// The dtype of tensors in a format.
pub const fn dtype(precision: Precision) -> Dtype {
    match precision {
        Precision::Float32 => Dtype::F32,
        Precision::Bfloat16 => Dtype::BF16,
        Precision::Float16 => Dtype::F16,
    }
}
