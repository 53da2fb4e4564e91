//! The arguments of a launch, and the program that they name.

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use psl_host::{Configs, read_prompt, read_regular, with_short_lines};
use psl_program::{File, RunFailure, StructuredPrompt, TestName, config::ConfigProblem};
use psl_record::debugger::{DebugPrompt, Launch};
use psl_runtime::{MachineKind, UnknownMachine};
use psl_syntax::Span;
use serde::Deserialize;
use serde_json::Value;

/// The arguments of `launch`, and of a `restart`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Arguments {
    /// The program's file.
    pub program: String,
    /// The text of the program, if an editor has a newer one.
    pub text: Option<String>,
    /// The prompt, symbols separated by spaces.
    pub prompt: Option<String>,
    /// The prompt as a list of cells, or the file with it.
    pub prompt_json: Option<Value>,
    /// The name of a test, or its number, 1-based.
    pub test: Option<Value>,
    /// The machine.
    pub machine: Option<String>,
    /// Whether to stop before the first layer.
    pub stop_on_entry: bool,
    /// The maximum number of passes of one repeat block.
    pub max_passes: Option<usize>,
    /// Whether a second machine runs it too.
    pub verify: bool,
    /// The layers that write nothing, 1-based.
    pub ablate: Vec<usize>,
    /// Whether to run without stops.
    pub no_debug: bool,
}

/// The reason why a program cannot be launched.
#[derive(Debug)]
pub enum LaunchError {
    /// The arguments name no program.
    NoProgram,
    /// The `psl.toml` cannot be used.
    Config(Arc<ConfigProblem>),
    /// The program cannot be read.
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The program does not compile. The message has the place of the error.
    Program(String),
    /// The machine is unknown.
    Machine(UnknownMachine),
    /// A layer to ablate is unknown.
    UnknownLayer {
        /// The layer.
        layer: usize,
        /// The number of layers.
        count: usize,
    },
    /// The prompt is missing, or cannot be used.
    Prompt(String),
    /// The prompt cannot run.
    Run(RunFailure),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoProgram => out.write_str("the program is missing: set `program` to the path of a .psl file"),
            Self::Config(problem) => problem.fmt(out),
            Self::Unreadable { path, error } => write!(out, "cannot read {}: {error}", path.display()),
            Self::Program(message) | Self::Prompt(message) | Self::Run(RunFailure { message, .. }) => {
                out.write_str(message)
            }
            Self::Machine(error) => error.fmt(out),
            Self::UnknownLayer { layer, count } => {
                write!(out, "`ablate` has layer {layer}: the layers are 1 to {count}")
            }
        }
    }
}

/// The directive of the test that is debugged, if it is a test.
pub fn test_line(file: &File, launch: &Launch) -> Option<Span> {
    let tests = &file.checked().analysis.program.tests;
    let test = match &launch.prompt {
        DebugPrompt::Test(TestName::Index(index)) => tests.get(*index),
        DebugPrompt::Test(TestName::Name(name)) => tests.iter().find(|test| test.name.as_ref() == Some(name)),
        _ => None,
    };
    test.map(|test| test.span)
}

impl Arguments {
    /// The path of the program.
    pub fn path(&self) -> &Path {
        Path::new(&self.program)
    }

    /// Reads the program.
    ///
    /// # Errors
    ///
    /// Fails if the file or its `psl.toml` cannot be read.
    pub fn file(&self) -> Result<File, LaunchError> {
        if self.program.is_empty() && self.text.is_none() {
            return Err(LaunchError::NoProgram);
        }
        let path = self.path();
        let config = Arc::clone(&Configs::default().of(path).map_err(LaunchError::Config)?.config);
        let file = if let Some(text) = &self.text {
            File::new(text.as_str(), config)
        } else {
            let bytes = read_regular(path, config.max_file_size()).and_then(with_short_lines);
            let unreadable = |error| LaunchError::Unreadable { path: path.to_owned(), error };
            File::from_bytes(bytes.map_err(unreadable)?, config)
        };
        let folder = path.parent().map(Path::to_owned);
        Ok(file.with_prompts(move |name| read_prompt(folder.as_deref(), name)))
    }

    /// The run to debug.
    ///
    /// # Errors
    ///
    /// Fails if the program does not compile, there is no prompt, or it cannot be used.
    pub fn launch(&self, file: &File) -> Result<Launch, LaunchError> {
        // The errors of the program come before those of the prompt.
        file.runner().map_err(LaunchError::Program)?;
        let machine = self.machine.as_deref().map(str::parse).transpose().map_err(LaunchError::Machine)?;
        let machine = machine.unwrap_or(MachineKind::Dat);
        let (max_passes, verify, ablated) = (self.max_passes, self.verify, self.ablated(file)?);
        Ok(Launch {
            prompt: self.debug_prompt(file).map_err(LaunchError::Prompt)?,
            machine,
            max_passes,
            verify,
            ablated,
        })
    }

    fn ablated(&self, file: &File) -> Result<BTreeSet<usize>, LaunchError> {
        let count = file.checked().analysis.program.productions().len();
        match self.ablate.iter().find(|layer| !(1..=count).contains(*layer)) {
            Some(&layer) => Err(LaunchError::UnknownLayer { layer, count }),
            None => Ok(self.ablate.iter().copied().collect()),
        }
    }

    fn debug_prompt(&self, file: &File) -> Result<DebugPrompt, String> {
        let given = [self.prompt.is_some(), self.prompt_json.is_some(), self.test.is_some()];
        if given.into_iter().filter(|given| *given).count() > 1 {
            return Err("`prompt`, `promptJson` and `test` exclude each other: keep one of them".to_owned());
        }
        if let Some(prompt) = &self.prompt {
            return Ok(DebugPrompt::Plain(prompt.clone()));
        }
        match &self.prompt_json {
            Some(Value::String(name)) => {
                let text = read_prompt(self.path().parent(), name)?;
                return StructuredPrompt::parse(&text).map(DebugPrompt::Structured);
            }
            Some(cells) => return StructuredPrompt::parse(&cells.to_string()).map(DebugPrompt::Structured),
            None => {}
        }
        let tests = &file.checked().analysis.program.tests;
        match &self.test {
            Some(Value::String(name)) => Ok(DebugPrompt::Test(TestName::Name(name.clone()))),
            Some(Value::Number(number)) => {
                let index = number.as_u64().and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
                let index = index.filter(|index| *index < tests.len());
                let index =
                    index.ok_or_else(|| format!("there is no test {number}: the program has {}", tests.len()))?;
                Ok(DebugPrompt::Test(TestName::Index(index)))
            }
            Some(_) => Err("`test` is neither the name of a test nor its number".to_owned()),
            None if tests.is_empty() => {
                Err("the prompt is missing: set `prompt`, or add a line `//@ test \"prompt\" => \"continuation\"`"
                    .to_owned())
            }
            None => Ok(DebugPrompt::Test(TestName::Index(0))),
        }
    }

    /// The source that clients show.
    pub fn source_path(&self) -> Option<PathBuf> {
        (!self.program.is_empty()).then(|| dunce::canonicalize(self.path()).unwrap_or_else(|_| self.path().to_owned()))
    }
}
