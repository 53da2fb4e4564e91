//! Records of CSV.

use std::io::{self, Write};

/// Writes a record.
///
/// # Errors
///
/// That of the output, such as a closed pipe.
pub fn write<W: Write, F: AsRef<[u8]>>(to: &mut csv::Writer<W>, fields: impl IntoIterator<Item = F>) -> io::Result<()> {
    to.write_record(fields).map_err(|error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    })
}
