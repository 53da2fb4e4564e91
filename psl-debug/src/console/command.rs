//! Commands of the console, from text to data.

use super::{
    catalogue::{CommandHelp, find},
    error::CommandError,
};
use crate::{debugged_run::Movement, exception::Exception, search::Direction};

/// A command of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Moves this many times.
    Move(Movement, usize),
    /// Goes to the next stop.
    Run(Direction),
    /// Goes to the next moment of a production or a register, with a condition, a hit count and a message, or to the
    /// stop before it.
    Until(String),
    /// Sets a breakpoint on a production.
    Break {
        /// A production. Then a condition, a hit count and a message.
        text: String,
        /// Also stops where the production does not fire.
        everywhere: bool,
    },
    /// Sets a breakpoint on the changes of a register.
    Watch {
        /// The register of a cell, and a value. Then a condition, a hit count and a message.
        text: String,
        /// Whether writes of the same value count.
        write: bool,
    },
    /// Sets a breakpoint on a fault of the run.
    Catch {
        fault: Exception,
        /// A condition, a hit count and a message, as for a production.
        clauses: String,
    },
    /// Lists the breakpoints.
    Breakpoints,
    /// Deletes a breakpoint.
    Delete(usize),
    /// Enables a breakpoint.
    Enable(usize),
    /// Disables a breakpoint: it stays in the list, and does not stop.
    Disable(usize),
    /// Goes to a moment.
    GoTo(Target),
    /// Moves the focus to another cell.
    Cell(usize),
    /// Changes a register.
    Set {
        /// The register of a cell.
        register: String,
        value: String,
    },
    /// Runs again with other ablated layers, or lists the ablated layers.
    Ablate(Option<String>),
    /// Goes to the start, and undoes all changes.
    Restart,
    /// Shows the stack.
    Where,
    /// Shows the program around the current place.
    List,
    /// Shows the registers of the cell.
    Registers,
    /// Shows the watched registers of all cells.
    Table,
    /// Shows the continuation so far.
    Continuation,
    /// Shows the value of an expression.
    Print(String),
    /// Shows why cell N attends to cell n, or does not. Without cells, why the current cell attends to the one that it
    /// does.
    Why(Option<(usize, usize)>),
    /// Traces a value back to its origin.
    From(String),
    /// Shows the last write of a register.
    Last(String),
    /// Goes to the first symbol that differs from the expected one.
    Diff,
    /// Shows the help of a command, or of all.
    Help(Option<&'static str>),
    /// Ends the session.
    Quit,
    /// Repeats the last movement: an empty line.
    Again,
}

/// A moment to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The first moment.
    Start,
    /// The last moment.
    End,
    /// A layer at a cell.
    Moment(PartialMoment),
}

/// The given parts of a moment. The others stay as they are, if possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialMoment {
    /// The forward step.
    pub step: Option<usize>,
    /// The layer, 1-based.
    pub layer: Option<usize>,
    /// The passes of the enclosing blocks, outermost first, each 1-based. Without the inner ones, their first.
    pub pass: Vec<usize>,
    /// The cell, 1-based.
    pub cell: Option<usize>,
}

impl Command {
    /// Whether a line begins with the name of a command, and so is not an expression.
    pub fn names(line: &str) -> bool {
        let name = line.split_whitespace().next().unwrap_or_default();
        find(name).is_ok()
    }

    /// Parses a line.
    ///
    /// # Errors
    ///
    /// Fails for an unknown command, and for arguments that do not suit the command.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if name.is_empty() {
            return Ok(Self::Again);
        }
        let entry = match find(name) {
            // A register of a cell, as at the start of an expression.
            Err(_) if name.contains('[') => return Ok(Self::Print(line.to_owned())),
            found => found?,
        };
        let rest = rest.trim();
        if entry.arguments.is_empty() && !rest.is_empty() {
            return Err(CommandError::TakesNoArguments { command: entry.name, found: rest.to_owned() });
        }
        let moves = |movement| Ok(Self::Move(movement, if rest.is_empty() { 1 } else { number(entry, rest)? }));
        match entry.name {
            "next" => moves(Movement::Next),
            "step" => moves(Movement::In),
            "out" => moves(Movement::Out),
            "back" => moves(Movement::Back),
            "stepback" => moves(Movement::BackIn),
            "continue" => Ok(Self::Run(Direction::Forward)),
            "rback" => Ok(Self::Run(Direction::Backward)),
            "until" => Ok(Self::Until(text(entry, rest)?)),
            "break" | "break!" => Ok(Self::Break { text: text(entry, rest)?, everywhere: entry.name == "break!" }),
            "watch" | "watch!" => Ok(Self::Watch { text: text(entry, rest)?, write: entry.name == "watch!" }),
            "catch" => {
                let (fault, clauses) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let fault = Exception::from_name(fault).ok_or_else(|| expected(entry, fault))?;
                Ok(Self::Catch { fault, clauses: clauses.to_owned() })
            }
            "breakpoints" => Ok(Self::Breakpoints),
            "delete" => Ok(Self::Delete(number(entry, rest)?)),
            "enable" => Ok(Self::Enable(number(entry, rest)?)),
            "disable" => Ok(Self::Disable(number(entry, rest)?)),
            "goto" => Ok(Self::GoTo(target(entry, rest)?)),
            "cell" => Ok(Self::Cell(number(entry, rest)?)),
            "set" => {
                let (register, value) = rest.split_once('=').ok_or_else(|| expected(entry, rest))?;
                Ok(Self::Set { register: register.trim().to_owned(), value: text(entry, value.trim())? })
            }
            "ablate" => Ok(Self::Ablate((!rest.is_empty()).then(|| rest.to_owned()))),
            "restart" => Ok(Self::Restart),
            "where" => Ok(Self::Where),
            "list" => Ok(Self::List),
            "registers" => Ok(Self::Registers),
            "table" => Ok(Self::Table),
            "continuation" => Ok(Self::Continuation),
            "print" => Ok(Self::Print(text(entry, rest)?)),
            "why" if rest.is_empty() => Ok(Self::Why(None)),
            "why" => two_cells(rest).map(|cells| Self::Why(Some(cells))),
            "from" => Ok(Self::From(text(entry, rest)?)),
            "last" => Ok(Self::Last(text(entry, rest)?)),
            "diff" => Ok(Self::Diff),
            "help" if rest.is_empty() => Ok(Self::Help(None)),
            "help" => Ok(Self::Help(Some(find(rest)?.name))),
            _ => Ok(Self::Quit),
        }
    }
}

fn target(entry: &CommandHelp, text: &str) -> Result<Target, CommandError> {
    match text {
        "" => return Err(expected(entry, text)),
        "start" => return Ok(Target::Start),
        "end" => return Ok(Target::End),
        _ => {}
    }
    let mut moment = PartialMoment::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_default();
        match word {
            "step" => moment.step = Some(number(entry, value)?),
            "layer" => moment.layer = Some(number(entry, value)?),
            "cell" => moment.cell = Some(number(entry, value)?),
            "pass" => moment.pass = value.split('.').map(|pass| number(entry, pass)).collect::<Result<_, _>>()?,
            _ => return Err(expected(entry, word)),
        }
    }
    Ok(Target::Moment(moment))
}

fn text(entry: &CommandHelp, text: &str) -> Result<String, CommandError> {
    if text.is_empty() { Err(expected(entry, text)) } else { Ok(text.to_owned()) }
}

fn number(entry: &CommandHelp, text: &str) -> Result<usize, CommandError> {
    text.parse().map_err(|_| expected(entry, text))
}

/// The cells `N` and `n` of `why`.
fn two_cells(text: &str) -> Result<(usize, usize), CommandError> {
    let cell = |word: &str| word.parse().map_err(|_| CommandError::WhyNotCell(word.to_owned()));
    let cells = text.split_whitespace().map(cell);
    match cells.collect::<Result<Vec<_>, _>>()?.as_slice() {
        [cell] => Err(CommandError::WhyOneCell(*cell)),
        [cell, source] => Ok((*cell, *source)),
        cells => Err(CommandError::WhyCells(cells.len())),
    }
}

/// The error for an argument that does not suit a command.
fn expected(entry: &CommandHelp, found: &str) -> CommandError {
    CommandError::Arguments { usage: entry.usage(), found: found.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::catalogue::COMMANDS;

    fn check(line: &str, expected: Command) {
        assert_eq!(Command::parse(line), Ok(expected), "{line}");
    }

    fn check_error(line: &str, expected: &str) {
        assert_eq!(Command::parse(line).map_err(|error| error.to_string()), Err(expected.to_owned()), "{line}");
    }

    #[test]
    fn commands_have_names_short_forms_and_arguments() {
        check("next", Command::Move(Movement::Next, 1));
        check("  n 12 ", Command::Move(Movement::Next, 12));
        check("rs", Command::Move(Movement::BackIn, 1));
        check("cell 7", Command::Cell(7));
        check("help rs", Command::Help(Some("stepback")));
        check("", Command::Again);
        check("goto end", Command::GoTo(Target::End));
        check("print symbol[N]", Command::Print("symbol[N]".to_owned()));
        check("symbol[3] == A", Command::Print("symbol[3] == A".to_owned()));
        check("watch! m[2] == A", Command::Watch { text: "m[2] == A".to_owned(), write: true });
        let clauses = "if cell == 3 log {cell}".to_owned();
        check("catch ahead if cell == 3 log {cell}", Command::Catch { fault: Exception::LooksAhead, clauses });
        check("until m[2] changes", Command::Until("m[2] changes".to_owned()));
        check("disable 2", Command::Disable(2));
        check("set m[2]=A", Command::Set { register: "m[2]".to_owned(), value: "A".to_owned() });
        check("ablate", Command::Ablate(None));
        check("ablate 6, 20-27", Command::Ablate(Some("6, 20-27".to_owned())));
        check("rcontinue", Command::Run(Direction::Backward));
        check("why", Command::Why(None));
        check("why 7 4", Command::Why(Some((7, 4))));
        let moment = PartialMoment { step: Some(3), layer: Some(12), pass: vec![2, 1], cell: Some(7) };
        check("goto step 3 layer 12 pass 2.1 cell 7", Command::GoTo(Target::Moment(moment)));
        check("g cell 7", Command::GoTo(Target::Moment(PartialMoment { cell: Some(7), ..PartialMoment::default() })));
    }

    #[test]
    fn every_fault_can_be_caught() {
        let names = Exception::ALL.map(|fault| fault.fault().name);
        assert_eq!(find("catch").map(|entry| entry.arguments), Ok(names.join(" | ").as_str()));
        for (name, fault) in names.into_iter().zip(Exception::ALL) {
            check(&format!("catch {name}"), Command::Catch { fault, clauses: String::new() });
        }
    }

    #[test]
    fn errors_say_what_is_expected() {
        check_error("nxt", "unknown command `nxt`; did you mean `next`?");
        check_error("frobnicate", "unknown command `frobnicate`; `help` lists the commands");
        check_error("next x", "expected `next [COUNT]`, found `x`");
        check_error("next -1", "expected `next [COUNT]`, found `-1`");
        check_error("cell", "expected `cell C`, found nothing");
        check_error("print", "expected `print EXPRESSION`, found nothing");
        check_error(
            "catch all",
            "expected `catch endless | wrong | ahead | disagree [if CONDITION] [hits COUNT] [log MESSAGE]`, found `all`",
        );
        check_error("set m[2]", "expected `set REGISTER[CELL] = VALUE`, found `m[2]`");
        check_error("set m[2] =", "expected `set REGISTER[CELL] = VALUE`, found nothing");
        let shows = "shows why cell N attends to cell n, or why it does not";
        check_error("why 3", &format!("the cell `n` is missing: `why 3 1` {shows}"));
        check_error("why as", &format!("`as` is not the number of a cell: `why 7 4` {shows}"));
        check_error("why 7 4 1", &format!("`why` takes two cells, found 3: `why 7 4` {shows}"));
        check_error("quit now", "`quit` takes no arguments: remove `now`");
        check_error("goto 7", "expected `goto [step S] [layer L] [pass P] [cell C]`, found `7`");
        check_error("goto layer", "expected `goto [step S] [layer L] [pass P] [cell C]`, found nothing");
    }

    #[test]
    fn names_and_short_forms_are_unique() {
        let names = COMMANDS.iter().flat_map(|entry| [entry.name, entry.short]).filter(|name| !name.is_empty());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
