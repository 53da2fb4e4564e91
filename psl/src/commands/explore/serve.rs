//! `psl explore --serve`: a page on loopback that follows its program.

use std::{io::Write, path::Path, slice, sync::Arc, thread};

use psl_ide::PageData;
use psl_lsp::{
    disk::Configs,
    explorer_server::{ExplorerServer, ServedPage, Template},
};

use crate::{
    browser::open_in_browser,
    endings::exit_on_interrupt,
    failure::Failure,
    input_file::InputFile,
    stdio::{Content, say, say_failure, stdout},
    watch::{
        WATCHING,
        changes::{Changes, WatchedFiles},
    },
};

/// Serves the page of a program on a port, and sends it each change of the program, until Ctrl-C.
pub fn serve(
    file: &Path,
    port: u16,
    template: Template,
    open: bool,
    data: impl Fn(&InputFile) -> PageData<'_>,
) -> Result<bool, Failure> {
    exit_on_interrupt(Arc::default());
    let mut changes = Changes::of(slice::from_ref(&file.to_owned()))?;
    let source = InputFile::read_regular(file, &mut Configs::default())?;
    let cannot_serve = |error| Failure::Message(format!("cannot serve the page on port {port}: {error}"));
    let server = ExplorerServer::start(port, template).map_err(cannot_serve)?;
    let page = server.add(data(&source), None).map_err(cannot_serve)?;
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
        if let Err(Failure::Message(message)) = update(&page, file, &data, &mut files) {
            say_failure(&message);
        }
        changes.watch(&files)?;
        changes.wait(&files)?;
    }
}

fn update(
    page: &ServedPage,
    file: &Path,
    data: impl Fn(&InputFile) -> PageData<'_>,
    files: &mut WatchedFiles,
) -> Result<(), Failure> {
    let source = InputFile::read_regular(file, &mut Configs::default())?;
    files.add(&source);
    page.update(data(&source)).map_err(Failure::Message)
}

/// Opens an address in the browser. A browser in the terminal does not return before its end.
fn show(address: String) {
    thread::spawn(move || {
        if let Err(message) = open_in_browser(&address) {
            say_failure(&message);
        }
    });
}
