//! The program of a page, and the version that it is compared with.

use std::path::Path;

use psl_explorer::{FirstPrompt, PageAgainst, PageData, PageExample};
use psl_host::Configs;
use psl_runtime::Options;
use psl_search::{Against, Counterexample, Wanted, prove};

use crate::{commands::search::Threads, failure::Failure, input::program_file::ProgramFile};

/// The time for the search for a difference.
const SECONDS: u64 = 5;

/// The number of short prompts for the search, and of those of a test.
const FEW: u64 = 2_000;

/// The difference between two versions.
pub struct Difference {
    /// A sentence about it, or about the prompts on which there is none.
    pub says: String,
    /// The prompt on which they differ.
    pub prompt: Option<String>,
}

/// A program, and the version that it is compared with.
pub struct Versions {
    pub program: ProgramFile,
    /// The version that it is compared with.
    pub against: Option<ProgramFile>,
}

impl Versions {
    /// Reads both, with a function of [`ProgramFile`].
    pub fn read(
        program: &Path,
        against: Option<&Path>,
        read: fn(&Path, &mut Configs) -> Result<ProgramFile, Failure>,
    ) -> Result<Self, Failure> {
        let mut configs = Configs::default();
        let against = against.map(|path| read(path, &mut configs)).transpose()?;
        Ok(Self { program: read(program, &mut configs)?, against })
    }

    /// The files, the program first.
    pub fn iter(&self) -> impl Iterator<Item = &ProgramFile> {
        [&self.program].into_iter().chain(&self.against)
    }

    /// The difference between the continuations of the versions: on the prompt of a test, or on a shortest prompt.
    /// `None` without another version, if one does not compile, and for prompts that are not plain.
    pub fn difference(&self) -> Result<Option<Difference>, Failure> {
        let Some(other) = &self.against else { return Ok(None) };
        let (Ok(runner), Ok(other_runner)) = (self.program.file.runner(), other.file.runner()) else { return Ok(None) };
        if [runner, other_runner].iter().any(|runner| !runner.executable().program.input.is_empty()) {
            return Ok(None);
        }
        let (same, threads) = (Against::new(other_runner), Threads::new(None, Some(SECONDS), "prompts")?);
        let options = runner.options(&Options::default());
        let of_tests = Wanted { up_to: Some(0), few_per_test: 1, ..Wanted::default() };
        let all = Wanted { few: FEW, few_per_test: FEW, ..Wanted::default() };
        let names = [&self.program, other].map(page_name).join(" and ");
        for wanted in [of_tests, all] {
            let Ok(prompts) = same.prompts(runner, &options, &wanted) else { return Ok(None) };
            let Ok(proof) = prove(runner, &same, &prompts, &threads) else { return Ok(None) };
            if let Some(Counterexample { prompt, why, .. }) = proof.counterexample {
                let says = format!("{names} differ on the prompt `{prompt}`: {why}");
                return Ok(Some(Difference { says, prompt: Some(prompt) }));
            }
            if proof.proved == prompts.shapes().len() && wanted.up_to.is_none() {
                let says = format!("{names} do the same {}", prompts.in_words());
                return Ok(Some(Difference { says, prompt: None }));
            }
        }
        Ok(None)
    }

    /// The data of their page.
    pub fn page_data(&self, first: FirstPrompt, examples: &'static [PageExample]) -> PageData<'_> {
        let program = &self.program.file;
        let against = self.against.as_ref().map(|it| PageAgainst::new(page_name(it), &it.file, program));
        PageData { first, against, ..PageData::new(page_name(&self.program), program, examples) }
    }
}

/// The name of the program without its folders: the page may go to other people.
fn page_name(source: &ProgramFile) -> &str {
    Path::new(&source.name).file_name().and_then(|name| name.to_str()).unwrap_or(&source.name)
}
