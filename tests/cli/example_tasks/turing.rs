//! Turing machines: a plain simulator and random machines, also for the tests of `psl turing`.

#![allow(dead_code, reason = "each of the two test files uses a part")]

use std::iter;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};

/// The number of steps after which a random machine counts as never halting.
const STEPS: usize = 300;

const STATES: [&str; 4] = ["A", "B", "C", "D"];
const SYMBOLS: [&str; 3] = ["0", "1", "_"];

/// The state without instructions.
const HALT: &str = "H";

#[derive(Debug)]
pub struct Machine(pub Vec<Instruction>);

#[derive(Debug)]
pub struct Instruction {
    pub state: &'static str,
    pub symbol: &'static str,
    pub new_state: &'static str,
    pub new_symbol: &'static str,
    pub right: bool,
}

/// A machine before or after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    pub tape: Vec<String>,
    pub state: String,
    /// The index of the square, or `None` if the head has left the tape.
    pub head: Option<usize>,
}

impl Machine {
    /// A random machine with up to 4 states and 3 symbols. It lacks an instruction for a state and a symbol with this
    /// probability.
    pub fn random(random: &mut ChaCha8Rng, lacking: f64) -> Self {
        let states = &STATES[..random.random_range(1..=STATES.len())];
        let symbols = &SYMBOLS[..random.random_range(1..=SYMBOLS.len())];
        Self::of(states, symbols, random, lacking)
    }

    fn of(states: &[&'static str], symbols: &[&'static str], random: &mut ChaCha8Rng, lacking: f64) -> Self {
        let targets = [states, states, states, &[HALT]].concat();
        let mut instructions = Vec::new();
        for &state in states {
            for &symbol in symbols {
                let new_state = targets.choose(random).expect("states");
                let new_symbol = symbols.choose(random).expect("symbols");
                let right = random.random_bool(0.5);
                // A table has at least one instruction.
                if instructions.is_empty() || !random.random_bool(lacking) {
                    instructions.push(Instruction { state, symbol, new_state, new_symbol, right });
                }
            }
        }
        Self(instructions)
    }

    /// A random tape of the symbols that the machine reads, with the head on one of its squares, in the state of the
    /// first instruction.
    pub fn start(&self, random: &mut ChaCha8Rng, squares: usize) -> Configuration {
        let tape = (0..squares).map(|_| self.0.choose(random).expect("instructions").symbol.to_owned()).collect();
        Configuration { tape, state: self.0[0].state.to_owned(), head: Some(random.random_range(0..squares)) }
    }

    /// The configuration after the next step, or `None` after the last one.
    pub fn step(&self, before: &Configuration) -> Option<Configuration> {
        let head = before.head?;
        let fits = |it: &&Instruction| it.state == before.state && it.symbol == before.tape[head];
        let instruction = self.0.iter().find(fits)?;
        let mut tape = before.tape.clone();
        instruction.new_symbol.clone_into(&mut tape[head]);
        let moved = if instruction.right { head + 1 } else { head.wrapping_sub(1) };
        let head = Some(moved).filter(|&head| head < tape.len());
        Some(Configuration { tape, state: instruction.new_state.to_owned(), head })
    }

    /// The configurations from a start to the last one.
    pub fn configurations(&self, start: Configuration) -> impl Iterator<Item = Configuration> {
        iter::successors(Some(start), |before| self.step(before))
    }

    /// The instructions as the lines of a table, or as a part of a prompt, each followed by `end`.
    pub fn text(&self, end: &str) -> String {
        let instruction = |it: &Instruction| {
            let direction = if it.right { "R" } else { "L" };
            format!("{} {} {} {} {direction}{end}", it.state, it.symbol, it.new_state, it.new_symbol)
        };
        self.0.iter().map(instruction).collect()
    }

    /// The prompt of `examples/turing.psl`.
    pub fn prompt(&self, start: &Configuration) -> String {
        let mut tape = start.tape.clone();
        tape.insert(start.head.expect("a head"), "^".to_owned());
        format!("{}| {}", self.text(" ; "), tape.join(" "))
    }
}

/// The number of symbols in the longest prompt of a test in `examples/turing.psl`.
const LONGEST: usize = 64;

/// 2,000 longer prompts of `examples/turing.psl` with their continuations: machines with 4 states and 3 symbols that
/// halt or leave the tape.
pub fn lines() -> impl Iterator<Item = (String, String)> {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    iter::repeat_with(move || {
        let machine = Machine::of(&STATES, &SYMBOLS, &mut random, 0.1);
        let squares = random.random_range(20..=40);
        let start = machine.start(&mut random, squares);
        let prompt = machine.prompt(&start);
        if prompt.split(' ').count() <= LONGEST {
            return None;
        }
        let (_, last) = (0..STEPS).zip(machine.configurations(start)).last()?;
        machine.step(&last).is_none().then(|| (prompt, format!("{} .", last.tape.join(" "))))
    })
    .flatten()
    .take(2_000)
}
