//! Requests on loopback, written as they are sent.

#![allow(dead_code, reason = "each test file uses a part of this one")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    time::Duration,
};

/// The maximum time to wait for a response, longer than any takes.
const DEADLINE: Duration = Duration::from_mins(1);

/// An address, `http://127.0.0.1:PORT/SECRET/`.
#[derive(Clone)]
pub struct Address {
    pub host: String,
    pub path: String,
}

/// A response.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub content: String,
}

/// The events of a page, as they arrive.
pub struct Events(BufReader<TcpStream>);

impl Address {
    pub fn new(address: &str) -> Self {
        let (host, path) = address.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("an address");
        Self { host: host.to_owned(), path: format!("/{path}") }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(DEADLINE)).expect("a time");
        stream
    }

    /// Sends a text as it is.
    pub fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a response");
        let (head, content) = text.split_once("\r\n\r\n").expect("a head and a content");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head: head.to_lowercase(), content: content.to_owned() }
    }

    /// Sends a request to a path, with more lines of the head and a content.
    pub fn request(&self, method: &str, path: &str, lines: &str, content: &str) -> Answer {
        self.send(&format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}\r\n{content}", self.host))
    }

    /// Gets a file below the address.
    pub fn get(&self, name: &str) -> Answer {
        self.request("GET", &format!("{}{name}", self.path), "", "")
    }

    /// Posts a content to a file below the address.
    pub fn post(&self, name: &str, content: &str) -> Answer {
        let lines = format!("Content-Length: {}\r\n", content.len());
        self.request("POST", &format!("{}{name}", self.path), &lines, content)
    }

    /// Opens the events, with more lines of the head.
    pub fn events(&self, lines: &str) -> Events {
        let mut stream = self.connect();
        let request = format!("GET {}events HTTP/1.1\r\nHost: {}\r\n{lines}\r\n", self.path, self.host);
        stream.write_all(request.as_bytes()).expect("it is sent");
        Events(BufReader::new(stream))
    }
}

impl Events {
    /// Waits for the next event, and returns its number and data. `None` if the server ended the events.
    pub fn next(&mut self) -> Option<(u64, String)> {
        let mut id = None;
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("an event") == 0 {
                return None;
            }
            if let Some(number) = line.strip_prefix("id: ") {
                id = number.trim_end().parse().ok();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((id.expect("a number before the data"), data.trim_end().to_owned()));
            }
        }
    }
}
