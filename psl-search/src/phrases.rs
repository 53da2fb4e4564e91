//! The operands, conditions and assignments that a program could have.

use psl_syntax::program::Function;

use crate::words::Words;

/// A part of a production that a program could have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    pub text: String,
    /// Whether its registers and constants have to do with each other elsewhere in the program.
    pub fits: bool,
}

/// The right sides of a comparison with a register, or of an assignment to it, by the register's number.
pub fn sources(words: &Words, register: usize, cells: &[&str]) -> Vec<Phrase> {
    let constants = words.constants.iter().enumerate();
    let constants =
        constants.map(|(constant, text)| Phrase { text: text.clone(), fits: words.fits(register, constant) });
    constants.chain(reads(words, register, cells)).collect()
}

/// The registers of cells, with each function, on the right of a register.
fn reads(words: &Words, register: usize, cells: &[&str]) -> Vec<Phrase> {
    let mut found = Vec::new();
    for cell in cells {
        for (other, name) in words.registers.iter().enumerate() {
            let plain = format!("{name}[{cell}]");
            let fits = words.alike(register, other);
            let with = |function: Function| Phrase {
                text: format!("{plain}@{}", function.as_str()),
                fits: fits && words.holds_positions(other),
            };
            let functions: Vec<Phrase> = Function::ALL.into_iter().map(with).collect();
            found.push(Phrase { text: plain, fits });
            found.extend(functions);
        }
    }
    found
}

/// The comparisons of a register with a constant, and of one register with another in the other cell or of cell N.
pub fn conditions(words: &Words) -> Vec<Phrase> {
    let mut found = Vec::new();
    for (register, name) in words.registers.iter().enumerate() {
        for (cell, other) in [("n", "N"), ("N", "n")] {
            for source in sources(words, register, &[other]) {
                // Without a function, both orders mean the same.
                if cell == "N" && source.text.ends_with("[n]") {
                    continue;
                }
                for operator in ["==", "!="] {
                    let text = format!("{name}[{cell}] {operator} {}", source.text);
                    found.push(Phrase { text, fits: source.fits });
                }
            }
        }
    }
    for (one, name) in words.registers.iter().enumerate() {
        for (other, read) in words.registers.iter().enumerate().skip(one + 1) {
            for operator in ["==", "!="] {
                let text = format!("{name}[N] {operator} {read}[N]");
                found.push(Phrase { text, fits: words.alike(one, other) });
            }
        }
    }
    found
}

/// The assignments of constants and registers, without those that change nothing.
pub fn assignments(words: &Words) -> Vec<Phrase> {
    let mut found = Vec::new();
    for (register, name) in words.registers.iter().enumerate() {
        let target = format!("{name}[N]");
        let sources = sources(words, register, &["n", "N"]).into_iter().filter(|source| source.text != target);
        found.extend(sources.map(|it| Phrase { text: format!("{target} = {}", it.text), fits: it.fits }));
    }
    found
}

/// The register that an assignment sets.
pub fn target(assignment: &str) -> &str {
    assignment.split('[').next().unwrap_or_default()
}
