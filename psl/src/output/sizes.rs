//! Sizes with their units.

/// `999 B`, `1.3 GB`.
pub fn bytes(number: u64) -> String {
    #[allow(clippy::cast_precision_loss, reason = "one digit after the point is printed")]
    let (mut size, mut units) = (number as f64, ["kB", "MB", "GB", "TB", "PB", "EB"].into_iter());
    if size < 1000.0 {
        return format!("{number} B");
    }
    let mut unit = "";
    // A size that would round to 1000.0 has the next unit.
    while size >= 999.95 {
        let Some(next) = units.next() else { break };
        (size, unit) = (size / 1000.0, next);
    }
    format!("{size:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_have_a_unit() {
        let sizes = [0, 999, 1000, 1234, 999_949, 999_950, 1_300_000_000, u64::MAX].map(bytes);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 kB", "999.9 kB", "1.0 MB", "1.3 GB", "18.4 EB"]);
    }
}
