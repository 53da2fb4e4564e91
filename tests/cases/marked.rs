//! A text with marked spans: `<|>` is a cursor, and `<[` and `]>` enclose a selection.

const CURSOR: &str = "<|>";
/// The start of a selection.
const START: &str = "<[";
/// The end of a selection.
const END: &str = "]>";

/// A text without its marks, and the marked spans, in byte offsets.
pub struct Marked {
    pub text: String,
    /// The cursors and selections, as start and end, in the order of the text.
    pub places: Vec<(usize, usize)>,
}

impl Marked {
    /// Removes the marks from a text.
    pub fn read(marked: &str) -> Self {
        let (mut text, mut places, mut open) = (String::new(), Vec::new(), None);
        let mut rest = marked;
        while let Some(char) = rest.chars().next() {
            let at = text.len();
            rest = if let Some(rest) = rest.strip_prefix(CURSOR) {
                places.push((at, at));
                rest
            } else if let Some(rest) = rest.strip_prefix(START) {
                assert_eq!(open.replace(at), None, "a selection starts in another: {marked}");
                rest
            } else if let Some((start, rest)) = open.zip(rest.strip_prefix(END)) {
                open = None;
                places.push((start, at));
                rest
            } else {
                text.push(char);
                rest.split_at(char.len_utf8()).1
            };
        }
        assert_eq!(open, None, "a selection does not end: {marked}");
        Self { text, places }
    }
}
