//! The mutants that an earlier run tried.

use std::{collections::HashMap, fs, path::Path};

use psl_program::Continuation;
use psl_runtime::Stopped;
use psl_search::{Change, Example, Fate, Killer, ToldApart};
use serde_json::Value;

use super::json::{EDITS, data_lines, of_mutant};
use crate::{failure::Failure, input::program_file::ProgramFile};

/// The fates in the output of a run that was cut off. `None` for mutants that it did not try.
pub fn resumed(
    path: &Path,
    source: &ProgramFile,
    data: &[Example],
    mutants: &[Change],
) -> Result<Vec<Option<Fate>>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| Failure::reading(path, &error))?;
    let found: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::content(path, format!("expected the output of `--format json`: {error}")))?;
    if *field(&found, "text") != source.file.text() || *field(&found, "data") != data_lines(data) {
        let name = source.shown_name();
        return Err(Failure::content(path, format!("it is about another version of {name}, or other data")));
    }
    let lines = source.file.line_index();
    let tried = field(&found, "mutants").as_array().map_or(&[] as &[Value], Vec::as_slice);
    // The edits, with their places, identify a mutant.
    let by_edits: HashMap<String, &Value> =
        tried.iter().map(|tried| (field(tried, EDITS).to_string(), tried)).collect();
    let fate = |mutant: &Change| fate_of(by_edits.get(&of_mutant(mutant, lines).get(EDITS)?.to_string())?);
    Ok(mutants.iter().map(fate).collect())
}

/// A field of an object. Null if it lacks it.
fn field<'v>(object: &'v Value, name: &str) -> &'v Value {
    object.get(name).unwrap_or(&Value::Null)
}

/// The fate of a mutant. `None` if it has none.
fn fate_of(tried: &Value) -> Option<Fate> {
    let number = |name: &str| usize::try_from(field(tried, name).as_u64()?).ok();
    Some(match field(tried, "status").as_str()? {
        "invalid" => Fate::Invalid,
        "killed" => {
            let by = match field(tried, "by").as_str()? {
                "test" => Killer::Test(number("index")?),
                _ => Killer::Data(number("index")?),
            };
            Fate::Killed { by, endless: field(tried, "endless").as_bool()? }
        }
        "equal" => Fate::Equal,
        "equal-up-to" => {
            Fate::EqualUpTo { symbols: number("symbols")?, without_numbers: field(tried, "without_numbers").as_bool()? }
        }
        "told-apart" => Fate::ToldApart(Box::new(ToldApart {
            prompt: field(tried, "prompt").as_str()?.to_owned(),
            expected: continuation(field(tried, "expected"))?,
            got: continuation(field(tried, "got"))?,
            is_whole: field(tried, "whole").as_bool()?,
            differs_on: number("differs_on")?,
            compared_on: number("compared_on")?,
        })),
        "unknown" => Fate::Unknown,
        _ => return None,
    })
}

fn continuation(end: &Value) -> Option<Result<Continuation, String>> {
    if let Some(message) = field(end, "fails").as_str() {
        return Some(Err(message.to_owned()));
    }
    let symbols = field(end, "symbols").as_array()?.iter().map(|symbol| symbol.as_str().map(str::to_owned));
    let stopped = field(end, "stopped").as_str();
    let stopped = Stopped::ALL.into_iter().find(|it| Some(it.as_str()) == stopped)?;
    Some(Ok(Continuation { symbols: symbols.collect::<Option<_>>()?, stopped }))
}
