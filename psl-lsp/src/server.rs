//! A server in a separate process, on standard input and output.
//!
//! The path of a keystroke: [`input`] reads it, [`service`] applies it to the session before the next message,
//! [`publisher`] starts the computation of its diagnostics on a thread of the [`lanes`], and the [`outbox`] writes them
//! unless a newer version has arrived.

mod client_process;
mod client_requests;
mod config_reports;
mod event;
mod explorer;
mod input;
mod lanes;
mod log;
mod message;
mod notifications;
mod open_requests;
mod outbox;
mod publisher;
mod service;
mod spelling;
mod testing;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, at, never, select_biased, unbounded};

pub use self::explorer::ExplorerTemplate;
use self::{
    event::Event,
    outbox::Outbox,
    service::{Next, Service},
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

/// Serves standard input and output until `exit` or the end of the input. The process then ends without waiting for
/// pending work, successfully after a `shutdown`. With `log`, every message is written to that file. `explorer` is the
/// template of the explorer's page.
///
/// # Errors
///
/// Returns a message if the server cannot start.
pub fn run(log: Option<&Path>, explorer: ExplorerTemplate) -> Result<bool, String> {
    let log = match log {
        Some(path) => log::Log::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?,
        None => log::Log::default(),
    };
    // Tests that run after edits must not delay a hover.
    let started = rayon::ThreadPoolBuilder::new().start_handler(|_| lanes::yield_to_others()).build_global();
    started.map_err(|error| format!("cannot start the server: {error}"))?;
    let outbox = Outbox::start(log.clone());
    let (sender, events) = unbounded();
    let mut service = Service::new(Arc::new(Session::new(Arc::new(Disk::new()))), outbox.clone(), sender, explorer);
    serve(&mut service, &input::start(log), &events, &outbox);
    // Pending answers may still be written.
    let deadline = Instant::now() + FLUSH_TIME;
    while service.open.count() > 0
        && let Ok(event) = events.recv_deadline(deadline)
    {
        service.event(event);
    }
    outbox.flush(deadline);
    std::process::exit(i32::from(!service.session.is_shut_down()))
}

/// Handles messages and the results of other threads, until `exit` or the end of the input.
fn serve(service: &mut Service, input: &Receiver<input::Message>, events: &Receiver<Event>, outbox: &Outbox) {
    let unread = never();
    let mut next_tick = None;
    loop {
        let now = Instant::now();
        next_tick = service.open.has_work().then(|| next_tick.unwrap_or(now + TICK));
        // The server stops reading from a client that only sends, so that requests do not fill the memory.
        let too_much = service.open.count() >= OPEN || outbox.is_overfull();
        let next_look = too_much.then(|| now + LOOK);
        let next = [next_tick, next_look, service.publisher.next_tests()].into_iter().flatten().min();
        select_biased! {
            recv(events) -> event => if let Ok(event) = event {
                service.event(event);
            },
            recv(if too_much { &unread } else { input }) -> message => match message.map(|message| service.take(message)) {
                Ok(Next::Message) => {}
                Ok(Next::Exit) | Err(_) => return,
            },
            recv(next.map_or_else(never, at)) -> now => {
                if now.is_ok_and(|now| next_tick.is_some_and(|tick| tick <= now)) {
                    service.open.tick(&mut service.client);
                    next_tick = None;
                }
                service.publisher.run_due_tests();
            }
        }
    }
}
