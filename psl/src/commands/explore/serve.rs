//! `psl explore --serve`: a page on loopback that follows its program.

use std::{io::Write, path::PathBuf, sync::Arc, thread};

use psl_ide::PageData;
use psl_lsp::explorer_server::{ExplorerServer, ServedPage, Template};

use super::versions::Versions;
use crate::{
    browser::open_in_browser,
    endings::exit_on_interrupt,
    failure::Failure,
    stdio::{Content, say, say_failure, stdout},
    watch::{
        WATCHING,
        changes::{Changes, WatchedFiles},
    },
};

/// Serves the page of a program on a port, and sends it each change of its files, until Ctrl-C.
pub fn serve(
    files: &[PathBuf],
    port: u16,
    template: Template,
    open: bool,
    read: impl Fn() -> Result<Versions, Failure>,
    data: impl Fn(&Versions) -> PageData<'_>,
) -> Result<bool, Failure> {
    exit_on_interrupt(Arc::default());
    let mut changes = Changes::of(files)?;
    let cannot_serve = |error| Failure::Message(format!("cannot serve the page on port {port}: {error}"));
    let server = ExplorerServer::start(port, template).map_err(cannot_serve)?;
    let page = server.add(data(&read()?), None).map_err(cannot_serve)?;
    let mut out = stdout(Content::People);
    writeln!(out, "{}", page.address())?;
    out.flush()?;
    if open {
        show(page.address());
    }
    say(WATCHING);
    loop {
        let mut files = WatchedFiles::default();
        // A file that cannot be read leaves the page as it was: editors remove a file before they write it.
        if let Err(Failure::Message(message)) = update(&page, &read, &data, &mut files) {
            say_failure(&message);
        }
        changes.watch(&files)?;
        changes.wait(&files)?;
    }
}

fn update(
    page: &ServedPage,
    read: impl Fn() -> Result<Versions, Failure>,
    data: impl Fn(&Versions) -> PageData<'_>,
    files: &mut WatchedFiles,
) -> Result<(), Failure> {
    let versions = read()?;
    versions.iter().for_each(|source| files.add(source));
    page.update(data(&versions)).map_err(Failure::Message)
}

/// Opens an address in the browser. A browser in the terminal does not return before its end.
fn show(address: String) {
    thread::spawn(move || {
        if let Err(message) = open_in_browser(&address) {
            say_failure(&message);
        }
    });
}
