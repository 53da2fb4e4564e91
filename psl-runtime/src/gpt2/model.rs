//! The parameters of a GPT-2 with ReLU, in the layout of transformers: `x W + b`, with W of shape [inputs, outputs].

use psl_syntax::index::{at, at_mut};

use super::precision::Precision;

/// A matrix in row-major order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dense {
    pub rows: usize,
    pub columns: usize,
    pub entries: Vec<f32>,
}

impl Dense {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        *at_mut(&mut self.entries, row * self.columns + column) += value as f32;
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f32] {
        at(&self.entries, row * self.columns..(row + 1) * self.columns)
    }
}

/// A matrix as the nonzero entries of each row. In a checkpoint nearly all entries are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    pub rows: usize,
    pub columns: usize,
    /// The first entry of each row, and the end of the last.
    starts: Vec<usize>,
    entries: Vec<(u32, f32)>,
}

impl Sparse {
    /// The entries of a row, by column.
    pub fn row(&self, row: usize) -> &[(u32, f32)] {
        at(&self.entries, *at(&self.starts, row)..*at(&self.starts, row + 1))
    }
}

impl From<Dense> for Sparse {
    fn from(matrix: Dense) -> Self {
        let mut entries = Vec::new();
        let mut starts = vec![0];
        for row in 0..matrix.rows {
            entries.extend((0..).zip(matrix.row(row).iter().copied()).filter(|(_, value)| *value != 0.0));
            starts.push(entries.len());
        }
        Self { rows: matrix.rows, columns: matrix.columns, starts, entries }
    }
}

/// A gain and a bias of a LayerNorm.
#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

/// An affine map.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear<M = Dense> {
    pub weight: M,
    pub bias: Vec<f32>,
}

impl Linear {
    /// Adds to an entry of the bias.
    pub fn add_bias(&mut self, index: usize, value: f64) {
        if let Some(entry) = self.bias.get_mut(index) {
            *entry += value as f32;
        }
    }
}

/// A block of attention and neurons.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockOfModel<M = Dense> {
    pub ln_1: Norm,
    /// Queries, keys and values, one after another.
    pub c_attn: Linear<M>,
    pub attn_proj: Linear<M>,
    pub ln_2: Norm,
    pub c_fc: Linear<M>,
    pub mlp_proj: Linear<M>,
}

/// A whole model.
#[derive(Clone, Debug, PartialEq)]
pub struct Gpt2<M = Dense> {
    pub precision: Precision,
    pub heads: usize,
    pub epsilon: f32,
    /// The embedding of each token.
    pub wte: Dense,
    /// The embedding of each place in the sequence.
    pub wpe: Dense,
    pub blocks: Vec<BlockOfModel<M>>,
    pub ln_f: Norm,
    /// The row of each token.
    pub lm_head: Dense,
}

impl Gpt2<Sparse> {
    /// The number of parameters.
    pub fn parameters(&self) -> usize {
        let linear = |map: &Linear<Sparse>| map.weight.rows * map.weight.columns + map.bias.len();
        let norm = |norm: &Norm| norm.weight.len() + norm.bias.len();
        let block = |block: &BlockOfModel<Sparse>| {
            [&block.c_attn, &block.attn_proj, &block.c_fc, &block.mlp_proj].into_iter().map(linear).sum::<usize>()
                + norm(&block.ln_1)
                + norm(&block.ln_2)
        };
        let embeddings = [&self.wte, &self.wpe, &self.lm_head].into_iter().map(|matrix| matrix.entries.len());
        embeddings.sum::<usize>() + self.blocks.iter().map(block).sum::<usize>() + norm(&self.ln_f)
    }

    /// The model in another format.
    #[must_use]
    pub fn in_precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        let round = |value: &mut f32| *value = precision.round(*value);
        for matrix in [&mut self.wte, &mut self.wpe, &mut self.lm_head] {
            matrix.entries.iter_mut().for_each(round);
        }
        for block in &mut self.blocks {
            for map in [&mut block.c_attn, &mut block.attn_proj, &mut block.c_fc, &mut block.mlp_proj] {
                map.weight.entries.iter_mut().map(|(_, value)| value).chain(&mut map.bias).for_each(round);
            }
        }
        let norms = self.blocks.iter_mut().flat_map(|block| [&mut block.ln_1, &mut block.ln_2]);
        for norm in norms.chain([&mut self.ln_f]) {
            norm.weight.iter_mut().chain(&mut norm.bias).for_each(round);
        }
        self
    }
}

/// A tensor with its name and shape.
pub type Tensor<'m> = (String, Vec<usize>, &'m [f32]);

/// The tensors by their names in transformers.
pub fn tensors(model: &Gpt2) -> Vec<Tensor<'_>> {
    let mut tensors = vec![
        of_matrix("transformer.wte.weight", &model.wte),
        of_matrix("transformer.wpe.weight", &model.wpe),
        of_matrix("lm_head.weight", &model.lm_head),
    ];
    tensors.extend(of_norm("transformer.ln_f", &model.ln_f));
    for (index, block) in model.blocks.iter().enumerate() {
        let name = |part: &str| name_in_block(index, part);
        tensors.extend(of_norm(&name("ln_1"), &block.ln_1));
        tensors.extend(of_norm(&name("ln_2"), &block.ln_2));
        tensors.extend(of_linear(&name("attn.c_attn"), &block.c_attn));
        tensors.extend(of_linear(&name("attn.c_proj"), &block.attn_proj));
        tensors.extend(of_linear(&name("mlp.c_fc"), &block.c_fc));
        tensors.extend(of_linear(&name("mlp.c_proj"), &block.mlp_proj));
    }
    tensors
}

/// The name of a tensor of a block.
pub fn name_in_block(index: usize, part: &str) -> String {
    format!("transformer.h.{index}.{part}")
}

fn of_matrix<'m>(name: &str, matrix: &'m Dense) -> Tensor<'m> {
    (name.to_owned(), vec![matrix.rows, matrix.columns], &matrix.entries)
}

fn of_norm<'m>(name: &str, norm: &'m Norm) -> [Tensor<'m>; 2] {
    let size = vec![norm.weight.len()];
    [(format!("{name}.weight"), size.clone(), &norm.weight), (format!("{name}.bias"), size, &norm.bias)]
}

fn of_linear<'m>(name: &str, map: &'m Linear) -> [Tensor<'m>; 2] {
    [of_matrix(&format!("{name}.weight"), &map.weight), (format!("{name}.bias"), vec![map.bias.len()], &map.bias)]
}
