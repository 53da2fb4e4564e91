//! Checkpoints with changed files are refused, or the verdict on them is true.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test runtime hostile_checkpoints` tries more than the default
//! 1,500 random changes.

use psl_runtime::gpt2::CheckpointFile;
use serde_json::{Value, json};

use crate::{
    common::random::Random,
    fuzz_checkpoints::{CHECKPOINTS, Verdict, changed, parts, remove, set, values, verdicts},
};

#[test]
fn unchanged_checkpoints_are_verified() {
    for files in CHECKPOINTS.iter() {
        let verdicts = verdicts(files);
        assert_eq!(verdicts[..3], [Verdict::Verified, Verdict::Verified, Verdict::Verified]);
        assert_eq!(verdicts[3], Verdict::Ended, "the prompt is too long");
    }
}

#[test]
fn random_changes_are_refused_or_told_truly() {
    let cases = std::env::var("CASES").map_or(1_500, |cases| cases.parse().expect("a number"));
    let mut random = Random::new(1);
    let (mut refused, mut differ, mut verified) = (0, 0, 0);
    for _ in 0..cases {
        let length = 1 + 6 * (1 + random.below(3));
        let data: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        for verdict in verdicts(&changed(&data)) {
            match verdict {
                Verdict::Refused(_) => refused += 1,
                Verdict::Differs(_) => differ += 1,
                Verdict::Verified => verified += 1,
                Verdict::Ended => {}
            }
        }
    }
    println!("{cases} changed: {refused} refused, {differ} prompts differ, {verified} verified");
    assert!(refused > cases / 10 && differ > cases / 100 && verified > cases / 10, "too few of each");
}

/// The files of the first checkpoint with a part of one set to a value, or removed.
fn with(name: &str, part: &str, value: Option<Value>) -> Vec<CheckpointFile> {
    let mut files = CHECKPOINTS[0].clone();
    let file = files.iter_mut().find(|file| file.name == name).expect("a file");
    let mut json: Value = serde_json::from_slice(&file.bytes).expect("JSON");
    assert!(json.pointer(part).is_some(), "{name} has no {part}");
    match value {
        Some(value) => set(&mut json, part, value),
        None => remove(&mut json, part),
    }
    file.bytes = json.to_string().into_bytes();
    files
}

fn json_of(name: &str) -> Value {
    let file = CHECKPOINTS[0].iter().find(|file| file.name == name).expect("a file");
    serde_json::from_slice(&file.bytes).expect("JSON")
}

/// The checkpoint with this part changed is refused by the file, for a reason that has this text.
fn check_refused(name: &str, part: &str, value: Value, reason: &str) {
    let verdicts = verdicts(&with(name, part, Some(value)));
    let [Verdict::Refused(why)] = verdicts.as_slice() else { panic!("{name} {part}: {verdicts:?}") };
    assert!(why.contains(reason), "{name} {part}: {why}");
}

#[test]
fn claims_that_do_not_fit_are_refused() {
    let config = |part: &str, value: Value, reason: &str| check_refused("config.json", part, value, reason);
    let sizes = json_of("config.json");
    let size = |name: &str| sizes[name].as_u64().expect("a size");
    let [width, heads, tokens, places, layers] = ["n_embd", "n_head", "vocab_size", "n_positions", "n_layer"].map(size);
    let odd = width - 1;
    config("/n_embd", json!(odd), &format!("config.json: {heads} heads do not divide {odd}"));
    let shapes = |name: &str, rows: u64, to: [u64; 2]| {
        format!("transformer.{name}.weight has the shape [{rows}, {width}], and by config.json {to:?}")
    };
    config("/n_embd", json!(2 * width), &shapes("wte", tokens, [tokens, 2 * width]));
    config("/n_positions", json!(7), "the `n_positions` of config.json is 7");
    config("/n_positions", json!(places + 1), &shapes("wpe", places, [places + 1, width]));
    config("/n_positions", json!(1 << 20), "the `n_positions` of config.json is 1048576");
    config("/vocab_size", json!(7), "the `vocab_size` of config.json is 7");
    config("/vocab_size", json!(10_000_000_000u64), "config.json: its sizes make more than");
    config(
        "/n_layer",
        json!(3),
        &format!("psl.json: it describes {layers} blocks, and the `n_layer` of config.json is 3"),
    );
    config("/n_layer", json!(1u64 << 62), "config.json: its sizes make more than");
    config("/n_inner", json!(1), "mlp.c_fc.weight has the shape");
    config("/activation_function", json!("gelu"), "`activation_function` is gelu");
    config("/dtype", json!("float16"), "has another dtype than float16");
    config("/layer_norm_epsilon", json!(0), "`layer_norm_epsilon` 0e0 is not a positive number");
    config("/bos_token_id", json!(3), "a prompt does not start with the `bos_token_id` of config.json");
    config("/eos_token_id/0", json!(3), "`eos_token_id` has 3, the token `a`,");
    check_refused(
        "generation_config.json",
        "/eos_token_id/0",
        json!(3),
        "generation_config.json: `eos_token_id` has 3",
    );
    let psl = |part: &str, value: Value, reason: &str| check_refused("psl.json", part, value, reason);
    psl("/positions", json!(1u64 << 62), "`positions` is 4611686018427387904, and by `max_prompt` and `max_new` 8");
    psl("/positions", json!(100_000_000), "`positions` is 100000000");
    psl("/max_new", json!(u64::MAX), "`max_prompt` and `max_new` add up to");
    psl("/max_prompt", json!(5), "`positions` is 8, and by `max_prompt` and `max_new` 9");
    psl("/copies", json!(1u64 << 62), "`copies` is 4611686018427387904, and by tokenizer.json 1");
    psl("/cell", json!([]), "`cell` has 0 registers of 3");
    psl("/cell", json!(["s", "s", "s", "s", "s", "s"]), "`cell` has 6 registers of 3");
    psl("/cell", json!(["p"]), "`cell` starts with `p`, which is not the output of the program");
    psl("/dropped", json!(["x"]), "`dropped` has `x`, which the program does not have");
    psl("/blocks/1/layer", json!(99), "the block 1 is the layer 99");
    psl("/blocks/1/production", json!("# other"), "the block 1 is the layer 1 (# other)");
    let heads = format!("a block has 99 `heads`, and the `n_head` of config.json is {heads}");
    psl("/blocks/1/heads", json!(99), &heads);
    psl(
        "/registers/0/parts/0/1",
        json!(100_000),
        &format!("`parts` of the register `symbol` is 0 to 100000, and the `n_embd` of config.json is {width}"),
    );
    psl("/registers/1/parts/0/0", json!(3), "which other parts have, too");
    psl("/registers/0/null/0", json!(0), "two values of the register `symbol` have the components [0]");
    psl("/registers/0/short", json!("t"), "`registers` has");
    psl("/components/write/1", json!(width + 1), "`write` of `components`");
    psl("/symbols/0", json!("other"), "the symbol `other` has no tokens in tokenizer.json");
    psl("/stop", json!("a"), "config.json: `eos_token_id` has");
    let tokens = |part: &str, value: Value, reason: &str| check_refused("tokenizer.json", part, value, reason);
    tokens("/model/vocab/a", json!(10_000), "the token `a` has the number 10000, and the `vocab_size`");
    tokens("/model/vocab/a", json!(5), "have the same number, 5");
    tokens("/added_tokens/1/content", json!("a"), "the token `a` has two numbers");
    tokens("/post_processor/special_tokens/<bos>/ids/0", json!(1), "the template's `<bos>` has the number 1");
    tokens("/post_processor/single", json!([]), "psl.json: `copies` is 1, and by tokenizer.json 0");
}

#[test]
fn layers_that_are_left_out_are_refused() {
    // All blocks claim to be a layer that the program does not have, or none.
    for layer in [Some(99), None] {
        let mut meaning = json_of("psl.json");
        for block in meaning["blocks"].as_array_mut().expect("a list") {
            match layer {
                Some(layer) => block["layer"] = json!(layer),
                None => *block = json!({"task": "save", "heads": 1}),
            }
        }
        let verdicts = verdicts(&with("psl.json", "", Some(meaning)));
        assert!(matches!(verdicts.as_slice(), [Verdict::Refused(_)]), "{verdicts:?}");
    }
}

#[test]
fn an_end_that_cuts_a_continuation_short_is_refused() {
    // The files agree that `b` ends a continuation, and the program does not.
    let mut files = CHECKPOINTS[0].clone();
    let meaning = json_of("tokenizer.json");
    let token = meaning["model"]["vocab"][" b"].clone();
    for file in &mut files {
        let mut json: Value = match serde_json::from_slice(&file.bytes) {
            Ok(json) => json,
            Err(_) => continue,
        };
        if file.name == "psl.json" {
            json["stop"] = json!("b");
        } else if let Some(ids) = json["eos_token_id"].as_array_mut() {
            ids.push(token.clone());
        } else {
            continue;
        }
        file.bytes = json.to_string().into_bytes();
    }
    let verdicts = verdicts(&files);
    assert!(matches!(verdicts.as_slice(), [Verdict::Refused(why)] if why.contains("eos_token_id")), "{verdicts:?}");
}

/// The parts of `config.json` that an engine does not use for one prompt, and those whose effect the comparison shows.
const UNCHECKED: [&str; 6] =
    ["/resid_pdrop", "/embd_pdrop", "/attn_pdrop", "/pad_token_id", "/layer_norm_epsilon", "/n_head"];

#[test]
fn every_part_of_the_configuration_is_checked() {
    let config = json_of("config.json");
    let mut count = 0;
    for part in parts(&config) {
        if part.is_empty() || UNCHECKED.contains(&part.as_str()) {
            continue;
        }
        let old = config.pointer(&part).expect("a part").clone();
        // Without this part, an engine scales, too.
        let removed = Some(None).filter(|_| part != "/scale_attn_weights");
        for value in values(&old).into_iter().filter(|value| *value != old).map(Some).chain(removed) {
            let verdicts = verdicts(&with("config.json", &part, value.clone()));
            assert!(!verdicts.contains(&Verdict::Verified), "{part} {value:?}: {verdicts:?}");
            count += 1;
        }
    }
    assert!(count > 300, "{count} changes");
}

#[test]
fn numbers_that_are_none_are_refused() {
    for (number, name) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
        let mut files = CHECKPOINTS[0].clone();
        let parameters = files.iter_mut().find(|file| file.name == "model.safetensors").expect("a file");
        let last = parameters.bytes.len() - 4;
        parameters.bytes[last..].copy_from_slice(&number.to_le_bytes());
        let verdicts = verdicts(&files);
        let [Verdict::Refused(why)] = verdicts.as_slice() else { panic!("{name}: {verdicts:?}") };
        assert!(why.contains(&format!(" has {name} at the entry ")), "{why}");
    }
}
