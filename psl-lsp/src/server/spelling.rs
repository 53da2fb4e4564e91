//! The client's spelling of URIs.
//!
//! Parsing a URI removes dot segments and adds escapes, but a client knows a document only by the text that it has
//! sent. If the text differs from the parsed URI, the server keeps it in the fragment, which is not part of a path.
//!
//! Invariant: a document has the URI in every message to the client that the client has opened it with.

use std::borrow::Cow;

use gen_lsp_types::{DidOpenTextDocumentNotification, Notification};
use serde_json::Value;

use crate::{session::Session, uri::Url};

/// The beginning of a fragment with a spelling, whose bytes follow in hexadecimal.
const MARK: &str = "#spelled-";
/// The places of a document's URI in a message.
const PLACES: [&str; 4] = ["/params/uri", "/params/textDocument/uri", "/params/item/uri", "/params/arguments/0/uri"];

/// Replaces the URI in a message of the client by the server's URI of the document.
pub fn read(message: &mut Value, session: &Session) {
    let opens = message.get("method").is_some_and(|method| method == DidOpenTextDocumentNotification::METHOD.as_str());
    for place in PLACES {
        if let Some(Value::String(text)) = message.pointer_mut(place)
            && let Some(uri) = document(text, opens, session)
        {
            *text = uri.into();
        }
    }
}

/// Replaces the server's URIs in a message by the client's.
pub fn write(message: &str) -> Cow<'_, str> {
    let mut written = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(MARK) {
        let digits = after.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(after.len());
        let (digits, next) = after.split_at(digits);
        let start = before.rfind('"').map_or(0, |quote| quote + 1);
        let (before, uri) = before.split_at(start);
        // A text may contain the mark too.
        let is_spelled = |text: &String| spelled(text).is_some_and(|it| it.as_str() == format!("{uri}{MARK}{digits}"));
        match spelling(digits).filter(is_spelled) {
            Some(text) => {
                let text = Value::from(text).to_string();
                // The quotes are there already.
                written.extend([before, text.get(1..text.len() - 1).unwrap_or_default()]);
            }
            None => written.extend([before, uri, MARK, digits]),
        }
        rest = next;
    }
    if written.is_empty() { Cow::Borrowed(message) } else { Cow::Owned(written + rest) }
}

/// Returns the URI of an open document that a client may spell otherwise, or the parsed text if none is open.
pub fn known(text: &str, session: &Session) -> Option<Url> {
    document(text, false, session).or_else(|| Url::parse(text).ok())
}

/// The URI of an open document, or of one that is being opened. Another spelling than that of the client's `didOpen`
/// leads to the same document.
fn document(text: &str, opens: bool, session: &Session) -> Option<Url> {
    let uri = spelled(text)?;
    if opens || session.get(&uri).is_some() {
        return Some(uri);
    }
    let parsed = Url::parse(text).ok()?;
    if session.get(&parsed).is_some() {
        return Some(parsed);
    }
    let is_spelled_otherwise =
        |open: &Url| open.as_str().split_once(MARK).is_some_and(|(uri, _)| uri == parsed.as_str());
    session.all().into_iter().map(|document| document.uri.clone()).find(is_spelled_otherwise)
}

/// Parses a URI, and keeps its spelling if parsing has changed it.
fn spelled(text: &str) -> Option<Url> {
    let mut uri = Url::parse(text).ok()?;
    if uri.as_str() != text {
        let digits = text.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        uri.set_fragment(Some(&format!("{}{digits}", MARK.trim_start_matches('#'))));
    }
    Some(uri)
}

/// The spelling in the rest of a fragment, or `None` if there is none.
fn spelling(digits: &str) -> Option<String> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    String::from_utf8(digits.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fixture::session;

    #[test]
    fn a_spelling_survives() {
        for text in ["file:///w/x/../y.psl", "file:///w/x/%2e%2e/y.psl", "file:///w/é \\\"", "FILE:///w/y.psl"] {
            let uri = spelled(text).expect("a URI");
            assert_ne!(uri.as_str(), text);
            let message = json!({"uri": uri, "changes": {uri.as_str(): [format!("{uri}: a message")]}}).to_string();
            let read: Value = serde_json::from_str(&write(&message)).expect("JSON");
            assert_eq!(read, json!({"uri": text, "changes": {text: [format!("{text}: a message")]}}));
        }
    }

    #[test]
    fn a_text_with_the_mark_is_unchanged() {
        for text in ["#spelled-", "file:///w/y.psl#spelled-61", "#spelled-é", "\"#spelled-6", "#spelled-\"#spelled-"] {
            let message = json!({"text": text}).to_string();
            assert_eq!(write(&message), message);
        }
    }

    #[test]
    fn other_spellings_lead_to_an_open_document() {
        let session = session();
        let server = |text: &str, opens| document(text, opens, &session).map(String::from);
        let [plain, dots, escapes] = ["file:///w/y.psl", "file:///w/x/../y.psl", "file:///w/x/%2e%2e/y.psl"];
        assert_eq!(server(dots, false), None);
        let first = server(dots, true).expect("a URI");
        session.open(Url::parse(&first).expect("a URI"), 1, "");
        for text in [plain, dots, escapes] {
            assert_eq!(server(text, false), Some(first.clone()));
        }
        session.open(Url::parse(plain).expect("a URI"), 1, "");
        assert_eq!(server(dots, false), Some(first));
        for text in [plain, escapes] {
            assert_eq!(server(text, false), Some(plain.to_owned()));
        }
    }
}
