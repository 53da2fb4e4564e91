//! The parameters of a checkpoint, read from their file. Their shapes are those of the configuration.

use psl_syntax::index::at;
use safetensors::SafeTensors;

use super::{
    checkpoint_error::CheckpointError,
    config::Config,
    files::{PARAMETERS, dtype},
    model::{BlockOfModel, Dense, Gpt2, Linear, Norm, Sparse, name_in_block},
    precision::Precision,
};

/// The tensors that are in no block, and those of a block.
const TENSORS: usize = 5;
const TENSORS_IN_BLOCK: usize = 12;

/// Reads the parameters.
pub fn read(config: &Config, bytes: &[u8]) -> Result<Gpt2<Sparse>, CheckpointError> {
    let wrong = |reason: String| CheckpointError::new(PARAMETERS, reason);
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| wrong(error.to_string()))?;
    let read = Reader { tensors, precision: config.precision()? };
    let Config { n_embd: width, n_inner: neurons, vocab_size, .. } = *config;
    let block = |index: usize| {
        let name = |part: &str| name_in_block(index, part);
        Ok(BlockOfModel {
            ln_1: read.norm(&name("ln_1"), width)?,
            c_attn: read.linear(&name("attn.c_attn"), [width, 3 * width])?,
            attn_proj: read.linear(&name("attn.c_proj"), [width, width])?,
            ln_2: read.norm(&name("ln_2"), width)?,
            c_fc: read.linear(&name("mlp.c_fc"), [width, neurons])?,
            mlp_proj: read.linear(&name("mlp.c_proj"), [neurons, width])?,
        })
    };
    let model = Gpt2 {
        precision: read.precision,
        heads: config.n_head,
        epsilon: config.layer_norm_epsilon as f32,
        wte: read.matrix("transformer.wte.weight", [vocab_size, width])?,
        wpe: read.matrix("transformer.wpe.weight", [config.n_positions, width])?,
        blocks: (0..config.n_layer).map(block).collect::<Result<_, CheckpointError>>()?,
        ln_f: read.norm("transformer.ln_f", width)?,
        lm_head: read.matrix("lm_head.weight", [vocab_size, width])?,
    };
    let (found, expected) = (read.tensors.len(), tensor_count(config));
    if found > expected {
        let reason = format!(
            "it has {found} tensors, and a model with the `n_layer` {} of config.json has {expected}",
            config.n_layer
        );
        return Err(wrong(reason));
    }
    Ok(model)
}

/// The most bytes of the file: those of the parameters, and a header with room for the names of all tensors.
pub fn most_bytes(config: &Config) -> Result<u64, CheckpointError> {
    const HEADER_OF_TENSOR: usize = 1024;
    let parameters = config.parameters().unwrap_or_default().saturating_mul(config.precision()?.bytes());
    let header = tensor_count(config).saturating_add(1).saturating_mul(HEADER_OF_TENSOR);
    Ok(parameters.saturating_add(header) as u64)
}

/// The number of tensors.
const fn tensor_count(config: &Config) -> usize {
    TENSORS.saturating_add(TENSORS_IN_BLOCK.saturating_mul(config.n_layer))
}

struct Reader<'b> {
    tensors: SafeTensors<'b>,
    precision: Precision,
}

impl Reader<'_> {
    /// The entries of a tensor, once its shape and dtype are known to be right.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, CheckpointError> {
        let wrong = |reason: String| CheckpointError::new(PARAMETERS, reason);
        let view = self.tensors.tensor(name).map_err(|error| wrong(format!("{name}: {error}")))?;
        if view.shape() != shape {
            return Err(wrong(format!("{name} has the shape {:?}, and by config.json {shape:?}", view.shape())));
        }
        if view.dtype() != dtype(self.precision) {
            return Err(wrong(format!("{name} has another dtype than {}, that of config.json", self.precision.name())));
        }
        let entries = self.precision.decode(view.data());
        match entries.iter().position(|entry| !entry.is_finite()) {
            Some(index) => Err(wrong(format!(
                "{name} has {} at the entry {index}, which is not a finite number",
                at(&entries, index)
            ))),
            None => Ok(entries),
        }
    }

    fn matrix(&self, name: &str, [rows, columns]: [usize; 2]) -> Result<Dense, CheckpointError> {
        Ok(Dense { rows, columns, entries: self.tensor(name, &[rows, columns])? })
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, CheckpointError> {
        let [weight, bias] = ["weight", "bias"].map(|part| self.tensor(&format!("{name}.{part}"), &[width]));
        Ok(Norm { weight: weight?, bias: bias? })
    }

    fn linear(&self, name: &str, shape: [usize; 2]) -> Result<Linear<Sparse>, CheckpointError> {
        let weight = Sparse::from(self.matrix(&format!("{name}.weight"), shape)?);
        Ok(Linear { bias: self.tensor(&format!("{name}.bias"), &[weight.columns])?, weight })
    }
}
