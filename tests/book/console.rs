//! Blocks of commands and their output.

/// The prompt of `psl debug`. It prints the commands that it reads.
const DEBUGGER: &str = "(psl) ";

/// A command, or more lines for the last one.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed {
    /// The line in the block, 0-based.
    pub at: usize,
    /// The command, or `None` if its session continues. A `\` at the end of a line continues it.
    pub command: Option<String>,
    /// The commands for `psl debug`.
    pub input: Vec<String>,
}

/// The commands of a block. `None` if it starts with another line.
pub fn typed(block: &str) -> Option<Vec<Typed>> {
    let mut found: Vec<Typed> = Vec::new();
    let mut lines = block.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(start) = line.strip_prefix("$ ") {
            let mut command = start.to_owned();
            while command.ends_with('\\')
                && let Some((_, more)) = lines.next()
            {
                command = format!("{command}\n{more}");
            }
            found.push(Typed { at, command: Some(command), input: Vec::new() });
        } else if let Some(input) = line.strip_prefix(DEBUGGER) {
            if at == 0 {
                found.push(Typed { at, command: None, input: Vec::new() });
            }
            found.last_mut()?.input.push(input.to_owned());
        } else if at == 0 {
            return None;
        }
    }
    Some(found).filter(|found| !found.is_empty())
}

/// A command with the input so far, over several blocks of a page.
pub struct ConsoleSession {
    command: String,
    input: Vec<String>,
}

impl ConsoleSession {
    pub fn new(command: String) -> Self {
        Self { command, input: Vec::new() }
    }

    /// Adds input, and returns a script that runs the whole session.
    pub fn script(&mut self, input: Vec<String>) -> String {
        self.input.extend(input);
        match self.input.join("\n") {
            input if input.is_empty() => self.command.clone(),
            input => format!("{{ {}\n}} <<'INPUT'\n{input}\nINPUT", self.command),
        }
    }

    /// The number of commands for `psl debug` so far.
    pub fn typed(&self) -> usize {
        self.input.len()
    }
}

/// The output of a search with the same time each time.
pub fn steady(output: &str) -> String {
    let steady_line = |line: &str| {
        let (start, rest) = line.split_once(" tried in ")?;
        let (_, end) = rest.split_once(" s")?;
        Some(format!("{start} tried in 0.1 s{end}"))
    };
    output.split_inclusive('\n').map(|line| steady_line(line).unwrap_or_else(|| line.to_owned())).collect()
}

/// The output of `psl debug` from a command on, which is given by its 0-based number.
pub fn from_command(output: &str, number: usize) -> &str {
    let starts = output.match_indices(DEBUGGER).map(|(start, _)| start);
    let mut of_lines = starts.filter(|&start| start == 0 || output[..start].ends_with('\n'));
    of_lines.nth(number).map_or("", |start| &output[start..])
}
