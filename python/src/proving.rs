//! Proofs about all short prompts.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use psl_program::{Continuation, RunFailure};
use psl_runtime::Options;
use psl_search::{Against, Claim, Counterexample, Expected, ShortPrompts, Statement, Wanted, Workers, prove};
use psl_syntax::law::Law;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{data::object, errors::error, handle::Program, numbers, pool::interruptible, scheduling::Heads};

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
    /// `that` is one of `answers`, the default, `terminates`, `causal`, `copies` and `machines`, or a function. The
    /// claim of a function is that the program continues a prompt with the list that it returns for the list of
    /// symbols. The list is cut off after the stop symbol and at `max_new`, and `None` in it is null. With `against`,
    /// another program, the claim is that both continue prompts in the same way, also those of the tests and laws with
    /// other symbols, and, with `states`, that registers of the same name have the same values after the last layer.
    ///
    /// By default, `up_to` is the greatest number with at most 200,000 prompts, and `max_new` that of the program or
    /// 64. With patterns in `like`, such as `Q $x.. A`, the prompts are those that are like one of them, with different
    /// symbols for variables or, with `like_any`, any. Prompts have the symbols of `alphabet`, too, and, with
    /// `numbers`, the numbers that the program compares with symbols. Continuations of `copies` may have those of
    /// `allow_symbols`. `heads` is that of `run`. Returns `psl.Proof`.
    ///
    /// Raises `ValueError` for an unknown claim or a wrong pattern, `psl.Error` if there are too many prompts, and the
    /// exceptions of the function.
    #[pyo3(signature = (that = None, *, against = None, states = false, up_to = None, like = None, like_any = false, max_new = None, alphabet = None, allow_symbols = None, numbers = false, heads = None))]
    #[allow(clippy::too_many_arguments, reason = "each is an option of the command")]
    fn prove<'py>(
        &self,
        py: Python<'py>,
        that: Option<&Bound<'py, PyAny>>,
        against: Option<&Self>,
        states: bool,
        #[pyo3(from_py_with = numbers::up_to)] up_to: Option<usize>,
        like: Option<Vec<String>>,
        like_any: bool,
        #[pyo3(from_py_with = numbers::max_new)] max_new: Option<usize>,
        alphabet: Option<Vec<String>>,
        allow_symbols: Option<Vec<String>>,
        numbers: bool,
        #[pyo3(from_py_with = numbers::heads)] heads: Option<Heads>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = asked(that, against, states, allow_symbols.unwrap_or_default())?;
        if up_to == Some(0) || max_new == Some(0) {
            return Err(PyValueError::new_err("`up_to` and `max_new` are at least 1"));
        }
        let like = like.unwrap_or_default();
        let pattern = |text: &String| {
            Law::pattern(like_any, text).map_err(|why| PyValueError::new_err(format!("`{text}`: {why}")))
        };
        let like = like.iter().map(pattern).collect::<PyResult<Vec<_>>>()?;
        let alphabet = alphabet.unwrap_or_default();
        let wanted = Wanted { up_to, like, alphabet, numbers, ..Wanted::default() };
        let program = self.with_heads(py, heads.unwrap_or_default())?;
        let stopped = Arc::new(AtomicBool::new(false));
        let name = asked.name();
        let cores = Cores(Arc::clone(&stopped));
        let raised = Arc::new(Mutex::new(None));
        let raise = Arc::clone(&raised);
        let proof = interruptible(py, &stopped, move || {
            let runner = program.runner();
            let options = runner.options(&Options { max_new, ..Options::default() });
            let own = || ShortPrompts::new(&[runner.executable()], &options, &wanted);
            let tried = |statement: &dyn Statement, prompts: Result<ShortPrompts, RunFailure>| {
                let prompts = prompts?;
                let proof = prove(runner, statement, &prompts, &cores)?;
                let up_to = wanted.like.is_empty().then_some(proof.proved.min(prompts.short()));
                let tests = prompts.tests_in_words(proof.proved);
                Ok((proof.proved == prompts.shapes().len(), up_to, tests, prompts.without_numbers(), proof))
            };
            match &asked {
                Asked::Claim(claim, _) => tried(claim, own()),
                Asked::Function(function) => {
                    let continuation = |prompt: &[&str]| {
                        let symbols = Python::attach(|py| function.call1(py, (prompt,))?.extract(py));
                        let keep = |error: PyErr| {
                            cores.0.store(true, Ordering::Relaxed);
                            raise.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        };
                        symbols.map_err(keep).ok()
                    };
                    tried(&Expected(continuation), own())
                }
                Asked::Against(other, states) => {
                    let other = other.runner();
                    let same = if *states { Against::with_states(runner, other) } else { Against::new(other) };
                    tried(&same, same.prompts(runner, &options, &wanted))
                }
            }
        })?;
        if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        let (holds, up_to, tests, without_numbers, proof) =
            proof.map_err(|failure: RunFailure| error(py, &failure.message))?;
        let counterexample =
            proof.counterexample.map(|Counterexample { prompt, why, continuation, expected, .. }| {
                let text =
                    |continuation: &Result<Continuation, String>| continuation.as_ref().ok().map(Continuation::text);
                object(py, "Counterexample", (prompt, text(&continuation), expected.as_ref().and_then(text), why))
            });
        object(py, "Proof", (name, holds, up_to, tests, proof.prompts, without_numbers, counterexample.transpose()?))
    }
}

/// A statement to try.
enum Asked {
    /// A claim and its name.
    Claim(Claim, String),
    /// A function from the list of symbols to the continuation.
    Function(Py<PyAny>),
    /// Another program, and whether states count.
    Against(Program, bool),
}

impl Asked {
    fn name(&self) -> String {
        match self {
            Self::Claim(_, name) => name.clone(),
            Self::Function(_) => "function".to_owned(),
            Self::Against(..) => "against".to_owned(),
        }
    }
}

/// The statement of these arguments.
fn asked(
    that: Option<&Bound<'_, PyAny>>,
    against: Option<&Program>,
    states: bool,
    allow_symbols: Vec<String>,
) -> PyResult<Asked> {
    match (that, against) {
        (Some(_), Some(_)) => Err(PyValueError::new_err("give a claim or `against`, not both")),
        (None, Some(other)) => Ok(Asked::Against(other.clone(), states)),
        (_, None) if states => Err(PyValueError::new_err("`states` needs `against`, the other program")),
        (Some(function), None) if function.is_callable() => Ok(Asked::Function(function.clone().unbind())),
        (that, None) => {
            let name: String = match that {
                Some(that) => that.extract()?,
                None => "answers".to_owned(),
            };
            let claim = Claim::named(&name, allow_symbols).ok_or_else(|| {
                let names = Claim::NAMES.join(", ");
                PyValueError::new_err(format!("unknown claim `{name}`; expected a function or one of {names}"))
            })?;
            Ok(Asked::Claim(claim, name))
        }
    }
}
