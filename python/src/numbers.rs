//! Whole numbers as arguments. One that is out of range is a `ValueError` with the name of its argument.

use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyList, PyTuple},
};

/// An argument that is a whole number, several, or `None`.
pub trait Number: Sized {
    /// Reads the argument `name`.
    ///
    /// # Errors
    ///
    /// A `TypeError` if it is not a number, or a `ValueError` if it is out of range.
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self>;
}

impl Number for u64 {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        given.extract().map_err(|error: PyErr| {
            if error.is_instance_of::<PyTypeError>(given.py()) {
                return wrong_type(name, "a whole number", given);
            }
            if !error.is_instance_of::<PyOverflowError>(given.py()) {
                return error;
            }
            let is_negative = given.lt(0).unwrap_or(false);
            let range = if is_negative { "at least 0".to_owned() } else { format!("at most {}", Self::MAX) };
            PyValueError::new_err(format!("`{name}` is {range}"))
        })
    }
}

impl Number for usize {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let range = || PyValueError::new_err(format!("`{name}` is at most {}", Self::MAX));
        Self::try_from(u64::of(name, given)?).map_err(|_| range())
    }
}

impl<T: Number> Number for Option<T> {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::of(name, given).map(Some) }
    }
}

/// The passes of the repeat blocks around a layer.
pub enum Passes {
    One(usize),
    Nested(Vec<usize>),
}

impl Passes {
    /// The passes, outermost first.
    pub fn numbers(self) -> Vec<usize> {
        match self {
            Self::One(pass) => vec![pass],
            Self::Nested(passes) => passes,
        }
    }
}

impl Number for Passes {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !given.is_instance_of::<PyTuple>() && !given.is_instance_of::<PyList>() {
            return usize::of(name, given).map(Self::One);
        }
        given.try_iter()?.map(|number| usize::of(name, &number?)).collect::<PyResult<_>>().map(Self::Nested)
    }
}

/// The exception for an argument of another type than the one expected.
pub fn wrong_type(name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    match given.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!("`{name}` is {expected}; found {found}")),
        Err(error) => error,
    }
}

/// Defines a function for each argument, for `from_py_with`, which lacks its name.
macro_rules! arguments {
    ($($name:ident)*) => {
        $(pub fn $name<T: Number>(given: &Bound<'_, PyAny>) -> PyResult<T> {
            T::of(stringify!($name), given)
        })*
    };
}

arguments! {
    ablate cell count depth head heads layer limit max_heads max_new max_passes max_prompt pad pass_ passes positions row seconds seed shots source up_to
}
