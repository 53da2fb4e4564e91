//! Waits on a port for a debugger.
//!
//! Invariant: only a connection whose first bytes are those of a message is served. A web page can make a browser
//! connect to this port, but its bytes begin with an HTTP method.

use std::{
    io::{self, Cursor, Read},
    net::{TcpListener, TcpStream},
    sync::mpsc::channel,
    thread,
    time::Duration,
};

/// The beginnings of a message.
const BEGINNINGS: [&[u8]; 2] = [b"Content-Length:", b"Content-Type:"];
/// Maximum time for the next byte of a beginning to arrive.
const TIME: Duration = Duration::from_secs(10);
/// Time until the next attempt after an error, such as too many open files.
const RETRY: Duration = Duration::from_millis(100);

/// Returns the first connection that begins with a message, as its input and its output, and closes all others.
/// `report` is called with a message for each that begins otherwise.
///
/// # Errors
///
/// Returns the error of the system if the connection has failed.
pub fn accept(listener: TcpListener, report: fn(&str)) -> io::Result<(impl Read + Send + 'static, TcpStream)> {
    let (to, begun) = channel();
    thread::spawn(move || {
        // The loop runs until the process ends, and closes every connection after the debugger's.
        for connection in listener.incoming() {
            let Ok(stream) = connection else {
                thread::sleep(RETRY);
                continue;
            };
            let to = to.clone();
            // A connection that sends nothing must not keep others waiting. Without a thread, it is closed.
            let wait = move || {
                if let Some(beginning) = beginning(&stream, report) {
                    to.send((beginning, stream)).ok();
                }
            };
            thread::Builder::new().spawn(wait).ok();
        }
    });
    let (beginning, stream) = begun.recv().map_err(io::Error::other)?;
    stream.set_read_timeout(None)?;
    // Each message is written at once.
    stream.set_nodelay(true)?;
    Ok((Cursor::new(beginning).chain(stream.try_clone()?), stream))
}

/// Reads the beginning of a message, or `None` if the stream begins with anything else.
fn beginning(mut stream: &TcpStream, report: fn(&str)) -> Option<Vec<u8>> {
    stream.set_read_timeout(Some(TIME)).ok()?;
    let mut read = Vec::new();
    loop {
        let mut next = [0];
        // A probe sends nothing.
        stream.read_exact(&mut next).ok()?;
        read.extend(next);
        let begins = |name: &&[u8]| name.get(..read.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(&read));
        let name = BEGINNINGS.iter().find(|name| begins(name));
        match name {
            Some(name) if name.len() == read.len() => return Some(read),
            Some(_) => {}
            None => {
                report("closed a connection that does not begin with `Content-Length:`");
                return None;
            }
        }
    }
}
