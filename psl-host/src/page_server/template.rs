//! The page without its data, as it is served.

use hyper::header::HeaderValue;

/// The directive of the page's policy that forbids requests. A served page may send requests to its server.
const NO_REQUESTS: &str = "connect-src 'none'";
const OWN_REQUESTS: &str = "connect-src 'self'";

/// The page without its data.
pub struct Template {
    page: String,
    fill: Fill,
    policy: HeaderValue,
}

/// Puts data into a page, or returns `None` if the page lacks a place for it.
type Fill = fn(page: &str, data: &str) -> Option<String>;

impl Template {
    /// Takes a page and the function that puts data into it. `None` if the page lacks the place for the data, or a
    /// policy in double quotes that forbids requests.
    pub fn new(built: &str, fill: Fill) -> Option<Self> {
        let (head, tail) = built.split_once(NO_REQUESTS).filter(|(_, tail)| !tail.contains(NO_REQUESTS))?;
        let (_, start) = head.rsplit_once('"')?;
        let (end, _) = tail.split_once('"')?;
        // The policy in the page cannot forbid frames.
        let policy = format!("{start}{OWN_REQUESTS}{end}; frame-ancestors 'none'");
        let page = format!("{head}{OWN_REQUESTS}{tail}");
        fill(&page, "")?;
        Some(Self { page, fill, policy: policy.try_into().ok()? })
    }

    /// The page with its data.
    pub fn fill(&self, data: &str) -> String {
        // The place for the data is there.
        (self.fill)(&self.page, data).unwrap_or_default()
    }

    /// The content security policy of a served page.
    pub fn policy(&self) -> HeaderValue {
        self.policy.clone()
    }
}
