//! The pages of the explorer, served on loopback for open documents.
//!
//! Invariant: a page shows the newest version of its document, some time after an edit. It is no longer served once the
//! document is closed.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use psl_explorer::{FirstPrompt, explorer_page};
use psl_host::page_server::{ExplorerServer, ServedPage, Template};
use tokio::sync::mpsc::UnboundedSender;

use super::{
    super::{
        event::Event,
        job::Job,
        page_data::{WholePage, name, page_data},
    },
    lane::Lane,
};
use crate::{document::Document, refusal::Refusal, session::Session, uri::Url};

/// Time after an edit until pages show it, so that they follow the pauses in typing.
const PAUSE: Duration = Duration::from_millis(200);

/// The template of the page, or the reason why this build has none.
pub type ExplorerTemplate = Result<&'static str, &'static str>;

/// The served pages.
#[derive(Clone)]
pub struct Explorer(Arc<Shared>);

struct Shared {
    template: ExplorerTemplate,
    session: Arc<Session>,
    events: UnboundedSender<Event>,
    lane: Lane,
    served: Mutex<Served>,
}

#[derive(Default)]
struct Served {
    server: Option<ExplorerServer>,
    pages: HashMap<Url, Page>,
}

struct Page {
    served: ServedPage,
    /// The prompt that it has opened last.
    first: FirstPrompt,
}

impl Explorer {
    /// Creates an explorer without pages. It sends clicks on lines through `events`.
    pub fn new(template: ExplorerTemplate, session: Arc<Session>, events: UnboundedSender<Event>) -> Self {
        Self(Arc::new(Shared { template, session, events, lane: Lane::new(1, false), served: Mutex::default() }))
    }

    /// The template of the page.
    ///
    /// # Errors
    ///
    /// Fails if this build has none.
    fn template(&self) -> Result<&'static str, Refusal> {
        self.0.template.map_err(|why| Refusal::Failed(why.to_owned()))
    }

    /// The page of a document.
    ///
    /// # Errors
    ///
    /// Fails if this build has none.
    pub fn whole_page(&self, document: &Document, first: FirstPrompt) -> Result<WholePage, Refusal> {
        let data = page_data(&name(document), document, first.clone()).to_json()?;
        let html = explorer_page(self.template()?, &data).ok_or(Refusal::Internal)?;
        Ok(WholePage { html, first })
    }

    /// Serves the page of a document, and returns its address, which stays the same while the document is open.
    ///
    /// # Errors
    ///
    /// Fails if this build has no page, or the server cannot start.
    pub fn serve(&self, document: &Arc<Document>, first: FirstPrompt) -> Result<String, Refusal> {
        let address = self.set(document, first)?;
        // The document may have changed or been closed in the meantime.
        if !self.0.session.is_current(document) {
            self.changed(&document.uri);
        }
        Ok(address)
    }

    fn set(&self, document: &Document, first: FirstPrompt) -> Result<String, Refusal> {
        // Facts about the document are not computed under the lock.
        document.file().compiled();
        let mut guard = self.0.lock();
        let Served { server, pages } = &mut *guard;
        if let Some(page) = pages.get_mut(&document.uri) {
            page.first = first;
            page.update(document)?;
            return Ok(page.served.address());
        }
        let running = match server.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let (events, uri) = (self.0.events.clone(), document.uri.clone());
        let click = move |line| drop(events.send(Event::Clicked { uri: uri.clone(), line }));
        let reveal = document.client().show_documents.then(|| Box::new(click) as Box<_>);
        let served = server
            .insert(running)
            .add(served_data(document, first.clone())?, reveal)
            .map_err(|error| failed(&error))?;
        let address = served.address();
        pages.insert(document.uri.clone(), Page { served, first });
        Ok(address)
    }

    fn start(&self) -> Result<ExplorerServer, Refusal> {
        let template = Template::new(self.template()?, explorer_page).ok_or(Refusal::Internal)?;
        ExplorerServer::start(0, template).map_err(|error| failed(&error))
    }

    /// Updates the page of a document that has changed soon, and ends it if the document was closed.
    pub fn changed(&self, uri: &Url) {
        if !self.0.lock().pages.contains_key(uri) {
            return;
        }
        let (shared, changed) = (Arc::clone(&self.0), uri.clone());
        // Changes in the meantime add at most one job.
        self.0.lane.push_newest(Job::about(uri.clone(), "page", move || {
            thread::sleep(PAUSE);
            shared.update(&changed);
        }));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Served> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, uri: &Url) {
        match self.session.get(uri) {
            None => drop(self.lock().pages.remove(uri)),
            Some(document) if document.in_doubt => {}
            Some(document) => {
                document.file().compiled();
                if let Some(page) = self.lock().pages.get(uri) {
                    // The page keeps its text after an internal error.
                    page.update(&document).ok();
                }
            }
        }
    }
}

impl Page {
    fn update(&self, document: &Document) -> Result<(), String> {
        self.served.update(served_data(document, self.first.clone())?);
        Ok(())
    }
}

/// The data of a served page as JSON. It takes clicks if the client can show documents.
fn served_data(document: &Document, first: FirstPrompt) -> Result<String, String> {
    page_data(&name(document), document, first).served(document.client().show_documents).to_json()
}

fn failed(error: &io::Error) -> Refusal {
    Refusal::Failed(format!("cannot serve the explorer: {error}"))
}
