//! Arrays that NumPy reads where Rust wrote them.

use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

/// The numbers of an array.
pub enum Numbers {
    Int32(Vec<i32>),
    Bool(Vec<bool>),
}

impl Numbers {
    /// The address, and the type in the notation of NumPy.
    fn place(&self) -> (usize, &'static str) {
        match self {
            Self::Int32(numbers) => {
                (numbers.as_ptr() as usize, if cfg!(target_endian = "big") { ">i4" } else { "<i4" })
            }
            Self::Bool(numbers) => (numbers.as_ptr() as usize, "|b1"),
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
