//! Lines of task data, in TSV or JSONL.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
};

use psl_runtime::json_error::of_line;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFormat {
    /// `prompt<TAB>gold<TAB>info`.
    Tsv,
    /// One JSON object, with `prompt`, `gold` and `info`.
    Jsonl,
}

/// A prompt with its gold.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    /// The prompt, symbols separated by spaces.
    pub prompt: Cow<'t, str>,
    /// The expected continuation.
    pub gold: Cow<'t, str>,
    /// JSON, or `null` if the line has no info.
    pub info: Cow<'t, str>,
}

#[derive(Deserialize)]
struct Object<'t> {
    #[serde(borrow)]
    prompt: Cow<'t, str>,
    #[serde(borrow)]
    gold: Cow<'t, str>,
    #[serde(default)]
    info: Value,
}

impl LineFormat {
    /// The format of a file: JSONL for the extension `.jsonl`, otherwise TSV.
    pub fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|extension| extension == "jsonl") { Self::Jsonl } else { Self::Tsv }
    }

    /// The format of standard input, by its first line that is not blank.
    pub fn of_line(text: &str) -> Self {
        if serde_json::from_str::<Map<String, Value>>(text).is_ok() { Self::Jsonl } else { Self::Tsv }
    }

    /// Parses a line, without its line end.
    ///
    /// # Errors
    ///
    /// Returns a message with the expected form.
    pub fn parse(self, text: &str) -> Result<Line<'_>, String> {
        match self {
            Self::Tsv => {
                let (prompt, rest) =
                    text.split_once('\t').ok_or_else(|| "expected PROMPT<TAB>GOLD, found no tab".to_owned())?;
                let (gold, info) = rest.split_once('\t').unwrap_or((rest, "null"));
                Ok(Line { prompt: prompt.into(), gold: gold.into(), info: info.into() })
            }
            Self::Jsonl => {
                let object: Object = serde_json::from_str(text)
                    .map_err(|error| format!("expected a JSON object with `prompt` and `gold`: {}", of_line(&error)))?;
                Ok(Line { prompt: object.prompt, gold: object.gold, info: object.info.to_string().into() })
            }
        }
    }
}

impl Line<'static> {
    /// Creates a line, with its info as JSON.
    pub fn new(prompt: String, gold: String, info: String) -> Self {
        Self { prompt: prompt.into(), gold: gold.into(), info: info.into() }
    }
}

impl Line<'_> {
    /// Writes the line with its line end.
    ///
    /// # Errors
    ///
    /// Returns the error of the stream.
    pub fn write(&self, format: LineFormat, out: &mut impl Write) -> io::Result<()> {
        let Self { prompt, gold, info } = self;
        match format {
            LineFormat::Tsv => writeln!(out, "{prompt}\t{gold}\t{info}"),
            LineFormat::Jsonl => {
                let [prompt, gold] = [prompt, gold].map(|text| Value::from(text.as_ref()));
                writeln!(out, r#"{{"prompt": {prompt}, "gold": {gold}, "info": {info}}}"#)
            }
        }
    }

    /// Parses the info.
    ///
    /// # Errors
    ///
    /// Returns a message if it is not JSON.
    pub fn info(&self) -> Result<Value, String> {
        serde_json::from_str(&self.info).map_err(|error| format!("invalid JSON in the info: {}", of_line(&error)))
    }
}

/// The symbols of a prompt or a gold.
pub(crate) fn symbols(text: &str) -> Result<Vec<&str>, String> {
    let symbols: Vec<&str> = text.split(' ').collect();
    if symbols.iter().any(|symbol| symbol.is_empty() || symbol.contains(char::is_whitespace)) {
        return Err("expected one space between symbols, and none at the ends".to_owned());
    }
    Ok(symbols)
}

/// Checks the counts in an info. Each may be missing.
pub(crate) fn check_counts(info: &Value, counts: [(&str, usize); 2]) -> Result<(), String> {
    for (name, count) in counts {
        if info.get(name).is_some_and(|given| given.as_u64() != Some(count as u64)) {
            return Err(format!("wrong info: `{name}` is {count}"));
        }
    }
    Ok(())
}
