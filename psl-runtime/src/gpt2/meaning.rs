//! The meaning of the parts of a checkpoint: the content of `psl.json`.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    construct::{Built, Task},
    ends::End,
    layout::Block,
    source::Bounds,
};

/// The meaning of the parts of a checkpoint. Components are those of the residual stream, counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meaning {
    /// The program as QKVL.
    pub program: Value,
    /// The symbols of prompts.
    pub symbols: Vec<String>,
    /// The symbol that ends a continuation.
    pub stop: String,
    /// The longest prompt, in symbols.
    pub max_prompt: usize,
    /// The longest continuation, in symbols.
    pub max_new: usize,
    /// The passes of each repeat block.
    pub passes: usize,
    /// The largest position.
    pub positions: usize,
    /// The number of copies of the prompt before its continuation. The last one decides.
    pub copies: usize,
    /// The short names of the registers that the tokens of a generated cell tell, in their order. The last token stands
    /// for the cell.
    pub cell: Vec<String>,
    /// The short names of the registers that a generated cell does not take from the one before, since it sets them
    /// before it reads them.
    pub dropped: Vec<String>,
    /// The registers.
    pub registers: Vec<RegisterMeaning>,
    /// The other components.
    pub components: Components,
    /// The blocks of the model, from the first.
    pub blocks: Vec<BlockMeaning>,
    /// The tokens that end a continuation early, with their meaning.
    pub ends: IndexMap<String, String>,
}

/// The components of a register. A value is one component of each part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegisterMeaning {
    /// The long name.
    pub name: String,
    /// The short name.
    pub short: String,
    /// The first component of each part, and the one after its last.
    pub parts: Vec<[usize; 2]>,
    /// The components of each value that the register can hold.
    pub values: IndexMap<String, Vec<usize>>,
    /// The components of null.
    pub null: Vec<usize>,
}

/// The components that belong to no register. A range is its first component, and the one after its last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Components {
    /// The kind of the token: start, separator, symbol of a prompt, its last symbol, then the tokens of a generated
    /// cell.
    pub kinds: [usize; 2],
    /// The copy of the prompt, then generated cells, then none.
    pub copies: [usize; 2],
    /// None, then the reasons to end a continuation early.
    pub ends: [usize; 2],
    /// The parts of the place in the sequence.
    pub places: Vec<[usize; 2]>,
    /// Whether the place is the first, or its remainder by the length of a short cycle. Checkpoints of version 0.2 have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<[usize; 2]>,
    /// The registers as they were before the last pass of repeat blocks.
    pub saved: Vec<[usize; 2]>,
    /// τ, -τ, √(1 - τ²) and its negative, for the place τ from 0 to 1.
    pub time: [usize; 2],
    /// A component that is always 0.
    pub pad: usize,
    /// The values that layers write before the neurons move them. They are 0 between blocks.
    pub write: [usize; 2],
}

/// A block of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMeaning {
    /// `layer` for a layer of the program; else what the block is for.
    pub task: String,
    /// The layer of the program, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<usize>,
    /// The production's label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub production: Option<String>,
    /// The pass in each repeat block around the layer, counted from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass: Vec<usize>,
    /// The number of heads in use, which are the first.
    pub heads: usize,
}

impl Meaning {
    /// Whether the program has repeat blocks.
    pub fn repeats(&self) -> bool {
        self.blocks.iter().any(|block| !block.pass.is_empty())
    }
}

impl RegisterMeaning {
    /// The value in a residual stream, or `None` for null.
    ///
    /// # Errors
    ///
    /// Fails with the components found if they stand for no value.
    pub fn decode(&self, stream: &[f32]) -> Result<Option<&str>, Vec<usize>> {
        let greatest = |&[first, end]: &[usize; 2]| {
            let values = stream.get(first..end).unwrap_or_default().iter().zip(first..);
            values.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, component)| component)
        };
        let found: Vec<usize> = self.parts.iter().filter_map(greatest).collect();
        if found == self.null {
            return Ok(None);
        }
        let value = self.values.iter().find(|(_, components)| **components == found);
        value.map(|(text, _)| Some(text.as_str())).ok_or(found)
    }
}

/// The meaning of the parts of a model.
pub fn meaning(built: &Built<'_>, program: Value, stop: &str, labels: &[Option<String>]) -> Meaning {
    let Built { source, layout, plan, encodings, tasks, .. } = built;
    let Bounds { prompt, new, passes } = source.bounds;
    let short = |register: usize| source.registers.short.get(register).cloned().unwrap_or_default();
    let range = |block: &Block| [block.start, block.start + block.length];
    let register = |register: usize| {
        let values = source.domains.get(register).into_iter().flatten();
        let of = encodings.get(register).into_iter().flat_map(|encoding| &encoding.of);
        let values = values
            .zip(of)
            .map(|(value, parts)| (source.vocabulary.show(Some(*value)).to_owned(), layout.value(register, parts)));
        RegisterMeaning {
            name: source.registers.long.get(register).cloned().unwrap_or_default(),
            short: short(register),
            parts: layout.registers.get(register).into_iter().flatten().map(range).collect(),
            values: values.collect(),
            null: layout.null(register),
        }
    };
    let block = |(task, heads): &(Task, usize)| {
        let (layer, pass) = match task {
            Task::Layer { layer, pass } => (Some(*layer), pass.clone()),
            _ => (None, Vec::new()),
        };
        let production = layer.and_then(|layer| labels.get(layer - 1).cloned().flatten());
        BlockMeaning { task: task.name().to_owned(), layer, production, pass, heads: *heads }
    };
    Meaning {
        program,
        symbols: source.symbols.iter().map(|symbol| source.vocabulary.show(Some(*symbol)).to_owned()).collect(),
        stop: stop.to_owned(),
        max_prompt: prompt,
        max_new: new,
        passes,
        positions: source.last_position(),
        copies: plan.copies + 1,
        cell: plan.cell.iter().map(|register| short(*register)).collect(),
        dropped: plan.dropped.iter().map(|register| short(*register)).collect(),
        registers: (0..layout.registers.len()).map(register).collect(),
        components: Components {
            kinds: range(&layout.kinds),
            copies: range(&layout.copies),
            ends: range(&layout.ends),
            places: layout.places.iter().map(range).collect(),
            cycle: Some(range(&layout.cycle)),
            saved: layout.saved.iter().flatten().flatten().map(range).collect(),
            time: [layout.time, layout.time + 4],
            pad: layout.pad,
            write: range(&layout.write),
        },
        blocks: tasks.iter().map(block).collect(),
        ends: End::ALL.into_iter().map(|end| (end.text().to_owned(), end.meaning().to_owned())).collect(),
    }
}

impl Task {
    /// The name in `psl.json`.
    const fn name(&self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Load => "load",
            Self::Check => "check",
            Self::Layer { .. } => "layer",
            Self::Save => "save",
            Self::Compare => "compare",
            Self::Conclude => "conclude",
            Self::Emit => "emit",
        }
    }
}
