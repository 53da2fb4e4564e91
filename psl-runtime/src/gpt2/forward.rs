//! The arithmetic of GPT-2, with the keys and values of earlier tokens kept. The result of each operation is rounded to
//! the model's precision, and sums within one are not.

use psl_syntax::index::{at, at_mut};

use super::{
    model::{BlockOfModel, Gpt2, Linear, Norm, Sparse},
    precision::Precision,
};

/// The keys and values of the tokens so far, of each block.
#[derive(Debug, Default)]
struct Cache {
    keys: Vec<f32>,
    values: Vec<f32>,
}

/// A model with the tokens that it has read.
pub struct Forward<'m> {
    model: &'m Gpt2<Sparse>,
    caches: Vec<Cache>,
    length: usize,
}

impl<'m> Forward<'m> {
    /// A model that has read nothing.
    pub fn new(model: &'m Gpt2<Sparse>) -> Self {
        Self { model, caches: model.blocks.iter().map(|_| Cache::default()).collect(), length: 0 }
    }

    /// The number of tokens read.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// Reads a token. Returns the logit of each token to follow. `visit` sees the residual stream after each block.
    pub fn read(&mut self, token: usize, mut visit: impl FnMut(usize, &[f32])) -> Vec<f32> {
        let model = self.model;
        let arithmetic = Arithmetic { precision: model.precision, epsilon: model.epsilon, heads: model.heads };
        let mut stream = model.wte.row(token).to_vec();
        arithmetic.add(&mut stream, model.wpe.row(self.length));
        self.length += 1;
        for (index, (block, cache)) in model.blocks.iter().zip(&mut self.caches).enumerate() {
            arithmetic.attend(block, cache, &mut stream);
            let normal = arithmetic.norm(&block.ln_2, &stream);
            let mut neurons = arithmetic.linear(&block.c_fc, &normal);
            for neuron in &mut neurons {
                *neuron = neuron.max(0.0);
            }
            arithmetic.add(&mut stream, &arithmetic.linear(&block.mlp_proj, &neurons));
            visit(index, &stream);
        }
        let normal = arithmetic.norm(&model.ln_f, &stream);
        (0..model.lm_head.rows).map(|token| arithmetic.round(dot(model.lm_head.row(token), &normal))).collect()
    }
}

struct Arithmetic {
    precision: Precision,
    epsilon: f32,
    heads: usize,
}

impl Arithmetic {
    fn round(&self, value: f32) -> f32 {
        self.precision.round(value)
    }

    fn attend(&self, block: &BlockOfModel<Sparse>, cache: &mut Cache, stream: &mut [f32]) {
        let width = stream.len();
        let all = self.linear(&block.c_attn, &self.norm(&block.ln_1, stream));
        let (query, rest) = all.split_at(width.min(all.len()));
        let (key, value) = rest.split_at(width.min(rest.len()));
        cache.keys.extend_from_slice(key);
        cache.values.extend_from_slice(value);
        let size = width / self.heads.max(1);
        let root = (size as f32).sqrt();
        let mut mixed = vec![0.0_f32; width];
        for head in 0..self.heads {
            let part = head * size..(head + 1) * size;
            let query = query.iter().copied().enumerate().skip(head * size).take(size);
            let query: Vec<(usize, f32)> = query.filter(|(_, value)| *value != 0.0).collect();
            let score = |key: &[f32]| {
                let products = query.iter().map(|(index, value)| value * at(key, *index));
                self.round(products.sum::<f32>() / root)
            };
            let mut weights: Vec<f32> = cache.keys.chunks_exact(width).map(score).collect();
            self.softmax(&mut weights);
            let slots = at_mut(&mut mixed, part.clone());
            for (weight, value) in weights.iter().zip(cache.values.chunks_exact(width)) {
                if *weight > 0.0 {
                    let value = at(value, part.clone());
                    slots.iter_mut().zip(value).for_each(|(sum, value)| *sum += weight * value);
                }
            }
            for sum in slots {
                *sum = self.round(*sum);
            }
        }
        self.add(stream, &self.linear(&block.attn_proj, &mixed));
    }

    fn norm(&self, norm: &Norm, stream: &[f32]) -> Vec<f32> {
        let count = stream.len() as f32;
        let mean = stream.iter().sum::<f32>() / count;
        let variance = stream.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
        let scale = 1.0 / (variance + self.epsilon).sqrt();
        let gains = norm.weight.iter().zip(&norm.bias);
        stream
            .iter()
            .zip(gains)
            .map(|(value, (weight, bias))| self.round((value - mean) * scale * weight + bias))
            .collect()
    }

    fn softmax(&self, scores: &mut [f32]) {
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for score in &mut *scores {
            *score = (*score - most).exp();
        }
        let sum: f32 = scores.iter().sum();
        for score in scores {
            *score = self.round(*score / sum);
        }
    }

    fn linear(&self, map: &Linear<Sparse>, input: &[f32]) -> Vec<f32> {
        let mut output = map.bias.clone();
        for (row, value) in input.iter().enumerate() {
            if *value != 0.0 {
                for (column, weight) in map.weight.row(row) {
                    if let Some(sum) = output.get_mut(*column as usize) {
                        *sum += value * weight;
                    }
                }
            }
        }
        for value in &mut output {
            *value = self.round(*value);
        }
        output
    }

    fn add(&self, stream: &mut [f32], more: &[f32]) {
        stream.iter_mut().zip(more).for_each(|(sum, value)| *sum = self.round(*sum + value));
    }
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The token with the greatest logit, and its distance from the second, in nats, which is NaN if a logit is not a
/// finite number.
pub fn best(logits: &[f32]) -> (usize, f32) {
    let (mut best, mut first, mut second) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
    if logits.iter().any(|logit| !logit.is_finite()) {
        return (best, f32::NAN);
    }
    for (token, &logit) in logits.iter().enumerate() {
        if logit > first {
            (best, second, first) = (token, first, logit);
        } else {
            second = second.max(logit);
        }
    }
    (best, first - second)
}
