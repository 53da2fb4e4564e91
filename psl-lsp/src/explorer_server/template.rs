//! The page without its data, as it is served.

use hyper::header::HeaderValue;
use psl_ide::explorer_page;

/// The directive of the page's policy that forbids requests. A served page may send requests to its server.
const NO_REQUESTS: &str = "connect-src 'none'";
const OWN_REQUESTS: &str = "connect-src 'self'";

/// The page without its data.
pub struct Template {
    page: String,
    policy: HeaderValue,
}

impl Template {
    /// Reads the page that scripts/explorer builds. `None` if it lacks the place for the data, or a policy in double quotes that
    /// forbids requests.
    pub fn new(built: &str) -> Option<Self> {
        let (head, tail) = built.split_once(NO_REQUESTS).filter(|(_, tail)| !tail.contains(NO_REQUESTS))?;
        let (_, start) = head.rsplit_once('"')?;
        let (end, _) = tail.split_once('"')?;
        // The policy in the page cannot forbid frames.
        let policy = format!("{start}{OWN_REQUESTS}{end}; frame-ancestors 'none'");
        let page = format!("{head}{OWN_REQUESTS}{tail}");
        explorer_page(&page, "")?;
        Some(Self { page, policy: policy.try_into().ok()? })
    }

    /// The page with its data, from [`psl_ide::PageData::to_json`].
    pub fn fill(&self, data: &str) -> String {
        // The place for the data is there.
        explorer_page(&self.page, data).unwrap_or_default()
    }

    /// The content security policy of a served page.
    pub fn policy(&self) -> HeaderValue {
        self.policy.clone()
    }
}
