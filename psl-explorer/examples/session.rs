//! Answers requests on standard input, one per line, so that programs in other languages can use a session.

use std::io::{self, BufRead, Write};

use psl_explorer::PageSession;

fn main() -> io::Result<()> {
    let mut session = PageSession::default();
    let mut out = io::stdout().lock();
    for request in io::stdin().lock().lines() {
        writeln!(out, "{}", session.call(&request?))?;
        out.flush()?;
    }
    Ok(())
}
