//! Converts weights back to QKVL, from the tensors alone. The metadata gives the names.

use psl_syntax::{index::at, program::ProductionId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    file::Model,
    instructions::{Form, InstructionBlock, Instructions, Slot},
    recognize::recognize,
};
use crate::{
    decompile::DecompileError,
    heads::{HeadPlace, place_of},
    qkvl::{self, Attributes, Block, Repeat, Slots, Source, Term, Until},
    vocabulary::ValueId,
};

/// The program that has these weights. The program has these weights for other vocabularies too if some value, such as
/// a position, is not a constant in the metadata: that value distinguishes a list from its complement.
///
/// # Errors
///
/// Weights that no program has.
pub fn program(model: &Model) -> Result<qkvl::Program, DecompileError> {
    let named: FxHashSet<&str> = model.names.constants().into_iter().collect();
    let values = (0..).zip(model.vocabulary.iter());
    let unnamed: Vec<u32> =
        values.filter(|(_, value)| !named.contains(value)).map(|(component, _)| component).collect();
    let steps = recognize(&model.weights, &unnamed).map_err(|found| DecompileError {
        place: "the weights".to_owned(),
        cause: found.message(&model.vocabulary),
        help: "no program has such a layer, but `psl run` can run it".to_owned(),
    })?;
    let weights =
        Writer { model, heads: model.weights.heads(), layer: 0, all_are_named: unnamed.is_empty() }.blocks(&steps)?;
    Ok(qkvl::Program { weights, ..model.names.clone() })
}

struct Writer<'m> {
    model: &'m Model,
    /// The places of the layers.
    heads: Vec<HeadPlace>,
    /// The number of layers so far. Each head counts.
    layer: usize,
    /// Whether every value is a constant of the program.
    all_are_named: bool,
}

impl Writer<'_> {
    fn blocks(&mut self, recognized: &[InstructionBlock]) -> Result<Vec<Block>, DecompileError> {
        let mut blocks = Vec::with_capacity(recognized.len());
        for block in recognized {
            blocks.push(match block {
                InstructionBlock::Layer(layer) => Block::Layer(self.layer(layer)?),
                InstructionBlock::Repeat { label, until, blocks } => Block::Repeat(Repeat {
                    layer_comment: label.clone(),
                    until: match until {
                        None => Until::NoChange {},
                        Some(slots) => {
                            let (q, k) = self.slots(slots);
                            Until::Conditions { q, k }
                        }
                    },
                    weights: self.blocks(blocks)?,
                }),
            });
        }
        Ok(blocks)
    }

    fn layer(&mut self, layer: &Instructions) -> Result<qkvl::Layer, DecompileError> {
        let id = ProductionId::new(self.layer);
        self.layer += 1;
        let (q, k) = self.slots(&layer.slots);
        let value = |(register, form): &(usize, Form)| match self.source(form) {
            Source::Is(term) => Ok((self.register(*register), term)),
            Source::Not(_) | Source::In(_) | Source::NotIn(_) => Err(DecompileError {
                place: place_of(id, &self.heads),
                cause: format!("W_v and b_v set `{}` to null", self.register(*register)),
                help: "assign a register or a constant".to_owned(),
            }),
        };
        Ok(qkvl::Layer {
            layer_comment: layer.label.clone(),
            weights: Attributes { q, k, v: layer.value.iter().map(value).collect::<Result<_, _>>()? },
            causal_attn: layer.causal_attn,
            right_match: layer.right_match,
            shares_layer: layer.shares_layer,
        })
    }

    fn slots(&self, slots: &[Slot]) -> (Slots, Slots) {
        let (mut q, mut k) = (Slots::default(), Slots::default());
        let mut seen: FxHashMap<(String, Source, Source), usize> = FxHashMap::default();
        for Slot { register, query, key } in slots {
            let name = self.register(*register);
            let (mut query, mut key) = (self.source(query), self.source(key));
            let times = seen.entry((name.trim_end_matches('`').to_owned(), query.clone(), key.clone())).or_default();
            repeat(&mut query, *times);
            repeat(&mut key, *times);
            *times += 1;
            q.insert(name.clone(), query);
            k.insert(name, key);
        }
        (q, k)
    }

    fn source(&self, form: &Form) -> Source {
        match form {
            // A list in PSL is never empty, but it may contain all values.
            Form::Nothing if self.all_are_named => {
                Source::NotIn(self.model.vocabulary.iter().map(str::to_owned).collect())
            }
            Form::Nothing => Source::In(Vec::new()),
            Form::Register(register, function) => Source::Is(Term::Register(self.register(*register), *function)),
            Form::Not(register, function) => Source::Not(Term::Register(self.register(*register), *function)),
            Form::OneOf(values) => match values.as_slice() {
                [value] => Source::Is(Term::Constant(self.constant(*value))),
                values => Source::In(self.constants(values)),
            },
            Form::NoneOf(values) => match values.as_slice() {
                [value] => Source::Not(Term::Constant(self.constant(*value))),
                values => Source::NotIn(self.constants(values)),
            },
        }
    }

    fn register(&self, register: usize) -> String {
        at(&self.model.weights.registers, register).clone()
    }

    fn constant(&self, value: u32) -> String {
        self.model.vocabulary.text(ValueId(value)).unwrap_or_default().to_owned()
    }

    fn constants(&self, values: &[u32]) -> Vec<String> {
        values.iter().map(|&value| self.constant(value)).collect()
    }
}

/// Repeats a constant to make the source distinct without changing its meaning. This keeps conditions apart that have
/// the same weights, because the compiler omits duplicates.
fn repeat(source: &mut Source, times: usize) {
    if times == 0 {
        return;
    }
    *source = match source {
        Source::Is(Term::Constant(value)) => Source::In(vec![value.clone(); times]),
        Source::Not(Term::Constant(value)) => Source::NotIn(vec![value.clone(); times]),
        Source::In(list) | Source::NotIn(list) => {
            let first = list.first().cloned();
            list.extend(first.into_iter().cycle().take(times));
            return;
        }
        Source::Is(Term::Register(..)) | Source::Not(Term::Register(..)) => return,
    };
}
