//! The program that a checkpoint claims to be, against what `psl.json` says of its parts.

use crate::{
    gpt2::{BlockMeaning, CheckpointError, MEANING, Meaning},
    input::Registers,
    qkvl::{self, Block},
};

fn wrong(reason: String) -> CheckpointError {
    CheckpointError::new(MEANING, reason)
}

/// Checks that the registers of `psl.json` are those of the program.
pub fn check_registers(registers: &Registers, meaning: &Meaning) -> Result<(), CheckpointError> {
    let found: Vec<_> = meaning.registers.iter().map(|register| (&register.name, &register.short)).collect();
    let expected: Vec<_> = registers.long.iter().zip(&registers.short).collect();
    if found != expected {
        return Err(wrong(format!("`registers` has {found:?}, and the program {expected:?}")));
    }
    let known = |list: &str, short: &String| {
        let register = registers.by_short(short);
        register.ok_or_else(|| wrong(format!("`{list}` has `{short}`, which the program does not have")))
    };
    for (index, short) in meaning.cell.iter().enumerate() {
        let register = known("cell", short)?;
        if index == 0 && Some(register) != registers.roles.output {
            return Err(wrong(format!("`cell` starts with `{short}`, which is not the output of the program")));
        }
    }
    meaning.dropped.iter().try_for_each(|short| known("dropped", short).map(drop))?;
    Ok(())
}

/// Checks that the blocks are the layers of the program in their order, with each pass of repeat blocks.
pub fn check_blocks(program: &qkvl::Program, meaning: &Meaning) -> Result<(), CheckpointError> {
    let of_layers =
        meaning.blocks.iter().enumerate().filter(|(_, block)| block.layer.is_some() || block.task == "layer");
    let mut unrolling = Unrolling { found: of_layers.collect::<Vec<_>>().into_iter(), passes: meaning.passes };
    unrolling.blocks(&program.weights, 1, &mut Vec::new())?;
    match unrolling.found.next() {
        Some((index, block)) => {
            Err(wrong(format!("the block {index} is {}, which the program does not have", of_block(block))))
        }
        None => Ok(()),
    }
}

struct Unrolling<'m> {
    /// The blocks that are layers, with their numbers.
    found: std::vec::IntoIter<(usize, &'m BlockMeaning)>,
    passes: usize,
}

impl Unrolling<'_> {
    /// Checks the layers of some blocks from a number on. Returns the number of the next layer.
    fn blocks(&mut self, blocks: &[Block], first: usize, pass: &mut Vec<usize>) -> Result<usize, CheckpointError> {
        let mut number = first;
        for block in blocks {
            match block {
                Block::Layer(layer) => {
                    self.layer(number, pass, layer.layer_comment.as_deref())?;
                    number += 1;
                }
                // Without layers, passes would have no end.
                Block::Repeat(repeat) if layers(&repeat.weights) == 0 => {}
                Block::Repeat(repeat) => {
                    let mut next = number;
                    for of_repeat in 1..=self.passes {
                        pass.push(of_repeat);
                        next = self.blocks(&repeat.weights, number, pass)?;
                        pass.pop();
                    }
                    number = next;
                }
            }
        }
        Ok(number)
    }

    fn layer(&mut self, number: usize, pass: &[usize], production: Option<&str>) -> Result<(), CheckpointError> {
        let expected = BlockMeaning {
            task: "layer".to_owned(),
            layer: Some(number),
            production: production.map(str::to_owned),
            pass: pass.to_vec(),
            heads: 0,
        };
        match self.found.next() {
            None => Err(wrong(format!("no block is {}", of_block(&expected)))),
            Some((_, found)) if BlockMeaning { heads: 0, ..found.clone() } == expected => Ok(()),
            Some((index, found)) => Err(wrong(format!(
                "the block {index} is {}, and by the program {}",
                of_block(found),
                of_block(&expected)
            ))),
        }
    }
}

/// A block in words.
fn of_block(block: &BlockMeaning) -> String {
    let BlockMeaning { task, layer, production, pass, .. } = block;
    let layer = layer.map_or_else(|| "no layer".to_owned(), |layer| format!("the layer {layer}"));
    let production = production.as_deref().unwrap_or("a production without a label");
    format!("{layer} ({production}) with the passes {pass:?} and the task `{task}`")
}

fn layers(blocks: &[Block]) -> usize {
    let count = |block: &Block| match block {
        Block::Layer(_) => 1,
        Block::Repeat(repeat) => layers(&repeat.weights),
    };
    blocks.iter().map(count).sum()
}
