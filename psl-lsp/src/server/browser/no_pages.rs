//! The explorer in a browser, which needs no server: the page shows it itself.

use std::sync::Arc;

use psl_explorer::FirstPrompt;
use tokio::sync::mpsc::UnboundedSender;

use super::super::{event::Event, page_data::WholePage};
use crate::{document::Document, refusal::Refusal, session::Session, uri::Url};

/// The template of the page, which the client has.
pub type ExplorerTemplate = ();

/// No served pages.
#[derive(Clone)]
pub struct Explorer;

impl Explorer {
    /// Creates an explorer that serves nothing.
    pub fn new((): ExplorerTemplate, _: Arc<Session>, _: UnboundedSender<Event>) -> Self {
        Self
    }

    /// Refuses to serve a page.
    ///
    /// # Errors
    ///
    /// Always fails.
    pub fn serve(&self, _: &Arc<Document>, _: FirstPrompt) -> Result<String, Refusal> {
        Err(shown_by_client())
    }

    /// Returns the prompt that a page opens. The client has the page and asks for its data separately.
    ///
    /// # Errors
    ///
    /// Never fails.
    pub fn whole_page(&self, _: &Document, first: FirstPrompt) -> Result<WholePage, Refusal> {
        Ok(WholePage { html: String::new(), first })
    }

    /// Ignores a change, since no page is served.
    pub fn changed(&self, _: &Url) {}
}

fn shown_by_client() -> Refusal {
    Refusal::Failed("this server serves no pages: ask for the explorer with `\"page\": \"data\"`".to_owned())
}
