//! Reading, whatever the file holds: what is allocated is no more than a small multiple of the bytes that are there.

use std::collections::BTreeMap;
use std::io::{Read as Input, Seek, SeekFrom};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use safetensors::tensor::{Dtype, Metadata};
use serde_json::Value;

use super::document::{Conditions, Document, Entry};
use super::{KEY, Model, VERSION};
use crate::input::Registers;
use crate::qkvl::read::{Read, error, parse};
use crate::qkvl::{CausalAttn, Program};
use crate::vocabulary::Vocabulary;
use crate::weights::{Affine, Block, Layer, Matching, Matrix, Repeat, WeightBlock, Weights};

const FILE: &str = "the file";
const METADATA: &str = "metadata";
const HELP: &str = "give a file that `psl compile --emit weights` wrote, or one like it: see docs/weights.md";

/// Reads a model from a safetensors file, dense or sparse, tensor by tensor.
///
/// Errors: a file that cannot be read or is no safetensors; metadata without our document, or with names that do not fit
/// together; tensors that are missing, too many, or of another type or shape.
pub fn read(file: &mut (impl Input + Seek)) -> Read<Model> {
    let (metadata, data_start) = header(file)?;
    let text = metadata.metadata().as_ref().and_then(|entries| entries.get(KEY));
    let Some(text) = text else { return error(METADATA, format!("there is no entry `{KEY}`"), HELP) };
    let document: Document = match parse(text)? {
        Ok(document) => document,
        Err(cause) => return error(METADATA, cause.to_string(), HELP),
    };
    let (mut weights, vocabulary, names) = names(&document)?;
    let registers = weights.registers.iter().cloned().zip(0..).collect();
    let side = weights.registers.len().saturating_mul(weights.dimension);
    let mut reader = Reader {
        file,
        metadata,
        data_start,
        registers,
        side,
        dimension: weights.dimension,
        layers: 0,
        repeats: 0,
        taken: FxHashSet::default(),
    };
    weights.blocks = reader.blocks(document.blocks, 0)?;
    if reader.layers == 0 {
        return error(METADATA, "there is no layer", HELP);
    }
    if let Some(name) = reader.metadata.offset_keys().into_iter().find(|name| !reader.taken.contains(name)) {
        return error(&format!("tensor {name}"), "it belongs to no layer that the metadata lists", HELP);
    }
    Ok(Model { weights, vocabulary, names })
}

/// The header of a file whose length it fits.
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
        Err(cause) => {
            return error(FILE, format!("it cannot be read: {cause}"), "look at the file and its permissions");
        }
    };
    let start = size.saturating_add(8);
    if start > length {
        return error(FILE, "no safetensors: the file ends before its header does", HELP);
    }
    match serde_json::from_slice::<Metadata>(&header) {
        Ok(metadata) if start.checked_add(metadata.data_len() as u64) == Some(length) => Ok((metadata, start)),
        Ok(_) => error(FILE, "no safetensors: the tensors do not fill the file", "it may be cut off; write it again"),
        Err(cause) => error(FILE, format!("no safetensors: {cause}"), HELP),
    }
}

/// The names, and weights with everything but their blocks.
fn names(document: &Document) -> Read<(Weights, Vocabulary, Program)> {
    if document.version != VERSION {
        let cause = format!("the format's version is {}", document.version);
        return error(METADATA, cause, format!("this psl reads version {VERSION}"));
    }
    let mut names = document.names.clone();
    names.insert("weights".to_owned(), Value::Array(Vec::new()));
    let names = Program::from_value(&Value::Object(names))?;
    let Some(vocabulary) = Vocabulary::from_values(document.vocabulary.clone()) else {
        return error("metadata.vocabulary", "a value is listed twice", "list each once");
    };
    let known: Vec<u32> = vocabulary.positions().iter().map(|value| value.0).collect();
    if document.positions.is_empty() || document.positions != known {
        let help = "list where 0, 1, … stand in the vocabulary, as far as they go on";
        return error("metadata.positions", "they are not those of the vocabulary", help);
    }
    let Registers { short, roles, .. } = Registers::from(&names);
    let registers = &document.registers;
    if document.state_registers != short.len() || !registers.starts_with(&short) {
        let cause = "the first `state_registers` of them are not those of register_map";
        return error("metadata.registers", cause, HELP);
    }
    let mut seen = FxHashSet::default();
    if let Some(name) = registers.iter().find(|name| !seen.insert(name.as_str())) {
        return error("metadata.registers", format!("`{name}` is listed twice"), "list each once");
    }
    let weights = Weights {
        dimension: vocabulary.len(),
        registers: registers.clone(),
        state_registers: short.len(),
        position: roles.position.map(|register| register.0 as usize),
        output: roles.output.map(|register| register.0 as usize),
        positions: known,
        blocks: Vec::new(),
    };
    Ok((weights, vocabulary, names))
}

struct Reader<'f, F> {
    file: &'f mut F,
    metadata: Metadata,
    data_start: u64,
    registers: FxHashMap<String, usize>,
    /// R d.
    side: usize,
    dimension: usize,
    layers: usize,
    repeats: usize,
    taken: FxHashSet<String>,
}

/// A matrix and a bias as the file has them: the entries that are not zero, as row, column and value, and the whole bias.
struct Tensors {
    entries: Vec<(usize, usize, f32)>,
    bias: Vec<f32>,
}

/// The rows of a block, each as columns and values.
type Rows = Vec<Vec<(u32, f32)>>;

impl<F: Input + Seek> Reader<'_, F> {
    fn blocks(&mut self, entries: Vec<Entry>, depth: usize) -> Read<Vec<Block>> {
        if depth > Program::MAX_NESTING {
            let help = format!("repeat blocks may nest {} deep", Program::MAX_NESTING);
            return error(METADATA, "repeat blocks nest too deep", help);
        }
        let mut blocks = Vec::with_capacity(entries.len());
        for entry in entries {
            blocks.push(match entry {
                Entry::Layer(layer) => {
                    self.layers += 1;
                    let place = format!("layers.{}", self.layers);
                    let value = self.tensors(&place, 'v')?;
                    let targets = self.targets(&place, &layer.sets, &[&value])?;
                    Block::Layer(Layer {
                        label: layer.label,
                        matching: self.matching(&place, &layer.conditions)?,
                        value: self.affine(&value, targets),
                        causal_attn: layer.causal_attn.map(CausalAttn::from),
                        right_match: layer.right_match,
                    })
                }
                Entry::Repeat(repeat) => {
                    self.repeats += 1;
                    let place = format!("until.{}", self.repeats);
                    let until = repeat.until.map(|conditions| self.matching(&place, &conditions)).transpose()?;
                    Block::Repeat(Repeat { label: repeat.label, until, blocks: self.blocks(repeat.blocks, depth + 1)? })
                }
            });
        }
        Ok(blocks)
    }

    fn matching(&mut self, place: &str, Conditions { m, conditions }: &Conditions) -> Read<Matching> {
        let query = self.tensors(place, 'q')?;
        let key = self.tensors(place, 'k')?;
        let targets = self.targets(place, conditions, &[&query, &key])?;
        Ok(Matching { query: self.affine(&query, targets.clone()), key: self.affine(&key, targets), count: *m })
    }

    /// The registers listed, and behind them all others that the tensors write.
    fn targets(&self, place: &str, listed: &[String], tensors: &[&Tensors]) -> Read<Vec<usize>> {
        let mut targets = Vec::with_capacity(listed.len());
        let mut written = vec![false; self.registers.len()];
        for name in listed {
            let place = format!("metadata of {place}");
            let Some(&register) = self.registers.get(name) else {
                return error(&place, format!("`{name}` is no register"), "the list `registers` names them all");
            };
            match written.get_mut(register) {
                Some(written) if !*written => *written = true,
                _ => return error(&place, format!("`{name}` is listed twice"), "list each once"),
            }
            targets.push(register);
        }
        for tensors in tensors {
            let columns = tensors.entries.iter().map(|&(_, column, _)| column);
            let components = (0..).zip(&tensors.bias).filter(|(_, value)| **value != 0.0).map(|(column, _)| column);
            for column in columns.chain(components) {
                if let Some(written) = written.get_mut(column / self.dimension) {
                    *written = true;
                }
            }
        }
        let known: FxHashSet<usize> = targets.iter().copied().collect();
        let written = written.into_iter().zip(0..).filter_map(|(written, register)| written.then_some(register));
        targets.extend(written.filter(|register| !known.contains(register)));
        Ok(targets)
    }

    /// The part of the tensors that writes the targets: all of it.
    fn affine(&self, tensors: &Tensors, targets: Vec<usize>) -> Affine {
        let dimension = self.dimension;
        let index: FxHashMap<usize, usize> = targets.iter().copied().zip(0..).collect();
        let mut blocks: BTreeMap<(usize, usize), Rows> = BTreeMap::new();
        for &(row, column, value) in &tensors.entries {
            let Some(&target) = index.get(&(column / dimension)) else { continue };
            let rows = blocks.entry((target, row / dimension)).or_insert_with(|| vec![Vec::new(); dimension]);
            if let Some(row) = rows.get_mut(row % dimension) {
                row.push(((column % dimension) as u32, value));
            }
        }
        let weights = blocks.into_iter().map(|((target, source), rows)| WeightBlock {
            source,
            target,
            matrix: Arc::new(Matrix::new(rows)),
        });
        let weights = weights.collect();
        let block = |&register: &usize| tensors.bias.get(register * dimension..(register + 1) * dimension);
        let bias = targets.iter().filter_map(block).flatten().copied().collect();
        Affine { targets, weights, bias }
    }

    fn tensors(&mut self, place: &str, letter: char) -> Read<Tensors> {
        let matrix = format!("{place}.W_{letter}");
        let side = self.side;
        let entries = if self.metadata.info(&matrix).is_some() {
            let bytes = self.tensor(&matrix, Dtype::F32, |shape| shape == [side, side])?;
            let values = bytes.chunks_exact(4).map(float);
            let entries = values.zip(0..).filter(|(value, _)| *value != 0.0);
            entries.map(|(value, index)| (index / side, index % side, value)).collect()
        } else {
            self.sparse(&matrix)?
        };
        let bias = self.tensor(&format!("{place}.b_{letter}"), Dtype::F32, |shape| shape == [side])?;
        Ok(Tensors { entries, bias: bias.chunks_exact(4).map(float).collect() })
    }

    fn sparse(&mut self, matrix: &str) -> Read<Vec<(usize, usize, f32)>> {
        let values = self.tensor(&format!("{matrix}.values"), Dtype::F32, |shape| shape.len() == 1)?;
        let count = values.len() / 4;
        let name = format!("{matrix}.indices");
        let indices = self.tensor(&name, Dtype::I64, |shape| shape == [2, count])?;
        let index = |bytes: &[u8]| {
            let index = bytes.try_into().map(i64::from_le_bytes).ok().and_then(|index| usize::try_from(index).ok());
            index.filter(|index| *index < self.side)
        };
        let (rows, columns) = indices.split_at(8 * count);
        let places = rows.chunks_exact(8).map(index).zip(columns.chunks_exact(8).map(index));
        let entries: Option<Vec<_>> = places
            .zip(values.chunks_exact(4).map(float))
            .map(|((row, column), value)| Some((row?, column?, value)))
            .collect();
        let Some(mut entries) = entries else {
            let cause = format!("an index is not below {}, the length of a vector", self.side);
            return error(&format!("tensor {name}"), cause, HELP);
        };
        entries.sort_by_key(|&(row, column, _)| (row, column));
        if entries.windows(2).any(|pair| matches!(pair, [one, next] if (one.0, one.1) == (next.0, next.1))) {
            return error(&format!("tensor {name}"), "an entry is given twice", "give each once");
        }
        entries.retain(|(_, _, value)| *value != 0.0);
        let block = |&(row, column, _): &(usize, usize, f32)| (row / self.dimension, column / self.dimension);
        let blocks = entries.iter().map(block).collect::<FxHashSet<_>>().len();
        // Each block takes memory for its d rows, however few entries it has.
        if blocks.saturating_mul(self.dimension) > 16 * (self.side + entries.len()) {
            let cause = format!("{} entries are scattered over {blocks} pairs of registers", entries.len());
            return error(&format!("tensor {name}"), cause, "write the matrix dense");
        }
        Ok(entries)
    }

    /// The bytes of a tensor.
    fn tensor(&mut self, name: &str, dtype: Dtype, fits: impl Fn(&[usize]) -> bool) -> Read<Vec<u8>> {
        let place = format!("tensor {name}");
        let Some(info) = self.metadata.info(name) else { return error(&place, "it is missing", HELP) };
        if info.dtype != dtype || !fits(&info.shape) {
            let cause = format!("its type and shape are {:?} {:?}", info.dtype, info.shape);
            let (registers, side) = (self.registers.len(), self.side);
            let help = format!(
                "{registers} registers of {} values make vectors of {side}: see docs/weights.md",
                self.dimension
            );
            return error(&place, cause, help);
        }
        let (start, end) = info.data_offsets;
        let mut bytes = vec![0; end - start];
        let found = self.file.seek(SeekFrom::Start(self.data_start + start as u64));
        if let Err(cause) = found.and_then(|_| self.file.read_exact(&mut bytes)) {
            return error(&place, format!("it cannot be read: {cause}"), "look at the file and its permissions");
        }
        self.taken.insert(name.to_owned());
        Ok(bytes)
    }
}

fn float(bytes: &[u8]) -> f32 {
    bytes.try_into().map(f32::from_le_bytes).unwrap_or_default()
}
