//! The documents of the server that the client shows, such as the QKVL of a program.
//!
//! Invariant: their number is bounded, since a client does not report that it has closed one.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use crate::uri::Url;

/// Maximum number of documents to refresh. More are forgotten all at once.
const MOST: usize = 100;
/// The pause in typing before a document is refreshed.
const PAUSE: Duration = Duration::from_millis(200);

/// The documents that the client has requested.
#[derive(Default)]
pub struct VirtualDocuments {
    /// The programs of the documents.
    shown: HashMap<Url, Url>,
    /// The programs that have changed, and when to refresh their documents.
    due: HashMap<Url, Duration>,
}

impl VirtualDocuments {
    /// Records that the client has requested a document.
    pub fn requested(&mut self, document: Url, program: Url) {
        if self.shown.len() >= MOST && !self.shown.contains_key(&document) {
            self.shown.clear();
            self.due.clear();
        }
        self.shown.insert(document, program);
    }

    /// Refreshes the documents of a program, which has changed `now`, soon.
    pub fn changed(&mut self, program: &Url, now: Duration) {
        if self.shown.values().any(|shown| shown == program) {
            self.due.insert(program.clone(), now + PAUSE);
        }
    }

    /// The time of the next refresh.
    pub fn next(&self) -> Option<Duration> {
        self.due.values().min().copied()
    }

    /// Returns the documents to refresh now.
    pub fn take_due(&mut self, now: Duration) -> Vec<Url> {
        let programs: HashSet<Url> = self.due.extract_if(|_, due| *due <= now).map(|(program, _)| program).collect();
        let due = self.shown.iter().filter(|(_, program)| programs.contains(program));
        due.map(|(document, _)| document.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(kind: &str, number: usize) -> Url {
        Url::parse(&format!("{kind}:/{number}")).expect("a URI")
    }

    #[test]
    fn the_number_of_documents_is_bounded() {
        let mut contents = VirtualDocuments::default();
        for number in 0..MOST {
            contents.requested(url("psl", number), url("file", number));
        }
        contents.changed(&url("file", 0), Duration::ZERO);
        // A document that is known needs no room.
        contents.requested(url("psl", 1), url("file", 1));
        assert_eq!((contents.shown.len(), contents.next().is_some()), (MOST, true));
        contents.requested(url("psl", MOST), url("file", MOST));
        assert_eq!((contents.shown.len(), contents.next().is_some()), (1, false));
    }
}
