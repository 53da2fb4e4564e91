//! Whether a checkpoint completes a prompt like the DAT, in every register of every cell of every layer.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    executable::Executable,
    gpt2::{Checkpoint, Completion, End, Seen},
    input::{InputError, Options},
    machine::MachineKind,
    qkvl,
    trace::place_in_words,
    vocabulary::Vocabulary,
    weights::file::Model,
};

/// The program of a checkpoint, for comparisons.
pub struct Original {
    executable: Executable,
}

/// A prompt that both complete alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {
    /// The completion.
    pub completion: Completion,
    /// The number of registers compared.
    pub registers: usize,
    /// The greatest distance of a component from 0 or 1.
    pub deviation: f32,
}

/// The reason why a prompt cannot be compared, or the first difference.
#[derive(Clone, Debug, PartialEq)]
pub enum Unequal {
    /// The program cannot read the prompt.
    Input(InputError),
    /// The program fails: the message.
    Run(String),
    /// The prompt has more tokens than the checkpoint has places.
    TooLong,
    /// The checkpoint ends the continuation early.
    Ended(End),
    /// The two differ: the place, and what the checkpoint has instead.
    Differs(String),
}

impl Original {
    /// The program of a checkpoint. Its positions are those of the checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint has no valid program.
    pub fn new(checkpoint: &Checkpoint) -> Result<Self, qkvl::ReadError> {
        let meaning = &checkpoint.meaning;
        let program = qkvl::Program::from_json(&meaning.program.to_string())?;
        let symbols: Vec<&str> = meaning.symbols.iter().map(String::as_str).collect();
        let vocabulary = Vocabulary::with_positions(&program.constants(), &symbols, meaning.positions);
        Ok(Self { executable: Executable::of_weights(Model::new(&program, vocabulary)) })
    }

    /// The program.
    pub const fn executable(&self) -> &Executable {
        &self.executable
    }

    /// Completes a prompt by both, and compares the continuations and the registers.
    ///
    /// # Errors
    ///
    /// Fails with the first difference, or with the reason why there is nothing to compare.
    pub fn compare(&self, checkpoint: &Checkpoint, symbols: &[&str], max_new: usize) -> Result<Equal, Unequal> {
        let meaning = &checkpoint.meaning;
        let stop = Some(meaning.stop.clone());
        let options = Options { max_new: Some(max_new), stop, ..Options::default() };
        let task = self.executable.task(symbols, &options).map_err(Unequal::Input)?;
        let registers = &self.executable.registers;
        let dropped: FxHashSet<usize> = meaning.dropped.iter().filter_map(|short| registers.by_short(short)).collect();
        let mut states: FxHashMap<Place, CellState> = FxHashMap::default();
        let mut fresh: FxHashMap<usize, FxHashSet<usize>> = FxHashMap::default();
        let run = self.executable.run(
            MachineKind::Dat,
            &task,
            Some(&mut |update| {
                let fresh = fresh.entry(update.cell).or_default();
                fresh.extend(update.set.iter().map(|(register, _)| *register));
                let state = update.state.iter().enumerate().map(|(register, value)| {
                    let is_stale =
                        dropped.contains(&register) && update.cell > symbols.len() && !fresh.contains(&register);
                    if is_stale {
                        Expected::Anything
                    } else {
                        Expected::Holds(value.map(|value| task.vocabulary.show(Some(value)).to_owned()))
                    }
                });
                states.insert((update.layer, update.pass.clone(), update.cell), state.collect());
            }),
        );
        let run = run.map_err(|error| Unequal::Run(error.message(registers, &task.vocabulary)))?;
        let mut equal = Compared { registers: 0, deviation: 0.0, difference: None };
        let completion = checkpoint.complete(symbols, max_new, |seen| {
            let (Some(block), Some(cell)) = (meaning.blocks.get(seen.block), seen.cell) else { return };
            let Some(layer) = block.layer else { return };
            let Some(state) = states.get(&(layer, block.pass.clone(), cell)) else { return };
            let place = || place_in_words(cell.saturating_sub(symbols.len()), layer, &block.pass, cell);
            equal.state(checkpoint, seen, state, place);
        });
        let completion = completion.ok_or(Unequal::TooLong)?;
        if let Some(end) = completion.end {
            return Err(Unequal::Ended(end));
        }
        if let Some(difference) = equal.difference {
            return Err(Unequal::Differs(difference));
        }
        let expected: Vec<&str> = run.output.iter().map(|value| task.vocabulary.show(*value)).collect();
        if completion.output != expected {
            let difference =
                format!("it generates `{}` instead of `{}`", completion.output.join(" "), expected.join(" "));
            return Err(Unequal::Differs(difference));
        }
        Ok(Equal { completion, registers: equal.registers, deviation: equal.deviation })
    }
}

/// The registers of a cell after a layer, as text.
type CellState = Vec<Expected>;

/// The expected content of a register.
enum Expected {
    /// Any value: a generated cell has not set the register, and reads nothing of the one before.
    Anything,
    /// A value, or null.
    Holds(Option<String>),
}

/// A layer, its pass in each repeat block around it, and a cell.
type Place = (usize, Vec<usize>, usize);

struct Compared {
    registers: usize,
    deviation: f32,
    difference: Option<String>,
}

impl Compared {
    fn state(&mut self, checkpoint: &Checkpoint, seen: &Seen<'_>, state: &[Expected], place: impl Fn() -> String) {
        for (register, expected) in checkpoint.meaning.registers.iter().zip(state) {
            let Expected::Holds(expected) = expected else { continue };
            let expected = expected.as_deref();
            self.registers += 1;
            let components =
                register.parts.iter().flat_map(|&[first, end]| seen.stream.get(first..end).unwrap_or_default());
            let off = components.map(|value| value.abs().min((value - 1.0).abs())).fold(0.0, f32::max);
            self.deviation = self.deviation.max(off);
            let found = register.decode(seen.stream);
            if found.as_ref() != Ok(&expected) && self.difference.is_none() {
                let words = |value: Option<&str>| value.map_or_else(|| "null".to_owned(), |value| format!("`{value}`"));
                let found = found.map_or_else(|components| format!("no value, by components {components:?}"), words);
                let expected = words(expected);
                self.difference =
                    Some(format!("{}: the register {} has {found} instead of {expected}", place(), register.name));
            }
        }
    }
}
