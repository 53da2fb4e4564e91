//! Weights as safetensors: written, read, and converted back to PSL.

use std::io::Cursor;

use psl_runtime::{
    DecompileError, Vocabulary, compile, decompile, qkvl, weights,
    weights::{
        Affine, Bias, Matrix, WeightBlock, WeightsBlock,
        file::{Layout, Model, read, size, write},
        program::program as recognized,
    },
};
use serde_json::{Value, json};

use crate::common::{
    files, program,
    random::{Random, set_causal_attn},
    stem, text,
};

fn model(compiled: &qkvl::Program) -> Model {
    Model::new(compiled, Vocabulary::new(&compiled.constants(), &["A", "undeclared"], 2))
}

fn bytes(model: &Model, layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(model, layout, &mut bytes).unwrap();
    bytes
}

/// The PSL recognized in the tensors.
fn psl(model: &Model) -> Result<String, DecompileError> {
    decompile(&recognized(model)?)
}

/// Checks that a program's weights survive both kinds of file and the conversion to PSL.
fn check(compiled: &qkvl::Program, place: &str) {
    let made = model(compiled);
    for layout in [Layout::Dense, Layout::Sparse] {
        let bytes = bytes(&made, layout);
        assert_eq!(size(&made, layout).unwrap(), bytes.len() as u64, "{place}, {layout:?}");
        let found = read(&mut Cursor::new(bytes)).unwrap_or_else(|error| panic!("{place}: {error}"));
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
fn weights_round_trip() {
    for path in [files("../examples", "induction.psl"), files("golden/programs", ".psl"), files("defects", "_long.psl")]
        .concat()
    {
        check(&compile(&program(&std::fs::read_to_string(&path).unwrap())), stem(&path));
    }
}

#[test]
fn weights_of_random_programs_round_trip() {
    for seed in 0..60 {
        let mut program = Random::new(seed).program();
        set_causal_attn(&mut program);
        check(&compile(&program), &format!("seed {seed}"));
    }
}

/// The range of a tensor in a file.
fn place(file: &[u8], name: &str) -> std::ops::Range<usize> {
    let start = 8 + u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&file[8..start]).unwrap();
    let offset = |index: usize| start + header[name]["data_offsets"][index].as_u64().unwrap() as usize;
    offset(0)..offset(1)
}

/// Every changed entry of a tensor changes the program, or is refused.
#[test]
fn every_changed_entry_is_detected() {
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

/// The error for a file in which one entry of a tensor is replaced. The entry is 0-based.
fn with_entry(layout: Layout, tensor: &str, entry: usize, value: f32) -> String {
    let mut file = bytes(&model(&compile(&program(&text("golden/programs/repeat_block.psl")))), layout);
    let at = place(&file, tensor).start + 4 * entry;
    file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    read(&mut Cursor::new(file)).unwrap_err().to_string()
}

#[test]
fn an_entry_that_is_not_finite_is_named() {
    let check = |layout, tensor, entry, value, expected: &str| {
        let help = "every entry must be a finite number: write the weights again";
        assert_eq!(with_entry(layout, tensor, entry, value), format!("{expected}; {help}"));
    };
    let side = model(&compile(&program(&text("golden/programs/repeat_block.psl")))).weights;
    let side = side.registers.len() * side.dimension;
    let (dense, sparse) = (Layout::Dense, Layout::Sparse);
    check(dense, "layers.1.W_q", 2 * side + 7, f32::NAN, "tensor layers.1.W_q: row 2, column 7 (0-based) is NaN");
    check(dense, "layers.1.b_v", 3, f32::INFINITY, "tensor layers.1.b_v: component 3 (0-based) is inf");
    check(sparse, "layers.1.b_k", 0, f32::NEG_INFINITY, "tensor layers.1.b_k: component 0 (0-based) is -inf");
    let error = with_entry(sparse, "layers.1.W_k.values", 0, f32::NAN);
    assert!(error.starts_with("tensor layers.1.W_k: row ") && error.contains("(0-based) is NaN"), "{error}");
}

#[test]
fn a_list_of_all_values_round_trips() {
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

/// The error for a small program's sparse file after a change of its header: the tensors' entries, and our document.
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
fn inconsistent_parts_are_named() {
    let says = |error: String, part: &str| assert!(error.contains(part), "{error}");
    says(
        refused(|_, it| it["version"] = 3.into()),
        "metadata: unsupported version 3 of the format; this `psl` reads the versions 1 and 2",
    );
    says(refused(|_, it| it["vocabulary"][1] = it["vocabulary"][0].clone()), "metadata.vocabulary: duplicate value");
    says(
        refused(|_, it| it["positions"][0] = 1_000_000.into()),
        "metadata.positions: they do not match the vocabulary",
    );
    says(refused(|_, it| it["registers"][0] = "x".into()), "metadata.registers: the first `state_registers` names");
    says(refused(|_, it| it["system_map"]["symbol"] = "x".into()), "system_map.symbol: unknown register `x`");
    says(refused(|_, it| it["blocks"] = json!([])), "metadata: the file has no layers");
    says(
        refused(|_, it| it["blocks"][0]["layer"]["sets"] = json!(["x"])),
        "metadata of layers.1: unknown register `x`",
    );
    says(
        refused(|_, it| it["blocks"][0]["layer"]["sets"] = json!(["m", "m"])),
        "metadata of layers.1: duplicate register `m`",
    );
    says(refused(|_, it| it["blocks"].as_array_mut().unwrap().truncate(1)), "no layer in the metadata uses it");
    says(
        refused(|_, it| it["vocabulary"].as_array_mut().unwrap().push("more".into())),
        "unexpected type and shape F32 [",
    );
    says(refused(|_, it| it["blocks"][0] = json!({"line": {}})), "metadata: unknown variant `line`");
    says(
        refused(|it, _| it["layers.1.b_q"]["dtype"] = "I32".into()),
        "tensor layers.1.b_q: unexpected type and shape I32 [",
    );
    says(refused(|it, _| it["layers.1.b_q"]["shape"][0] = 1.into()), "not a safetensors file");
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
    says(refused(deep), "nested too deeply");
}

#[test]
fn repeat_blocks_of_the_maximum_depth_round_trip() {
    let mut text = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n".to_owned();
    text.extend(["repeat:\n"; 256]);
    text.push_str("where symbol[N] == A:\n    symbol[N] = A\n");
    text.extend(["until NO_CHANGE\n"; 256]);
    check(&compile(&program(&text)), "deep");
}

#[test]
fn entries_scattered_over_many_blocks_are_refused() {
    // 40 registers of 43 values, with each entry of W_v in a different block.
    let long = |number| format!("r{number}: 'r{number}'");
    let registers: Vec<String> = (0..38).map(long).collect();
    let text = format!(
        "registers: {{symbol: 's', position: 'p', {}}}\nconstants: {{A}}\nwhere symbol[N] == A:\n    symbol[N] = A\n",
        registers.join(", ")
    );
    let compiled = compile(&program(&text));
    let mut made = Model::new(&compiled, Vocabulary::with_positions(&compiled.constants(), &[], 40));
    let WeightsBlock::Layer(layer) = &mut made.weights.blocks[0] else { panic!("no layer") };
    let (count, dimension) = (made.weights.state_registers, made.weights.dimension);
    let one = Matrix::new((0..dimension).map(|row| (row == 0).then_some((0, 1.0))));
    layer.value = Affine {
        targets: (0..count).collect(),
        weights: (0..count * count)
            .map(|pair| WeightBlock { source: pair % count, target: pair / count, matrix: one.clone().into() })
            .collect(),
        bias: vec![Bias::of(&vec![0.0; dimension]); count],
    };
    assert!(read(&mut Cursor::new(bytes(&made, Layout::Dense))).unwrap().weights == made.weights);
    let error = read(&mut Cursor::new(bytes(&made, Layout::Sparse))).unwrap_err().to_string();
    assert!(error.ends_with("entries are scattered over 1600 pairs of registers; store the whole matrix"), "{error}");
}
