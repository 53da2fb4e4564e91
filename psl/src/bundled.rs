//! The programs in the binary: the skeleton, and the examples of the repository.

use psl_ide::SKELETON;

/// PARGEN, the program of the paper for templatic generation: (99) and (100).
pub const PARGEN: &str = include_str!("../examples/pargen.psl");

/// A program to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The name, which is also that of the file in the repository.
    pub name: &'static str,
    /// The program.
    pub text: &'static str,
}

/// The bundled programs: the skeleton first, then the examples by name.
pub const BUNDLED: [Bundled; 18] = [
    Bundled { name: "skeleton", text: SKELETON },
    Bundled { name: "addition", text: include_str!("../examples/addition.psl") },
    Bundled { name: "double_histogram", text: include_str!("../examples/double_histogram.psl") },
    Bundled { name: "dyck1", text: include_str!("../examples/dyck1.psl") },
    Bundled { name: "dyck2", text: include_str!("../examples/dyck2.psl") },
    Bundled { name: "histogram", text: include_str!("../examples/histogram.psl") },
    Bundled { name: "induction", text: include_str!("../examples/induction.psl") },
    Bundled { name: "most_frequent", text: include_str!("../examples/most_frequent.psl") },
    Bundled { name: "nested_evaluation", text: include_str!("../examples/nested_evaluation.psl") },
    Bundled { name: "pargen", text: PARGEN },
    Bundled { name: "pargen_kshot", text: include_str!("../examples/pargen_kshot.psl") },
    Bundled { name: "parity", text: include_str!("../examples/parity.psl") },
    Bundled { name: "parity_log", text: include_str!("../examples/parity_log.psl") },
    Bundled { name: "reverse", text: include_str!("../examples/reverse.psl") },
    Bundled { name: "scan", text: include_str!("../examples/scan.psl") },
    Bundled { name: "sort", text: include_str!("../examples/sort.psl") },
    Bundled { name: "subleq", text: include_str!("../examples/subleq.psl") },
    Bundled { name: "turing", text: include_str!("../examples/turing.psl") },
];

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
