//! The commands of the console: their names and their help.

use psl_syntax::nearest;

use super::error::CommandError;

/// A command as its help shows it.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    pub name: &'static str,
    /// The short form. Empty if there is none.
    pub short: &'static str,
    /// The arguments. Empty if there are none.
    pub arguments: &'static str,
    /// The command's effect, in one line.
    pub help: &'static str,
}

const fn entry(name: &'static str, short: &'static str, arguments: &'static str, help: &'static str) -> CommandHelp {
    CommandHelp { name, short, arguments, help }
}

impl CommandHelp {
    /// The name with the arguments.
    pub fn usage(&self) -> String {
        let clauses = CLAUSES.iter().filter(|_| self.sets_breakpoint()).map(|(clause, _)| format!("[{clause}]"));
        let arguments = Some(self.arguments.to_owned()).filter(|arguments| !arguments.is_empty());
        [self.name.to_owned()].into_iter().chain(arguments).chain(clauses).collect::<Vec<_>>().join(" ")
    }

    /// Whether the command takes clauses.
    pub(super) fn sets_breakpoint(&self) -> bool {
        matches!(self.name, "until" | "break" | "break!" | "watch" | "watch!" | "catch")
    }
}

/// The clauses at the end of each command that sets a breakpoint, with their effect.
const CLAUSES: [(&str, &str); 3] = [
    ("if CONDITION", "only where a condition holds, such as field[N] == XQ and cell == 7; also with step and pass"),
    ("hits COUNT", "only at hits with these numbers, counted from the start of the run: 5, >= 5 or % 3"),
    ("log MESSAGE", "print a line instead of a stop; braces contain expressions, such as {cell}: {field[N]}"),
];

/// The productions of `break` and `break!`.
const PRODUCTIONS: &str = "LINE | LABEL | layer L";
/// The registers and values of `watch` and `watch!`.
const WATCHED: &str = "REGISTER[CELL] | REGISTER [== VALUE | != VALUE]";

/// The commands, in the order of the help.
pub const COMMANDS: &[CommandHelp] = &[
    entry("next", "n", "[COUNT]", "go to the next layer; from a repeat block, over all its passes"),
    entry("step", "s", "[COUNT]", "go to the next cell of the layer; from a repeat block, into its first pass"),
    entry("out", "o", "[COUNT]", "go to the end of the pass, then of the block, then of the forward step"),
    entry("back", "rn", "[COUNT]", "go to the layer before"),
    entry("stepback", "rs", "[COUNT]", "go to the cell before"),
    entry("continue", "c", "", "go to the next breakpoint, or to the end of the run"),
    entry("rback", "rc", "", "go to the breakpoint before, or to the start of the run; also `rcontinue`"),
    entry(
        "until",
        "u",
        "REGISTER[CELL] [changes] | REGISTER [== VALUE | != VALUE] | LINE | LABEL | layer L",
        "go to the next place where a register changes, such as until field[5] changes, or to a production; stop at breakpoints too",
    ),
    entry("goto", "g", "[step S] [layer L] [pass P] [cell C]", "go to a moment; also `goto start` and `goto end`"),
    entry("cell", "", "C", "look at another cell at the same place"),
    entry(
        "set",
        "",
        "REGISTER[CELL] = VALUE",
        "change a register of a cell, and run on from here on the PSM; the value ∅ is null",
    ),
    entry(
        "ablate",
        "",
        "[LAYERS | LABEL | none]",
        "run again with layers that write nothing in any cell or pass, such as ablate 6,20-27; what `set` has changed stays; alone, list them",
    ),
    entry("restart", "run", "", "go to the start of the run, and undo what `set` and `ablate` have changed"),
    entry("break", "b", PRODUCTIONS, "stop where a production fires"),
    entry("break!", "b!", PRODUCTIONS, "stop at a production, also in cells that attend to no cell"),
    entry(
        "watch",
        "w",
        WATCHED,
        "stop where a register of a cell changes, such as watch field[5] == XQ, or of any cell, such as watch field",
    ),
    entry("watch!", "w!", WATCHED, "stop where a register is written, also with the same value"),
    entry(
        "catch",
        "",
        "endless | wrong | ahead | disagree",
        "stop at an endless block, a wrong symbol, a cell that attends to its right, or machines that disagree",
    ),
    entry("breakpoints", "bl", "", "list the breakpoints"),
    entry("delete", "d", "NUMBER", "delete a breakpoint"),
    entry("disable", "", "NUMBER", "keep a breakpoint that no longer stops"),
    entry("enable", "", "NUMBER", "make a disabled breakpoint stop again"),
    entry("where", "bt", "", "show the enclosing blocks and their passes"),
    entry("list", "l", "", "show the program around the current place"),
    entry(
        "registers",
        "r",
        "",
        "show the registers of the cell before and after the layer, and of the cell it attends to",
    ),
    entry("table", "t", "", "show the watched registers of all cells"),
    entry("continuation", "", "", "show the symbols generated so far"),
    entry(
        "print",
        "p",
        "EXPRESSION",
        "show a register of a cell, such as symbol[3] or field[N], or whether a condition holds",
    ),
    entry(
        "why",
        "",
        "[N n]",
        "show which conditions of the layer hold between the cells N and n, and which cell wins; after diff, of the layer that wrote the symbol",
    ),
    entry("from", "", "REGISTER[CELL]", "show the path of a value from its origin, such as from field[5]"),
    entry("last", "", "REGISTER[CELL]", "show which layer wrote a value last, such as last symbol[5]"),
    entry("diff", "", "", "go to the first symbol that differs from the test's expected continuation"),
    entry("help", "h", "[COMMAND]", "show the commands, or one of them"),
    entry("quit", "q", "", "end the session"),
];

/// The command with this name or short form.
///
/// # Errors
///
/// An unknown name.
pub fn find(word: &str) -> Result<&'static CommandHelp, CommandError> {
    let found = COMMANDS.iter().find(|entry| entry.name == word || entry.short == word);
    // gdb's name for the same.
    let found = found.or_else(|| COMMANDS.iter().find(|entry| word == "rcontinue" && entry.name == "rback"));
    found.ok_or_else(|| {
        let nearest = nearest(word, COMMANDS.iter().map(|entry| entry.name));
        CommandError::UnknownCommand { name: word.to_owned(), nearest }
    })
}

/// The help of one command, or of all, in lines.
pub fn help(command: Option<&CommandHelp>) -> Vec<String> {
    if let Some(entry) = command {
        let short = if entry.short.is_empty() { String::new() } else { format!(" (short: {})", entry.short) };
        let clauses = CLAUSES.iter().filter(|_| entry.sets_breakpoint());
        let clauses = clauses.map(|(clause, effect)| format!("  {clause:12}  {effect}"));
        let head = [format!("{}{short}", entry.usage()), format!("  {}", entry.help)];
        return head.into_iter().chain(clauses).collect();
    }
    let width = COMMANDS.iter().map(|entry| entry.name.len()).max().unwrap_or_default();
    let line = |entry: &CommandHelp| format!("{:width$}  {:2}  {}", entry.name, entry.short, entry.help);
    let last = "An empty line repeats the last movement. `help COMMAND` shows the arguments of a command.";
    COMMANDS.iter().map(line).chain([last.to_owned()]).collect()
}
