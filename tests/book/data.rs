//! Blocks of data.

use saphyr_parser::Parser;
use serde_json::{Deserializer, Value};

/// Checks that data in this language is valid.
pub fn parses(language: &str, text: &str) -> Result<(), String> {
    match language {
        // A block may have several documents, one per line.
        "json" => match Deserializer::from_str(text).into_iter::<Value>().find_map(Result::err) {
            Some(error) => Err(error.to_string()),
            None => Ok(()),
        },
        "toml" => toml::from_str::<toml::Table>(text).map(drop).map_err(|error| error.to_string()),
        "yaml" => match Parser::new_from_str(text).find_map(Result::err) {
            Some(error) => Err(error.to_string()),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}
