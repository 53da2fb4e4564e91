//! Progress of long work: a line on standard error if it is a terminal. It appears after a second and is cleared at the
//! end.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{color::is_dumb, sizes::bytes};

/// The time before the progress appears.
const DELAY: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);

/// The bar that the terminal may show now.
static ACTIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The unit of progress.
#[derive(Clone, Copy)]
pub enum Unit {
    Bytes,
    /// Things of this name, in the plural.
    Items(&'static str),
}

/// The progress of one piece of work. Dropping it clears the line.
pub struct Progress(Option<Shown>);

struct Shown {
    bar: ProgressBar,
    items: Arc<AtomicU64>,
}

impl Progress {
    /// Starts the progress, with its total if that is known.
    pub fn new(unit: Unit, total: Option<u64>) -> Self {
        if !io::stderr().is_terminal() || is_dumb() {
            return Self(None);
        }
        let items = Arc::new(AtomicU64::new(0));
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        bar.set_style(style(unit, total, Arc::clone(&items)));
        let late = bar.clone();
        thread::spawn(move || {
            thread::sleep(DELAY);
            if !late.is_finished() {
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(REDRAW);
            }
        });
        *ACTIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        Self(Some(Shown { bar, items }))
    }

    /// Adds an item, of this size in units of the total.
    pub fn item(&self, size: u64) {
        if let Self(Some(Shown { bar, items })) = self {
            items.fetch_add(1, Ordering::Relaxed);
            bar.inc(size);
        }
    }

    /// Returns a writer that counts its bytes as progress.
    pub fn of_writing<'w>(&self, to: &'w mut impl Write) -> Box<dyn Write + 'w> {
        match &self.0 {
            Some(Shown { bar, .. }) => Box::new(bar.wrap_write(to)),
            None => Box::new(to),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self(Some(Shown { bar, .. })) = self {
            bar.finish_and_clear();
            *ACTIVE.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

/// Runs work that writes to the terminal, and hides the bar during it.
pub fn aside<T>(work: impl FnOnce() -> T) -> T {
    let bar = ACTIVE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(work),
        None => work(),
    }
}

/// `[====>     ]  42 %, 1,234 files, 310 files/s, 12s left`.
fn style(unit: Unit, total: Option<u64>, items: Arc<AtomicU64>) -> ProgressStyle {
    let template = if total.is_some() { "[{bar:20}] {percent:>3} %, {done}, {eta} left" } else { "{done}" };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style
        .progress_chars("=> ")
        .with_key("done", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let seconds = state.elapsed().as_secs_f64().max(f64::MIN_POSITIVE);
            #[allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "people read three digits of it")]
            let rate = |done: u64| (done as f64 / seconds) as u64;
            let written = match unit {
                Unit::Bytes => {
                    let (done, total) = (state.pos(), state.len().unwrap_or_default());
                    write!(out, "{} of {}, {}/s", bytes(done), bytes(total), bytes(rate(done)))
                }
                Unit::Items(name) => {
                    let done = items.load(Ordering::Relaxed);
                    write!(out, "{} {name}, {} {name}/s", HumanCount(done), HumanCount(rate(done)))
                }
            };
            // The bar ignores errors of its terminal.
            written.ok();
        })
        .with_key("eta", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            write!(out, "{:#}", HumanDuration(state.eta())).ok();
        })
}
