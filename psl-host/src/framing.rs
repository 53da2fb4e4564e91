//! Messages in a stream of bytes: `Content-Length: N`, an empty line, N bytes of JSON.
//!
//! Invariants: only the end of the stream ends reading. After a wrong header or a broken body, reading continues at the
//! next header, even if the body was cut off and its length extends into that header. A message that arrived whole
//! despite a wrong header is still read, unless that announces more than [`LONGEST`]. The report of lost bytes includes
//! whether they may have changed a text. The memory of a long message is freed before waiting for the next one.

use std::io::{self, BufRead, Write};

use memchr::memmem;
use serde_json::Value;

/// Maximum length of a body, in bytes.
const LONGEST: usize = 64 << 20;
/// Maximum length of the header lines, in bytes.
const LONGEST_HEADER: usize = 1 << 12;
/// Maximum size of the buffer between messages, in bytes.
const KEPT: usize = 1 << 20;

const NO_MESSAGE: &str = "expected a message header";
const HEADER_CUT_OFF: &str = "header without an end";

/// Bytes that are not a message.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The reason.
    pub why: String,
    /// Whether the bytes may be the rest of a message that changes a text.
    pub may_hide_a_change: bool,
}

/// The messages of an input.
pub struct Frames<R> {
    input: R,
    /// The common beginning of the methods that change a text.
    changes: Option<&'static str>,
    bytes: Vec<u8>,
    /// The number of `bytes` already used.
    used: usize,
    /// The number of remaining bytes, in a body, that are known to contain no header.
    searched: usize,
    /// Whether bytes since the last header were reported, and if so, whether as the rest of a change.
    reported: Option<bool>,
    /// Whether the next bytes begin a message that is too long. They decide how its rest is reported.
    skips: bool,
}

impl<R: BufRead> Frames<R> {
    /// Reads messages from an input. `changes` is the common beginning of the methods that change a text, if there are
    /// any.
    pub fn new(input: R, changes: Option<&'static str>) -> Self {
        Self { input, changes, bytes: Vec::new(), used: 0, searched: 0, reported: None, skips: false }
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.used..).unwrap_or_default()
    }

    fn consume(&mut self, length: usize) {
        self.used += length;
        self.searched = self.searched.saturating_sub(length);
    }

    /// Reads what has arrived, and returns `false` at the end.
    fn read(&mut self) -> bool {
        self.bytes.drain(..self.used.min(self.bytes.len()));
        self.used = 0;
        if self.bytes.len() < KEPT {
            self.bytes.shrink_to(KEPT);
        }
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

    /// Returns the next message or malformed bytes, or `None` if more input is needed.
    fn take(&mut self) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let Some(start) = header_in(rest) else {
            // The remaining bytes may be the beginning of a header.
            return self.lose_foreign(rest.len().saturating_sub(LONGEST_HEADER));
        };
        let foreign = if rest.get(..start).is_some_and(are_headers) { 0 } else { start };
        if let Some(lost) = self.lose_foreign(foreign) {
            return Some(lost);
        }
        self.consume(start - foreign);
        (self.reported, self.skips) = (None, false);
        let rest = self.rest();
        let head = rest.get(..LONGEST_HEADER.min(rest.len())).unwrap_or_default();
        let Some(body) = headers_end(head) else {
            return (head.len() == LONGEST_HEADER).then(|| self.lose(NAME.len(), HEADER_CUT_OFF, Lost::Several));
        };
        let again = head.get(NAME.len()..body).and_then(header_in);
        if let Some(again) = again {
            return Some(self.lose(NAME.len() + again, HEADER_CUT_OFF, Lost::Several));
        }
        match value(head).and_then(|value| value.parse().ok()) {
            Some(length) if length <= LONGEST => self.body(body, length),
            Some(length) => {
                let why = format!("a message of {length} bytes is too long: the limit is {LONGEST}");
                (self.reported, self.skips) = (Some(false), true);
                Some(self.lose(body, &why, Lost::Rest))
            }
            None => Some(self.lose(body, "invalid `Content-Length`", Lost::Rest)),
        }
    }

    /// Skips bytes between messages, and returns them unless the bytes before them were reported for the same reason.
    fn lose_foreign(&mut self, length: usize) -> Option<Result<Value, Malformed>> {
        if length == 0 {
            return None;
        }
        let lost = self.lose(length, NO_MESSAGE, Lost::Rest);
        let hides = lost.as_ref().is_err_and(|lost| lost.may_hide_a_change);
        let is_news = self.reported.is_none_or(|reported| hides && !reported);
        self.reported = Some(hides || std::mem::take(&mut self.skips) || self.reported == Some(true));
        is_news.then_some(lost)
    }

    fn body(&mut self, start: usize, length: usize) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let promised = start + length;
        let searched = self.searched.max(start);
        let within = rest.get(searched..(promised + LONGEST_HEADER).min(rest.len())).unwrap_or_default();
        // A header never occurs within JSON. If one begins in the body, the promised length was too long.
        let next = header_in(within).map(|at| searched + at).filter(|next| *next < promised);
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
                // The next header may begin within the promised length and be incomplete.
                let begun = || header_begun(rest.get(start..promised).unwrap_or_default());
                let end = next.unwrap_or_else(|| promised - begun());
                let lost = match next {
                    Some(_) if error.is_eof() => Lost::Beginning,
                    Some(_) => Lost::Several,
                    None => Lost::Rest,
                };
                Some(self.lose(end, &error.to_string(), lost))
            }
        }
    }

    /// Takes a body that goes beyond the length in its header.
    fn longer_body(
        &mut self,
        start: usize,
        promised: usize,
        error: &serde_json::Error,
    ) -> Option<Result<Value, Malformed>> {
        let rest = self.rest();
        let next = rest.get(promised..).and_then(header_in).map(|at| promised + at);
        let end = next.unwrap_or(rest.len());
        match parse(rest.get(start..end)?) {
            Ok((message, length)) => {
                self.consume(start + length);
                Some(Ok(message))
            }
            Err(_) if next.is_none() && end - start <= LONGEST => None,
            Err(_) => Some(self.lose(end, &error.to_string(), Lost::Rest)),
        }
    }

    /// Skips bytes as malformed.
    fn lose(&mut self, length: usize, why: &str, lost: Lost) -> Result<Value, Malformed> {
        let bytes = self.rest().get(..length).unwrap_or_default();
        let malformed =
            Malformed { why: why.to_owned(), may_hide_a_change: may_hide_a_change(bytes, lost, self.changes) };
        self.consume(length);
        Err(malformed)
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

/// The offset of the first whole line `Content-Length: …`.
fn header_in(bytes: &[u8]) -> Option<usize> {
    // The hyphen is the rarest character of the name, and the same in every spelling.
    memchr::memchr_iter(b'-', bytes).find_map(|at| {
        let start = at.checked_sub("Content".len())?;
        value(bytes.get(start..)?).map(|_| start)
    })
}

/// The value of the header at the beginning, if it has arrived whole.
fn value(bytes: &[u8]) -> Option<&str> {
    let (name, rest) = bytes.split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let line = rest.iter().take(LONGEST_HEADER).position(|byte| matches!(byte, b'\r' | b'\n'))?;
    let value = std::str::from_utf8(rest.get(..line)?).ok()?;
    // In JSON, a quote ends a string, and a line end is escaped with a backslash.
    (!value.contains(['"', '\\'])).then(|| value.trim())
}

/// The offset of the body, after an empty line.
fn headers_end(head: &[u8]) -> Option<usize> {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    ends.iter().filter_map(|end| Some(memmem::find(head, end)? + end.len())).min()
}

/// Whether bytes before a header are other header lines or white space. The rest of a message may contain a colon too,
/// but it ends with a brace.
fn are_headers(bytes: &[u8]) -> bool {
    let is_header = |line: &[u8]| line.contains(&b':') && !line.iter().any(|byte| b"{}\"\\".contains(byte));
    let lines = bytes.split(|byte| matches!(byte, b'\r' | b'\n'));
    lines.into_iter().all(|line| line.trim_ascii().is_empty() || is_header(line))
}

/// The number of bytes at the end of a body that may be the beginning of the next header.
fn header_begun(body: &[u8]) -> usize {
    let end = body.get(body.len().saturating_sub(LONGEST_HEADER)..).unwrap_or_default();
    let begins = |at: &usize| {
        let rest = end.get(*at..).unwrap_or_default();
        let (name, value) = rest.split_at(rest.len().min(NAME.len()));
        NAME.get(..name.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(name))
            && value.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'0'..=b'9'))
    };
    (0..end.len()).find(begins).map_or(0, |at| end.len() - at)
}

/// The kind of lost bytes.
#[derive(Clone, Copy)]
enum Lost {
    /// The rest of a message, or no message at all.
    Rest,
    /// The beginning of a message whose end is missing.
    Beginning,
    /// Possibly parts of several messages.
    Several,
}

/// Whether lost bytes may be the rest of a message that changes a text: anything that looks like JSON or a header,
/// unless it names another method.
fn may_hide_a_change(bytes: &[u8], lost: Lost, changes: Option<&str>) -> bool {
    // An unknown method may itself be damaged.
    let is_method = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'$');
    let is_change = |method: &[u8]| {
        changes.is_some_and(|changes| method.starts_with(changes.as_bytes())) || !method.iter().all(is_method)
    };
    let names_change = changes.is_some_and(|changes| memmem::find(bytes, changes.as_bytes()).is_some());
    let names_no_other = || method(bytes).is_none_or(is_change);
    let looks_like_json = || bytes.iter().any(|byte| matches!(byte, b'{' | b'}'));
    let begun = bytes.trim_ascii_start();
    let is_header = || !begun.is_empty() && header_begun(begun) == begun.len();
    names_change
        || match lost {
            Lost::Rest => is_header() || (looks_like_json() && names_no_other()),
            Lost::Beginning => names_no_other(),
            Lost::Several => true,
        }
}

/// The first method named in the bytes, if it is complete.
fn method(bytes: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"\"method\"";
    let value = bytes.get(memmem::find(bytes, NAME)? + NAME.len()..)?;
    let value = value.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    value.get(..memchr::memchr(b'"', value)?)
}

/// Parses the value at the start of a body, and returns it with its length.
fn parse(body: &[u8]) -> serde_json::Result<(Value, usize)> {
    let first = |body: &[u8]| {
        let mut values = serde_json::Deserializer::from_slice(body).into_iter();
        let value = values.next().unwrap_or_else(|| serde_json::from_slice(b""))?;
        Ok((value, values.byte_offset()))
    };
    first(body).or_else(|error| match without_lone_surrogates(body) {
        Some(body) => first(&body),
        None => Err(error),
    })
}

/// Replaces each half of a lone surrogate pair by U+FFFD, keeping the length of the JSON. `None` if there is no such
/// half. In UTF-16 each is one unit, so the client's columns stay valid.
fn without_lone_surrogates(body: &[u8]) -> Option<Vec<u8>> {
    let mut repaired: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', body.get(at..)?) {
        at += found;
        let Some(unit) = escaped_unit(body, at) else {
            // An escape of one character, which may be a backslash.
            at += 2;
            continue;
        };
        let is_pair = is_high(unit) && escaped_unit(body, at + ESCAPE).is_some_and(is_low);
        if is_pair {
            at += ESCAPE;
        } else if is_high(unit) || is_low(unit) {
            let repaired = repaired.get_or_insert_with(|| body.to_owned());
            repaired.get_mut(at..at + ESCAPE)?.copy_from_slice(b"\\ufffd");
        }
        at += ESCAPE;
    }
    repaired
}

/// The length of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// The UTF-16 unit that is escaped at an offset.
fn escaped_unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

/// Writes a message, all of it.
///
/// # Errors
///
/// Returns the error of the stream.
pub fn write(out: &mut impl Write, message: &str) -> io::Result<()> {
    out.write_all(header(message.len()).as_bytes())?;
    out.write_all(message.as_bytes())?;
    out.flush()
}

/// The header for a message of this length.
fn header(length: usize) -> String {
    format!("Content-Length: {length}\r\n\r\n")
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    const CHANGES: Option<&str> = Some("textDocument/did");

    /// Checks the messages in these bytes, for any sizes of the pieces that arrive; `!` for malformed bytes.
    fn check(bytes: &[u8], expected: &[&str]) {
        for chunk in [1, 7, 4096] {
            let input = io::BufReader::with_capacity(chunk, bytes);
            let read: Vec<_> = Frames::new(input, CHANGES)
                .map(|read| read.map_or_else(|_| "!".to_owned(), |it| it.to_string()))
                .collect();
            assert_eq!(read, expected, "{}, {chunk} bytes at a time", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn headers_may_have_any_spelling() {
        check(b"Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", &["{}", "[1]"]);
        check(b"content-length:2\n\n{}", &["{}"]);
        check(b"CONTENT-LENGTH: 2\r\n\r\n{}", &["{}"]);
        check(b"Content-Type: application/vscode-jsonrpc; charset=latin1\r\nContent-Length: 2\r\n\r\n{}", &["{}"]);
        check(b"Content-Length: 2\r\nX: y\r\n\r\n{}\r\n\r\nContent-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check("Content-Length: 6\r\n\r\n[\"é\"]".as_bytes(), &["[\"é\"]"]);
    }

    #[test]
    fn a_wrong_length_loses_nothing() {
        check(b"Content-Length: 1\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(b"Content-Length: 9\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(b"Content-Length: 999999\r\n\r\n{}Content-Length: 2\r\n\r\n[]", &["{}", "[]"]);
        check(
            b"Content-Length: 4\r\n\r\n{\"a\":\"Content-Length: 2\"}Content-Length: 2\r\n\r\n[]",
            &["{\"a\":\"Content-Length: 2\"}", "[]"],
        );
    }

    #[test]
    fn a_message_that_is_cut_off_fails_alone() {
        let cut = r#"{"method":"x","text":"abc"}"#;
        let next = b"Content-Length: 9\r\n\r\n{\"a\": 12}".as_slice();
        let last = b"Content-Length: 2\r\n\r\n{}".as_slice();
        for kept in 1..cut.len() {
            let header = header(cut.len());
            check(&[header.as_bytes(), &cut.as_bytes()[..kept], next, last].concat(), &["!", "{\"a\":12}", "{}"]);
        }
    }

    #[test]
    fn lost_bytes_may_hide_a_change() {
        let lost = |bytes: &str| {
            let bytes = format!("Content-Length: 200\r\n\r\n{bytes}Content-Length: 2\r\n\r\n{{}}");
            let read = Frames::new(bytes.as_bytes(), CHANGES).next().expect("something");
            read.expect_err("it is cut off").may_hide_a_change
        };
        assert!(lost(r#"{"jsonrpc":"2.0","method":"textDocument/didChange","par"#));
        assert!(lost(r#"{"jsonrpc":"2.0","method":"te"#));
        assert!(lost(r#"{"jsonrpc":"2.0","method":"textDocument\/didChange","#));
        assert!(lost(r#"{"params":{"textDocument":{"uri":"file:///a"#));
        assert!(lost(""));
        assert!(lost("{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/di\u{1}Change\",\"par"));
        assert!(lost(r#"{"id":7,"method":"textDocument/hover","params":{"te"0}}}]}}"#));
        assert!(!lost(r#"{"id":7,"method":"textDocument/hover","params":{"textDoc"#));
    }

    #[test]
    fn a_change_cut_off_anywhere_is_reported() {
        let change = r#"{"method":"textDocument/didChange","params":{"uri":"file:///a: b","text":"x: 'y'"}}"#;
        let whole = [header(change.len()).as_bytes(), change.as_bytes()].concat();
        let next = b"Content-Length: 9\r\n\r\n{\"a\": 12}".as_slice();
        let check = |damaged: &[u8]| {
            let read: Vec<_> = Frames::new(&*[damaged, next].concat(), CHANGES).collect();
            let shown = String::from_utf8_lossy(damaged);
            let (intact, lost) = read.split_last().expect("something");
            assert_eq!(intact.as_ref().map(ToString::to_string), Ok("{\"a\":12}".to_owned()), "{shown}");
            let is_reported = |read: &Result<Value, Malformed>| read.as_ref().is_err_and(|lost| lost.may_hide_a_change);
            assert!(lost.iter().any(is_reported), "{shown}");
        };
        for at in 1..whole.len() {
            check(&whole[..at]);
            check(&whole[at..]);
        }
        for at in header(change.len()).len()..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] = 0xff;
            check(&damaged);
            damaged.insert(at, 0xff);
            check(&damaged);
        }
    }

    #[test]
    fn a_lone_surrogate_is_replaced() {
        let body = |text: &str| [header(text.len()).as_bytes(), text.as_bytes()].concat();
        check(&body(r#"["\ud83d"]"#), &["[\"\u{fffd}\"]"]);
        check(&body(r#"["\ude00\uD83D\uDE00\ud83dx"]"#), &["[\"\u{fffd}😀\u{fffd}x\"]"]);
        check(&body(r#"["\\ud83d\ud83d\n"]"#), &[r#"["\\ud83d�\n"]"#]);
        check(&body(r#"["\ud83d\ud83d\ude00"]"#), &["[\"\u{fffd}😀\"]"]);
    }

    #[test]
    fn a_message_that_is_too_long_is_refused_once_and_skipped() {
        let body = |text: &str| [header(LONGEST + 1).into_bytes(), text.repeat(20_000).into_bytes()].concat();
        let good = header(2) + "{}";
        let read = |bytes: Vec<u8>| {
            let read: Vec<_> = Frames::new(io::BufReader::with_capacity(1 << 16, &*bytes), CHANGES).collect();
            let shown = read.into_iter().map(|read| read.map(|message| message.to_string()).map_err(|lost| lost.why));
            shown.collect::<Vec<_>>()
        };
        let refused = Err("a message of 67108865 bytes is too long: the limit is 67108864".to_owned());
        let found = read([body("some text, "), good.clone().into_bytes()].concat());
        assert_eq!(found, [refused.clone(), Ok("{}".to_owned())]);
        // The rest of a change is reported too, once.
        let change = [body(r#""method":"textDocument/didChange","#), good.into_bytes()].concat();
        assert_eq!(read(change), [refused, Err(NO_MESSAGE.to_owned()), Ok("{}".to_owned())]);
    }

    #[test]
    fn a_body_without_an_end_is_not_kept() {
        let endless = io::BufReader::new(io::Cursor::new(b"Content-Length: 2\r\n\r\n[\"").chain(io::repeat(b'x')));
        let mut frames = Frames::new(io::BufReader::with_capacity(1 << 25, endless), CHANGES);
        assert!(frames.next().expect("lost bytes").is_err());
        assert!(frames.bytes.len() < 2 * LONGEST);
    }

    #[test]
    fn the_memory_of_a_long_message_is_freed() {
        let long = format!("[\"{}\"]", "x".repeat(8 << 20));
        let bytes = header(long.len()) + &long + &header(2) + "{}";
        let mut frames = Frames::new(io::BufReader::new(bytes.as_bytes()), CHANGES);
        assert_eq!(frames.by_ref().count(), 2);
        assert!(frames.bytes.capacity() <= KEPT);
    }

    #[test]
    fn reading_continues_after_malformed_bytes() {
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
