//! The programs in the binary: the skeleton, and the examples of the repository.

use psl_ide::SKELETON;

/// PARGEN, the program of the paper for templatic generation: (99) and (100).
pub const PARGEN: &str = include_str!("../../examples/pargen.psl");

/// A program to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The name, which is also that of the file in the repository.
    pub name: &'static str,
    /// The program.
    pub text: &'static str,
}

/// The skeleton, then the examples with these names.
macro_rules! bundled {
    ($($name:literal)*) => {
        [
            Bundled { name: "skeleton", text: SKELETON },
            $(Bundled { name: $name, text: include_str!(concat!("../../examples/", $name, ".psl")) }),*
        ]
    };
}

/// The bundled programs: the skeleton first, then the examples by name.
pub const BUNDLED: [Bundled; 18] = bundled! {
    "addition" "double_histogram" "dyck1" "dyck2" "histogram" "induction" "most_frequent" "nested_evaluation"
    "pargen" "pargen_kshot" "parity" "parity_log" "reverse" "scan" "sort" "subleq" "turing"
};

impl Bundled {
    /// The program with a name, or `None` if it is unknown.
    pub fn from_name(name: &str) -> Option<Self> {
        BUNDLED.into_iter().find(|program| program.name == name)
    }

    /// The first line of the head comment, without its full stop.
    pub fn summary(self) -> &'static str {
        let line = self.text.lines().next().unwrap_or_default();
        line.trim_start_matches(['#', ' ']).trim_end_matches('.')
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "a test may fail by panic")]

    use std::{fs, path::Path};

    use super::{BUNDLED, PARGEN};

    #[test]
    fn all_examples_are_bundled() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let programs = files.filter(|file| file.extension().is_some_and(|extension| extension == "psl"));
        let mut names: Vec<String> =
            programs.map(|file| file.file_stem().and_then(|name| name.to_str()).expect("UTF-8").to_owned()).collect();
        names.sort();
        let bundled: Vec<&str> = BUNDLED.iter().skip(1).map(|program| program.name).collect();
        assert_eq!(names, bundled);
        assert!(BUNDLED.iter().any(|program| program.text == PARGEN));
    }

    #[test]
    fn each_program_starts_with_a_summary_on_one_line() {
        for program in BUNDLED {
            let first = program.text.lines().next().expect("a line");
            assert!(first.starts_with("# ") && first.ends_with('.'), "{}: {first}", program.name);
            assert!(program.summary().len() <= 80, "{}: {first}", program.name);
        }
    }
}
