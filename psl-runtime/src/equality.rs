//! Whether a checkpoint completes a prompt like the DAT, in every register of every cell of every layer.

mod program;
mod states;

use psl_syntax::program::{ProductionId, RegisterId};

use self::{
    program::{check_blocks, check_registers},
    states::{Expected, States},
};
use crate::{
    cell_id::CellId,
    continuation::Continuation,
    executable::Executable,
    gpt2::{Checkpoint, CheckpointError, Completion, End, MEANING, RegisterMeaning, Seen},
    input::{InputError, Options},
    machine::MachineKind,
    qkvl,
    record::Recorder,
    trace::place_in_words,
    vocabulary::Vocabulary,
    weights::file::Model,
};

/// The program of a checkpoint, for comparisons.
pub struct ReferenceProgram {
    executable: Executable,
}

/// A prompt that both complete alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Equal {
    /// The completion.
    pub completion: Completion,
    /// The number of registers compared.
    pub registers: usize,
    /// The number of registers of generated cells that were not compared, since the checkpoint drops them.
    pub dropped: usize,
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
    /// The program has no layers whose registers could be compared.
    Nothing,
    /// The two differ: the place, and what the checkpoint has instead.
    Differs(String),
}

impl ReferenceProgram {
    /// The program of a checkpoint. Its positions are those of the checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if the checkpoint has no valid program, or if its registers and blocks are not those of the program.
    pub fn new(checkpoint: &Checkpoint) -> Result<Self, CheckpointError> {
        let meaning = &checkpoint.meaning;
        let program = qkvl::Program::from_json(&meaning.program.to_string());
        let program = program.map_err(|error| CheckpointError::new(MEANING, format!("`program`: {error}")))?;
        check_blocks(&program, meaning)?;
        let symbols: Vec<&str> = meaning.symbols.iter().map(String::as_str).collect();
        let vocabulary = Vocabulary::with_positions(&program.constants(), &symbols, meaning.positions);
        let executable = Executable::of_weights(Model::new(&program, vocabulary));
        check_registers(&executable.registers, meaning)?;
        Ok(Self { executable })
    }

    /// The program.
    pub const fn executable(&self) -> &Executable {
        &self.executable
    }

    /// Completes a prompt by both, and compares the continuations, and the registers of each cell after each layer in
    /// each pass.
    ///
    /// # Errors
    ///
    /// Fails with the first difference, or with the reason why there is nothing to compare.
    pub fn compare(&self, checkpoint: &Checkpoint, symbols: &[&str], max_new: usize) -> Result<Equal, Unequal> {
        let meaning = &checkpoint.meaning;
        let (generated, mut states) = self.run(checkpoint, symbols, max_new)?;
        let mut compared = Compared::default();
        let place = |layer: ProductionId, pass: &[usize], cell: CellId| {
            place_in_words(cell.number().saturating_sub(symbols.len()), layer, pass, cell)
        };
        let completion = checkpoint.complete(symbols, max_new, |seen| {
            let (Some(block), Some(cell)) = (meaning.blocks.get(seen.block), seen.cell) else { return };
            let Some(layer) = block.layer.and_then(ProductionId::of_number) else { return };
            let Some(expected) = states.get(layer, &block.pass, cell) else { return };
            compared.state(checkpoint, seen, &expected, states.vocabulary(), || place(layer, &block.pass, cell));
        });
        let completion = completion.ok_or(Unequal::TooLong)?;
        if let Some(end) = completion.end {
            return Err(Unequal::Ended(end));
        }
        let Compared { registers, dropped, deviation, difference } = compared;
        let missing = states.missing().map(|(cell, row)| place(row.layer, &row.pass, cell));
        let difference = difference
            .or_else(|| completion.margin.is_nan().then(|| "a logit is not a finite number".to_owned()))
            .or_else(|| {
                let differs = completion.output != generated;
                let words =
                    || format!("it generates `{}` instead of `{}`", completion.output.join(" "), generated.join(" "));
                differs.then(words)
            })
            .or_else(|| {
                missing.map(|place| format!("{place}: the program has this state, and the checkpoint has not"))
            });
        match difference {
            Some(difference) => Err(Unequal::Differs(difference)),
            None if registers == 0 => Err(Unequal::Nothing),
            None => Ok(Equal { completion, registers, dropped, deviation }),
        }
    }

    /// Runs the program, up to the positions of the checkpoint. Returns its continuation and its states.
    fn run(&self, checkpoint: &Checkpoint, symbols: &[&str], max_new: usize) -> Result<(Vec<String>, States), Unequal> {
        let meaning = &checkpoint.meaning;
        let room = meaning.positions.checked_sub(symbols.len() + 1);
        let max_new = room.map_or(max_new, |room| max_new.min(room));
        let options = Options { max_new: Some(max_new), stop: Some(meaning.stop.clone()), ..Options::default() };
        let task = self.executable.task(symbols, &options).map_err(Unequal::Input)?;
        let mut recorder = Recorder::new(&self.executable, &task, usize::MAX);
        let run = self.executable.run(MachineKind::Dat, &task, Some(&mut |update| recorder.read(update)));
        let run = run.map_err(|error| Unequal::Run(error.message(&self.executable.registers, &task.vocabulary)))?;
        let registers = &self.executable.registers;
        let dropped = meaning.dropped.iter().filter_map(|short| registers.by_short(short)).collect();
        let continuation = Continuation::new(&run, &task.vocabulary);
        let generated = continuation.symbols.clone();
        Ok((generated, States::new(recorder.finish(&[], Ok(continuation)), dropped)))
    }
}

#[derive(Default)]
struct Compared {
    registers: usize,
    dropped: usize,
    deviation: f32,
    difference: Option<String>,
}

impl Compared {
    fn state(
        &mut self,
        checkpoint: &Checkpoint,
        seen: &Seen<'_>,
        expected: &Expected,
        vocabulary: &Vocabulary,
        place: impl Fn() -> String,
    ) {
        for (index, (register, held)) in checkpoint.meaning.registers.iter().zip(expected.state.iter()).enumerate() {
            if expected.any.contains(&RegisterId::new(index)) {
                self.dropped += 1;
                continue;
            }
            self.registers += 1;
            let components =
                register.parts.iter().flat_map(|&[first, end]| seen.stream.get(first..end).unwrap_or_default());
            let off = components.map(|value| value.abs().min((value - 1.0).abs())).fold(0.0, f32::max);
            self.deviation = self.deviation.max(off);
            let held = held.map(|value| vocabulary.show(Some(value)));
            let found = found(register, seen.stream);
            if found.as_ref() != Ok(&held) && self.difference.is_none() {
                let words = |value: Option<&str>| value.map_or_else(|| "null".to_owned(), |value| format!("`{value}`"));
                let found = found.map_or_else(|none| none, words);
                let expected = words(held);
                self.difference =
                    Some(format!("{}: the register {} has {found} instead of {expected}", place(), register.name));
            }
        }
    }
}

/// The value of a register, or why there is none.
fn found<'r>(register: &'r RegisterMeaning, stream: &[f32]) -> Result<Option<&'r str>, String> {
    let mut components = register.parts.iter().flat_map(|&[first, end]| stream.get(first..end).unwrap_or_default());
    if components.any(|component| !component.is_finite()) {
        return Err("a component that is not a finite number".to_owned());
    }
    register.decode(stream).map_err(|components| format!("no value, by components {components:?}"))
}
