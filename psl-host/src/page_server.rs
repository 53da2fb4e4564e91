//! A server on loopback for pages with data that changes.
//!
//! Each page has its own address with a secret of 128 random bits. Below the address are the page, its events and an
//! endpoint for clicks. Everything else is refused, and nothing is read from disk.
//!
//! ```text
//! connections     accepts connections, within limits of number and time
//! answers         the answer to each request
//! same_origin     refuses requests that other websites cause
//! site            the pages by their secrets
//! page            the data of a page, and where it is observed
//! template        the page without its data
//! events          sends changes of the data
//! responses       responses with the headers of all
//! ```
//!
//! Invariant: only this module knows HTTP.

mod answers;
mod connections;
mod events;
mod page;
mod responses;
mod same_origin;
mod site;
mod template;

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    thread,
};

use tokio::{runtime, sync::oneshot};

pub use self::template::Template;
use self::{page::Page, site::Site};

/// A server of pages. Dropping it ends all connections.
pub struct ExplorerServer {
    site: Arc<Site>,
    /// The thread ends when `stop` is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

/// A page with an address. Dropping it makes the address unknown.
pub struct ServedPage {
    site: Arc<Site>,
    secret: String,
    page: Arc<Page>,
}

impl ExplorerServer {
    /// Starts to listen on a port of 127.0.0.1, or on a free port if it is 0.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, for example if another program uses the port.
    pub fn start(port: u16, template: Template) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let site = Arc::new(Site::new(listener.local_addr()?.port(), template));
        // One thread serves all connections, so that many slow clients cost little.
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let served = Arc::clone(&site);
        let thread = thread::Builder::new().name("explorer".to_owned()).spawn(move || {
            runtime.spawn(connections::accept(listener, served));
            // An error is a dropped sender.
            runtime.block_on(stopped).ok();
        })?;
        Ok(Self { site, stop: Some(stop), thread: Some(thread) })
    }

    /// Adds a page with its data, JSON that can be embedded in a script element. `reveal` is called with the 1-based
    /// line of each click on a line, on the server's thread, which it must not block. Browsers keep at most 6 pages of
    /// a server up to date.
    ///
    /// # Errors
    ///
    /// Returns the error of the system if it has no random numbers.
    pub fn add(&self, data: String, reveal: Option<Box<dyn Fn(usize) + Send + Sync>>) -> io::Result<ServedPage> {
        let page = Arc::new(Page::new(data, reveal));
        let secret = self.site.add(Arc::clone(&page))?;
        Ok(ServedPage { site: Arc::clone(&self.site), secret, page })
    }
}

impl Drop for ExplorerServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

impl ServedPage {
    /// The address to open in a browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.site.port(), self.secret)
    }

    /// Replaces the data, also in the browsers that show the page.
    pub fn update(&self, data: String) {
        self.page.update(data);
    }
}

impl Drop for ServedPage {
    fn drop(&mut self) {
        self.site.remove(&self.secret);
    }
}
