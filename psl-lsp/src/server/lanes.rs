//! The queues for each kind of work, so that no kind waits for another.

use std::sync::Arc;

use super::{job::Job, platform::Lane};
use crate::{document::Document, routes::Latency};

/// The server's lanes.
#[derive(Clone)]
pub struct Lanes {
    /// Requests that a user waits for.
    pub cursor: Lane,
    /// Requests that the editor needs to draw the view.
    pub view: Lane,
    /// Diagnostics after an edit.
    pub checks: Lane,
    /// Runs that stop if they take too long.
    pub brief_runs: Lane,
    /// Requests that run tests.
    pub asked_tests: Lane,
    /// Tests in the background.
    pub tests: Lane,
    /// Searches for proposals in the background.
    pub searches: Lane,
    /// Runs and other commands.
    pub commands: Lane,
    /// Symbols of the workspace.
    pub symbols: Lane,
    /// Diagnostics of the workspace.
    pub workspace: Lane,
    /// Values to drop.
    discarded: Lane,
}

impl Lanes {
    /// Creates the lanes of a server.
    pub fn new() -> Self {
        Self {
            cursor: Lane::new(8, true),
            view: Lane::new(2, true),
            checks: Lane::new(2, true),
            brief_runs: Lane::new(2, false),
            asked_tests: Lane::new(2, false),
            tests: Lane::new(2, false),
            searches: Lane::new(1, false),
            commands: Lane::new(4, false),
            symbols: Lane::new(1, false),
            workspace: Lane::new(1, false),
            discarded: Lane::new(1, false),
        }
    }

    /// The lane for a latency class.
    pub fn of(&self, latency: Latency) -> &Lane {
        match latency {
            Latency::Cursor => &self.cursor,
            Latency::View => &self.view,
            Latency::BriefRun => &self.brief_runs,
            Latency::Tests => &self.asked_tests,
        }
    }

    /// Takes the most urgent waiting job. Without `runs`, the client sends only commands that take no time, and tests
    /// and searches in the background stay where they are.
    #[cfg(not(feature = "native"))]
    pub fn next(&self, runs: bool) -> Option<Job> {
        let brief = [&self.cursor, &self.view, &self.checks, &self.symbols, &self.workspace, &self.commands];
        let long = [&self.asked_tests, &self.brief_runs, &self.tests, &self.searches];
        let long = long.into_iter().filter(|_| runs);
        brief.into_iter().chain(long).chain([&self.discarded]).find_map(Lane::take)
    }

    /// Removes cancelled requests.
    pub fn sweep(&self) {
        let requests = [&self.cursor, &self.view, &self.brief_runs, &self.asked_tests, &self.commands, &self.symbols];
        requests.into_iter().chain([&self.workspace]).for_each(Lane::sweep);
    }

    /// Drops a version on another thread: freeing the facts about a long text takes milliseconds.
    pub fn discard(&self, document: Option<Arc<Document>>) {
        if document.is_some() {
            self.discarded.push(Job::new(move || drop(document)));
        }
    }
}
