//! Documents that the server computes from a program: `psl:/qkvl/NAME.qkvl.json?program=URI`, and `weights` and `psl`
//! instead of `qkvl`.

use psl_program::Emit;

use crate::uri::Url;

/// The scheme of their URIs.
pub const SCHEME: &str = "psl";

/// A document that the server computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The URI of its program, as the client writes it.
    pub program: String,
    /// The program's form.
    pub emit: Emit,
}

impl Content {
    /// Reads the URI of such a document, or returns `None` if it is another one.
    pub fn read(uri: &Url) -> Option<Self> {
        let kind = uri.path_segments()?.next()?;
        let (_, emit) = Emit::ALL.into_iter().find(|(name, _)| *name == kind)?;
        let (key, value) = uri.query_pairs().next()?;
        // Visual Studio Code escapes the `=`.
        let program = if key == "program" { &value } else { key.strip_prefix("program=")? };
        (uri.scheme() == SCHEME).then(|| Self { program: program.to_owned(), emit })
    }

    /// The document's URI. The last part of the path is a file name for the editor's title and highlighting.
    pub fn uri(&self) -> Option<Url> {
        let program = Url::parse(&self.program).ok()?;
        let name = program.path().rsplit('/').next()?;
        let (kind, _) = Emit::ALL.into_iter().find(|(_, emit)| *emit == self.emit)?;
        let end = match self.emit {
            Emit::Qkvl => "qkvl.json",
            Emit::Weights => "weights.txt",
            Emit::Psl => "psl",
        };
        let mut uri = Url::parse(&format!("{SCHEME}:/{kind}/{}.{end}", name.trim_end_matches(".psl"))).ok()?;
        uri.query_pairs_mut().append_pair("program", &self.program);
        Some(uri)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_read_as_it_was_written() {
        for program in ["file:///w/a.psl", "file:///w/a%20b.psl?x=1&y#z", "untitled:Untitled-1", "file:///w/é.psl"] {
            for (_, emit) in Emit::ALL {
                let content = Content { program: program.to_owned(), emit };
                let read = content.uri().and_then(|uri| Content::read(&uri));
                assert_eq!(read.as_ref(), Some(&content), "{program}");
                let escaped = content.uri().and_then(|uri| Url::parse(&uri.as_str().replace('=', "%3D")).ok());
                assert_eq!(escaped.and_then(|uri| Content::read(&uri)), Some(content), "{program}");
            }
        }
    }

    #[test]
    fn other_uris_are_refused() {
        for uri in ["psl:/qkvl/a", "psl:/x/a?program=b", "file:///qkvl/a?program=b", "psl:qkvl?program=b", "psl:/"] {
            assert_eq!(Content::read(&Url::parse(uri).expect("a URI")), None, "{uri}");
        }
    }
}
