//! A page: its data, and the function that clicks call.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// A version of a page's data.
#[derive(Clone)]
pub struct PageData {
    /// Increases with each change.
    pub version: u64,
    /// The data as one line of JSON that can be embedded in a script element.
    pub data: String,
}

pub struct Page {
    content: watch::Sender<PageData>,
    /// The version of the data in the page that was served last, or 0.
    served: AtomicU64,
    reveal: Option<Box<dyn Fn(usize) + Send + Sync>>,
}

impl Page {
    /// Creates a page that shows `data`, and reports lines to `reveal`.
    pub fn new(data: String, reveal: Option<Box<dyn Fn(usize) + Send + Sync>>) -> Self {
        Self { content: watch::Sender::new(PageData { version: 1, data }), served: AtomicU64::new(0), reveal }
    }

    /// Replaces the data.
    pub fn update(&self, data: String) {
        self.content.send_if_modified(|content| {
            let changes = content.data != data;
            if changes {
                *content = PageData { version: content.version + 1, data };
            }
            changes
        });
    }

    /// The data to serve with the page.
    pub fn data(&self) -> String {
        let PageData { version, data } = self.content.borrow().clone();
        self.served.store(version, Ordering::Relaxed);
        data
    }

    /// The version that a browser has when it connects for the first time: it has just loaded the page.
    pub fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }

    /// The data and its changes. A slow observer gets only the newest data.
    pub fn observe(&self) -> watch::Receiver<PageData> {
        self.content.subscribe()
    }

    /// The function that shows a line, or `None` if the page is not connected to an editor.
    pub fn reveal(&self) -> Option<&(dyn Fn(usize) + Send + Sync)> {
        self.reveal.as_deref()
    }
}
