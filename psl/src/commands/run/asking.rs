//! Asks for prompts on a terminal. Without a question, the command would seem to hang.

use std::io::{self, IsTerminal, Write};

use psl_render::shown;
use psl_syntax::program::{Program, TestPrompt};

use crate::output::stdio::say;

/// Whether standard input and standard error are terminals.
pub struct Asking(bool);

impl Asking {
    /// Explains on terminals how to type a prompt, with the program's first test as the example.
    pub fn start(program: &Program) -> Self {
        let asking = io::stdin().is_terminal() && io::stderr().is_terminal();
        if asking {
            say("Type a prompt, symbols separated by spaces, and press Enter; Ctrl-D ends.");
            if let Some(example) = first_prompt(program) {
                say(format_args!("For example: {example}"));
            }
        }
        Self(asking)
    }

    /// Marks the line to type on.
    pub fn ask(&self) {
        self.write("> ");
    }

    /// Ends the line on which nothing was typed.
    pub fn end(&self) {
        self.write("\n");
    }

    fn write(&self, text: &str) {
        if self.0 {
            let mut stderr = io::stderr();
            // If the terminal is gone, standard input ends too.
            stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()).ok();
        }
    }
}

fn first_prompt(program: &Program) -> Option<String> {
    program.tests.iter().find_map(|test| match &test.prompt {
        TestPrompt::Plain(symbols) => Some(shown(symbols)),
        TestPrompt::Json(_) => None,
    })
}
