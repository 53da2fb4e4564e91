//! Standard output and standard error.

use std::{
    fmt::{self, Display},
    io::{self, IsTerminal, Write},
};

use memchr::memrchr;
use psl_render::shown;

use super::{color::Color, progress::aside, terminal};

/// The kind of text on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text for people. Parts from outside have gone through [`shown`].
    People,
    /// Data for programs, written byte for byte. On a terminal it goes through [`shown`].
    Data,
}

/// Standard output. Writing fails when the pipe is closed.
pub fn stdout(content: Content) -> Box<dyn Write> {
    let out = io::stdout();
    match content {
        _ if !out.is_terminal() => Box::new(out),
        Content::Data => Box::new(OnTerminal::new(Aside(out))),
        Content::People => Box::new(Aside(out)),
    }
}

/// Standard output of a command whose exit code is its result: a closed pipe does not stop the command.
pub fn stdout_to_the_end(content: Content) -> Box<dyn Write> {
    Box::new(ToTheEnd { to: stdout(content), closed: false })
}

/// Standard error of a command whose exit code is its result: a closed pipe does not stop the command.
pub fn stderr_to_the_end() -> Box<dyn Write> {
    Box::new(ToTheEnd { to: Aside(io::stderr()), closed: false })
}

/// Prints a line on standard error. On a terminal it is wrapped at words.
pub fn print_to_stderr(text: impl Display) {
    say_indented("", &text.to_string());
}

/// Prints a failure on standard error, with `psl:` before each line.
pub fn say_failure(message: &str) {
    message.lines().for_each(|line| say_indented("psl: ", line));
}

fn say_indented(start: &str, text: &str) {
    let text = shown(text);
    let text = if io::stderr().is_terminal() {
        let terminal = terminal::stderr(Color::Never);
        terminal.wrap(&text, start, &" ".repeat(start.len())).join("\n")
    } else {
        format!("{start}{text}")
    };
    // If standard error cannot be written, the failure cannot be reported either.
    writeln!(Aside(io::stderr()), "{text}").ok();
}

/// A stream to the terminal, beside the progress that it may show.
struct Aside<W>(W);

impl<W: Write> Write for Aside<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        aside(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        aside(|| self.0.flush())
    }

    /// Writes a line in one piece, so that no bar interrupts it.
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        aside(|| self.0.write_fmt(text))
    }
}

struct ToTheEnd<W> {
    to: W,
    closed: bool,
}

impl<W: Write> ToTheEnd<W> {
    fn unless_closed<T>(&mut self, otherwise: T, work: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(otherwise);
        }
        match work(&mut self.to) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            result => result,
        }
    }
}

impl<W: Write> Write for ToTheEnd<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}

/// Data on a terminal, written by whole lines so that no character is cut.
pub struct OnTerminal<W> {
    to: W,
    line: Vec<u8>,
}

impl<W: Write> OnTerminal<W> {
    /// Creates an empty line buffer over an output.
    pub fn new(to: W) -> Self {
        Self { to, line: Vec::new() }
    }

    fn write_up_to(&mut self, end: usize) -> io::Result<()> {
        let rest = self.line.split_off(end);
        let lines = std::mem::replace(&mut self.line, rest);
        self.to.write_all(shown(&String::from_utf8_lossy(&lines)).as_bytes())
    }
}

impl<W: Write> Write for OnTerminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if let Some(end) = memrchr(b'\n', &self.line) {
            self.write_up_to(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_up_to(self.line.len())?;
        self.to.flush()
    }
}
