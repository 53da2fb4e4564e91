//! The pages of a server by their secrets.

use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{page::Page, template::Template};

/// The pages of a server.
pub struct Site {
    port: u16,
    template: Template,
    pages: Mutex<HashMap<String, Arc<Page>>>,
}

impl Site {
    /// Creates a site without pages.
    pub fn new(port: u16, template: Template) -> Self {
        Self { port, template, pages: Mutex::default() }
    }

    /// The port that the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The template of all pages.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Adds a page and returns its secret: 128 random bits in hexadecimal digits.
    pub fn add(&self, page: Arc<Page>) -> io::Result<String> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits)?;
        let secret = format!("{:032x}", u128::from_ne_bytes(bits));
        self.pages().insert(secret.clone(), page);
        Ok(secret)
    }

    /// Removes a page.
    pub fn remove(&self, secret: &str) {
        self.pages().remove(secret);
    }

    /// The page with a secret. The time of the search does not reveal a secret: the map compares texts only if their
    /// hashes, which have a random key, agree.
    pub fn find(&self, secret: &str) -> Option<Arc<Page>> {
        self.pages().get(secret).cloned()
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<String, Arc<Page>>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
