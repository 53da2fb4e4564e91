//! Converts weights back to the instructions of table (72), from the tensors alone.
//!
//! Invariant: the instructions compute exactly what the weights compute, entry by entry. Weights without instructions
//! are refused, never rounded.

use std::sync::Arc;

use psl_syntax::{index::at, program::Function};
use rustc_hash::FxHashMap;

use super::{
    bias::Bias,
    describe::Attribute,
    instructions::{Form, InstructionBlock, Instructions, Slot},
    matrix::Matrix,
    parameters::{Affine, HeadWeights, Matching, Weights, WeightsBlock},
    recognize_error::{Cause, RecognizeError},
};

/// Returns the instructions that have these weights. `unnamed` are the components of values that the program cannot
/// name: a list of its constants contains none of them, and the complement of one contains all. If they do not decide
/// between the two, both compute the same, and the shorter list is returned.
///
/// # Errors
///
/// The first map that is not in table (72).
pub fn recognize(weights: &Weights, unnamed: &[u32]) -> Result<Vec<InstructionBlock>, RecognizeError> {
    Recognizer { weights, unnamed, layer: 0, until: false, functions: FxHashMap::default() }.steps(&weights.blocks)
}

struct Recognizer<'w> {
    weights: &'w Weights,
    unnamed: &'w [u32],
    layer: usize,
    until: bool,
    /// The signs and functions of blocks, which many maps share.
    functions: FxHashMap<*const Matrix, (f32, Option<Function>)>,
}

impl Recognizer<'_> {
    fn steps(&mut self, blocks: &[WeightsBlock]) -> Result<Vec<InstructionBlock>, RecognizeError> {
        let mut steps = Vec::with_capacity(blocks.len());
        for block in blocks {
            steps.push(match block {
                WeightsBlock::Layer(layer) => {
                    self.layer += 1;
                    InstructionBlock::Layer(Arc::new(self.instructions(layer)?))
                }
                WeightsBlock::Repeat(repeat) => {
                    let inside = self.steps(&repeat.blocks)?;
                    self.until = true;
                    let until = repeat.until.as_ref().map(|matching| self.slots(matching)).transpose()?;
                    self.until = false;
                    InstructionBlock::Repeat { label: repeat.label.clone(), until, blocks: inside }
                }
            });
        }
        Ok(steps)
    }

    fn instructions(&mut self, layer: &HeadWeights) -> Result<Instructions, RecognizeError> {
        let mut value = Vec::with_capacity(layer.value.targets.len());
        for (index, &register) in layer.value.targets.iter().enumerate() {
            let form = self.form(Attribute::Value, &layer.value, index)?;
            if register >= self.weights.state_registers {
                return Err(self.error(Attribute::Value, register, Cause::Stateless));
            }
            if !form.is_plain() {
                return Err(self.error(Attribute::Value, register, Cause::SeveralValues));
            }
            value.push((register, form));
        }
        Ok(Instructions {
            label: layer.label.clone(),
            slots: self.slots(&layer.matching)?,
            value,
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
            shares_layer: layer.shares_layer,
        })
    }

    fn slots(&mut self, Matching { query, key, count }: &Matching) -> Result<Vec<Slot>, RecognizeError> {
        let mut slots = Vec::with_capacity(query.targets.len());
        for (index, &register) in query.targets.iter().enumerate() {
            if key.targets.get(index) != Some(&register) {
                return Err(self.error(Attribute::Key, register, Cause::Count));
            }
            let slot = Slot {
                register,
                query: self.form(Attribute::Query, query, index)?,
                key: self.form(Attribute::Key, key, index)?,
            };
            if !slot.query.is_plain() && !slot.key.is_plain() {
                return Err(self.error(Attribute::Key, register, Cause::BothSides));
            }
            slots.push(slot);
        }
        if slots.len() == *count && key.targets.len() == *count {
            return Ok(slots);
        }
        let last = query.targets.last().or(key.targets.last()).copied().unwrap_or_default();
        Err(self.error(Attribute::Query, last, Cause::Count))
    }

    /// The form that a map writes to one of its targets.
    fn form(&mut self, attribute: Attribute, map: &Affine, target: usize) -> Result<Form, RecognizeError> {
        let register = *at(&map.targets, target);
        let Some(bias) = map.bias.get(target) else { return Ok(Form::Nothing) };
        let mut blocks = map.weights.iter().filter(|block| block.target == target && block.matrix.nonzero() > 0);
        let Some(block) = blocks.next() else {
            return bias_form(bias, self.unnamed).map_err(|cause| self.error(attribute, register, cause));
        };
        if blocks.next().is_some() {
            return Err(self.error(attribute, register, Cause::TwoSources));
        }
        if block.source >= self.weights.state_registers {
            return Err(self.error(attribute, register, Cause::Stateless));
        }
        let (sign, function) = match self.sign_and_function(&block.matrix) {
            Ok(both) => both,
            Err((row, column, entry)) => {
                let cause = Cause::Entry { source: self.name(block.source), row, column, entry };
                return Err(self.error(attribute, register, cause));
            }
        };
        // A positive block without a bias is a copy, a negative one with a bias of ones is a complement.
        let filling = if sign < 0.0 { 1.0 } else { 0.0 };
        match bias.other_than(filling).next() {
            Some((component, entry)) => Err(self.error(attribute, register, Cause::Bias { component, entry })),
            None if sign < 0.0 => Ok(Form::Not(block.source, function)),
            None => Ok(Form::Register(block.source, function)),
        }
    }

    /// The sign of the block's entries, and its function or the entry that does not fit.
    fn sign_and_function(&mut self, matrix: &Arc<Matrix>) -> Result<(f32, Option<Function>), (u32, u32, f32)> {
        if let Some(known) = self.functions.get(&Arc::as_ptr(matrix)) {
            return Ok(*known);
        }
        let first = (0..matrix.rows()).find_map(|row| matrix.row(row).first()).map_or(0.0, |&(_, entry)| entry);
        let sign = if first < 0.0 { -1.0 } else { 1.0 };
        let found = (sign, self.function(matrix, sign)?);
        self.functions.insert(Arc::as_ptr(matrix), found);
        Ok(found)
    }

    /// The function of the block: `None` for the identity, otherwise the shift that maps each position to the next or
    /// the previous one. The error is an entry that does not fit, as row, column and value.
    #[allow(clippy::float_cmp)] // The entries must be exact.
    fn function(&self, matrix: &Matrix, sign: f32) -> Result<Option<Function>, (u32, u32, f32)> {
        let dimension = self.weights.dimension as u32;
        let mut images = Vec::with_capacity(matrix.rows());
        for row in 0..dimension {
            images.push(match matrix.row(row as usize) {
                [] => None,
                [(column, entry)] if *entry == sign => Some(*column),
                [.., (column, entry)] => return Err((row, *column, *entry)),
            });
        }
        let mut nearest = (usize::MAX, (0, 0, 0.0));
        for function in [None, Some(Function::PosIncrement), Some(Function::PosDecrement)] {
            let expected = self.images(function);
            let odd = || (0..dimension).zip(images.iter().zip(&expected)).filter(|(_, (is, should))| is != should);
            let Some((row, (is, should))) = odd().next() else { return Ok(function) };
            let entry = (row, is.or(*should).unwrap_or_default(), if is.is_some() { sign } else { 0.0 });
            if odd().count() < nearest.0 {
                nearest = (odd().count(), entry);
            }
        }
        Err(nearest.1)
    }

    /// The image of each value.
    fn images(&self, function: Option<Function>) -> Vec<Option<u32>> {
        let Weights { dimension, positions, .. } = self.weights;
        let Some(function) = function else { return (0..*dimension as u32).map(Some).collect() };
        let mut images = vec![None; *dimension];
        for (&low, &high) in positions.iter().zip(positions.iter().skip(1)) {
            let (from, to) = match function {
                Function::PosIncrement => (low, high),
                Function::PosDecrement => (high, low),
            };
            if let Some(image) = images.get_mut(from as usize) {
                *image = Some(to);
            }
        }
        images
    }

    fn name(&self, register: usize) -> String {
        at(&self.weights.registers, register).clone()
    }

    fn error(&self, attribute: Attribute, register: usize, cause: Cause) -> RecognizeError {
        RecognizeError { layer: self.layer, until: self.until, attribute, register: self.name(register), cause }
    }
}

#[allow(clippy::float_cmp)] // The entries must be exact.
fn bias_form(bias: &Bias, unnamed: &[u32]) -> Result<Form, Cause> {
    if let Some((component, entry)) = bias.odd().next() {
        return Err(Cause::Bias { component, entry });
    }
    let ones = bias.ones();
    if ones == 0 {
        return Ok(Form::Nothing);
    }
    let zeros = bias.dimension() - ones;
    let has = |value: &u32| bias.get(*value) == 1.0;
    let is_complement = match unnamed.split_first() {
        Some((first, others)) if others.iter().all(|other| has(other) == has(first)) => has(first),
        // A list in PSL is never empty.
        _ => zeros > 0 && zeros < ones,
    };
    let but = |value: f32| bias.other_than(value).map(|(component, _)| component).collect();
    Ok(if is_complement { Form::NoneOf(but(1.0)) } else { Form::OneOf(but(0.0)) })
}
