//! Refuses requests that other websites cause.
//!
//! A website can make a browser send requests to loopback. The browser then reports the website as `Origin`. If the
//! website makes its own name resolve to 127.0.0.1, that name is the `Host`.

use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};

/// The scheme of the server, as a browser writes it before the host.
const SCHEME: &str = "http://";
/// The port that browsers leave out.
const DEFAULT_PORT: &str = "80";

/// Whether a request is addressed to the server on this port, and does not come from another website.
pub fn is_same_origin(headers: &HeaderMap, port: u16) -> bool {
    let is_own = |host: &str| is_own(host, port);
    let mut hosts = headers.get_all(HOST).iter().map(text).peekable();
    let mut origins = headers.get_all(ORIGIN).iter().map(text);
    hosts.peek().is_some()
        && hosts.all(|host| host.is_some_and(is_own))
        && origins.all(|origin| origin.and_then(|origin| origin.strip_prefix(SCHEME)).is_some_and(is_own))
}

fn text(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok()
}

fn is_own(host: &str, own_port: u16) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, DEFAULT_PORT));
    (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")) && port == own_port.to_string()
}
