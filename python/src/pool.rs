//! Threads for the work of Rust, which Ctrl-C interrupts.

use std::{
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    time::Duration,
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The time between two looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// The threads, and the process that they belong to: a forked process has none of them.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process, one for each core. The lock is only held while Python is attached, so that no fork
/// finds it locked.
pub fn pool(_: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if let Some((_, pool)) = held.as_ref().filter(|(owner, _)| *owner == process) {
        return Ok(Arc::clone(pool));
    }
    // Without the handler, a panic would abort the process. With it, the work ends without a result.
    let built = ThreadPoolBuilder::new().panic_handler(|_| ()).build();
    let pool = Arc::new(built.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?);
    // To end the threads of the parent would wait for locks that they may have held.
    std::mem::forget(held.replace((process, Arc::clone(&pool))));
    Ok(pool)
}

/// Does work on the threads, while those of Python run. A signal whose handler raises, such as Ctrl-C, cancels the
/// work, and does not wait for its end: the work looks for `cancelled` now and then, if at all.
///
/// # Errors
///
/// The exception of the handler.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    cancelled: &AtomicBool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, mut receive) = mpsc::channel();
    pool(py)?.spawn(move || {
        // The receiver is gone after a signal.
        send.send(work()).ok();
    });
    loop {
        let receive = &mut receive;
        match py.detach(move || receive.recv_timeout(LOOK)) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| {
                cancelled.store(true, Ordering::Relaxed);
                leave_pool();
            })?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
    }
}

/// Leaves the threads to the work that they still do. The next work gets new ones.
fn leave_pool() {
    POOL.lock().unwrap_or_else(PoisonError::into_inner).take();
}
