//! Weights as safetensors: written, read, and turned back into PSL.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod common;

use std::io::Cursor;

use common::{
    files, program,
    random::{Random, set_causal_attn},
    stem, text,
};
use psl_runtime::qkvl;
use psl_runtime::weights::file::{Layout, Model, read, write};
use psl_runtime::weights::program::program as recognized;
use psl_runtime::weights::{Affine, Block, Matrix, WeightBlock};
use psl_runtime::{NoPsl, Vocabulary, compile, decompile, weights};
use serde_json::{Value, json};

fn model(compiled: &qkvl::Program) -> Model {
    Model::new(compiled, Vocabulary::new(&compiled.constants(), &["A", "undeclared"], 2))
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
        let again = compile(&program(&written));
        assert!(weights(&again, &found.vocabulary) == made.weights, "{place}:\n{written}");
        let larger = Vocabulary::new(&compiled.constants(), &["another", "third"], 40);
        assert!(weights(&again, &larger) == weights(compiled, &larger), "{place}, in a larger vocabulary:\n{written}");
    }
}

#[test]
fn weights_come_back() {
    for path in
        [files("programs", "induction.psl"), files("golden/programs", ".psl"), files("defects", "_long.psl")].concat()
    {
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
            let other = random.choose(&[1.0 - entry, -1.0 - entry, 0.5]);
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
    assert!(changed > 0, "no change makes another program");
    assert!(refused > 0, "no change is refused");
}

/// What is said of a file with that number in a tensor's entry, counting all from 0.
fn with_entry(layout: Layout, tensor: &str, entry: usize, value: f32) -> String {
    let mut file = bytes(&model(&compile(&program(&text("golden/programs/repeat_block.psl")))), layout);
    let at = place(&file, tensor).start + 4 * entry;
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    read(&mut Cursor::new(file)).unwrap_err().to_string()
}

#[test]
fn an_entry_that_is_no_number_is_named() {
    let check = |layout, tensor, entry, value, expected: &str| {
        let help = "every entry must be a finite number: write the weights again";
        assert_eq!(with_entry(layout, tensor, entry, value), format!("{expected}; {help}"));
    };
    let side = model(&compile(&program(&text("golden/programs/repeat_block.psl")))).weights;
    let side = side.registers.len() * side.dimension;
    let (dense, sparse) = (Layout::Dense, Layout::Sparse);
    check(dense, "layers.1.W_q", 2 * side + 7, f32::NAN, "tensor layers.1.W_q: row 2, column 7 (from 0) is NaN");
    check(dense, "layers.1.b_v", 3, f32::INFINITY, "tensor layers.1.b_v: component 3 (from 0) is inf");
    check(sparse, "layers.1.b_k", 0, f32::NEG_INFINITY, "tensor layers.1.b_k: component 0 (from 0) is -inf");
    let error = with_entry(sparse, "layers.1.W_k.values", 0, f32::NAN);
    assert!(error.starts_with("tensor layers.1.W_k: row ") && error.contains("(from 0) is NaN"), "{error}");
}

#[test]
fn a_list_of_all_values_can_be_said() {
    let head = "registers: {symbol: 's', position: 'p'}\nconstants: {0, 1, 2, 3, EOP, A}\n";
    for test in ["in", "not in"] {
        let compiled = compile(&program(&format!("{head}where symbol[N] {test} [0, 1, 2, 3, EOP, A]: symbol[N] = A")));
        let made = Model::new(&compiled, Vocabulary::new(&compiled.constants(), &[], 1));
        let written = psl(&made).unwrap();
        assert!(weights(&compile(&program(&written)), &made.vocabulary) == made.weights, "{written}");
    }
}

fn read_names(file: &[u8]) -> Vec<String> {
    let start = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: serde_json::Map<_, _> = serde_json::from_slice(&file[8..start]).unwrap();
    header.keys().filter(|name| *name != "__metadata__").cloned().collect()
}

/// What is said of a small program's file, sparse, after a change of its header: the tensors' entries, and our document.
fn refused(change: impl Fn(&mut Value, &mut Value)) -> String {
    let made = model(&compile(&program(&text("golden/programs/nested_repeat.psl"))));
    let file = bytes(&made, Layout::Sparse);
    let start = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let mut header: Value = serde_json::from_slice(&file[8..start]).unwrap();
    let mut document: Value = serde_json::from_str(header["__metadata__"]["psl"].as_str().unwrap()).unwrap();
    change(&mut header, &mut document);
    header["__metadata__"]["psl"] = document.to_string().into();
    let header = header.to_string();
    let changed = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &file[start..]].concat();
    read(&mut Cursor::new(changed)).unwrap_err().to_string()
}

#[test]
fn what_does_not_fit_together_is_named() {
    let says = |error: String, part: &str| assert!(error.contains(part), "{error}");
    says(refused(|_, it| it["version"] = 2.into()), "metadata: the format's version is 2; this psl reads version 1");
    says(
        refused(|_, it| it["vocabulary"][1] = it["vocabulary"][0].clone()),
        "metadata.vocabulary: a value is listed twice",
    );
    says(
        refused(|_, it| it["positions"][0] = 1_000_000.into()),
        "metadata.positions: they are not those of the vocabulary",
    );
    says(refused(|_, it| it["registers"][0] = "x".into()), "metadata.registers: the first `state_registers` of them");
    says(refused(|_, it| it["system_map"]["symbol"] = "x".into()), "system_map.symbol: `x` is no register");
    says(refused(|_, it| it["blocks"] = json!([])), "metadata: there is no layer");
    says(refused(|_, it| it["blocks"][0]["layer"]["sets"] = json!(["x"])), "metadata of layers.1: `x` is no register");
    says(
        refused(|_, it| it["blocks"][0]["layer"]["sets"] = json!(["m", "m"])),
        "metadata of layers.1: `m` is listed twice",
    );
    says(
        refused(|_, it| it["blocks"].as_array_mut().unwrap().truncate(1)),
        "it belongs to no layer that the metadata lists",
    );
    says(refused(|_, it| it["vocabulary"].as_array_mut().unwrap().push("more".into())), "its type and shape are F32 [");
    says(refused(|_, it| it["blocks"][0] = json!({"line": {}})), "metadata: unknown variant `line`");
    says(
        refused(|it, _| it["layers.1.b_q"]["dtype"] = "I32".into()),
        "tensor layers.1.b_q: its type and shape are I32 [",
    );
    says(refused(|it, _| it["layers.1.b_q"]["shape"][0] = 1.into()), "no safetensors");
    let renamed = |it: &mut Value, _: &mut Value| {
        let tensor = it.as_object_mut().unwrap().remove("layers.1.b_q").unwrap();
        it["layers.9.b_q"] = tensor;
    };
    says(refused(renamed), "tensor layers.1.b_q: it is missing");
    let deep = |_: &mut Value, it: &mut Value| {
        for _ in 0..300 {
            it["blocks"] = json!([{"repeat": {"label": null, "until": null, "blocks": it["blocks"].take()}}]);
        }
    };
    says(refused(deep), "nest too deep");
}

#[test]
fn repeat_blocks_nest_as_deep_as_they_may() {
    let mut text = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n".to_owned();
    text.extend(["repeat:\n"; 256]);
    text.push_str("where symbol[N] == A:\n    symbol[N] = A\n");
    text.extend(["until NO_CHANGE\n"; 256]);
    check(&compile(&program(&text)), "deep");
}

#[test]
fn entries_scattered_over_many_blocks_are_refused_where_they_would_take_much_memory() {
    // 40 registers of 43 values: each entry of W_v lies in a block of its own.
    let long = |number| format!("r{number}: 'r{number}'");
    let registers: Vec<String> = (0..38).map(long).collect();
    let text = format!(
        "registers: {{symbol: 's', position: 'p', {}}}\nconstants: {{A}}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
        registers.join(", ")
    );
    let compiled = compile(&program(&text));
    let mut made = Model::new(&compiled, Vocabulary::with_positions(&compiled.constants(), &[], 40));
    let Block::Layer(layer) = &mut made.weights.blocks[0] else { panic!("no layer") };
    let (count, dimension) = (made.weights.state_registers, made.weights.dimension);
    let one = Matrix::new((0..dimension).map(|row| (row == 0).then_some((0, 1.0))));
    layer.value = Affine {
        targets: (0..count).collect(),
        weights: (0..count * count)
            .map(|pair| WeightBlock { source: pair % count, target: pair / count, matrix: one.clone().into() })
            .collect(),
        bias: vec![0.0; count * dimension],
    };
    assert!(read(&mut Cursor::new(bytes(&made, Layout::Dense))).unwrap().weights == made.weights);
    let error = read(&mut Cursor::new(bytes(&made, Layout::Sparse))).unwrap_err().to_string();
    assert!(error.ends_with("entries are scattered over 1600 pairs of registers; write the matrix dense"), "{error}");
}
