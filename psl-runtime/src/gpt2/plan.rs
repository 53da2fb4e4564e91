//! The steps of the model, in order: the layers of the program, with the passes of repeat blocks.

use super::{
    liveness::{Known, live},
    refusal::{MAX_BLOCKS, Refusal, Why},
    source::Source,
    tables::{LayerTable, TableBlock},
};
use crate::vocabulary::Vocabulary;

/// A step of the model.
#[derive(Clone, Debug)]
pub enum Step<'s> {
    /// A layer, in some pass of each repeat block around it.
    Layer { table: &'s LayerTable, pass: Vec<usize> },
    /// Keeps the registers that a repeat block writes, before its last pass. `depth` counts the repeat blocks around
    /// it.
    Save { depth: usize, registers: Vec<usize> },
    /// Compares them after that pass.
    Compare { depth: usize, registers: Vec<usize> },
    /// Ends the continuation if one differs.
    Conclude { depth: usize, registers: Vec<usize> },
}

/// The plan of a model.
#[derive(Debug)]
pub struct Plan<'s> {
    pub steps: Vec<Step<'s>>,
    /// The number of copies of the prompt beside the first: one for each layer that looks ahead, which reads the copy
    /// before.
    pub copies: usize,
    /// The registers of the tokens of a generated cell: the output, those carried to the next cell, and the position.
    /// The last token stands for the cell.
    pub cell: Vec<usize>,
    pub position: Option<usize>,
    /// The registers that are loaded from tokens of the cell, by their index in `cell`.
    pub loaded: Vec<usize>,
    /// The registers that a generated cell does not take from the one before, although that can have set them.
    pub dropped: Vec<usize>,
    /// The values that all generated cells have from the last cell of the prompt, by the register.
    pub constant: Vec<Option<usize>>,
}

impl<'s> Plan<'s> {
    /// The layers, in the order of their steps.
    pub fn layers(&self) -> Vec<&'s LayerTable> {
        layers(&self.steps)
    }

    /// Whether the output's token is the whole generated cell.
    pub fn is_plain(&self) -> bool {
        self.cell.len() == 1
    }

    /// For each depth of repeat blocks, whether a register is saved.
    pub fn saved(&self, registers: usize) -> Vec<Vec<bool>> {
        let mut depths: Vec<Vec<bool>> = Vec::new();
        for step in &self.steps {
            if let Step::Save { depth, registers: written } = step {
                depths.resize((depth + 1).max(depths.len()), vec![false; registers]);
                let flags = depths.get_mut(*depth).into_iter().flatten().enumerate();
                flags.for_each(|(register, flag)| *flag |= written.contains(&register));
            }
        }
        depths
    }
}

/// Plans a model.
///
/// # Errors
///
/// Fails if a repeat block contains a layer that looks ahead, or ends by conditions, or if there are too many blocks.
pub fn plan<'s>(source: &'s Source<'_>) -> Result<Plan<'s>, Refusal> {
    admissible(&source.blocks, source.looks_ahead)?;
    let blocks = layers_run(&source.blocks, source.bounds.passes);
    if blocks > MAX_BLOCKS {
        return Err(Refusal { layer: None, why: Why::Deep { blocks } });
    }
    let mut steps = Vec::new();
    unroll(&source.blocks, source.bounds.passes, &[], &mut steps);
    let layers = layers(&steps);
    let copies = layers.iter().filter(|layer| source.looks_ahead.get(layer.number - 1) == Some(&true)).count();
    let roles = source.registers.roles;
    let index = |role: Option<psl_syntax::program::RegisterId>| role.map(|register| register.0 as usize);
    let (position, output) = (index(roles.position), index(roles.output));
    let count = source.domains.len();
    let mut written = vec![false; count];
    for write in layers.iter().flat_map(|layer| &layer.writes) {
        written.get_mut(write.target).into_iter().for_each(|flag| *flag = true);
    }
    let is_written = |register: usize| written.get(register) == Some(&true);
    let constant = |register: usize| {
        let text = match Some(register) {
            _ if is_written(register) => None,
            it if it == index(roles.parse) => Some(Vocabulary::PARSE),
            it if it == index(roles.eop) => Some(Vocabulary::EOP),
            _ => None,
        };
        let value = text.and_then(|text| source.vocabulary.get(text))?;
        source.domains.get(register)?.iter().position(|other| *other == value)
    };
    let constant: Vec<Option<usize>> = (0..count).map(constant).collect();
    let of_prompt = [roles.symbol, roles.position, roles.parse].map(index);
    let never_null: Vec<bool> = (0..count)
        .map(|register| of_prompt.contains(&Some(register)) && (!is_written(register) || Some(register) == position))
        .collect();
    let inherited: Vec<bool> = (0..count)
        .map(|register| (is_written(register) || Some(register) == index(roles.symbol)) && Some(register) != position)
        .collect();
    let known = Known { domains: &source.domains, position, constant: &constant, never_null: &never_null };
    let live = live(&layers, &inherited, output, &known);
    let is_live = |register: &usize| live.get(*register) == Some(&true);
    let carried = (0..count).filter(|register| is_live(register) && Some(*register) != output);
    let mut cell: Vec<usize> = output.into_iter().chain(carried).collect();
    if cell.len() > 1 {
        cell.extend(position);
    }
    let others = cell.split_last().map(|(_, others)| others).unwrap_or_default();
    let loaded = others.iter().enumerate().filter(|(_, register)| is_live(register)).map(|(index, _)| index).collect();
    let dropped = (0..count).filter(|register| inherited.get(*register) == Some(&true) && !is_live(register)).collect();
    Ok(Plan { steps, copies, cell, position, loaded, dropped, constant })
}

/// The layers, in the order of their steps.
fn layers<'s>(steps: &[Step<'s>]) -> Vec<&'s LayerTable> {
    let layer = |step: &Step<'s>| match step {
        Step::Layer { table, .. } => Some(*table),
        Step::Save { .. } | Step::Compare { .. } | Step::Conclude { .. } => None,
    };
    steps.iter().filter_map(layer).collect()
}

fn admissible(blocks: &[TableBlock], looks_ahead: &[bool]) -> Result<(), Refusal> {
    for block in blocks {
        let TableBlock::Repeat { blocks, until_no_change } = block else { continue };
        let inside = numbers(blocks);
        if let (false, Some(layer)) = (until_no_change, inside.first()) {
            return Err(Refusal { layer: Some(*layer), why: Why::Until });
        }
        let ahead = inside.iter().find(|layer| looks_ahead.get(**layer - 1) == Some(&true));
        if let Some(layer) = ahead {
            return Err(Refusal { layer: Some(*layer), why: Why::LooksAhead });
        }
        admissible(blocks, looks_ahead)?;
    }
    Ok(())
}

/// The numbers of the layers.
fn numbers(blocks: &[TableBlock]) -> Vec<usize> {
    blocks
        .iter()
        .flat_map(|block| match block {
            TableBlock::Layer(layer) => vec![layer.number],
            TableBlock::Repeat { blocks, .. } => numbers(blocks),
        })
        .collect()
}

/// The number of layers with all passes.
fn layers_run(blocks: &[TableBlock], passes: usize) -> usize {
    let of_block = |block: &TableBlock| match block {
        TableBlock::Layer(_) => 1,
        TableBlock::Repeat { blocks, .. } => layers_run(blocks, passes).saturating_mul(passes),
    };
    blocks.iter().map(of_block).fold(0, usize::saturating_add)
}

fn unroll<'s>(blocks: &'s [TableBlock], passes: usize, around: &[usize], steps: &mut Vec<Step<'s>>) {
    for block in blocks {
        match block {
            TableBlock::Layer(table) => steps.push(Step::Layer { table, pass: around.to_vec() }),
            TableBlock::Repeat { blocks, .. } => {
                let (depth, registers) = (around.len(), written(blocks));
                for pass in 1..=passes {
                    if pass == passes {
                        steps.push(Step::Save { depth, registers: registers.clone() });
                    }
                    unroll(blocks, passes, &[around, &[pass]].concat(), steps);
                }
                steps.push(Step::Compare { depth, registers: registers.clone() });
                steps.push(Step::Conclude { depth, registers });
            }
        }
    }
}

/// The registers that some blocks write, without duplicates.
fn written(blocks: &[TableBlock]) -> Vec<usize> {
    let mut registers: Vec<usize> = blocks
        .iter()
        .flat_map(|block| match block {
            TableBlock::Layer(layer) => layer.writes.iter().map(|write| write.target).collect(),
            TableBlock::Repeat { blocks, .. } => written(blocks),
        })
        .collect();
    registers.sort_unstable();
    registers.dedup();
    registers
}
