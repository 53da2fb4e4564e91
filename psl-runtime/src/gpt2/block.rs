//! A block of the model under construction: attention, and neurons that move what it read.

use super::{
    attention::Attention,
    layout::{Block, Layout},
    model::{BlockOfModel, Dense, Linear, Norm},
};

/// The epsilon of every LayerNorm.
pub const EPSILON: f64 = 1e-5;

#[derive(Clone, Debug)]
struct Neuron {
    input: Vec<(usize, f64)>,
    bias: f64,
    output: Vec<(usize, f64)>,
}

/// A block of the model.
#[derive(Debug, Default)]
pub struct BlockBuilder {
    pub attentions: Vec<Attention>,
    neurons: Vec<Neuron>,
    neuron_bias: Vec<(usize, f64)>,
    /// The number of ones that attention adds.
    pub ones: usize,
    /// Components that are 0 before the neurons, for which the LayerNorm gives 1.
    pub units: Vec<usize>,
}

/// The sizes of a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelSizes {
    /// The components of the residual stream.
    pub width: usize,
    /// The dimensions of a head.
    pub head: usize,
    /// The neurons of a block.
    pub neurons: usize,
    /// The places of a sequence.
    pub length: usize,
}

impl BlockBuilder {
    /// Adds a constant to a component.
    pub fn neuron_bias(&mut self, component: usize, value: f64) {
        self.neuron_bias.push((component, value));
    }

    /// Adds neurons that move a value from the components at `write` to a part of a register, or keep it if the last
    /// one, none, is set.
    pub fn overwrite(&mut self, part: Block, write: usize) {
        self.ones += 1;
        let (values, none) = (part.length - 1, write + part.length - 1);
        for old in part.range() {
            self.neuron(&[(old, 2.0), (none, -2.0)], -1.0, &[(old, -1.0)]);
        }
        // Both sides of the step are flat, so that a new value is exact however often it is copied.
        for index in 0..values {
            self.step(&[(write + index, 4.0)], -1.5, &[(part.start + index, 1.0)]);
        }
        for component in write..=none {
            self.clear(component);
        }
    }

    /// Adds neurons that set a component to 0. What is left of a value would shift the next LayerNorm, and grow from
    /// block to block.
    pub fn clear(&mut self, component: usize) {
        self.neuron(&[(component, 1.0)], 0.0, &[(component, -1.0)]);
        self.neuron(&[(component, -1.0)], 0.0, &[(component, 1.0)]);
    }

    /// Adds a neuron: `output` times max(0, input + bias).
    pub fn neuron(&mut self, input: &[(usize, f64)], bias: f64, output: &[(usize, f64)]) {
        self.neurons.push(Neuron { input: input.to_vec(), bias, output: output.to_vec() });
    }

    /// Adds two neurons: `output` times min(1, max(0, input + bias)).
    pub fn step(&mut self, input: &[(usize, f64)], bias: f64, output: &[(usize, f64)]) {
        self.neuron(input, bias, output);
        let less: Vec<_> = output.iter().map(|(component, value)| (*component, -value)).collect();
        self.neuron(input, bias - 1.0, &less);
    }

    /// Adds neurons: `output` if one component of each group is 1.
    pub fn all_of(&mut self, groups: &[&[usize]], output: &[(usize, f64)]) {
        let input: Vec<_> = groups.iter().copied().flatten().map(|component| (*component, 4.0)).collect();
        self.step(&input, 1.5 - 4.0 * groups.len() as f64, output);
    }

    /// The number of neurons.
    pub const fn neurons(&self) -> usize {
        self.neurons.len()
    }

    /// The parameters.
    pub fn finish(&self, layout: &Layout, sizes: &ModelSizes) -> BlockOfModel {
        let &ModelSizes { width, head, neurons, length } = sizes;
        let mut c_attn = Linear { weight: Dense::zeros(width, 3 * width), bias: vec![0.0; 3 * width] };
        let mut attn_proj = Linear { weight: Dense::zeros(width, width), bias: vec![0.0; width] };
        let mut first = 0;
        for attention in &self.attentions {
            attention.write(first, head, length, &mut c_attn, &mut attn_proj);
            first += attention.heads(head);
        }
        let mut c_fc = Linear { weight: Dense::zeros(width, neurons), bias: vec![-1.0; neurons] };
        let mut mlp_proj = Linear { weight: Dense::zeros(neurons, width), bias: vec![0.0; width] };
        for (index, neuron) in self.neurons.iter().enumerate() {
            neuron.input.iter().for_each(|(component, value)| c_fc.weight.add(*component, index, *value));
            // Unused neurons have a bias of -1.
            c_fc.add_bias(index, neuron.bias + 1.0);
            neuron.output.iter().for_each(|(component, value)| mlp_proj.weight.add(index, *component, *value));
        }
        for (component, value) in &self.neuron_bias {
            mlp_proj.add_bias(*component, *value);
        }
        let ones = self.ones as f64;
        let mut ln_2 = undone(moments(layout, width, ones, ones), width);
        for &component in &self.units {
            if let (Some(weight), Some(bias)) = (ln_2.weight.get_mut(component), ln_2.bias.get_mut(component)) {
                (*weight, *bias) = (0.0, 1.0);
            }
        }
        BlockOfModel { ln_1: undone(moments(layout, width, 0.0, 0.0), width), c_attn, attn_proj, ln_2, c_fc, mlp_proj }
    }
}

/// The LayerNorm that returns its input, whose mean and variance are known.
fn undone((mean, variance): (f64, f64), width: usize) -> Norm {
    let gain = (variance + EPSILON).sqrt() as f32;
    Norm { weight: vec![gain; width], bias: vec![mean as f32; width] }
}

/// The mean and the variance of the stream: one 1 in each block, the squares of the place, which add up to 2, and `sum`
/// and `squares` more.
pub fn moments(layout: &Layout, width: usize, sum: f64, squares: f64) -> (f64, f64) {
    let width = width as f64;
    let mean = (layout.blocks as f64 + sum) / width;
    (mean, (layout.blocks as f64 + 2.0 + squares) / width - mean * mean)
}
