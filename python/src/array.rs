//! Arrays that NumPy reads where Rust wrote them.

use std::collections::TryReserveError;

use pyo3::{
    exceptions::PyMemoryError,
    prelude::*,
    types::{PyDict, PyTuple},
};

/// Makes room for further numbers.
///
/// # Errors
///
/// A `MemoryError`, where a vector that grows by itself would abort the process.
pub fn reserve<T>(numbers: &mut Vec<T>, more: usize) -> PyResult<()> {
    numbers.try_reserve_exact(more).map_err(|error: TryReserveError| PyMemoryError::new_err(error.to_string()))
}

/// That many zeros.
///
/// # Errors
///
/// A `MemoryError`.
pub fn zeros<T: Clone + Default>(count: usize) -> PyResult<Vec<T>> {
    let mut numbers = Vec::new();
    reserve(&mut numbers, count)?;
    numbers.resize(count, T::default());
    Ok(numbers)
}

/// The numbers of an array.
pub enum Numbers {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float32(Vec<f32>),
}

impl Numbers {
    /// The address, and the type in the notation of NumPy.
    fn place(&self) -> (usize, &'static str) {
        let big = cfg!(target_endian = "big");
        match self {
            Self::Bool(numbers) => (numbers.as_ptr() as usize, "|b1"),
            Self::Int32(numbers) => (numbers.as_ptr() as usize, if big { ">i4" } else { "<i4" }),
            Self::Int64(numbers) => (numbers.as_ptr() as usize, if big { ">i8" } else { "<i8" }),
            Self::Float32(numbers) => (numbers.as_ptr() as usize, if big { ">f4" } else { "<f4" }),
        }
    }
}

/// The owner of an array's numbers. An array of NumPy keeps it alive.
#[pyclass(frozen)]
struct Owner {
    numbers: Numbers,
    shape: Vec<usize>,
}

#[pymethods]
impl Owner {
    /// The [array interface](https://numpy.org/doc/stable/reference/arrays.interface.html), read-only.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, numbers) = self.numbers.place();
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", numbers)?;
        interface.set_item("data", (address, true))?;
        Ok(interface)
    }
}

/// Hands numbers in row-major order to NumPy, without a copy. The shape has as many numbers.
pub fn array(py: Python<'_>, numbers: Numbers, shape: Vec<usize>) -> PyResult<Py<PyAny>> {
    Ok(py.import("numpy")?.call_method1("asarray", (Owner { numbers, shape },))?.unbind())
}
