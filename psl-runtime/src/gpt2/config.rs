//! The configuration of a checkpoint: the sizes of the model, and the arithmetic that an engine is asked for.

use serde::Deserialize;

use super::{
    checkpoint_error::{CheckpointError, check_claims, json},
    files::CONFIG,
    precision::Precision,
    refusal::MAX_PARAMETERS,
};

/// The content of `config.json` that decides what an engine computes.
#[derive(Deserialize)]
pub struct Config {
    architectures: Vec<String>,
    model_type: String,
    activation_function: String,
    pub vocab_size: usize,
    pub n_positions: usize,
    pub n_embd: usize,
    pub n_layer: usize,
    pub n_head: usize,
    pub n_inner: usize,
    pub layer_norm_epsilon: f64,
    #[serde(default = "yes")]
    scale_attn_weights: bool,
    #[serde(default)]
    scale_attn_by_inverse_layer_idx: bool,
    #[serde(default = "yes")]
    tie_word_embeddings: bool,
    dtype: String,
    pub bos_token_id: usize,
    pub eos_token_id: Vec<usize>,
}

const fn yes() -> bool {
    true
}

impl Config {
    /// Reads a configuration, and checks that it is one of a GPT-2 as the compiler builds it.
    pub fn read(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let config: Self = json(CONFIG, bytes)?;
        let Self { n_embd, n_head, .. } = config;
        let is = |name: &str, found: &dyn std::fmt::Display, expected: &str| {
            format!("`{name}` is {found}, and the model of a program has {expected}")
        };
        let epsilon = config.layer_norm_epsilon as f32;
        let parameters = config.parameters();
        check_claims(
            CONFIG,
            [
                (
                    config.architectures == ["GPT2LMHeadModel"],
                    is("architectures", &format!("{:?}", config.architectures), "`GPT2LMHeadModel`"),
                ),
                (config.model_type == "gpt2", is("model_type", &config.model_type, "gpt2")),
                (config.activation_function == "relu", is("activation_function", &config.activation_function, "relu")),
                (config.scale_attn_weights, is("scale_attn_weights", &false, "true")),
                (!config.scale_attn_by_inverse_layer_idx, is("scale_attn_by_inverse_layer_idx", &true, "false")),
                (!config.tie_word_embeddings, is("tie_word_embeddings", &true, "false")),
                (
                    epsilon > 0.0 && epsilon.is_finite(),
                    format!("`layer_norm_epsilon` {epsilon:e} is not a positive number"),
                ),
                (
                    n_embd > 0 && n_head > 0 && n_embd % n_head.max(1) == 0,
                    format!("{n_head} heads do not divide {n_embd}: `n_head` and `n_embd`"),
                ),
                (config.vocab_size > 1, "`vocab_size` is less than 2".to_owned()),
                (
                    parameters.is_some_and(|count| count <= MAX_PARAMETERS),
                    format!(
                        "its sizes make more than {MAX_PARAMETERS} parameters, the most that are written: `n_layer`, `n_embd`, `n_inner`, `vocab_size` and `n_positions`"
                    ),
                ),
            ],
        )?;
        config.precision()?;
        Ok(config)
    }

    /// The number format of the parameters.
    pub fn precision(&self) -> Result<Precision, CheckpointError> {
        let names = Precision::ALL.map(Precision::name);
        let unknown =
            |_| CheckpointError::new(CONFIG, format!("unknown dtype `{}`; expected one of {names:?}", self.dtype));
        self.dtype.parse().map_err(unknown)
    }

    /// The number of parameters, or `None` if it is beyond all bounds.
    pub fn parameters(&self) -> Option<usize> {
        let Self { vocab_size, n_positions, n_embd: width, n_layer, n_inner: neurons, .. } = *self;
        let squares = width.checked_mul(4)?.checked_add(neurons.checked_mul(2)?)?.checked_add(9)?.checked_mul(width)?;
        let blocks = squares.checked_add(neurons)?.checked_mul(n_layer)?;
        let rows = vocab_size.checked_mul(2)?.checked_add(n_positions)?.checked_add(2)?;
        rows.checked_mul(width)?.checked_add(blocks)
    }
}
