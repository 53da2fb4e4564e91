//! Properties of every checkpoint, whatever its files contain, shared by a fuzz target and an ordinary test.
#![allow(dead_code, reason = "the fuzz target and the test use different parts")]

use std::sync::LazyLock;

use psl_runtime::{
    MachineKind, Options, compile,
    equality::{Equal, ReferenceProgram, Unequal},
    gpt2::{Bounds, Checkpoint, CheckpointFile, Precision, Request, build},
    to_the_end,
};
use psl_syntax::causality::{Causality, causality};
use serde_json::{Value, json};

/// The verdict on a checkpoint and a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The files do not fit each other.
    Refused(String),
    /// The program cannot complete the prompt, or the checkpoint ends it early.
    Ended,
    /// The checkpoint differs from its program.
    Differs(String),
    /// The checkpoint is equal to its program.
    Verified,
}

/// A checkpoint is refused, or its verdict on each prompt is true. The verdicts, at least one.
pub fn verdicts(files: &[CheckpointFile]) -> Vec<Verdict> {
    let refused = |error: &dyn ToString| vec![Verdict::Refused(error.to_string())];
    let made = match Checkpoint::read(files) {
        Ok(made) => made,
        Err(error) => return refused(&error),
    };
    let original = match ReferenceProgram::new(&made) {
        Ok(original) => original,
        Err(error) => return refused(&error),
    };
    let symbols: Vec<&str> = made.meaning.symbols.iter().map(String::as_str).collect();
    let lengths = [1, 3, made.meaning.max_prompt, made.meaning.max_prompt + 1];
    let prompts = lengths.map(|length| symbols.iter().cycle().copied().take(length).collect::<Vec<_>>());
    prompts.iter().map(|prompt| verdict(&made, &original, prompt)).collect()
}

fn verdict(made: &Checkpoint, original: &ReferenceProgram, prompt: &[&str]) -> Verdict {
    let max_new = made.meaning.max_new;
    if let Some(done) = made.complete(prompt, max_new, |_| ()) {
        assert!(done.output.len() <= max_new && done.tokens <= made.model.wpe.rows, "{done:?}");
    }
    match original.compare(made, prompt, max_new) {
        Ok(equal) => {
            check_equal(made, original, prompt, &equal);
            Verdict::Verified
        }
        Err(Unequal::Differs(difference)) => Verdict::Differs(difference),
        Err(_) => Verdict::Ended,
    }
}

/// The program generates the same, and each register of each of its states was compared or is named as dropped.
fn check_equal(made: &Checkpoint, original: &ReferenceProgram, prompt: &[&str], equal: &Equal) {
    let options =
        Options { max_new: Some(made.meaning.max_new), stop: Some(made.meaning.stop.clone()), ..Options::default() };
    let executable = original.executable();
    let task = executable.task(prompt, &options).expect("a task");
    // Not the DAT, which the comparison runs.
    let others = [MachineKind::Psm, MachineKind::Qkvm, MachineKind::FullDat];
    let machine = others.into_iter().find(|machine| executable.why_not_on(*machine).is_none()).expect("a machine");
    let mut states = 0;
    let run = executable.run(machine, &task, Some(&mut to_the_end(|_| states += 1))).expect("a run");
    let output: Vec<&str> = run.output.iter().map(|value| task.vocabulary.show(*value)).collect();
    assert_eq!(equal.completion.output, output);
    assert!(equal.registers > 0 && equal.registers + equal.dropped >= states * executable.registers.len(), "{equal:?}");
    assert!(equal.dropped == 0 || !made.meaning.dropped.is_empty(), "{equal:?}");
    assert!(equal.completion.margin.is_finite(), "{equal:?}");
}

/// The files of a small checkpoint with some changes. The first byte selects the checkpoint, and each 6 further bytes
/// are one change.
pub fn changed(data: &[u8]) -> Vec<CheckpointFile> {
    let Some((&first, changes)) = data.split_first() else { return Vec::new() };
    let mut files = CHECKPOINTS[usize::from(first) % CHECKPOINTS.len()].clone();
    for change in changes.chunks_exact(6) {
        let count = files.len();
        let file = &mut files[usize::from(change[0]) % count];
        let place = usize::from(u16::from_le_bytes([change[1], change[2]]));
        if file.name == Checkpoint::PARAMETERS {
            change_parameters(&mut file.bytes, change[3], place * 256 + usize::from(change[4]), change[5]);
        } else {
            change_text(&mut file.bytes, change[3], place, usize::from(change[4]));
        }
    }
    files
}

/// Changes a tensor's entry, a byte of the header, or the length.
fn change_parameters(bytes: &mut Vec<u8>, kind: u8, place: usize, value: u8) {
    const ENTRIES: [f32; 8] = [0.0, 1.0, -1.0, 2.0, 0.5, f32::NAN, f32::INFINITY, 3e38];
    let start = bytes.first_chunk().map_or(0, |length| 8 + u64::from_le_bytes(*length) as usize);
    if start + 4 > bytes.len() {
        return;
    }
    match kind % 8 {
        0 => bytes.truncate(place % bytes.len()),
        1 | 2 => bytes[place % start] = value,
        _ => {
            let place = start + 4 * (place % ((bytes.len() - start) / 4));
            bytes[place..place + 4].copy_from_slice(&ENTRIES[usize::from(value) % ENTRIES.len()].to_le_bytes());
        }
    }
}

/// Changes a part of a JSON file.
fn change_text(bytes: &mut Vec<u8>, kind: u8, place: usize, other: usize) {
    let Ok(mut json) = serde_json::from_slice::<Value>(bytes) else { return };
    let parts = parts(&json);
    let (part, other) = (&parts[place % parts.len()], &parts[other * 251 % parts.len()]);
    match kind % 4 {
        0 => remove(&mut json, part),
        1 => {
            let (one, two) = (json.pointer(part).cloned(), json.pointer(other).cloned());
            set(&mut json, part, two.unwrap_or_default());
            set(&mut json, other, one.unwrap_or_default());
        }
        _ => {
            let values = values(json.pointer(part).unwrap_or(&Value::Null));
            let index = usize::from(kind / 4) % values.len();
            set(&mut json, part, values[index].clone());
        }
    }
    *bytes = json.to_string().into_bytes();
}

/// The values that take the place of a part of a JSON file.
pub fn values(part: &Value) -> Vec<Value> {
    let number = part.as_u64().unwrap_or_default();
    let near = [number.wrapping_add(1), number.wrapping_sub(1), number.wrapping_mul(2)].map(Value::from);
    let text = part.as_str().unwrap_or_default();
    let texts = [format!("{text}a"), text.chars().skip(1).collect(), "a".to_owned(), " .".to_owned()].map(Value::from);
    let others =
        [json!(0), json!(1), json!(99), json!(1u64 << 62), json!(u64::MAX), json!(-1), json!(0.5), json!(1e300)];
    let kinds = [json!(null), json!(true), json!(false), json!([]), json!({}), json!([0, 1])];
    near.into_iter().chain(texts).chain(others).chain(kinds).collect()
}

/// The pointers of all parts.
pub fn parts(json: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut left = vec![(String::new(), json)];
    while let Some((pointer, json)) = left.pop() {
        let below = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
        match json {
            Value::Object(object) => left.extend(object.iter().map(|(key, value)| (below(key), value))),
            Value::Array(list) => {
                left.extend(list.iter().enumerate().map(|(index, value)| (below(&index.to_string()), value)));
            }
            _ => {}
        }
        all.push(pointer);
    }
    all
}

pub fn set(json: &mut Value, pointer: &str, value: Value) {
    if let Some(part) = json.pointer_mut(pointer) {
        *part = value;
    }
}

pub fn remove(json: &mut Value, pointer: &str) {
    let Some((around, key)) = pointer.rsplit_once('/') else { return };
    match json.pointer_mut(around) {
        Some(Value::Object(object)) => _ = object.shift_remove(&key.replace("~1", "/").replace("~0", "~")),
        Some(Value::Array(list)) => _ = key.parse().map(|index: usize| list.remove(index)),
        _ => {}
    }
}

/// The checkpoints of small programs: one that copies, one with a repeat block, and one that looks ahead.
pub static CHECKPOINTS: LazyLock<Vec<Vec<CheckpointFile>>> = LazyLock::new(|| PROGRAMS.map(checkpoint).to_vec());

const PROGRAMS: [&str; 3] = [
    "registers: {symbol: 's', position: 'p', prev_symbol: 's*'}
causal_attn: true

# remember the symbol to the left
where position[n] == position[N]@pos_decrement:
    prev_symbol[N] = symbol[n]

# copy the symbol after the last occurrence
where_rm prev_symbol[n] == symbol[N]:
    symbol[N] = symbol[n]
",
    "registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A: 'a'}
system: {symbol: symbol, position: position, output: mark}
causal_attn: true

# mark the first cell
where symbol[n] == A:
    mark[N] = symbol[n]

repeat:
    # spread marks to the right
    where position[n] == position[N]@pos_decrement and mark[n] == A:
        mark[N] = mark[n]
until NO_CHANGE
",
    "registers: {symbol: 's', position: 'p', next_symbol: 'x'}
constants: {A: 'a'}
system: {symbol: symbol, position: position, output: next_symbol}

# read the symbol to the right
where position[n] == position[N]@pos_increment:
    next_symbol[N] = symbol[n]

# an a stays
where symbol[N] == symbol[n] and symbol[n] == A:
    next_symbol[N] = symbol[n]
",
];

fn checkpoint(text: &str) -> Vec<CheckpointFile> {
    let checked = psl_syntax::check(text);
    let program = &checked.analysis.program;
    let looks_ahead: Vec<bool> = causality(program).iter().map(|it| !matches!(it, Causality::Proved(_))).collect();
    let request = Request {
        program: &compile(program),
        looks_ahead: &looks_ahead,
        symbols: &["a", "b", "."],
        stop: ".",
        bounds: Bounds { prompt: 4, new: 3, passes: 6 },
        precision: Precision::Float32,
        digits: Precision::Float32,
        max_parameters: 1_000_000,
    };
    build(&request).expect("a checkpoint")
}
