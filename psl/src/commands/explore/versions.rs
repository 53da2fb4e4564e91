//! The program of a page, and the version that it is compared with.

use std::path::Path;

use psl_explorer::{FirstPrompt, PageAgainst, PageData, PageExample};
use psl_host::Configs;

use crate::{failure::Failure, input::program_file::ProgramFile};

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
