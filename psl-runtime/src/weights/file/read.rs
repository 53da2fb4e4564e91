//! The reader of weights files. It allocates no more than a small multiple of the file's size, whatever the file
//! contains.

mod tensors;

use std::io::{Read as Input, Seek, SeekFrom};

use rustc_hash::FxHashSet;
use safetensors::tensor::Metadata;
use serde_json::Value;

use super::{
    document::{Document, HELP, KEY, METADATA, VERSIONS, duplicate_register, unreadable},
    model::Model,
};
use crate::{
    input::Registers,
    json_error::in_words,
    qkvl::{
        self,
        read::{
            error::{Read, error},
            json::parse,
        },
    },
    vocabulary::Vocabulary,
    weights::parameters::Weights,
};
use tensors::Reader;

const FILE: &str = "the file";

/// Reads a model from a safetensors file, dense or sparse, tensor by tensor.
///
/// # Errors
///
/// A file that cannot be read or is not safetensors. Metadata without our document, or with inconsistent names. Tensors
/// that are missing, superfluous, of the wrong type or shape, or with entries that are not finite.
pub fn read(file: &mut (impl Input + Seek)) -> Read<Model> {
    let (metadata, data_start) = header(file)?;
    let text = metadata.metadata().as_ref().and_then(|entries| entries.get(KEY));
    let Some(text) = text else { return error(METADATA, format!("the entry `{KEY}` is missing"), HELP) };
    let document: Document = match parse(text)? {
        Ok(document) => document,
        Err(cause) => return error(METADATA, in_words(&cause), HELP),
    };
    let (mut weights, vocabulary, names) = names(&document)?;
    let mut reader = Reader::new(file, metadata, data_start, &weights);
    weights.blocks = reader.blocks(document.blocks, 0)?;
    reader.end()?;
    Ok(Model { weights, vocabulary, names })
}

/// The header of a file, checked against the file's length.
fn header(file: &mut (impl Input + Seek)) -> Read<(Metadata, u64)> {
    let mut inner = || -> std::io::Result<(u64, Vec<u8>, u64)> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut size = [0; 8];
        if length >= 8 {
            file.read_exact(&mut size)?;
        }
        let size = u64::from_le_bytes(size);
        let mut header = Vec::new();
        file.take(size.min(length)).read_to_end(&mut header)?;
        Ok((size, header, length))
    };
    let (size, header, length) = match inner() {
        Ok(found) => found,
        Err(cause) => return unreadable(FILE, &cause),
    };
    let start = size.saturating_add(8);
    if start > length {
        return error(FILE, "not a safetensors file: it ends before its header does", HELP);
    }
    match serde_json::from_slice::<Metadata>(&header) {
        Ok(metadata) if start.checked_add(metadata.data_len() as u64) == Some(length) => Ok((metadata, start)),
        Ok(_) => {
            error(FILE, "not a safetensors file: its tensors do not fill it", "it may be truncated: write it again")
        }
        Err(cause) => error(FILE, format!("not a safetensors file: {}", in_words(&cause)), HELP),
    }
}

/// The names, and the weights without their blocks.
fn names(document: &Document) -> Read<(Weights, Vocabulary, qkvl::Program)> {
    if !VERSIONS.contains(&document.version) {
        let cause = format!("unsupported version {} of the format", document.version);
        let versions = VERSIONS.map(|version| version.to_string()).join(" and ");
        return error(METADATA, cause, format!("this `psl` reads the versions {versions}"));
    }
    let mut names = document.names.clone();
    names.insert("weights".to_owned(), Value::Array(Vec::new()));
    let names = qkvl::Program::from_value(&Value::Object(names))?;
    if document.vocabulary.iter().collect::<FxHashSet<_>>().len() < document.vocabulary.len() {
        return error("metadata.vocabulary", "duplicate value", "list each value once");
    }
    let vocabulary = Vocabulary::from_values(document.vocabulary.clone(), document.positions.len());
    let listed = document.positions.iter().copied();
    let fits = |it: &Vocabulary| !it.positions().is_empty() && it.positions().iter().map(|it| it.0).eq(listed);
    let Some(vocabulary) = vocabulary.filter(fits) else {
        let help = "list the indices of 0, 1, … in the vocabulary, up to the last position";
        return error("metadata.positions", "they do not match the vocabulary", help);
    };
    let Registers { short, roles, .. } = Registers::from(&names);
    let registers = &document.registers;
    if document.state_registers != short.len() || !registers.starts_with(&short) {
        let cause = "the first `state_registers` names do not match register_map";
        return error("metadata.registers", cause, HELP);
    }
    let mut seen = FxHashSet::default();
    if let Some(name) = registers.iter().find(|name| !seen.insert(name.as_str())) {
        return duplicate_register("metadata.registers", name);
    }
    let weights = Weights {
        dimension: vocabulary.len(),
        registers: registers.clone(),
        state_registers: short.len(),
        position: roles.position.map(|register| register.0 as usize),
        output: roles.output.map(|register| register.0 as usize),
        positions: document.positions.clone(),
        blocks: Vec::new(),
    };
    Ok((weights, vocabulary, names))
}
