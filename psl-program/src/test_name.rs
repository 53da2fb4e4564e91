//! The tests of a program by their names.

use psl_syntax::{
    nearest,
    program::{Program, TestCase},
};
use thiserror::Error;

use crate::counting::count;

/// The names of all tests. A test without a name has the name `test` and its number.
fn titles(program: &Program) -> Vec<String> {
    let title = |(number, name): (usize, &Option<String>)| name.clone().unwrap_or_else(|| format!("test {number}"));
    (1..).zip(program.tests.iter().map(|test| &test.name)).map(title).collect()
}

/// The indices of the tests of this name. If there are none, of those whose names contain it.
pub fn matching_tests(program: &Program, name: &str) -> Vec<usize> {
    matching(&titles(program), name)
}

fn matching(titles: &[String], name: &str) -> Vec<usize> {
    let indices = |fits: fn(&str, &str) -> bool| -> Vec<usize> {
        let fitting = titles.iter().enumerate().filter(|(_, title)| fits(title, name));
        fitting.map(|(index, _)| index).collect()
    };
    let exact = indices(|title, name| title == name);
    if exact.is_empty() { indices(|title, name| title.contains(name)) } else { exact }
}

/// A test of a program, as users name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestName {
    /// The 0-based index among the program's tests.
    Index(usize),
    /// The test's name, or a part of it that no other test has.
    Name(String),
}

impl TestName {
    /// Returns the index of the test and the test, the first if several have exactly this name.
    ///
    /// # Errors
    ///
    /// Fails if there is no such test, or if the name is a part of several names.
    pub fn find<'p>(&self, program: &'p Program) -> Result<(usize, &'p TestCase), UnknownTest> {
        let index = match self {
            Self::Index(index) => *index,
            Self::Name(name) => index_of(titles(program), name)?,
        };
        let unknown = || UnknownTest::Number { number: index.saturating_add(1), tests: program.tests.len() };
        program.tests.get(index).map(|test| (index, test)).ok_or_else(unknown)
    }
}

fn index_of(titles: Vec<String>, name: &str) -> Result<usize, UnknownTest> {
    let found = matching(&titles, name);
    let title = |index: &usize| titles.get(*index).cloned().unwrap_or_default();
    match found.as_slice() {
        [] => Err(UnknownTest::Name { name: name.to_owned(), titles }),
        [first, ..] if found.len() == 1 || title(first) == name => Ok(*first),
        several => Err(UnknownTest::Ambiguous { part: name.to_owned(), titles: several.iter().map(title).collect() }),
    }
}

/// A test that a program lacks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownTest {
    /// There are fewer tests.
    #[error("unknown test {number}; the program has {}", count(*.tests, "test"))]
    Number {
        /// The number of the test, 1-based.
        number: usize,
        /// The number of tests.
        tests: usize,
    },
    /// The name of no test contains the name.
    #[error("unknown test `{name}`{}", suggestion(.name, .titles))]
    Name {
        /// The name as given.
        name: String,
        /// The names of all tests.
        titles: Vec<String>,
    },
    /// The names of several tests contain the name.
    #[error("several tests have `{part}` in their names: choose one of {}", listed(.titles))]
    Ambiguous {
        /// The name as given.
        part: String,
        /// The names that contain it.
        titles: Vec<String>,
    },
}

fn suggestion(name: &str, titles: &[String]) -> String {
    match nearest(name, titles.iter().map(String::as_str)) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if titles.is_empty() => String::new(),
        None => format!("; expected one of {}", listed(titles)),
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], name: &str, found: Result<usize, &str>) {
        let tests = names.iter().map(|name| format!("//@ test {name} \"A\" => \"A\"\n"));
        let program = psl_syntax::check(&tests.collect::<String>()).analysis.program.clone();
        let index = TestName::Name(name.to_owned()).find(&program).map(|(index, _)| index);
        assert_eq!(index.map_err(|unknown| unknown.to_string()), found.map_err(str::to_owned));
    }

    #[test]
    fn an_exact_name_comes_before_a_part_of_one() {
        check(&["swap_all", "swap"], "swap", Ok(1));
        check(&["swap", "swap"], "swap", Ok(0));
    }

    #[test]
    fn a_part_of_one_name_is_enough() {
        check(&["swap_all", "turn"], "all", Ok(0));
        check(&["", "turn"], "test", Ok(0));
    }

    #[test]
    fn a_part_of_several_names_lists_them() {
        let several = "several tests have `swap` in their names: choose one of `swap_all`, `swap_one`";
        check(&["swap_all", "turn", "swap_one"], "swap", Err(several));
    }

    #[test]
    fn an_unknown_name_suggests_a_known_one() {
        check(&["swap", "turn"], "swop", Err("unknown test `swop`; did you mean `swap`?"));
        check(&["swap", "turn"], "z", Err("unknown test `z`; expected one of `swap`, `turn`"));
        check(&[], "z", Err("unknown test `z`"));
    }
}
