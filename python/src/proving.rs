//! Proofs about all short prompts.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use psl_program::Continuation;
use psl_runtime::Options;
use psl_search::{Claim, Counterexample, ShortPrompts, Wanted, Workers, prove};
use psl_syntax::law::Law;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{data::object, errors::error, handle::Program, numbers, pool::interruptible};

/// All cores, until Ctrl-C.
struct Cores(Arc<AtomicBool>);

impl Workers for Cores {
    fn each(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(job);
    }

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn tried(&self) {}
}

#[pymethods]
impl Program {
    /// Tries a claim with prompts that stand for all of at most `up_to` symbols, as `psl prove` does, on all cores.
    ///
    /// `that` is one of `answers`, `terminates`, `causal`, `copies` and `machines`. By default, `up_to` is the greatest
    /// number with at most 200,000 prompts, and `max_new` that of the program or 64. With patterns in `like`, such as
    /// `Q $x.. A`, the prompts are those that are like one of them, with different symbols for variables or, with
    /// `like_any`, any. Prompts have the symbols of `alphabet`, too, and, with `numbers`, the numbers that the program
    /// compares with symbols. Continuations of `copies` may have those of `allow_symbols`. Returns `psl.Proof`.
    ///
    /// Raises `ValueError` for an unknown claim or a wrong pattern, and `psl.Error` if there are too many prompts.
    #[pyo3(signature = (that = "answers", *, up_to = None, like = None, like_any = false, max_new = None, alphabet = None, allow_symbols = None, numbers = false))]
    #[allow(clippy::too_many_arguments, reason = "each is an option of the command")]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        that: &str,
        #[pyo3(from_py_with = numbers::up_to)] up_to: Option<usize>,
        like: Option<Vec<String>>,
        like_any: bool,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        alphabet: Option<Vec<String>>,
        allow_symbols: Option<Vec<String>>,
        numbers: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let claim = Claim::named(that, allow_symbols.unwrap_or_default()).ok_or_else(|| {
            PyValueError::new_err(format!("unknown claim `{that}`; expected one of {}", Claim::NAMES.join(", ")))
        })?;
        if up_to == Some(0) || max_new == Some(0) {
            return Err(PyValueError::new_err("`up_to` and `max_new` are at least 1"));
        }
        let like = like.unwrap_or_default();
        let pattern = |text: &String| {
            Law::pattern(like_any, text).map_err(|why| PyValueError::new_err(format!("`{text}`: {why}")))
        };
        let like = like.iter().map(pattern).collect::<PyResult<Vec<_>>>()?;
        let wanted = Wanted { up_to, like, alphabet: alphabet.unwrap_or_default(), numbers };
        let (file, stopped) = (Arc::clone(&self.file), Arc::new(AtomicBool::new(false)));
        let cores = Cores(Arc::clone(&stopped));
        let proof = interruptible(py, &stopped, move || {
            let runner = file.compiled();
            let options = runner.options(&Options { max_new, ..Options::default() });
            let prompts = ShortPrompts::new(runner, &options, &wanted)?;
            let proof = prove(runner, &claim, &prompts, &cores)?;
            let up_to = wanted.like.is_empty().then_some(proof.proved);
            Ok((proof.proved == prompts.shapes().len(), up_to, prompts.without_numbers, proof))
        })?;
        let (holds, up_to, without_numbers, proof) =
            proof.map_err(|failure: psl_program::RunFailure| error(py, &failure.message))?;
        let counterexample = proof.counterexample.map(|Counterexample { prompt, why, continuation }| {
            object(py, "Counterexample", (prompt, continuation.as_ref().ok().map(Continuation::text), why))
        });
        object(py, "Proof", (that, holds, up_to, proof.prompts, without_numbers, counterexample.transpose()?))
    }
}
