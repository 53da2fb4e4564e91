//! The layers of a program as instructions for the fast DAT. A changed program shares those of productions that are as
//! before.

use std::sync::Arc;

use psl_syntax::program::{Production, Program, Statement};

use crate::{
    compile::{Heads, compile_some},
    dat::Maps,
    qkvl,
    vocabulary::Vocabulary,
    weights::{InstructionBlock, Instructions, Weights, recognize, weights},
};

/// The instructions of each layer, in program order.
pub(crate) type Layers = Vec<Arc<Instructions>>;

/// The values of a program's constants.
pub(crate) fn constants(program: &Program) -> Vec<&str> {
    program.constants.iter().map(|constant| constant.value.as_str()).collect()
}

/// The maps of a program for the vocabulary of any prompt. `constants` has every value that the program names.
pub(crate) fn maps(qkvl: &qkvl::Program, constants: &[&str]) -> Option<Maps> {
    let (weights, blocks) = recognized(qkvl, constants)?;
    Some(Maps::of(&weights, &blocks))
}

/// The layers and maps of a program, which compiles to `qkvl`.
pub(crate) fn of_program(program: &Program, qkvl: &qkvl::Program) -> Option<(Layers, Maps)> {
    let (weights, blocks) = recognized(qkvl, &constants(program))?;
    Some((list(&blocks), Maps::of(&weights, &blocks)))
}

/// The layers and maps of a changed program. `layers` are those of the program before the change. `None` if names or
/// roles changed.
pub(crate) fn of_changed(program: &Program, before: &Program, layers: &Layers) -> Option<(Layers, Maps)> {
    let has_same_names = program.registers == before.registers && program.constants == before.constants;
    if !has_same_names || program.roles != before.roles {
        return None;
    }
    let kept = kept(&sound(program), &sound(before), layers);
    let mut is_kept = kept.iter().map(Option::is_some);
    let qkvl = compile_some(program, &mut || !is_kept.next().unwrap_or_default());
    let (weights, blocks) = recognized(&qkvl, &constants(program))?;
    let blocks = complete(&program.statements, blocks, &mut kept.into_iter());
    Some((list(&blocks), Maps::of(&weights, &blocks)))
}

/// The instructions of a program for the vocabulary of any prompt, and weights that have them.
///
/// They are read from the weights for one such vocabulary, and contain only what all vocabularies have in common:
/// - the components of constants, which come first in every vocabulary;
/// - lists of constants and complements of lists. A value that the program cannot name distinguishes the two: it is in
///   no list and in every complement, like every value that another vocabulary adds;
/// - the blocks that copy a register, and those that increment or decrement its positions. This vocabulary has several
///   positions, and values that are not positions, so that no two of these blocks are alike. Each run looks up the
///   components of its positions.
fn recognized(qkvl: &qkvl::Program, constants: &[&str]) -> Option<(Weights, Vec<InstructionBlock>)> {
    // Longer than all named values, and not a position.
    let longest = constants.iter().map(|constant| constant.len()).max().unwrap_or_default();
    let unnamed = "?".repeat(longest.max(Vocabulary::EOP.len()) + 1);
    let vocabulary = Vocabulary::new(constants, &[&unnamed], 0);
    let unnamed: Vec<u32> = vocabulary.get(&unnamed).map(|value| value.0).into_iter().collect();
    let weights = weights(qkvl, &vocabulary);
    let blocks = recognize(&weights, &unnamed).ok()?;
    Some((weights, blocks))
}

fn list(blocks: &[InstructionBlock]) -> Layers {
    fn visit(blocks: &[InstructionBlock], layers: &mut Layers) {
        for block in blocks {
            match block {
                InstructionBlock::Layer(layer) => layers.push(Arc::clone(layer)),
                InstructionBlock::Repeat { blocks, .. } => visit(blocks, layers),
            }
        }
    }
    let mut layers = Layers::new();
    visit(blocks, &mut layers);
    layers
}

/// A production that compiles to a layer, and whether that shares the one before it.
type Head<'p> = (&'p Production, bool);

/// The productions that compile to layers.
fn sound(program: &Program) -> Vec<Head<'_>> {
    fn visit<'p>(statements: &'p [Statement], sound: &mut Vec<Head<'p>>) {
        let mut heads = Heads::default();
        for statement in statements {
            let shares_layer = heads.shares_layer(statement);
            match statement {
                Statement::Production(production) if production.sound => sound.push((production, shares_layer)),
                Statement::Production(_) => {}
                Statement::Repeat(repeat) => visit(&repeat.body, sound),
            }
        }
    }
    let mut sound = Vec::new();
    visit(&program.statements, &mut sound);
    sound
}

/// For each production, the layer before the change if it is the same. Only productions between the first and the last
/// change are new.
fn kept(now: &[Head<'_>], before: &[Head<'_>], layers: &Layers) -> Vec<Option<Arc<Instructions>>> {
    let is_same = |(now, before): &(&Head<'_>, &Head<'_>)| now == before;
    let first = now.iter().zip(before).take_while(is_same).count();
    let others = now.len().min(before.len()) - first;
    let last = now.iter().rev().zip(before.iter().rev()).take(others).take_while(is_same).count();
    let old = (0..first).map(Some);
    let new = (first..now.len() - last).map(|_| None);
    let old_again = (before.len() - last..before.len()).map(Some);
    old.chain(new).chain(old_again).map(|layer| layers.get(layer?).cloned()).collect()
}

/// Adds the kept layers to those that were compiled.
fn complete(
    statements: &[Statement],
    compiled: Vec<InstructionBlock>,
    kept: &mut impl Iterator<Item = Option<Arc<Instructions>>>,
) -> Vec<InstructionBlock> {
    let mut compiled = compiled.into_iter();
    let block = |statement: &Statement| match statement {
        Statement::Production(production) if !production.sound => None,
        Statement::Production(_) => kept.next()?.map(InstructionBlock::Layer).or_else(|| compiled.next()),
        Statement::Repeat(repeat) => match compiled.next()? {
            InstructionBlock::Repeat { label, until, blocks } => {
                let blocks = complete(&repeat.body, blocks, kept);
                Some(InstructionBlock::Repeat { label, until, blocks })
            }
            layer @ InstructionBlock::Layer(_) => Some(layer),
        },
    };
    statements.iter().filter_map(block).collect()
}
