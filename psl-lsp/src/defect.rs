//! Defects of the tools: a panic as a message with its place. Bad input never leads to one.

use std::{
    any::Any,
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

/// The place of the last panic: file, line and column of the source.
static PLACE: Mutex<Option<String>> = Mutex::new(None);
static LISTENS: Once = Once::new();

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Defect {
    place: Option<String>,
    message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(out, "{place}: ")?;
        }
        write!(out, "{}: this is a bug in psl: please report it at {}", self.message, env!("CARGO_PKG_REPOSITORY"))
    }
}

impl Defect {
    /// Does some work, and turns a panic into a defect. The panic is also reported on standard error, as any other.
    ///
    /// # Errors
    ///
    /// The defect.
    pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Self> {
        LISTENS.call_once(|| {
            let report = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                *last_place() = info.location().map(ToString::to_string);
                report(info);
            }));
        });
        panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
            let place = last_place().take();
            Self { place, message: message(&*payload).to_owned() }
        })
    }
}

fn last_place() -> MutexGuard<'static, Option<String>> {
    PLACE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The message of a panic, which is text unless somebody chose another payload.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    text.strip_prefix("internal error: entered unreachable code: ").unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message_with_its_place() {
        assert_eq!(Defect::guard(|| 1), Ok(1));
        let defect = Defect::guard(|| unreachable!("a cell is missing")).expect_err("a defect").to_string();
        let report = "a cell is missing: this is a bug in psl: please report it at https://github.com/";
        assert!(defect.contains(report) && defect.starts_with(file!()), "{defect}");
        let indexed = Defect::guard(|| vec![1][std::hint::black_box(1)]).expect_err("a defect").to_string();
        assert!(indexed.contains(": index out of bounds: the len is 1 but the index is 1: "), "{indexed}");
    }
}
