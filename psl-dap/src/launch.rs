//! The arguments of a launch, and the program that they name.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_debug::Launch;
use psl_host::{Configs, read_prompt, read_regular, with_short_lines};
use psl_program::{
    File, NotAPrompt, NotCompiled, Prompt, RunFailure, StructuredPrompt, TestName, config::ConfigProblem,
    laws::MAX_LAW_WORK,
};
use psl_runtime::{MachineKind, UnknownMachine};
use psl_syntax::{Span, program::ProductionId};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use crate::{
    path_format::{PathFormat, path_of},
    source::Source,
};

/// The arguments of `launch`, and of a `restart`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate argument")]
pub struct Arguments {
    /// The program's file.
    pub program: String,
    /// The text of the program, if an editor has a newer one.
    pub text: Option<String>,
    /// The prompt, symbols separated by spaces.
    pub prompt: Option<String>,
    /// The prompt as a list of cells, or the file with it.
    pub prompt_json: Option<Value>,
    /// The name of a test, or its number, from 1 on.
    pub test: Option<Value>,
    pub machine: Option<String>,
    /// Whether to stop before the first layer.
    pub stop_on_entry: bool,
    /// Whether a breakpoint on a production also stops where it does not fire.
    pub stop_everywhere: bool,
    /// The maximum number of passes of one repeat block.
    pub max_passes: Option<usize>,
    /// Whether a second machine runs it too.
    pub verify: bool,
    /// The numbers of the layers that write nothing.
    pub ablate: Vec<usize>,
    /// Whether to run without stops.
    pub no_debug: bool,
}

/// The reason why a program cannot be launched.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The arguments name no program.
    #[error("the program is missing: set `program` to the path of a .psl file")]
    NoProgram,
    /// The `psl.toml` cannot be used.
    #[error("{0}")]
    Config(Arc<ConfigProblem>),
    /// The program cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// The program does not compile.
    #[error(transparent)]
    Program(#[from] NotCompiled),
    #[error(transparent)]
    Machine(#[from] UnknownMachine),
    /// A layer to ablate is unknown.
    #[error("`ablate` has layer {layer}: the layers are 1 to {count}")]
    UnknownLayer {
        layer: usize,
        /// The number of layers.
        count: usize,
    },
    /// Several prompts are given.
    #[error("`prompt`, `promptJson` and `test` exclude each other: keep one of them")]
    SeveralPrompts,
    /// No prompt is given, and the program has no tests.
    #[error("the prompt is missing: set `prompt`, or add a line `//@ test \"prompt\" => \"continuation\"`")]
    NoPrompt,
    /// The file of the prompt cannot be read, for this reason.
    #[error("{0}")]
    PromptFile(String),
    /// The cells of the prompt are not a structured prompt.
    #[error(transparent)]
    NotAPrompt(#[from] NotAPrompt),
    /// The test is neither a name nor a number.
    #[error("`test` is neither the name of a test nor its number, from 1 on")]
    NotATest,
    /// The prompt cannot run.
    #[error("{}", .0.message)]
    Run(RunFailure),
}

/// The directive of the test that is debugged, if it is a test.
pub fn test_line(file: &File, launch: &Launch) -> Option<Span> {
    let (_, test) = launch.prompt.test(file.program()).ok()??;
    Some(test.span)
}

impl Arguments {
    /// The path of the program, which the arguments give as a path or a URI.
    pub fn path(&self) -> PathBuf {
        path_of(&self.program)
    }

    /// Reads the program and its source.
    ///
    /// # Errors
    ///
    /// Fails if the file or its `psl.toml` cannot be read.
    pub fn file(&self, format: PathFormat) -> Result<(File, Source), LaunchError> {
        if self.program.is_empty() && self.text.is_none() {
            return Err(LaunchError::NoProgram);
        }
        let path = self.path();
        let config = Arc::clone(&Configs::default().of(&path).map_err(LaunchError::Config)?.config);
        let limit = config.max_file_size();
        let bytes = if let Some(text) = &self.text {
            text.clone().into_bytes()
        } else {
            let unreadable = |error| LaunchError::Unreadable { path: path.clone(), error };
            read_regular(&path, limit).and_then(with_short_lines).map_err(unreadable)?
        };
        let folder = path.parent().map(Path::to_owned);
        let source = Source::new(path, format, &bytes, limit);
        let file = File::from_bytes(bytes, config).with_prompts(move |name| read_prompt(folder.as_deref(), name));
        Ok((file, source))
    }

    /// Returns a copy with the text of an editor, or with `None` for that of the file.
    pub fn with_text(&self, text: Option<String>) -> Self {
        Self { text, ..self.clone() }
    }

    /// The run to debug.
    ///
    /// # Errors
    ///
    /// Fails if the program does not compile, there is no prompt, or it cannot be used.
    pub fn launch(&self, file: &File) -> Result<Launch, LaunchError> {
        // The errors of the program come before those of the prompt.
        file.runner()?;
        let machine = self.machine.as_deref().map(str::parse).transpose()?;
        let machine = machine.unwrap_or(MachineKind::Dat);
        let (max_passes, verify, ablated) = (self.max_passes, self.verify, self.ablated(file)?);
        let prompt = self.chosen_prompt(file)?;
        let case = file.runner().ok().and_then(|runner| runner.law_case(&prompt, MAX_LAW_WORK));
        Ok(Launch { prompt, case, machine, max_passes, verify, ablated })
    }

    fn ablated(&self, file: &File) -> Result<BTreeSet<ProductionId>, LaunchError> {
        let count = file.program().productions().len();
        let known = |&layer: &usize| {
            let id = ProductionId::of_number(layer).filter(|id| id.index() < count);
            id.ok_or(LaunchError::UnknownLayer { layer, count })
        };
        self.ablate.iter().map(known).collect()
    }

    fn chosen_prompt(&self, file: &File) -> Result<Prompt, LaunchError> {
        let given = [self.prompt.is_some(), self.prompt_json.is_some(), self.test.is_some()];
        if given.into_iter().filter(|given| *given).count() > 1 {
            return Err(LaunchError::SeveralPrompts);
        }
        if let Some(prompt) = &self.prompt {
            return Ok(Prompt::Plain(prompt.clone()));
        }
        match &self.prompt_json {
            Some(Value::String(name)) => {
                let text = read_prompt(self.path().parent(), name).map_err(LaunchError::PromptFile)?;
                return Ok(Prompt::Structured(StructuredPrompt::parse(&text)?));
            }
            Some(cells) => return Ok(Prompt::Structured(StructuredPrompt::parse(&cells.to_string())?)),
            None => {}
        }
        match &self.test {
            Some(Value::String(name)) => Ok(Prompt::Test(TestName::Name(name.clone()))),
            Some(number) => {
                let index = number.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
                let index = index.ok_or(LaunchError::NotATest)?;
                Ok(Prompt::Test(TestName::Index(index)))
            }
            None if file.program().tests.is_empty() => Err(LaunchError::NoPrompt),
            None => Ok(Prompt::Test(TestName::Index(0))),
        }
    }
}
