//! An interpreter of SUBLEQ, within the limits of the example.

use std::iter;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

/// Programs that run longer do not count as halting.
const MAX_INSTRUCTIONS: usize = 40;

/// Memories with programs that run at least 3 instructions and halt, and the memories at the end.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let memories = iter::repeat_with(move || memory(&mut random));
    let halting = memories.filter_map(|start| match run(start.clone()) {
        Some((end, 3..)) => Some((numerals(&start), numerals(&end) + " .")),
        _ => None,
    });
    halting.take(500)
}

/// A random memory: some instructions, then their data. A few instructions change others, or leave the memory.
fn memory(random: &mut ChaCha8Rng) -> Vec<i32> {
    let instructions = random.random_range(2..=6);
    let program = 3 * instructions;
    let end = program + random.random_range(2..=6);
    let mut memory = Vec::new();
    for _ in 0..instructions {
        let addresses = if random.random_bool(0.9) { program..end } else { -1..end + 1 };
        memory.push(random.random_range(addresses.clone()));
        memory.push(random.random_range(addresses));
        memory.push(if random.random_bool(0.2) { -1 } else { 3 * random.random_range(0..instructions) });
    }
    memory.extend((program..end).map(|_| random.random_range(-25..=25)));
    memory
}

/// Runs a program. Returns the memory and the number of instructions, or `None` if the program does not halt.
fn run(mut memory: Vec<i32>) -> Option<(Vec<i32>, usize)> {
    let mut address = 0;
    for instructions in 0..=MAX_INSTRUCTIONS {
        let Some((changed, next)) = step(&memory, address) else { return Some((memory, instructions)) };
        if (&changed, next) == (&memory, address) {
            return Some((memory, instructions));
        }
        (memory, address) = (changed, next);
    }
    None
}

/// Runs the instruction at an address. Returns the memory and the next address, or `None` if the instruction needs an
/// address outside of the memory.
fn step(memory: &[i32], address: i32) -> Option<(Vec<i32>, i32)> {
    let load = |address: i32| memory.get(usize::try_from(address).ok()?).copied();
    let [a, b, c] = [load(address)?, load(address + 1)?, load(address + 2)?];
    let largest = i32::try_from(memory.len()).ok()? + 35;
    let difference = (load(b)? - load(a)?).clamp(-30, largest);
    let mut changed = memory.to_vec();
    changed[usize::try_from(b).ok()?] = difference;
    Some((changed, if difference <= 0 { c } else { address + 3 }))
}

/// The prompt or continuation of a memory: 30 is 0.
fn numerals(memory: &[i32]) -> String {
    let numerals: Vec<_> = memory.iter().map(|number| (number + 30).to_string()).collect();
    numerals.join(" ")
}
