//! A text with places marked in it: `<|>` is a cursor, and `<[` and `]>` enclose what is selected.

/// The cursor.
const CURSOR: &str = "<|>";
/// Where a selection starts.
const START: &str = "<[";
/// Where a selection ends.
const END: &str = "]>";

/// A text without its marks, and what they marked, in byte offsets.
pub struct Marked {
    /// The text.
    pub text: String,
    /// The cursors and the selections, from start to end, in the order of the text.
    pub places: Vec<(usize, usize)>,
}

impl Marked {
    /// Takes the marks out of a text.
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
