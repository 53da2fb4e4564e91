//! Responses, with the headers that they have in common.

use http_body_util::{Either, Full, channel::Channel};
use hyper::{
    Response, StatusCode,
    body::Bytes,
    header::{
        ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, REFERRER_POLICY,
        X_CONTENT_TYPE_OPTIONS,
    },
};

/// A text, or events as they occur.
pub type Body = Either<Full<Bytes>, Channel<Bytes>>;

/// A response without content.
pub fn status(status: StatusCode) -> Response<Body> {
    let mut response = of(Either::Left(Full::default()));
    *response.status_mut() = status;
    response
}

/// Refuses a method. `allowed` is the one to use.
pub fn wrong_method(allowed: &'static str) -> Response<Body> {
    let mut response = status(StatusCode::METHOD_NOT_ALLOWED);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

/// A page with its content security policy.
pub fn page(text: String, policy: HeaderValue) -> Response<Body> {
    let mut response = of(Either::Left(Full::from(text)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

/// A stream of events.
pub fn events(channel: Channel<Bytes>) -> Response<Body> {
    let mut response = of(Either::Right(channel));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    response
}

fn of(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = [
        // The page contains the program, and its address the secret.
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
