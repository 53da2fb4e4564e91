//! The answer to each request.

use std::{sync::Arc, time::Duration};

use http_body_util::{BodyExt, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body as _, Incoming},
};
use serde::Deserialize;
use tokio::time::timeout;

use super::{
    events,
    page::Page,
    responses::{self, Body},
    same_origin::is_same_origin,
    site::Site,
};

/// Maximum size of the content of a request, in bytes.
const MAX_CONTENT: usize = 1024;
/// Maximum time for the content of a request to arrive.
const CONTENT_TIME: Duration = Duration::from_secs(5);

/// A click on a line.
#[derive(Deserialize)]
struct Click {
    line: usize,
}

pub async fn answer(site: &Site, request: Request<Incoming>) -> Response<Body> {
    if !is_same_origin(request.headers(), site.port()) {
        return responses::status(StatusCode::FORBIDDEN);
    }
    let path = request.uri().path().strip_prefix('/').and_then(|path| path.split_once('/'));
    let Some((page, name)) = path.and_then(|(secret, name)| Some((site.find(secret)?, name))) else {
        return responses::status(StatusCode::NOT_FOUND);
    };
    let (is_get, is_post) = (request.method() == Method::GET, request.method() == Method::POST);
    match name {
        "" if is_get => responses::page(site.template().fill(&page.data()), site.template().policy()),
        "events" if is_get => {
            let seen = seen(&request).unwrap_or_else(|| page.served());
            responses::events(events::stream(page.observe(), seen))
        }
        "" | "events" => responses::wrong_method("GET"),
        "reveal" if page.reveal().is_none() => responses::status(StatusCode::NOT_FOUND),
        "reveal" if is_post => responses::status(reveal(&page, request.into_body()).await),
        "reveal" => responses::wrong_method("POST"),
        _ => responses::status(StatusCode::NOT_FOUND),
    }
}

/// The version that a browser had before it lost the connection.
fn seen(request: &Request<Incoming>) -> Option<u64> {
    request.headers().get("last-event-id")?.to_str().ok()?.parse().ok()
}

async fn reveal(page: &Arc<Page>, content: Incoming) -> StatusCode {
    if content.size_hint().lower() > MAX_CONTENT as u64 {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    let content = match timeout(CONTENT_TIME, Limited::new(content, MAX_CONTENT).collect()).await {
        Ok(Ok(content)) => content.to_bytes(),
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE,
        Err(_) => return StatusCode::REQUEST_TIMEOUT,
    };
    match (serde_json::from_slice(&content), page.reveal()) {
        (Ok(Click { line }), Some(reveal)) if line > 0 => {
            reveal(line);
            StatusCode::NO_CONTENT
        }
        _ => StatusCode::BAD_REQUEST,
    }
}
