//! Damage to messages in transit that cannot turn one message into another valid one.

use rand::{RngExt, rngs::ChaCha8Rng, seq::IndexedRandom};

/// The part of a damaged message that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The whole message, possibly with a wrong header.
    Whole,
    /// The whole message, after bytes that could be the end of another message.
    AfterJunk,
    /// A part of the message that includes its method.
    Method,
    /// A part of the message without its method. It could be any message.
    Something,
}

const JUNK: [&[u8]; 8] = [
    b"\r\n",
    b"nonsense",
    b"\0\xff\xfe\r\n\r\n",
    b"{\"jsonrpc\": \"2.0\"}",
    b"Content-Type: text/plain\r\n\r\n",
    b"thread 'main' panicked at src/main.rs: oh\r\n",
    b"}}\r\n",
    b"\"\\u{\"\n\n",
];

/// The bytes of a message.
pub fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Damages a message whose body is an object. Returns its bytes and the kind of damage.
pub fn damaged(random: &mut ChaCha8Rng, body: &str) -> (Vec<u8>, Left) {
    let whole = framed(body);
    let header = whole.len() - body.len();
    // The end of the method in the body.
    let method = body.find("\"params\"").unwrap_or(body.len());
    let left = |kept: usize| if kept >= header + method { Left::Method } else { Left::Something };
    match random.random_range(0..8) {
        0..2 => {
            let kept = random.random_range(header..whole.len());
            (whole[..kept].to_vec(), left(kept))
        }
        2 => {
            let kept = random.random_range(1..=header);
            (whole[..kept].to_vec(), Left::Something)
        }
        3 => (whole[random.random_range(1..whole.len())..].to_vec(), Left::Something),
        4 => {
            let length = match random.random_range(0..5) {
                0 => 0,
                1 => body.len() - 1,
                2 => body.len() + random.random_range(1..200),
                3 => body.len() + 1_000_000,
                _ => random.random_range(0..body.len()),
            };
            (format!("Content-Length: {length}\r\n\r\n{body}").into_bytes(), Left::Whole)
        }
        5 => {
            let number = *["two", "-5", "", "99999999999999999999999", "1 2"].choose(random).expect("some");
            (format!("Content-Length: {number}\r\n\r\n{body}").into_bytes(), Left::Something)
        }
        6 => {
            // A byte that is invalid in UTF-8.
            let (mut bytes, at) = (whole, random.random_range(header..header + body.len()));
            if random.random_ratio(1, 2) {
                bytes[at] = 0xff;
                return (bytes, left(at));
            }
            // The last byte is now after the end given by the header.
            bytes.insert(at, 0xff);
            (bytes, Left::Something)
        }
        _ => ([JUNK.choose(random).expect("some"), &whole[..]].concat(), Left::AfterJunk),
    }
}
