//! The stack of a moment: the cell, and the parts of the run that contain it.

use std::iter;

use psl_program::File;
use psl_runtime::{CellId, record::Row};
use psl_syntax::{
    Span, label, plain_label,
    program::ProductionId,
    tree::{Repeat, Statement, Tree},
};

use super::{debugged_run::Debugger, step_place::StepPlace};

/// A frame of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The name, such as `cell 7 (K)`.
    pub name: String,
    /// The part of the program, or `None` for a forward step.
    pub span: Option<Span>,
    pub kind: FrameKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// The cell that a layer updates next.
    Cell(CellId),
    /// The layer of a production.
    Production(ProductionId),
    /// A repeat block before its first pass, by its number in the order in which blocks open.
    Block(usize),
    /// A pass of a repeat block.
    Pass {
        /// The number of the block in the order in which blocks open, from 1.
        block: usize,
        /// The pass.
        pass: usize,
    },
    /// A forward step: 0 for the prompt, k for the k-th generated cell.
    Step(usize),
}

/// Returns the frames of the current moment, innermost first: cell, production, passes of repeat blocks, forward step.
pub fn stack(debugger: &Debugger) -> Vec<Frame> {
    let blocks = Blocks::of(debugger.file());
    let mut frames = match debugger.place() {
        StepPlace::Layer(Row { layer, pass }) => {
            let [cell, production] = updated(debugger, layer);
            let passes = blocks.passes(debugger.run().blocks_around(layer), &pass);
            [cell, production].into_iter().chain(passes).collect()
        }
        StepPlace::Block { block, pass } => {
            let (name, span) = blocks.name_and_keyword(block);
            let start = Frame { name, span, kind: FrameKind::Block(block) };
            iter::once(start).chain(blocks.passes(&blocks.around(block), &pass)).collect()
        }
        StepPlace::Until { block, pass } => {
            let around = [blocks.around(block), vec![block]].concat();
            let mut frames: Vec<Frame> = blocks.passes(&around, &pass).collect();
            if let Some(innermost) = frames.first_mut() {
                innermost.span = blocks.until(block);
            }
            frames
        }
        StepPlace::Symbol | StepPlace::End => Vec::new(),
    };
    frames.push(forward_step(debugger));
    frames
}

/// The cell and the production that updates it.
fn updated(debugger: &Debugger, layer: ProductionId) -> [Frame; 2] {
    let program = debugger.file().program();
    let production = program.productions().find(layer).copied();
    let span = production.map(|production| production.span);
    let label = production.and_then(|production| production.label.as_deref()).map_or("", plain_label);
    let name = if label.is_empty() { format!("layer {layer}") } else { label.to_owned() };
    let (run, moment) = (debugger.run(), debugger.moment());
    let name = if run.is_ablated(layer) { format!("{name} (ablated)") } else { name };
    let symbol = program.roles.symbol.map(|symbol| {
        let value = run.value(symbol, moment.cell, debugger.timeline().time(moment));
        format!(" ({})", run.vocabulary().show(value))
    });
    let cell = format!("cell {}{}", moment.cell, symbol.unwrap_or_default());
    [
        Frame { name: cell, span, kind: FrameKind::Cell(moment.cell) },
        Frame { name, span, kind: FrameKind::Production(layer) },
    ]
}

fn forward_step(debugger: &Debugger) -> Frame {
    let step = debugger.moment().step;
    let is_over = debugger.place() == StepPlace::End && debugger.run().outcome().is_ok();
    let name = match step {
        _ if is_over => "end".to_owned(),
        0 => "prompt".to_owned(),
        step => format!("symbol {}", step + 1),
    };
    let name = debugger.what_if().map_or(name.clone(), |what_if| format!("{name} ({what_if})"));
    Frame { name, span: None, kind: FrameKind::Step(step) }
}

/// The repeat blocks of a program in the order in which they open, each with the numbers of the blocks around it.
struct Blocks<'f> {
    tree: &'f Tree,
    blocks: Vec<(&'f Repeat, Vec<usize>)>,
}

impl<'f> Blocks<'f> {
    fn of(file: &'f File) -> Self {
        let tree = &file.checked().tree;
        let mut blocks = Vec::new();
        visit(&tree.statements, &[], &mut blocks);
        Self { tree, blocks }
    }

    fn get(&self, block: usize) -> Option<&(&'f Repeat, Vec<usize>)> {
        self.blocks.get(block.checked_sub(1)?)
    }

    fn around(&self, block: usize) -> Vec<usize> {
        self.get(block).map_or(Vec::new(), |(_, around)| around.clone())
    }

    /// The label of a block, or its number, with its keyword.
    fn name_and_keyword(&self, block: usize) -> (String, Option<Span>) {
        let repeat = self.get(block).map(|(repeat, _)| repeat);
        let name = repeat.and_then(|repeat| label(self.tree, repeat.label));
        (name.unwrap_or_else(|| format!("repeat block {block}")), repeat.map(|repeat| repeat.keyword))
    }

    /// From the keyword `until` to the end of the block.
    fn until(&self, block: usize) -> Option<Span> {
        let (repeat, _) = self.get(block)?;
        Some(Span::new(repeat.until_keyword?.start, repeat.span.end))
    }

    /// The passes of nested blocks, given from the outermost on, as frames from the innermost on.
    fn passes(&self, blocks: &[usize], passes: &[usize]) -> impl Iterator<Item = Frame> {
        blocks.iter().zip(passes).rev().map(|(&block, &pass)| {
            let (name, span) = self.name_and_keyword(block);
            Frame { name: format!("pass {pass} of {name}"), span, kind: FrameKind::Pass { block, pass } }
        })
    }
}

fn visit<'f>(statements: &'f [Statement], around: &[usize], blocks: &mut Vec<(&'f Repeat, Vec<usize>)>) {
    for statement in statements {
        if let Statement::Repeat(repeat) = statement {
            blocks.push((repeat, around.to_vec()));
            let inside = [around, &[blocks.len()]].concat();
            visit(&repeat.body, &inside, blocks);
        }
    }
}
