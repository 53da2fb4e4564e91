//! Messages in a stream of bytes: `Content-Length: N`, an empty line, N bytes of JSON.
//!
//! Invariant: no stream of bytes ends the reading but its end. Where a header lies or a body is broken, reading goes on at the next
//! header; what came whole in spite of its header is a message all the same, so that no edit is lost.

use std::io::{self, BufRead, Write};

use memchr::memmem;
use serde_json::Value;

/// A header that promises more than this does not speak of a message.
const LONGEST: usize = 1 << 30;
/// Header lines of more bytes than this are none.
const LONGEST_HEADER: usize = 1 << 12;

const NO_MESSAGE: &str = "these bytes belong to no message";

/// Why bytes are no message.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

/// The messages of an input.
pub struct Frames<R> {
    input: R,
    bytes: Vec<u8>,
    /// How many of `bytes` were used.
    used: usize,
    /// How many of the rest are known to hold no header within a body.
    searched: usize,
}

impl<R: BufRead> Frames<R> {
    /// The messages of this input.
    pub fn new(input: R) -> Self {
        Self { input, bytes: Vec::new(), used: 0, searched: 0 }
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.used..).unwrap_or_default()
    }

    fn consume(&mut self, length: usize) {
        self.used += length;
        self.searched = self.searched.saturating_sub(length);
    }

    /// Reads what has arrived; false at the end.
    fn read(&mut self) -> bool {
        self.bytes.drain(..self.used.min(self.bytes.len()));
        self.used = 0;
        let length = match self.input.fill_buf() {
            Ok(arrived) => {
                self.bytes.extend_from_slice(arrived);
                arrived.len()
            }
            Err(error) => return error.kind() == io::ErrorKind::Interrupted,
        };
        self.input.consume(length);
        length > 0
    }

    /// The next message, or what stands in its place; nothing where more has to be read.
    fn take(&mut self) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let Some(start) = header_in(rest) else {
            // What is left may be the beginning of a header.
            let foreign = rest.len().saturating_sub(LONGEST_HEADER);
            self.consume(foreign);
            return (foreign > 0).then(|| malformed(NO_MESSAGE));
        };
        let foreign = !rest.get(..start).is_some_and(are_headers);
        self.consume(start);
        if foreign {
            return Some(malformed(NO_MESSAGE));
        }
        let rest = self.rest();
        let head = rest.get(..LONGEST_HEADER.min(rest.len())).unwrap_or_default();
        let Some(body) = headers_end(head) else {
            let endless = head.len() == LONGEST_HEADER;
            self.consume(if endless { NAME.len() } else { 0 });
            return endless.then(|| malformed("a header without an end"));
        };
        let length = value(head).and_then(|value| value.parse().ok()).filter(|length| *length <= LONGEST);
        if let Some(length) = length {
            return self.body(body, length);
        }
        self.consume(body);
        Some(malformed("Content-Length is no length of a message"))
    }

    fn body(&mut self, start: usize, length: usize) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let promised = start + length;
        let searched = self.searched.max(start);
        let within = rest.get(searched..promised.min(rest.len())).unwrap_or_default();
        // A header never stands within JSON: where one does, the one before promised too much.
        let next = header_in(within).map(|at| searched + at);
        if next.is_none() && rest.len() < promised {
            self.searched = rest.len().saturating_sub(LONGEST_HEADER).max(start);
            return None;
        }
        let end = next.unwrap_or(promised);
        match parse(rest.get(start..end)?) {
            Ok((message, length)) => {
                self.consume(start + length);
                Some(Ok(message))
            }
            Err(error) if error.is_eof() && next.is_none() => self.longer_body(start, end, &error),
            Err(error) => {
                self.consume(end);
                Some(malformed(&error.to_string()))
            }
        }
    }

    /// A body that does not end where its header promised.
    fn longer_body(
        &mut self,
        start: usize,
        promised: usize,
        error: &serde_json::Error,
    ) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let next = rest.get(promised..).and_then(header_in).map(|at| promised + at);
        let end = next.unwrap_or(rest.len());
        let parsed = parse(rest.get(start..end)?);
        if parsed.is_err() && next.is_none() {
            return None;
        }
        let length = parsed.as_ref().map_or(end, |(_, length)| start + length);
        self.consume(length);
        Some(parsed.map(|(message, _)| message).or_else(|_| malformed(&error.to_string())))
    }
}

impl<R: BufRead> Iterator for Frames<R> {
    type Item = Result<Value, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.take() {
                return Some(found);
            }
            if !self.read() {
                return None;
            }
        }
    }
}

const NAME: &[u8] = b"Content-Length:";

/// Where the first whole line `Content-Length: …` begins.
fn header_in(bytes: &[u8]) -> Option<usize> {
    // Its hyphen is the rarest of its characters, and the same in every spelling.
    memchr::memchr_iter(b'-', bytes).find_map(|at| {
        let start = at.checked_sub("Content".len())?;
        value(bytes.get(start..)?).map(|_| start)
    })
}

/// The value of the header at the beginning, where it is one that has wholly arrived.
fn value(bytes: &[u8]) -> Option<&str> {
    let (name, rest) = bytes.split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let line = rest.iter().take(LONGEST_HEADER).position(|byte| matches!(byte, b'\r' | b'\n'))?;
    let value = std::str::from_utf8(rest.get(..line)?).ok()?;
    // In JSON a string ends with a quote, and the end of a line is written with a backslash.
    (!value.contains(['"', '\\'])).then(|| value.trim())
}

/// Where the body begins: behind an empty line.
fn headers_end(head: &[u8]) -> Option<usize> {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    ends.iter().filter_map(|end| Some(memmem::find(head, end)? + end.len())).min()
}

/// Whether bytes in front of a header are other header lines, or only space.
fn are_headers(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
    lines.into_iter().all(|line| line.trim_ascii().is_empty() || line.contains(&b':'))
}

/// The value that a body begins with, and its length.
fn parse(body: &[u8]) -> serde_json::Result<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_slice(body).into_iter();
    let value = values.next().unwrap_or_else(|| serde_json::from_slice(b""))?;
    Ok((value, values.byte_offset()))
}

fn malformed(why: &str) -> Result<Value, Malformed> {
    Err(Malformed(why.to_owned()))
}

/// Writes one message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    output.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from these bytes, however few of them arrive at a time; `!` for what is malformed.
    fn check(bytes: &[u8], expected: &[&str]) {
        for chunk in [1, 7, 4096] {
            let input = io::BufReader::with_capacity(chunk, bytes);
            let read: Vec<_> =
                Frames::new(input).map(|read| read.map_or_else(|_| "!".to_owned(), |it| it.to_string())).collect();
            assert_eq!(read, expected, "{}, {chunk} bytes at a time", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn messages_are_read_however_their_headers_are_written() {
        check(b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", &["{}", "[1]"]);
        check(b"content-length:2\n\n{}", &["{}"]);
        check(b"CONTENT-LENGTH: 2\r\n\r\n{}", &["{}"]);
        check(b"Content-Type: application/vscode-jsonrpc; charset=latin1\r\nContent-Length: 2\r\n\r\n{}", &["{}"]);
        check(b"Content-Length: 2\r\nX: y\r\n\r\n{}\r\n\r\nContent-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check("Content-Length: 6\r\n\r\n[\"é\"]".as_bytes(), &["[\"é\"]"]);
    }

    #[test]
    fn a_header_that_lies_loses_nothing() {
        check(b"Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(b"Content-Length: 9\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(b"Content-Length: 999999\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(
            b"Content-Length: 4\r\n\r\n{\"a\":\"Content-Length: 2\"}Content-Length: 2\r\n\r\n[]",
            &["{\"a\":\"Content-Length: 2\"}", "[]"],
        );
    }

    #[test]
    fn reading_goes_on_behind_what_is_malformed() {
        let good = b"Content-Length: 2\r\n\r\n{}".as_slice();
        let bad: [&[u8]; 7] = [
            b"Content-Length: -2\r\n\r\n",
            b"Content-Length: two\r\n\r\n",
            b"Content-Length: 99999999999999999999\r\n\r\n",
            b"Content-Length: 9999999999999\r\n\r\n",
            b"Content-Length: 2\r\n\r\n{]",
            b"Content-Length: 5\r\n\r\n[\"\xff\"]",
            b"nonsense\r\n",
        ];
        for bad in bad {
            check(&[bad, good].concat(), &["!", "{}"]);
        }
        check(&[b"Content-Length: 4\r\n\r\n{\"a\"".as_slice(), good].concat(), &["!", "{}"]);
        check(b"Content-Length: 40\r\n\r\n{\"a\"", &[]);
        check(b"", &[]);
    }
}
