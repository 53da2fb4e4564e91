//! The prompts of standard input. On a terminal, they are asked for: without a question, the command would seem to
//! hang.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use psl_render::shown;
use psl_syntax::program::{Program, TestPrompt};

#[cfg(unix)]
use crate::input::line_editor::LineEditor;
use crate::{
    failure::Failure,
    input::{
        data_lines::{DataLines, NotUtf8},
        paths::STDIN,
    },
    output::stdio::print_to_stderr,
};

/// The mark of the line to type on.
const MARK: &str = "> ";

/// Prompts, one a line.
pub struct Prompts {
    from: From,
    number: usize,
}

enum From {
    // On Windows, the terminal edits lines, and rustyline needs a crate without a license file.
    #[cfg(unix)]
    Editor(LineEditor<()>),
    Lines {
        lines: DataLines,
        /// Whether the lines are typed.
        asked: bool,
    },
}

impl Prompts {
    /// The lines of standard input. Explains on terminals how to type a prompt, with the program's first test as the
    /// example.
    pub fn of_stdin(program: &Program) -> Result<Self, Failure> {
        let asked = io::stdin().is_terminal() && io::stderr().is_terminal();
        if asked {
            print_to_stderr("Type a prompt, symbols separated by spaces, and press Enter; Ctrl-D ends.");
            if let Some(example) = first_prompt(program) {
                print_to_stderr(format_args!("For example: {example}"));
            }
        }
        // The editor draws on standard output, which is for continuations if it is a file.
        #[cfg(unix)]
        if asked && io::stdout().is_terminal() {
            return Ok(Self { from: From::Editor(LineEditor::open("prompts", ())?), number: 0 });
        }
        Ok(Self { from: From::Lines { lines: DataLines::open(Path::new(STDIN))?, asked }, number: 0 })
    }

    /// The next prompt, or `None` after the last one.
    pub fn next(&mut self) -> Result<Option<Result<String, NotUtf8>>, Failure> {
        let prompt = match &mut self.from {
            #[cfg(unix)]
            From::Editor(editor) => editor.read(MARK)?.map(Ok),
            From::Lines { lines, asked: false } => lines.next_line()?,
            From::Lines { lines, asked: true } => {
                write(MARK);
                let line = lines.next_line()?;
                if line.is_none() {
                    // Ends the line on which nothing was typed.
                    write("\n");
                }
                line
            }
        };
        self.number += usize::from(prompt.is_some());
        Ok(prompt)
    }

    /// The number of prompts so far.
    pub const fn number(&self) -> usize {
        self.number
    }
}

fn write(text: &str) {
    let mut stderr = io::stderr();
    // If the terminal is gone, standard input ends too.
    stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()).ok();
}

fn first_prompt(program: &Program) -> Option<String> {
    program.tests.iter().find_map(|test| match &test.prompt {
        TestPrompt::Plain(symbols) => Some(shown(symbols)),
        TestPrompt::Json(_) => None,
    })
}
