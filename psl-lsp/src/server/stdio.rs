//! A server in a separate process, on standard input and output.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant},
};

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use thiserror::Error;
use tokio::{
    runtime,
    sync::mpsc::{Receiver, UnboundedReceiver, unbounded_channel},
    time::{sleep_until, timeout},
};

use super::{
    backend::Backend,
    calls::{Calls, Next},
    event::Event,
    native::{ExplorerTemplate, input, log, writer, yield_to_others},
    outbox::Outbox,
    service::Service,
};
use crate::{disk::Disk, session::Session};

/// Maximum number of open requests. More stay in the pipe until some are answered.
const OPEN: usize = 4096;
/// Time between progress reports.
const TICK: Duration = Duration::from_millis(200);
/// Time between checks whether a client has read its messages.
const LOOK: Duration = Duration::from_millis(20);
/// Time for writing pending answers at the end.
const FLUSH_TIME: Duration = Duration::from_millis(100);

/// The reason why the server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The log cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    Log {
        /// The log's file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The threads for runs of tests cannot start.
    #[error("cannot start the server: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// The protocol's thread has no runtime.
    #[error("cannot start the server: {0}")]
    Runtime(io::Error),
}

/// Serves standard input and output until `exit` or the end of the input. The process then ends without waiting for
/// pending work, successfully after a `shutdown`. With `log`, every message is written to that file. `explorer` is the
/// template of the explorer's page.
///
/// # Errors
///
/// Fails if the log cannot be written or the server cannot start its threads.
pub fn run(log: Option<&Path>, explorer: ExplorerTemplate) -> Result<bool, StartError> {
    let log = match log {
        Some(path) => log::Log::create(path).map_err(|error| StartError::Log { path: path.to_owned(), error })?,
        None => log::Log::default(),
    };
    log.write_spans();
    // Tests that run after edits must not delay a keystroke, for which one processor stays free.
    let others = available_parallelism().map_or(1, |processors| processors.get().saturating_sub(1).max(1));
    ThreadPoolBuilder::new().num_threads(others).start_handler(|_| yield_to_others()).build_global()?;
    let runtime = runtime::Builder::new_current_thread().enable_time().build().map_err(StartError::Runtime)?;
    let outbox = Outbox::default();
    writer::start(outbox.clone(), log.clone());
    let (sender, mut events) = unbounded_channel();
    let session = Arc::new(Session::new(Arc::new(Disk::new())));
    let service = Service::new(Arc::clone(&session), outbox.clone(), sender, explorer);
    let router = Backend::router(service);
    let backend = router.inner().clone();
    let mut calls = Calls::new(router);
    let deadline = runtime.block_on(async {
        serve(&mut calls, &backend, &mut input::start(log), &mut events, &outbox).await;
        // Pending answers may still be written.
        let deadline = Instant::now() + FLUSH_TIME;
        timeout(FLUSH_TIME, finish(&backend, &mut events)).await.ok();
        deadline
    });
    outbox.flush(deadline);
    std::process::exit(i32::from(!session.is_shut_down()))
}

/// Handles messages and the results of other threads, until `exit` or the end of the input.
async fn serve(
    calls: &mut Calls,
    backend: &Backend,
    input: &mut Receiver<input::Message>,
    events: &mut UnboundedReceiver<Event>,
    outbox: &Outbox,
) {
    let mut next_tick = None;
    loop {
        let now = Instant::now();
        let (next_work, open) = {
            let service = backend.lock();
            next_tick = service.open.has_work().then(|| next_tick.unwrap_or(now + TICK));
            let next_work = service.next_work().map(|due| now + due.saturating_sub(service.session.now()));
            (next_work, service.open.count())
        };
        // The server stops reading from a client that only sends, so that requests do not fill the memory.
        let too_much = open >= OPEN || outbox.is_overfull();
        let next_look = too_much.then(|| now + LOOK);
        let next = [next_tick, next_look, next_work].into_iter().flatten().min();
        tokio::select! {
            biased;
            Some(event) = events.recv() => backend.lock().event(event),
            message = input.recv(), if !too_much => match message.map(|message| calls.take(message)) {
                Some(Next::Message) => {}
                Some(Next::Exit) | None => return,
            },
            () = sleep_until(next.unwrap_or(now).into()), if next.is_some() => {
                let mut service = backend.lock();
                if next_tick.is_some_and(|tick| tick <= Instant::now()) {
                    service.tick();
                    next_tick = None;
                }
                service.do_due_work();
            }
        }
    }
}

/// Sends the answers that are still computed.
async fn finish(backend: &Backend, events: &mut UnboundedReceiver<Event>) {
    while backend.lock().open.count() > 0
        && let Some(event) = events.recv().await
    {
        backend.lock().event(event);
    }
}
