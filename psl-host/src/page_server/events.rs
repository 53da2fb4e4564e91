//! Sends the data of a page and its changes as server-sent events.

use std::time::Duration;

use http_body_util::channel::{Channel, Sender};
use hyper::body::Bytes;
use tokio::{sync::watch::Receiver, time::timeout};

use super::page::PageData;

/// Time between comments, which browsers ignore. They show whether the connection is still open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const COMMENT: &str = ":\n\n";

/// Sends changes of the data until the page or the connection ends. `seen` is the version that the browser has.
pub fn stream(content: Receiver<PageData>, seen: u64) -> Channel<Bytes> {
    let (sender, channel) = Channel::new(1);
    tokio::spawn(send(content, seen, sender));
    channel
}

async fn send(mut content: Receiver<PageData>, mut seen: u64, mut sender: Sender<Bytes>) {
    // Without data it is not an event, but a browser that connects again reports this version.
    let mut next = Some(format!("id: {seen}\n\n"));
    while let Some(text) = next
        && sender.send_data(text.into()).await.is_ok()
    {
        next = match timeout(KEEP_ALIVE, content.wait_for(|content| content.version != seen)).await {
            Ok(Ok(content)) => {
                seen = content.version;
                Some(format!("id: {seen}\ndata: {}\n\n", content.data))
            }
            // The page was removed.
            Ok(Err(_)) => None,
            Err(_) => Some(COMMENT.to_owned()),
        };
    }
}
