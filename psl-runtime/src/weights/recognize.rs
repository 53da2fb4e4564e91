//! From weights back to the instructions of table (72), by the tensors alone.
//!
//! Invariant: what is recognized computes the same as the weights, entry by entry; weights that no instructions have are
//! refused, never rounded.

use std::fmt;

use super::{Affine, Attribute, Block, Layer, Matching, Matrix, Weights};
use crate::qkvl::{CausalAttn, Function};
use crate::vocabulary::{ValueId, Vocabulary};

/// A layer or a repeat block.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A layer.
    Layer(Instructions),
    /// Layers that run again and again.
    Repeat {
        /// The block's label.
        label: Option<String>,
        /// The pair that ends the block; without it a pass does that changes nothing.
        until: Option<Vec<Slot>>,
        /// What is inside.
        steps: Vec<Step>,
    },
}

/// What one layer does. Registers are those of [`Weights::registers`], values are components.
#[derive(Clone, Debug, PartialEq)]
pub struct Instructions {
    /// The production's label.
    pub label: Option<String>,
    /// The conditions: all slots must match.
    pub slots: Vec<Slot>,
    /// The registers set, each to [`Form::Nothing`], a register or one constant.
    pub value: Vec<(usize, Form)>,
    /// Which cells are masked.
    pub causal_attn: Option<CausalAttn>,
    /// Whether the rightmost match is taken instead of the leftmost.
    pub right_match: bool,
}

/// One register of query and key. At least one of the two is no more than one-hot, so that it adds one to the dot product
/// or nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The register written.
    pub register: usize,
    /// In the query.
    pub query: Form,
    /// In the key.
    pub key: Form,
}

/// What an affine map writes to one register.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Zero.
    Nothing,
    /// (72a), (72b): a register's value.
    Register(usize, Option<Function>),
    /// (72e): the ones'-complement of a register's value.
    Not(usize, Option<Function>),
    /// (72c), or many-hot: these values, ascending.
    OneOf(Vec<u32>),
    /// (72d): all besides these, ascending.
    NoneOf(Vec<u32>),
}

/// Weights that no production has.
#[derive(Clone, Debug, PartialEq)]
pub struct NotPsl {
    /// The layer's number, from 1; for conditions that end a repeat block, that of the last layer before it.
    pub layer: usize,
    /// Whether it is about the conditions that end the block after that layer.
    pub until: bool,
    /// Which of the maps.
    pub attribute: Attribute,
    /// The short name of the register written.
    pub register: String,
    /// What no instruction does.
    pub cause: Cause,
}

/// What no instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// An entry of the block from that register is neither of an identity nor of a shift of the positions.
    Entry {
        /// The short name of the register read.
        source: String,
        /// The row: the value read.
        row: u32,
        /// The column: the value written.
        column: u32,
        /// What stands there.
        entry: f32,
    },
    /// A component of the bias is none of a one-hot or many-hot vector or its complement, or does not go with the block.
    Bias {
        /// The component.
        component: u32,
        /// What stands there.
        entry: f32,
    },
    /// Blocks from two registers add up.
    TwoSources,
    /// A register that holds no state is read or set.
    Stateless,
    /// A value sets a register to several values at once.
    SeveralValues,
    /// Query and key could match more than once.
    BothSides,
    /// Query and key write different registers, or not as many as the layer counts.
    Count,
}

impl fmt::Display for NotPsl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, &|component| component.to_string())
    }
}

impl NotPsl {
    /// The error in words, with the values that the components stand for.
    pub fn message(&self, vocabulary: &Vocabulary) -> String {
        let mut words = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut words, &|component| format!("`{}`", vocabulary.show(Some(ValueId(component)))));
        words
    }

    fn write(&self, out: &mut dyn fmt::Write, value: &dyn Fn(u32) -> String) -> fmt::Result {
        let Self { layer, until, attribute, register, cause } = self;
        let (map, bias) = match attribute {
            Attribute::Query => ("W_q", "b_q"),
            Attribute::Key => ("W_k", "b_k"),
            Attribute::Value => ("W_v", "b_v"),
        };
        let place = if *until { "the conditions that end the repeat block after layer" } else { "layer" };
        write!(out, "{place} {layer}, register `{register}`: ")?;
        match cause {
            Cause::Entry { source, row, column, entry } => write!(
                out,
                "{map} has {entry} from value {} of `{source}` to value {}, which neither copies a register nor counts a \
                 position up or down",
                value(*row),
                value(*column)
            ),
            Cause::Bias { component, entry } => write!(
                out,
                "{bias} has {entry} at value {}, which is no constant, no list of constants and no complement of one",
                value(*component)
            ),
            Cause::TwoSources => write!(out, "{map} adds up two registers; an instruction reads one"),
            Cause::Stateless => write!(out, "{map} uses a register that no cell holds"),
            Cause::SeveralValues => write!(out, "{map} and {bias} set it to several values at once"),
            Cause::BothSides => {
                out.write_str("query and key both are lists or complements; one of them must be one value")
            }
            Cause::Count => out.write_str("query and key do not have the registers that the layer counts"),
        }
    }
}

impl std::error::Error for NotPsl {}

/// Finds the instructions that have these weights. `unnamed` are components of values that the program cannot name: a list of
/// its constants leaves them all out, and the complement of one has them all. Where they do not say which of the two a bias
/// is, both compute the same for these values, and the shorter list is given.
///
/// Errors: the first map that is none of table (72).
pub fn recognize(weights: &Weights, unnamed: &[u32]) -> Result<Vec<Step>, NotPsl> {
    Recognizer { weights, unnamed, layer: 0, until: false }.steps(&weights.blocks)
}

struct Recognizer<'w> {
    weights: &'w Weights,
    unnamed: &'w [u32],
    layer: usize,
    until: bool,
}

impl Recognizer<'_> {
    fn steps(&mut self, blocks: &[Block]) -> Result<Vec<Step>, NotPsl> {
        let mut steps = Vec::with_capacity(blocks.len());
        for block in blocks {
            steps.push(match block {
                Block::Layer(layer) => {
                    self.layer += 1;
                    Step::Layer(self.instructions(layer)?)
                }
                Block::Repeat(repeat) => {
                    let inside = self.steps(&repeat.blocks)?;
                    self.until = true;
                    let until = repeat.until.as_ref().map(|matching| self.slots(matching)).transpose()?;
                    self.until = false;
                    Step::Repeat { label: repeat.label.clone(), until, steps: inside }
                }
            });
        }
        Ok(steps)
    }

    fn instructions(&self, layer: &Layer) -> Result<Instructions, NotPsl> {
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
        })
    }

    fn slots(&self, Matching { query, key, count }: &Matching) -> Result<Vec<Slot>, NotPsl> {
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

    /// The form of what a map writes to one of its targets.
    fn form(&self, attribute: Attribute, map: &Affine, target: usize) -> Result<Form, NotPsl> {
        let dimension = self.weights.dimension;
        let register = map.targets.get(target).copied().unwrap_or_default();
        let error = |cause| Err(self.error(attribute, register, cause));
        let bias = map.bias.get(target * dimension..(target + 1) * dimension).unwrap_or_default();
        let mut blocks = map.weights.iter().filter(|block| block.target == target && block.matrix.nonzero() > 0);
        let Some(block) = blocks.next() else {
            return match bias_form(bias, self.unnamed) {
                Ok(form) => Ok(form),
                Err(cause) => error(cause),
            };
        };
        if blocks.next().is_some() {
            return error(Cause::TwoSources);
        }
        if block.source >= self.weights.state_registers {
            return error(Cause::Stateless);
        }
        // The block's sign says whether it is a copy, without a bias, or a complement, with a bias of ones.
        let sign =
            (0..block.matrix.rows()).find_map(|row| block.matrix.row(row).first()).map_or(0.0, |&(_, entry)| entry);
        let (sign, filling) = if sign < 0.0 { (-1.0, 1.0) } else { (1.0, 0.0) };
        let function = match self.function(&block.matrix, sign) {
            Ok(function) => function,
            Err((row, column, entry)) => {
                return error(Cause::Entry { source: self.name(block.source), row, column, entry });
            }
        };
        #[allow(clippy::float_cmp, reason = "the entries are to be exactly these")]
        let odd = bias.iter().position(|&entry| entry != filling);
        match odd {
            Some(component) => {
                let entry = bias.get(component).copied().unwrap_or_default();
                error(Cause::Bias { component: component as u32, entry })
            }
            None if sign < 0.0 => Ok(Form::Not(block.source, function)),
            None => Ok(Form::Register(block.source, function)),
        }
    }

    /// Which values the block maps to which: all to themselves, or each position to the next or the one before. Otherwise
    /// an entry that does not belong, as row, column and what stands there.
    #[allow(clippy::float_cmp, reason = "the entries are to be exactly these")]
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

    /// The value that each value is mapped to.
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
        self.weights.registers.get(register).cloned().unwrap_or_default()
    }

    fn error(&self, attribute: Attribute, register: usize, cause: Cause) -> NotPsl {
        NotPsl { layer: self.layer, until: self.until, attribute, register: self.name(register), cause }
    }
}

impl Form {
    /// Whether it is one-hot or zero in every cell.
    fn is_plain(&self) -> bool {
        match self {
            Self::Nothing | Self::Register(..) => true,
            Self::OneOf(values) => values.len() == 1,
            Self::Not(..) | Self::NoneOf(_) => false,
        }
    }
}

#[allow(clippy::float_cmp, reason = "the entries are to be exactly these")]
fn bias_form(bias: &[f32], unnamed: &[u32]) -> Result<Form, Cause> {
    let (mut ones, mut zeros) = (Vec::new(), Vec::new());
    for (component, &entry) in (0..).zip(bias) {
        if entry == 1.0 {
            ones.push(component);
        } else if entry == 0.0 {
            zeros.push(component);
        } else {
            return Err(Cause::Bias { component, entry });
        }
    }
    if ones.is_empty() {
        return Ok(Form::Nothing);
    }
    let has = |value: &u32| bias.get(*value as usize) == Some(&1.0);
    let is_complement = match unnamed.split_first() {
        Some((first, others)) if others.iter().all(|other| has(other) == has(first)) => has(first),
        // No list of PSL is empty.
        _ => !zeros.is_empty() && zeros.len() < ones.len(),
    };
    Ok(if is_complement { Form::NoneOf(zeros) } else { Form::OneOf(ones) })
}
