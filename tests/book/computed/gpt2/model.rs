//! The checkpoint of the page's program, and the arithmetic of GPT-2 in 64 bits.

use psl_program::{BuiltCheckpoint, CheckpointOptions, Runner, VocabularyNeeds, checkpoint};
use psl_runtime::gpt2::Meaning;
use serde_json::Value;

use super::super::{
    arithmetic::{Vector, dot, sum, times},
    head::first_block,
};

const PAGE: &str = include_str!("../../../../docs/gpt2.md");

/// The block of the layer that the page explains: the second production.
pub const LAYER: usize = 2;

/// The program of the page as a GPT-2.
pub struct PageModel {
    pub meaning: Meaning,
    /// The text of each token.
    pub texts: Vec<String>,
    /// The tokens of the prompt and of its continuation, without the one that ends it.
    pub tokens: Vec<usize>,
    /// The number of tokens of the prompt.
    pub prompt: usize,
    pub heads: usize,
    epsilon: f64,
    pub wte: Vec<Vector>,
    pub wpe: Vec<Vector>,
    pub blocks: Vec<Block>,
    ln_f: Norm,
    lm_head: Vec<Vector>,
}

/// The parameters of a block.
pub struct Block {
    pub ln_1: Norm,
    pub c_attn: Linear,
    attn_proj: Linear,
    pub ln_2: Norm,
    pub c_fc: Linear,
    pub mlp_proj: Linear,
}

pub struct Norm {
    pub weight: Vector,
    pub bias: Vector,
}

pub struct Linear {
    pub weight: Vec<Vector>,
    pub bias: Vector,
}

/// The entries of a matrix, of which `row` has those that are not 0.
fn dense<'r>(rows: usize, columns: usize, row: impl Fn(usize) -> &'r [(u32, f32)]) -> Vec<f32> {
    let mut entries = vec![0.0; rows * columns];
    for at in 0..rows {
        for &(column, value) in row(at) {
            entries[at * columns + column as usize] = value;
        }
    }
    entries
}

/// The vectors of a token in a block.
pub struct Pass {
    pub before: Vector,
    /// The queries, the keys and the values of all heads.
    pub projected: Vector,
    pub attended: Vector,
    /// The inputs of the neurons, before ReLU.
    pub neurons: Vector,
    pub after: Vector,
}

impl PageModel {
    /// The checkpoint that `psl compile` writes for the page.
    pub fn new() -> Self {
        let program = psl_syntax::check(first_block(PAGE, "psl")).analysis.program;
        let runner = Runner::new(&program);
        let needs = VocabularyNeeds::of_tests(&runner).expect("a test");
        let options = CheckpointOptions { max_prompt: Some(4), max_new: Some(2), ..CheckpointOptions::default() };
        let BuiltCheckpoint { files, made, .. } = checkpoint(&runner, &needs, &options).expect("a checkpoint");
        let tokenizer = files.iter().find(|file| file.name == "tokenizer.json").expect("a tokenizer");
        let (tokens, model) = (made.prompt(&["a", "b", ".", "a"]), &made.model);
        let block = |index: usize| {
            let block = &model.blocks[index];
            macro_rules! linear {
                ($map:ident) => {{
                    let weight = &block.$map.weight;
                    Linear::new(&dense(weight.rows, weight.columns, |row| weight.row(row)), &block.$map.bias)
                }};
            }
            Block {
                ln_1: Norm::new(&block.ln_1.weight, &block.ln_1.bias),
                c_attn: linear!(c_attn),
                attn_proj: linear!(attn_proj),
                ln_2: Norm::new(&block.ln_2.weight, &block.ln_2.bias),
                c_fc: linear!(c_fc),
                mlp_proj: linear!(mlp_proj),
            }
        };
        let width = model.wte.columns;
        let mut page = Self {
            texts: texts(&serde_json::from_slice(&tokenizer.bytes).expect("JSON")),
            prompt: tokens.len(),
            tokens,
            heads: model.heads,
            epsilon: f64::from(model.epsilon),
            wte: matrix(&model.wte.entries, width),
            wpe: matrix(&model.wpe.entries, width),
            blocks: (0..model.blocks.len()).map(block).collect(),
            ln_f: Norm::new(&model.ln_f.weight, &model.ln_f.bias),
            lm_head: matrix(&model.lm_head.entries, width),
            meaning: made.meaning,
        };
        let stop = format!(" {}", page.meaning.stop);
        for _ in 0..page.meaning.max_new * page.meaning.cell.len() {
            let (token, _) = page.ranked(page.tokens.len() - 1)[0];
            if page.texts[token] == stop {
                return page;
            }
            page.tokens.push(token);
        }
        panic!("the model does not generate the stop symbol: {:?}", page.tokens);
    }

    /// The vectors of each token in each block.
    pub fn passes(&self) -> Vec<Vec<Pass>> {
        let embedded = self.tokens.iter().zip(&self.wpe).map(|(token, place)| sum(&self.wte[*token], 1.0, place));
        let mut streams: Vec<Vector> = embedded.collect();
        let mut passes = Vec::new();
        for block in &self.blocks {
            let of_block: Vec<Pass> = self.pass(block, &streams);
            streams = of_block.iter().map(|pass| pass.after.clone()).collect();
            passes.push(of_block);
        }
        passes
    }

    fn pass(&self, block: &Block, streams: &[Vector]) -> Vec<Pass> {
        let projected: Vec<Vector> =
            streams.iter().map(|it| block.c_attn.apply(&self.normal(&block.ln_1, it))).collect();
        let weights: Vec<Vec<Vector>> = (0..self.heads).map(|head| self.weights_of(&projected, head)).collect();
        let pass = |(token, before): (usize, &Vector)| {
            let width = before.len();
            let size = width / self.heads;
            let of_head = |head: usize| {
                let values: Vec<Vector> =
                    projected.iter().map(|it| it[2 * width + head * size..][..size].to_vec()).collect();
                times(&weights[head][token], &values[..=token])
            };
            let mixed: Vector = (0..self.heads).flat_map(of_head).collect();
            let attended = sum(before, 1.0, &block.attn_proj.apply(&mixed));
            let neurons = block.c_fc.apply(&self.normal(&block.ln_2, &attended));
            let active: Vector = neurons.iter().map(|it| it.max(0.0)).collect();
            let after = sum(&attended, 1.0, &block.mlp_proj.apply(&active));
            Pass { before: before.clone(), projected: projected[token].clone(), attended, neurons, after }
        };
        streams.iter().enumerate().map(pass).collect()
    }

    /// The scores of a head: the scaled dot products of each query with the keys up to its token.
    pub fn scores_of(&self, projected: &[Vector], head: usize) -> Vec<Vector> {
        let width = projected[0].len() / 3;
        let size = width / self.heads;
        let part = |it: &Vector, from: usize| it[from + head * size..][..size].to_vec();
        let row = |(token, query): (usize, &Vector)| {
            let keys = projected[..=token].iter().map(|key| part(key, width));
            keys.map(|key| dot(&part(query, 0), &key) / number(size).sqrt()).collect()
        };
        projected.iter().enumerate().map(row).collect()
    }

    /// The weights of a head: the softmax of its scores.
    pub fn weights_of(&self, projected: &[Vector], head: usize) -> Vec<Vector> {
        let softmax = |scores: Vector| {
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let exponents: Vector = scores.iter().map(|score| (score - most).exp()).collect();
            let total: f64 = exponents.iter().sum();
            exponents.iter().map(|it| it / total).collect()
        };
        self.scores_of(projected, head).into_iter().map(softmax).collect()
    }

    /// A stream after a LayerNorm.
    pub fn normal(&self, norm: &Norm, stream: &[f64]) -> Vector {
        let (mean, variance) = moments(stream);
        let scale = (variance + self.epsilon).sqrt();
        let parts = stream.iter().zip(norm.weight.iter().zip(&norm.bias));
        parts.map(|(it, (weight, bias))| (it - mean) / scale * weight + bias).collect()
    }

    /// The tokens to follow a token, the most likely first, with their logits.
    pub fn ranked(&self, place: usize) -> Vec<(usize, f64)> {
        let passes = self.passes();
        let stream = &passes.last().expect("a block")[place].after;
        let normal = self.normal(&self.ln_f, stream);
        let mut logits: Vec<(usize, f64)> = self.lm_head.iter().map(|row| dot(row, &normal)).enumerate().collect();
        // Equal but for rounding is equal.
        logits.sort_by_key(|(_, logit)| -(logit * 10.0).round() as i64);
        logits
    }
}

impl Norm {
    fn new(weight: &[f32], bias: &[f32]) -> Self {
        Self { weight: vector(weight), bias: vector(bias) }
    }
}

impl Linear {
    fn new(entries: &[f32], bias: &[f32]) -> Self {
        Self { weight: matrix(entries, bias.len()), bias: vector(bias) }
    }

    fn apply(&self, vector: &[f64]) -> Vector {
        sum(&self.bias, 1.0, &times(vector, &self.weight))
    }
}

/// The mean and the variance of a vector.
pub fn moments(vector: &[f64]) -> (f64, f64) {
    let count = number(vector.len());
    let mean = vector.iter().sum::<f64>() / count;
    (mean, vector.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count)
}

fn texts(tokenizer: &Value) -> Vec<String> {
    let added = tokenizer["added_tokens"].as_array().expect("tokens").iter();
    let added = added.map(|token| (token["content"].as_str().expect("a text").to_owned(), token["id"].clone()));
    let words = tokenizer["model"]["vocab"].as_object().expect("a vocabulary").iter();
    let mut all: Vec<(u64, String)> = words
        .map(|(text, id)| (text.clone(), id.clone()))
        .chain(added)
        .map(|(text, id)| (id.as_u64().expect("a number"), text))
        .collect();
    all.sort();
    all.dedup();
    all.into_iter().map(|(_, text)| text).collect()
}

fn number(size: usize) -> f64 {
    f64::from(u32::try_from(size).expect("a size"))
}

fn vector(numbers: &[f32]) -> Vector {
    numbers.iter().copied().map(f64::from).collect()
}

fn matrix(entries: &[f32], columns: usize) -> Vec<Vector> {
    entries.chunks(columns).map(vector).collect()
}
