//! `psl explore --serve`: a page on loopback that follows its program.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
    thread,
};

use psl_explorer::PageData;
use psl_host::{
    Changes, WatchedFiles,
    endings::exit_on_interrupt,
    page_server::{ExplorerServer, ServedPage, Template},
};

use super::versions::Versions;
use crate::{
    commands::watch::WATCHING,
    failure::Failure,
    output::{
        browser::open_in_browser,
        stdio::{Content, print_to_stderr, say_failure, stdout},
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
    let mut changes = Changes::of(files).map_err(Failure::of)?;
    let cannot_serve = |error: io::Error| Failure::Message(format!("cannot serve the page on port {port}: {error}"));
    let server = ExplorerServer::start(port, template).map_err(cannot_serve)?;
    let first = json(data(&read()?)).map_err(|error| cannot_serve(io::Error::other(error)))?;
    let page = server.add(first, None).map_err(cannot_serve)?;
    let mut out = stdout(Content::People);
    writeln!(out, "{}", page.address())?;
    out.flush()?;
    if open {
        show(page.address());
    }
    print_to_stderr(WATCHING);
    loop {
        let mut files = WatchedFiles::default();
        // A file that cannot be read leaves the page as it was: editors remove a file before they write it.
        if let Err(Failure::Message(message)) = update(&page, &read, &data, &mut files) {
            say_failure(&message);
        }
        changes.watch(&files).map_err(Failure::of)?;
        changes.wait(&files).map_err(Failure::of)?;
    }
}

fn update(
    page: &ServedPage,
    read: impl Fn() -> Result<Versions, Failure>,
    data: impl Fn(&Versions) -> PageData<'_>,
    files: &mut WatchedFiles,
) -> Result<(), Failure> {
    let versions = read()?;
    versions.iter().for_each(|source| files.add(source.files()));
    page.update(json(data(&versions)).map_err(Failure::Message)?);
    Ok(())
}

fn json(data: PageData<'_>) -> Result<String, String> {
    data.served(false).to_json()
}

/// Opens an address in the browser. A browser in the terminal does not return before its end.
fn show(address: String) {
    thread::spawn(move || {
        if let Err(message) = open_in_browser(&address) {
            say_failure(&message);
        }
    });
}
