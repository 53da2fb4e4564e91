//! Checks lines of nested function evaluation data against the grammar and the evaluation by copy and eval.
//!
//! Invariant: a line is checked in time that does not grow faster than the line, however long the values would become.
//! The evaluation therefore stops at the first symbol that differs from the gold.

mod definitions;
mod expression;

use definitions::Definitions;

use super::symbols::{ARROW, CLOSE, END, OPEN, SEMICOLON};
use crate::line::{Line, check_counts, symbols};

/// Checks a line, and the depth of its expression if it is given.
///
/// # Errors
///
/// A message about the first violation.
pub fn validate(line: &Line<'_>, depth: Option<u8>) -> Result<(), String> {
    let info = line.info()?;
    let (prompt, gold) = (symbols(&line.prompt)?, symbols(&line.gold)?);
    let Some((&ARROW, prompt)) = prompt.split_last() else {
        return Err(format!("expected `{ARROW}` at the end of the prompt"));
    };
    let mut parts: Vec<&[&str]> = prompt.split(|symbol| *symbol == SEMICOLON).collect();
    let expression = parts.pop().unwrap_or_default();
    let definitions = Definitions::parse(&parts)?;
    let found = expression::depth(expression, &definitions)?;
    if let Some(depth) = depth.map(usize::from).filter(|depth| *depth != found) {
        return Err(format!("the expression has depth {found}, expected {depth}"));
    }
    evaluate(expression, &definitions, &mut Gold { symbols: &gold, number: 0 })?;
    check_counts(&info, [("depth", found), ("functions", parts.len())])
}

/// Compares the evaluation of an expression with the gold.
fn evaluate<'l>(expression: &[&'l str], definitions: &Definitions<'l>, gold: &mut Gold<'_>) -> Result<(), String> {
    let mut expression = expression.to_vec();
    loop {
        let mut reduced: Vec<&str> = Vec::new();
        // The start of the last call, until one is closed: a call that is closed then has no call in its arguments.
        let mut innermost = None;
        for symbol in expression {
            gold.next_is(symbol)?;
            reduced.push(symbol);
            match symbol {
                OPEN => innermost = Some(reduced.len().saturating_sub(2)),
                CLOSE => {
                    if let Some(start) = innermost.take() {
                        gold.next_is(ARROW)?;
                        let call = reduced.split_off(start);
                        for symbol in definitions.value(&call) {
                            gold.next_is(symbol)?;
                            reduced.push(symbol);
                        }
                    }
                }
                _ => {}
            }
        }
        if !reduced.contains(&OPEN) {
            gold.next_is(END)?;
            return gold.ends();
        }
        gold.next_is(ARROW)?;
        expression = reduced;
    }
}

/// A gold, and the number of its symbols that are right.
struct Gold<'g> {
    symbols: &'g [&'g str],
    number: usize,
}

impl Gold<'_> {
    fn next_is(&mut self, expected: &str) -> Result<(), String> {
        match self.symbols.get(self.number) {
            Some(found) if *found == expected => {
                self.number += 1;
                Ok(())
            }
            Some(found) => Err(format!("symbol {} of the gold is `{found}`, not `{expected}`", self.number + 1)),
            None => Err(format!("symbol {} of the gold, `{expected}`, is missing", self.number + 1)),
        }
    }

    fn ends(&self) -> Result<(), String> {
        match self.symbols.get(self.number) {
            Some(found) => Err(format!("symbol {} of the gold, `{found}`, is unexpected", self.number + 1)),
            None => Ok(()),
        }
    }
}
