//! The tests of a program by their names on the command line.

use psl_syntax::{
    nearest,
    program::{Program, TestCase},
};

/// The index of a test. A test without a name has the name `test` and its number.
///
/// # Errors
///
/// Returns a message with the nearest name, or with all.
pub fn test_index(program: &Program, name: &str) -> Result<usize, String> {
    let title = |(index, test): (usize, &TestCase)| test.name.clone().unwrap_or_else(|| format!("test {}", index + 1));
    let titles: Vec<String> = program.tests.iter().enumerate().map(title).collect();
    titles.iter().position(|title| title == name).ok_or_else(|| {
        let help = match nearest(name, titles.iter().map(String::as_str)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if titles.is_empty() => String::new(),
            None => format!("; expected one of `{}`", titles.join("`, `")),
        };
        format!("unknown test `{name}`{help}")
    })
}
