//! The queue for one kind of work.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::super::job::Job;

/// The waiting jobs of one kind. The worker runs them one after the other.
#[derive(Clone)]
pub struct Lane(Arc<Mutex<VecDeque<Job>>>);

impl Lane {
    /// Creates an empty lane. It has no threads.
    pub fn new(_: usize, _: bool) -> Self {
        Self(Arc::default())
    }

    /// Adds a job.
    pub fn push(&self, job: Job) {
        self.lock().push_back(job);
    }

    /// Adds a job in place of a waiting job for the same document.
    pub fn push_newest(&self, job: Job) {
        let mut waiting = self.lock();
        match waiting.iter_mut().find(|waiting| waiting.document == job.document) {
            Some(same) => *same = job,
            None => waiting.push_back(job),
        }
    }

    /// Removes cancelled jobs.
    pub fn sweep(&self) {
        self.lock().retain(|job| !job.is_cancelled());
    }

    /// Takes the job that has waited longest.
    pub fn take(&self) -> Option<Job> {
        self.lock().pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
