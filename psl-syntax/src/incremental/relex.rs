//! Lexes a text that is similar to another one with known tokens.
//!
//! Invariant: the result is the same as that of [`tokenize`](crate::token::tokenize). The kind of a token depends
//! only on its own bytes, the two bytes after it, the kinds of the two tokens before it and the [`CONTEXT`] tokens
//! after it.

use crate::{
    directive::is_directive,
    span::Span,
    token::{Kind, Token, Tokens, lex, tokenize, unmark_names},
};

/// The number of tokens after a keyword that can turn it into a name. They span more than the two bytes that decide
/// where a token ends.
const CONTEXT: usize = 4;

/// The number of consecutive unchanged tokens after which the rest is unchanged too. Only the two tokens before a
/// keyword can turn it into a name.
const IN_STEP: usize = 3;

/// The code of a text that is the same in another one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged {
    /// The tokens that end at or before this offset are the same, at the same offsets.
    before: u32,
    /// The tokens that start at or after this offset are the same, shifted.
    after: u32,
    /// The shift of the latter in bytes, modulo 2³².
    pub shift: u32,
    /// The start of the comment with the only difference, if it is not a directive in either text.
    pub changed_comment: Option<u32>,
}

impl Unchanged {
    /// The shift of some code in bytes, modulo 2³², or `None` if it may differ.
    pub fn shift_of(&self, code: Span) -> Option<u32> {
        match code {
            Span { end, .. } if end <= self.before => Some(0),
            Span { start, .. } if start >= self.after => Some(self.shift),
            _ => None,
        }
    }
}

/// The tokens of a text, and which of them are the same in another text with `known` tokens.
pub fn relex(other: &str, known: &Tokens, text: &str) -> (Tokens, Unchanged) {
    let same_start = common_prefix(other.as_bytes(), text.as_bytes());
    let rest = |text: &str| text.len() - same_start;
    let same_end = common_suffix(other.as_bytes(), text.as_bytes(), rest(other).min(rest(text)));
    let shift = (text.len() as u32).wrapping_sub(other.len() as u32);

    let unread = known.code.partition_point(|token| token.span.range().end <= same_start);
    let before = unread.saturating_sub(CONTEXT);
    let from = if before == 0 { 0 } else { known.code.get(before).map_or(0, |token| token.span.range().start) };
    let comments_before = known.comments.partition_point(|comment| comment.range().start < from);

    let mut tokens = Tokens { code: Vec::with_capacity(known.code.len() + ROOM), comments: Vec::new() };
    tokens.code.extend(known.code.iter().take(before));
    tokens.comments.extend(known.comments.iter().take(comments_before));
    let mut next = known.code.partition_point(|token| token.span.range().start < other.len() - same_end);
    let mut in_step = 0;
    lex(text, from, &mut tokens, |token| {
        let start = |known: &Token| known.span.shifted(shift).start;
        if token.span.range().start < text.len() - same_end {
            return false;
        }
        while known.code.get(next).is_some_and(|known| start(known) < token.span.start) {
            next += 1;
        }
        let same = known.code.get(next).is_some_and(|known| start(known) == token.span.start);
        in_step = if same { in_step + 1 } else { 0 };
        in_step == IN_STEP
    });
    if in_step < IN_STEP {
        next = known.code.len();
    }

    let after = tokens.code.len();
    let shifted = |token: &Token| Token { span: token.span.shifted(shift), ..*token };
    tokens.code.extend(known.code.iter().skip(next).map(shifted));
    let end = known.code.get(next).map_or(u32::MAX, |token| token.span.start);
    let comments_after = known.comments.iter().skip_while(|comment| comment.start < end);
    tokens.comments.extend(comments_after.map(|comment| comment.shifted(shift)));

    let last_two = |code: &[Token], end: usize| -> [Option<Kind>; 2] {
        [1, 2].map(|back| end.checked_sub(back).and_then(|at| code.get(at)).map(|token| token.kind))
    };
    unmark_names(&mut tokens.code, before..after);
    if next < known.code.len() && last_two(&tokens.code, after) != last_two(&known.code, next) {
        return (tokenize(text), Unchanged { after: u32::MAX, ..Unchanged::default() });
    }
    let same = [same_start, same_end];
    let changed_comment = changed_comment([other, text], [&known.comments, &tokens.comments], same);
    let end_of = |token: usize| tokens.code.get(token).map_or(0, |token| token.span.end);
    let before = before.checked_sub(1).map_or(0, end_of);
    let after = tokens.code.get(after).map_or(u32::MAX, |token| token.span.start);
    (tokens, Unchanged { before, after, shift, changed_comment })
}

/// The start of the comment with all differences between two texts, if there is one in both. `comments` are those of
/// each text, and `same` is the length in bytes of their common start and of their common end.
fn changed_comment(texts: [&str; 2], comments: [&[Span]; 2], same: [usize; 2]) -> Option<u32> {
    let [one, other] = comments;
    let [same_start, same_end] = same;
    let at = one.partition_point(|comment| comment.range().start < same_start).checked_sub(1)?;
    let found = [*one.get(at)?, *other.get(at)?];
    let all = |(comment, text): (Span, &str)| {
        let written = comment.of(text);
        comment.range().end >= text.len() - same_end
            && !is_directive(written)
            // The reference compiler ends a line at its first `//`.
            && (written.starts_with("//") || !written.contains("//"))
    };
    let [start, start_in_other] = found.map(|comment| comment.start);
    let same_place = start == start_in_other && one.len() == other.len();
    (same_place && found.into_iter().zip(texts).all(all)).then_some(start)
}

/// The number of additional tokens to reserve memory for.
const ROOM: usize = 64;

/// The number of bytes compared at once.
const BLOCK: usize = 256;

/// The length of the common prefix in bytes.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks(BLOCK).zip(other.chunks(BLOCK)).take_while(|(one, other)| one == other);
    let same = blocks.map(|(one, _)| one.len()).sum();
    let rest = |bytes| <[u8]>::get(bytes, same..).unwrap_or_default().iter();
    same + rest(one).zip(rest(other)).take_while(|(one, other)| one == other).count()
}

/// The length of the common suffix in bytes, at most `most`.
fn common_suffix(one: &[u8], other: &[u8], most: usize) -> usize {
    let [one, other] = [one, other].map(|bytes| bytes.get(bytes.len() - most..).unwrap_or_default());
    let blocks = one.rchunks(BLOCK).zip(other.rchunks(BLOCK)).take_while(|(one, other)| one == other);
    let same: usize = blocks.map(|(one, _)| one.len()).sum();
    let rest = |bytes| <[u8]>::get(bytes, ..most - same).unwrap_or_default().iter().rev();
    same + rest(one).zip(rest(other)).take_while(|(one, other)| one == other).count()
}
