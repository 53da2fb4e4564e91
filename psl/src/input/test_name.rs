//! The tests of a program by their names on the command line.

use psl_syntax::{nearest, program::Program};

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

/// The index of the test that a name chooses, the first if several have exactly this name.
///
/// # Errors
///
/// Returns a message with the candidates if the name is a part of several names, or with the nearest name or all if it is
/// a part of none.
pub fn test_index(program: &Program, name: &str) -> Result<usize, String> {
    let titles = titles(program);
    let found = matching(&titles, name);
    let named = |index: &usize| titles.get(*index).map_or("", String::as_str);
    match found.as_slice() {
        [] => Err(unknown(&titles, name)),
        [first, ..] if found.len() == 1 || named(first) == name => Ok(*first),
        several => {
            let candidates: Vec<&str> = several.iter().map(named).collect();
            Err(format!("several tests have `{name}` in their names: choose one of {}", listed(&candidates)))
        }
    }
}

fn unknown(titles: &[String], name: &str) -> String {
    let help = match nearest(name, titles.iter().map(String::as_str)) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if titles.is_empty() => String::new(),
        None => format!("; expected one of {}", listed(titles)),
    };
    format!("unknown test `{name}`{help}")
}

fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], name: &str, found: Result<usize, &str>) {
        let tests = names.iter().map(|name| format!("//@ test {name} \"A\" => \"A\"\n"));
        let program = psl_syntax::check(&tests.collect::<String>()).analysis.program.clone();
        assert_eq!(test_index(&program, name), found.map_err(str::to_owned));
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
