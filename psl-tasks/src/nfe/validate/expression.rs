//! The expression of a line.

use psl_program::count;

use super::definitions::Definitions;
use crate::nfe::symbols::{ARROW, CLOSE, COMMA, OPEN, is_reserved};

/// A call that is not closed yet.
struct Call<'l> {
    name: &'l str,
    /// The number of complete arguments.
    complete: usize,
    /// The next argument, so far.
    argument: Argument,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    Empty,
    Symbols,
    Call,
}

/// Checks an expression, and returns its depth. A call has depth 1 if its arguments are symbols, and otherwise one more
/// than the deepest call in them.
pub fn depth(expression: &[&str], definitions: &Definitions<'_>) -> Result<usize, String> {
    let (mut calls, mut depth): (Vec<Call>, _) = (Vec::new(), 0);
    let mut rest = expression;
    while let [symbol, after @ ..] = rest {
        rest = after;
        // Only the first symbol is outside of all calls.
        if calls.is_empty() && depth > 0 {
            return Err(format!("expected `{ARROW}` after the expression, found `{symbol}`"));
        }
        if let [OPEN, after @ ..] = after
            && !is_reserved(symbol)
        {
            if definitions.parameters(symbol).is_none() {
                return Err(format!("unknown function `{symbol}`"));
            }
            calls.last_mut().map_or(Ok(()), |call| call.takes(Argument::Call))?;
            calls.push(Call { name: symbol, complete: 0, argument: Argument::Empty });
            depth = depth.max(calls.len());
            rest = after;
            continue;
        }
        let Some(call) = calls.last_mut() else {
            return Err(format!("expected a call as the expression, found `{symbol}`"));
        };
        match *symbol {
            COMMA => call.complete()?,
            CLOSE => {
                call.complete()?;
                let parameters = definitions.parameters(call.name).unwrap_or_default();
                if call.complete != parameters {
                    let found = count(call.complete, "argument");
                    return Err(format!("`{}` has {}, found {found}", call.name, count(parameters, "parameter")));
                }
                calls.pop();
            }
            OPEN => return Err(format!("missing name before `{OPEN}` in the expression")),
            symbol if is_reserved(symbol) => return Err(format!("unexpected `{symbol}` in the expression")),
            _ => call.takes(Argument::Symbols)?,
        }
    }
    match calls.last() {
        Some(call) => Err(format!("missing `{CLOSE}` after the arguments of `{}`", call.name)),
        None if depth == 0 => Err("missing expression".to_owned()),
        None => Ok(depth),
    }
}

impl Call<'_> {
    /// Adds a symbol or a call to the argument.
    fn takes(&mut self, next: Argument) -> Result<(), String> {
        if self.argument != Argument::Empty && (self.argument, next) != (Argument::Symbols, Argument::Symbols) {
            let Self { name, complete, .. } = self;
            return Err(format!("argument {} of `{name}` is neither symbols nor one call", *complete + 1));
        }
        self.argument = next;
        Ok(())
    }

    /// Ends the argument.
    fn complete(&mut self) -> Result<(), String> {
        self.complete += 1;
        if self.argument == Argument::Empty {
            return Err(format!("argument {} of `{}` is empty", self.complete, self.name));
        }
        self.argument = Argument::Empty;
        Ok(())
    }
}
