//! The construction of the model.

use super::{
    block::{BlockBuilder, EPSILON, ModelSizes},
    cells::Cells,
    encodings::{Numbers, ValueEncoding, moduli, value_encodings},
    layers::Layers,
    layout::{Layout, Sizes, layout},
    model::{Dense, Gpt2, Norm},
    plan::{Plan, Step, plan},
    precision::Precision,
    refusal::{MAX_HEAD, Refusal, Why},
    repeats,
    source::Source,
    tables::Causal,
    tokens::Tokens,
    unembedding::unembedding,
};

/// The places for longer prompts, which the model reads to say that they are too long.
const SLACK: usize = 16;

/// A model with its tokens and the meaning of its components.
pub struct Built<'s> {
    pub source: &'s Source<'s>,
    pub model: Gpt2,
    pub tokens: Tokens,
    pub layout: Layout,
    pub plan: Plan<'s>,
    /// The representation of each register.
    pub encodings: Vec<ValueEncoding>,
    /// The task of each block of the model, with its number of heads.
    pub tasks: Vec<(Task, usize)>,
}

/// The task of a block of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Each cell of the prompt learns the copy that it is in.
    Copy,
    /// Each cell learns its position, and each generated cell reads the registers carried from its tokens.
    Load,
    /// Each token learns whether it follows as in a prompt, and each symbol whether all copies of the prompt have it.
    Check,
    /// A layer of the program, in some pass of each repeat block around it.
    Layer { layer: usize, pass: Vec<usize> },
    /// Each cell keeps the registers that a repeat block writes.
    Save,
    /// Each cell compares them.
    Compare,
    /// Each cell ends the continuation if they differ.
    Conclude,
    /// Each token reads the state of the last cell, and any reason to end the continuation.
    Emit,
}

/// Builds the model.
///
/// # Errors
///
/// Fails if the program has no equal model, or one that is too large.
pub fn construct<'s>(source: &'s Source<'s>, digits: Precision, max_parameters: usize) -> Result<Built<'s>, Refusal> {
    let plan = plan(source)?;
    let numbers = Numbers::new(source.vocabulary);
    let layers = plan.layers();
    let reversed = plan.position.filter(|_| layers.iter().any(|layer| layer.causal == Causal::Reverse));
    let encodings = value_encodings(&source.domains, &layers, reversed, &numbers);
    // The first place of a longer prompt needs an encoding of its own, too.
    let place = match plan.position.and_then(|register| encodings.get(register)) {
        Some(encoding) => encoding.parts.clone(),
        None => moduli(source.bounds.prompt + 2),
    };
    let width = |register: usize| encodings.get(register).map_or(0, ValueEncoding::width);
    let widest = layers.iter().map(|layer| layer.writes.iter().map(|write| width(write.target)).sum::<usize>());
    let length = places(source, &plan);
    let layout = layout(&Sizes {
        encodings: &encodings,
        place: if plan.copies == 0 || plan.position.is_none() { &place } else { &[] },
        // Half precision does not tell the nearest places of a long sequence.
        cycle: (length / 128).next_power_of_two().clamp(2, 8),
        cell: plan.cell.len(),
        copies: plan.copies,
        saved: &plan.saved(source.domains.len()),
        write: widest.chain([checked(&plan)]).max().unwrap_or_default(),
    });
    let cells = Cells { source, plan: &plan, layout: &layout, encodings: &encodings, digits };
    let of_layers = Layers {
        source,
        layout: &layout,
        encodings: &encodings,
        numbers: &numbers,
        copies: plan.copies,
        position: plan.position,
    };
    let rest: Vec<(Task, BlockBuilder)> = plan.steps.iter().map(|step| of_step(step, &of_layers)).collect();
    // Registers that are loaded at once need more heads, and more blocks if not.
    let ways = (1..=plan.loaded.len().max(1)).flat_map(|at_once| [true, false].map(|apart| First { at_once, apart }));
    // Positions from several copies of the prompt change a LayerNorm that the check depends on, and it depends on them.
    let ways = ways.filter(|first| first.apart || plan.copies == 0).map(|first| {
        let blocks = first_blocks(&cells, first, layout.width);
        let last = (Task::Emit, cells.emit());
        let sizes = sizes(&blocks.iter().chain(&rest).chain([&last]).collect::<Vec<_>>(), &layout, length)?;
        Ok((parameters(blocks.len() + rest.len() + 1, &sizes, 0), first, sizes))
    });
    let ways = ways.collect::<Result<Vec<_>, Refusal>>()?;
    let least = ways.into_iter().min_by_key(|(parameters, first, _)| (*parameters, first.at_once, first.apart));
    let Some((_, first, sizes)) = least else { return Err(Refusal { layer: None, why: Why::NoSymbols }) };
    // The neurons that decode positions depend on the LayerNorm, and so on the width.
    let mut blocks = first_blocks(&cells, first, sizes.width);
    blocks.extend(rest);
    blocks.push((Task::Emit, cells.emit()));
    let tokens = Tokens::new(source, &plan, &encodings, &layout)?;
    let count = parameters(blocks.len(), &sizes, tokens.list.len());
    if count > max_parameters {
        return Err(Refusal { layer: None, why: Why::Large { parameters: count, most: max_parameters } });
    }
    let (wte, wpe) = embeddings(&tokens, &layout, &cells, &sizes);
    let lm_head = unembedding(&tokens, &plan, &encodings, &layout, sizes.width);
    let model = Gpt2 {
        precision: Precision::Float32,
        heads: sizes.width / sizes.head,
        epsilon: EPSILON as f32,
        wte,
        wpe,
        blocks: blocks.iter().map(|(_, block)| block.finish(&layout, &sizes)).collect(),
        ln_f: Norm { weight: vec![1.0; sizes.width], bias: vec![0.0; sizes.width] },
        lm_head,
    };
    let heads = |block: &BlockBuilder| block.attentions.iter().map(|attention| attention.heads(sizes.head)).sum();
    let tasks = blocks.iter().map(|(task, block)| (task.clone(), heads(block))).collect();
    Ok(Built { source, model, tokens, layout, plan, encodings, tasks })
}

/// A choice of the blocks before the layers.
#[derive(Clone, Copy)]
struct First {
    /// The registers that a block loads at once.
    at_once: usize,
    /// Whether the check of tokens has a block of its own.
    apart: bool,
}

/// The blocks before the layers.
fn first_blocks(cells: &Cells<'_>, way: First, width: usize) -> Vec<(Task, BlockBuilder)> {
    let copy = (cells.plan.copies > 0).then(|| (Task::Copy, cells.copy()));
    let mut loads: Vec<BlockBuilder> = cells.plan.loaded.chunks(way.at_once).map(|loaded| cells.load(loaded)).collect();
    if loads.is_empty() {
        loads.push(BlockBuilder::default());
    }
    if let Some(first) = loads.first_mut() {
        cells.positions(first, width);
    }
    let loads = loads.into_iter().map(|block| (Task::Load, block));
    let mut blocks: Vec<(Task, BlockBuilder)> = copy.into_iter().chain(loads).collect();
    if let Some((_, first)) = blocks.first_mut() {
        cells.check_start(first);
    }
    if way.apart {
        let mut check = BlockBuilder::default();
        cells.check(&mut check);
        if cells.plan.copies > 0 {
            cells.check_copies(&mut check);
        }
        blocks.push((Task::Check, check));
    } else if let Some((_, first)) = blocks.first_mut() {
        cells.check(first);
    }
    blocks
}

/// The number of components that the check of tokens writes.
fn checked(plan: &Plan<'_>) -> usize {
    let follows = plan.cell.len() + 1;
    if plan.copies > 0 { follows + plan.copies + 6 } else { follows }
}

fn of_step(step: &Step<'_>, layers: &Layers<'_>) -> (Task, BlockBuilder) {
    let layout = layers.layout;
    match step {
        Step::Layer { table, pass } => (Task::Layer { layer: table.number, pass: pass.clone() }, layers.layer(table)),
        Step::Save { depth, registers } => (Task::Save, repeats::save(layout, *depth, registers)),
        Step::Compare { depth, registers } => (Task::Compare, repeats::compare(layout, *depth, registers)),
        Step::Conclude { depth, registers } => {
            (Task::Conclude, repeats::conclude(layout, layers.copies, *depth, registers))
        }
    }
}

/// The number of places of a sequence: the start, each copy of the prompt with its separator, and the tokens of each
/// generated cell.
fn places(source: &Source<'_>, plan: &Plan<'_>) -> usize {
    let prompt = |symbols: usize| 1 + (plan.copies + 1) * (symbols + usize::from(plan.copies > 0));
    let generated = plan.cell.len() * (source.bounds.new + 1);
    (prompt(source.bounds.prompt) + generated).max(prompt(source.bounds.prompt + SLACK) + 1)
}

fn parameters(blocks: usize, sizes: &ModelSizes, tokens: usize) -> usize {
    let ModelSizes { width, neurons, length, .. } = *sizes;
    let block = 4 * width * width + 2 * width * neurons + 9 * width + neurons;
    blocks * block + (2 * tokens + length + 2) * width
}

/// The sizes with the least width. The width is a multiple of the size of a head.
fn sizes(blocks: &[&(Task, BlockBuilder)], layout: &Layout, length: usize) -> Result<ModelSizes, Refusal> {
    let attentions = || blocks.iter().flat_map(|(task, block)| block.attentions.iter().map(move |it| (task, it)));
    let widest = attentions().max_by_key(|(_, attention)| attention.dimensions());
    let dimensions = widest.as_ref().map_or(1, |(_, attention)| attention.dimensions());
    if let Some((task, _)) = widest.filter(|_| dimensions > MAX_HEAD) {
        let layer = if let Task::Layer { layer, .. } = task { Some(*layer) } else { None };
        return Err(Refusal { layer, why: Why::Wide { dimensions } });
    }
    let width = |head: usize| {
        let heads = blocks.iter().map(|(_, block)| block.attentions.iter().map(|it| it.heads(head)).sum::<usize>());
        layout.width.next_multiple_of(head).max(heads.max().unwrap_or(1) * head)
    };
    let candidates = (dimensions.next_multiple_of(8)..=MAX_HEAD).step_by(8);
    let head = candidates.min_by_key(|head| (width(*head), usize::MAX - head)).unwrap_or(MAX_HEAD);
    let neurons = blocks.iter().map(|(_, block)| block.neurons()).max().unwrap_or_default().next_multiple_of(8).max(8);
    Ok(ModelSizes { width: width(head), head, neurons, length })
}

/// The embeddings of tokens and of places.
fn embeddings(tokens: &Tokens, layout: &Layout, cells: &Cells<'_>, sizes: &ModelSizes) -> (Dense, Dense) {
    let mut wte = Dense::zeros(tokens.list.len(), sizes.width);
    for (row, token) in tokens.list.iter().enumerate() {
        token.components.iter().for_each(|component| wte.add(row, *component, 1.0));
    }
    let mut wpe = Dense::zeros(sizes.length, sizes.width);
    for place in 0..sizes.length {
        let part = place as f64 / sizes.length as f64;
        let rest = (1.0 - part * part).sqrt();
        for (offset, value) in [part, -part, rest, -rest].into_iter().enumerate() {
            wpe.add(place, layout.time + offset, value);
        }
        cells.place(place, sizes.length).into_iter().for_each(|(component, value)| wpe.add(place, component, value));
    }
    (wte, wpe)
}
