//! Weights as safetensors: written, read, and turned back into PSL.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod common;

use std::io::Cursor;

use common::{
    files, program,
    random::{Random, set_causal_attn},
    stem,
};
use psl_runtime::qkvl;
use psl_runtime::weights::file::{Layout, Model, read, write};
use psl_runtime::weights::program::program as recognized;
use psl_runtime::{NoPsl, Vocabulary, compile, decompile, weights};

fn model(compiled: &qkvl::Program) -> Model {
    Model::new(compiled, Vocabulary::new(&compiled.constants(), &["A", "B"], 2))
}

fn bytes(model: &Model, layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(model, layout, &mut bytes).unwrap();
    bytes
}

/// PSL by way of the tensors.
fn psl(model: &Model) -> Result<String, NoPsl> {
    decompile(&recognized(model)?)
}

/// A program's weights come back from both kinds of file, and from the PSL that they are turned into.
fn check(compiled: &qkvl::Program, place: &str) {
    let made = model(compiled);
    for layout in [Layout::Dense, Layout::Sparse] {
        let found = read(&mut Cursor::new(bytes(&made, layout))).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert!(found.weights == made.weights, "{place}, {layout:?}");
        assert!(found.vocabulary.iter().eq(made.vocabulary.iter()), "{place}");
        assert_eq!(found.names, made.names, "{place}");
        let written = psl(&found).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert!(weights(&compile(&program(&written)), &found.vocabulary) == made.weights, "{place}:\n{written}");
    }
}

#[test]
fn weights_come_back() {
    for path in [files("programs", "induction.psl"), files("golden/programs", ".psl")].concat() {
        check(&compile(&program(&std::fs::read_to_string(&path).unwrap())), stem(&path));
    }
}

#[test]
fn weights_of_random_programs_come_back() {
    for seed in 0..60 {
        let mut program = Random::new(seed).program();
        set_causal_attn(&mut program);
        check(&compile(&program), &format!("seed {seed}"));
    }
}

/// Where the tensor of that name stands in a file.
fn place(file: &[u8], name: &str) -> std::ops::Range<usize> {
    let start = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..start]).unwrap();
    let offset = |index: usize| start + header[name]["data_offsets"][index].as_u64().unwrap() as usize;
    offset(0)..offset(1)
}

/// No entry of a tensor can be changed without changing the program, or leaving what PSL can say.
#[test]
fn every_changed_entry_is_seen() {
    let mut random = Random::new(7);
    let (mut changed, mut refused) = (0, 0);
    for path in files("golden/programs", ".psl") {
        let made = model(&compile(&program(&std::fs::read_to_string(&path).unwrap())));
        let original = psl(&made).unwrap();
        let file = bytes(&made, Layout::Dense);
        let names = read_names(&file);
        for _ in 0..40 {
            let name = &names[random.below(names.len() as u64) as usize];
            let tensor = place(&file, name);
            let at = tensor.start + 4 * random.below(tensor.len() as u64 / 4) as usize;
            let entry = f32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            let other = random.choose(&[1.0 - entry, -1.0 - entry, 0.5, f32::NAN, f32::INFINITY]);
            let mut file = file.clone();
            file[at..at + 4].copy_from_slice(&other.to_le_bytes());
            let found = read(&mut Cursor::new(file)).unwrap();
            assert!(found.weights != made.weights);
            match psl(&found) {
                Ok(written) => {
                    assert_ne!(written, original, "{}: {name} at {at}, {entry} to {other}", stem(&path));
                    changed += 1;
                }
                Err(error) => {
                    let error = error.to_string();
                    assert!(error.contains("layer") || error.contains("repeat block"), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(changed > 0 && refused > 0, "{changed} changed, {refused} refused");
}

fn read_names(file: &[u8]) -> Vec<String> {
    let start = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: serde_json::Map<_, _> = serde_json::from_slice(&file[8..start]).unwrap();
    header.keys().filter(|name| *name != "__metadata__").cloned().collect()
}
