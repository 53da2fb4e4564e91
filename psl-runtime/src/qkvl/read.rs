//! The reader of QKVL: accepts the reference's files and those that App. J describes.

pub(crate) mod error;
pub(crate) mod json;
mod layers;
mod names;

use serde_json::Value;

use super::program::{Entries, Program};
use crate::json_error::in_words;
use error::{Read, ReadError, error};
use json::{TOP, object, parse, required, strings};
use names::{Resolver, constant_map, register_map, system_map};

impl Program {
    /// Reads a QKVL file.
    ///
    /// # Errors
    ///
    /// Invalid JSON, a shape other than App. J's, an unknown register where only a register is allowed, an unknown
    /// function, or a query and a key that do not match.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        match parse(text)? {
            Ok(json) => Self::from_value(&json),
            Err(cause) => error(
                TOP,
                format!("invalid JSON: {}", in_words(&cause)),
                "give the output of `psl compile --emit qkvl`",
            ),
        }
    }

    /// Reads the JSON of a QKVL file.
    ///
    /// # Errors
    ///
    /// A shape other than App. J's, an unknown register where only a register is allowed, an unknown function, or a
    /// query and a key that do not match.
    pub fn from_value(json: &Value) -> Result<Self, ReadError> {
        let top = object(json, TOP)?;
        let (register_map, primed) = register_map(required(top, "register_map")?)?;
        let mut names = Resolver { register_map, primed };
        let constant_map = match top.get("constant_map").or_else(|| top.get("constants_map")) {
            Some(map) => constant_map(map)?,
            None => Entries::default(),
        };
        let system_map = system_map(top.get("system_map"), &names)?;
        let watch_list = match top.get("watch_list") {
            Some(list) => {
                let list = strings(list, "watch_list")?;
                list.into_iter().map(|name| names.register("watch_list", name)).collect::<Read<_>>()?
            }
            None => Vec::new(),
        };
        let weights = names.blocks("weights", required(top, "weights")?, 0)?;
        Ok(Self { register_map: names.register_map, constant_map, watch_list, system_map, weights })
    }
}
