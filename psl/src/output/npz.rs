//! Arrays in the formats of NumPy: npy, and npz, which is a ZIP archive of npy files.

use std::io::{self, Write};

use zip::{
    ZipWriter,
    result::ZipError,
    write::{SimpleFileOptions, StreamWriter},
};

use crate::failure::Failure;

/// The failure for arrays on a terminal.
pub fn needs_a_file() -> Failure {
    Failure::Message("cannot write binary arrays to a terminal: add `-o OUT.npz`".to_owned())
}

/// An array, row by row.
pub struct Array {
    /// The type of an element as NumPy writes it, such as `<f8`.
    dtype: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Array {
    /// An array of bytes.
    pub fn of_u8(shape: &[usize], elements: Vec<u8>) -> Self {
        Self { dtype: "|u1".to_owned(), shape: shape.to_vec(), bytes: elements }
    }

    /// An array of integers.
    pub fn of_i64(shape: &[usize], elements: &[usize]) -> Self {
        let bytes = elements.iter().flat_map(|element| (*element as u64).to_le_bytes()).collect();
        Self { dtype: "<i8".to_owned(), shape: shape.to_vec(), bytes }
    }

    /// An array of integers of either sign.
    pub fn of_signed(shape: &[usize], elements: &[i64]) -> Self {
        let bytes = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        Self { dtype: "<i8".to_owned(), shape: shape.to_vec(), bytes }
    }

    /// An array of numbers.
    pub fn of_f64(shape: &[usize], elements: &[f64]) -> Self {
        let bytes = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
        Self { dtype: "<f8".to_owned(), shape: shape.to_vec(), bytes }
    }

    /// A list of texts. NumPy pads them to the length of the longest one.
    pub fn of_texts(texts: &[String]) -> Self {
        let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or_default().max(1);
        let padded = |text: &String| -> Vec<u8> {
            let padding = std::iter::repeat('\0');
            text.chars().chain(padding).take(longest).flat_map(|code| u32::from(code).to_le_bytes()).collect()
        };
        Self { dtype: format!("<U{longest}"), shape: vec![texts.len()], bytes: texts.iter().flat_map(padded).collect() }
    }

    /// The header of version 1.0: its length in bytes, with all that precedes the elements, is a multiple of 64.
    fn header(&self) -> Vec<u8> {
        const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
        let shape = self.shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let dictionary = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape},), }}", self.dtype);
        let before = MAGIC.len() + size_of::<u16>();
        let length = (before + dictionary.len() + 1).next_multiple_of(64) - before;
        let mut header = MAGIC.to_vec();
        header.extend((length as u16).to_le_bytes());
        header.extend(format!("{dictionary:<width$}\n", width = length - 1).bytes());
        header
    }
}

/// An archive of arrays, written one after another.
pub struct Npz<W: Write> {
    zip: ZipWriter<StreamWriter<W>>,
}

impl<W: Write> Npz<W> {
    /// Starts an archive.
    pub fn new(to: W) -> Self {
        Self { zip: ZipWriter::new_stream(to) }
    }

    /// Adds an array under a name, without compression, like `numpy.savez`.
    pub fn add(&mut self, name: &str, array: &Array) -> io::Result<()> {
        let is_large = u32::try_from(array.bytes.len()).is_err();
        let options = SimpleFileOptions::DEFAULT.large_file(is_large);
        self.zip.start_file(format!("{name}.npy"), options).map_err(unwrapped)?;
        self.zip.write_all(&array.header())?;
        self.zip.write_all(&array.bytes)
    }

    /// Ends the archive.
    pub fn finish(self) -> io::Result<()> {
        self.zip.finish().map_err(unwrapped)?;
        Ok(())
    }
}

/// The error of the output, which the archive passes on.
fn unwrapped(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may fail by panic")]
mod tests {
    use super::*;

    #[track_caller]
    fn check(array: &Array, dictionary: &str, bytes: &[u8]) {
        let header = array.header();
        assert_eq!(header.len() % 64, 0);
        let (start, text) = header.split_at_checked(10).expect("a start");
        assert_eq!(start, [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..]].concat());
        assert_eq!(String::from_utf8_lossy(text).trim_end(), dictionary);
        assert_eq!(array.bytes, bytes);
    }

    #[test]
    fn headers_name_the_type_and_the_shape() {
        let array = Array::of_u8(&[2, 3], vec![1; 6]);
        check(&array, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3,), }", &[1; 6]);
        let array = Array::of_i64(&[1], &[258]);
        check(&array, "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }", &[2, 1, 0, 0, 0, 0, 0, 0]);
        let array = Array::of_f64(&[0, 4], &[]);
        check(&array, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4,), }", &[]);
    }

    #[test]
    fn texts_are_padded() {
        let array = Array::of_texts(&["é".to_owned(), "ab".to_owned()]);
        let bytes = [0xE9, 0, 0, 0, 0, 0, 0, 0, b'a', 0, 0, 0, b'b', 0, 0, 0];
        check(&array, "{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }", &bytes);
        assert_eq!(Array::of_texts(&[]).dtype, "<U1");
    }
}
