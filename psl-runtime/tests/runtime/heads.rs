//! Layers with several heads: PSM = QKVM = DAT for random programs whose productions share layers in any way, also
//! where heads read what others set or are in conflict, and through every form of a program.
//!
//! `CASES=100000 cargo test -p psl-runtime --release --test runtime heads:: -- --nocapture` runs more than the default
//! 500 cases, and prints how often they contain what.

use std::{collections::BTreeMap, io::Cursor};

use psl_runtime::{
    CellId, Change, ChangeTime, Executable, MachineKind, Options, Run, RunError, Task, Trace, decompile, qkvl,
    to_the_end,
    trace::TraceNames,
    weights::file::{Layout, Model, document, read, write},
};
use psl_syntax::{
    Program,
    index::IndexVec,
    program::{Production, ProductionId, RegisterId},
};
use serde_json::{Value, json};

use crate::{
    common::{
        self,
        agreeing::{agree, by_weights, cancellable, describe, random_layout},
        cases, output, program,
        random::{Random, each, set_causal_attn},
        task, traced,
    },
    embedding,
};

/// A random program, some of whose productions share layers. Some have errors.
fn random_program(random: &mut Random) -> Program {
    let mut program = random.program();
    if random.percent(30) {
        random.echo(&mut program);
    }
    set_causal_attn(&mut program);
    let chance = random.choose(&[15, 40, 70, 100]);
    let unsound = random.choose(&[0, 0, 0, 10]);
    each(&mut program.statements, &mut |production| {
        production.shares_layer = random.percent(chance);
        production.sound = !random.percent(unsound);
    });
    program
}

fn check(seed: u64, counts: &mut BTreeMap<&'static str, usize>) {
    let mut random = Random::new(seed);
    let program = random_program(&mut random);
    let mut count = |what, happened| *counts.entry(what).or_default() += usize::from(happened);
    let fresh = Executable::new(program.clone());
    if fresh.labels().is_empty() {
        return;
    }
    let changed = random.percent(20).then(|| {
        let mut before = program.clone();
        each(&mut before.statements, &mut |production| {
            production.shares_layer ^= random.percent(20);
            production.sound ^= random.percent(10);
        });
        Executable::new(before).changed(program.clone())
    });
    count("changed program", changed.is_some());
    let executable = changed.unwrap_or(fresh);
    let qkvl = qkvl::Program::from_json(&executable.qkvl().to_json()).unwrap();
    assert_eq!(&qkvl, executable.qkvl(), "seed {seed}");
    // A repeat block whose productions have errors is empty, and no program compiles to it.
    let is_sound = program.productions().iter().all(|production| production.sound);
    let by_qkvl = (is_sound && random.percent(25)).then(|| Executable::of_qkvl(qkvl.clone()));
    for prompt in 1..=1 + random.below(2) {
        let place = format!("seed {seed}, prompt {prompt}");
        let (cells, options) = common::random_prompt(&mut random, &executable.registers);
        let ablated =
            random.percent(10).then(|| ProductionId::new(random.below(executable.labels().len() as u64) as usize));
        let run = |executable: &Executable, form: &str| {
            let mut task = cancellable(executable, &cells, &options);
            task.limits.ablated.extend(ablated);
            let answer = agree(executable, &task, &format!("{place}, {form}"));
            (describe(&answer, executable, &task), task, answer)
        };
        let (expected, task, answer) = run(&executable, "program");
        count_run(&executable, &task, &answer, &mut count);
        count("ablated head", ablated.is_some());
        if let Some(by_qkvl) = &by_qkvl {
            assert_eq!(run(by_qkvl, "QKVL").0, expected, "{place}");
        }
        count("through QKVL", by_qkvl.is_some());
        let layout = random_layout(&mut random).filter(|_| is_sound);
        if let Some(layout) = layout {
            assert_eq!(run(&by_weights(&qkvl, &task, layout), "weights").0, expected, "{place}");
        }
        count("through weights", layout.is_some());
        let is_dense = random.percent(4);
        if is_dense {
            embedding::check(&executable, &task, seed, &place);
        }
        count("in dense embeddings", is_dense);
        let has_text = is_sound && ablated.is_none() && !executable.heads().is_empty();
        let text = decompile(&qkvl).ok().filter(|_| has_text);
        if let Some(text) = &text {
            // One layer after the other, in an order in which that makes no difference.
            let by_text = Executable::new(common::program(text));
            assert_eq!(run(&by_text, "text").0, expected, "{place}\n{text}");
        }
        count("through a text without heads", text.is_some());
    }
}

fn count_run(
    executable: &Executable,
    task: &Task,
    answer: &Result<Run, RunError>,
    count: &mut impl FnMut(&'static str, bool),
) {
    let (_, trace) = traced(executable, MachineKind::Psm, task);
    let heads = executable.heads();
    let has_heads = !heads.is_empty();
    let conflict = matches!(answer, Err(RunError::Conflict(_)));
    count("layer with several heads", has_heads);
    count("run to its end", has_heads && answer.is_ok());
    count("conflict", conflict);
    if let Err(RunError::Conflict(conflict)) = answer {
        count("conflict in generation", conflict.step > 0);
        count("conflict in a repeat block", !conflict.pass.is_empty());
        count("conflict in a later pass", conflict.pass.iter().any(|pass| *pass > 1));
        count("conflict in a cell after the first", conflict.cell.number() > 1);
        count("conflict of three values", conflict.values.len() > 2);
    }
    let productions: IndexVec<ProductionId, Production> =
        executable.program.productions().into_iter().filter(|it| it.sound).cloned().collect();
    let heads = &heads;
    let siblings = |layer: ProductionId| {
        let own = heads.get(layer.index()).map(|place| place.layer);
        ProductionId::first(heads.len()).filter(move |other| *other != layer && Some(heads[other.index()].layer) == own)
    };
    let reads = |layer: ProductionId, register: RegisterId| {
        let production = &productions[layer];
        let conditions = production.conditions.iter().flat_map(psl_syntax::program::Condition::registers);
        let sources = production.assignments.iter().filter_map(|assignment| assignment.source.register());
        conditions.chain(sources).any(|place| place.register == register)
    };
    let of_heads: Vec<_> = trace.updates.iter().filter(|it| siblings(it.layer).next().is_some()).collect();
    let sets_of_sibling = |update: &&psl_runtime::Update| {
        siblings(update.layer).any(|other| update.set.iter().any(|(register, _)| reads(other, *register)))
    };
    let equal_sets = of_heads.iter().any(|one| {
        of_heads.iter().any(|other| {
            let same_cell = (one.step, &one.pass, one.cell) == (other.step, &other.pass, other.cell);
            let are_siblings = siblings(one.layer).any(|layer| layer == other.layer);
            same_cell && are_siblings && one.set.iter().any(|set| other.set.contains(set))
        })
    });
    count("head that reads what another sets", of_heads.iter().any(sets_of_sibling));
    count("the same in a repeat block", of_heads.iter().any(|it| !it.pass.is_empty() && sets_of_sibling(it)));
    count(
        "the same in a later pass",
        of_heads.iter().any(|it| it.pass.iter().any(|pass| *pass > 1) && sets_of_sibling(it)),
    );
    count("the same in generation", of_heads.iter().any(|it| it.step > 0 && sets_of_sibling(it)));
    count("heads that set a register to the same value", equal_sets);
    count("recompute", has_heads && task.limits.recompute && task.limits.max_new > 1);
}

#[test]
fn the_machines_agree_on_heads() {
    let cases = cases(500);
    let mut counts = BTreeMap::new();
    for seed in 0..cases {
        check(seed, &mut counts);
    }
    for (what, count) in &counts {
        println!("{what}: {count}");
        assert!(cases < 2_000 || *count >= 10, "{what}: {count}");
    }
}

/// A program with these productions. Those that start with `and` share the layer of the one before.
fn with_heads(productions: &[&str]) -> Executable {
    let statements: Vec<&str> = productions.iter().map(|it| it.trim_start_matches("and ")).collect();
    let mut program = program(&format!(
        "registers: {{symbol: 's', position: 'p', left: 'l', right: 'r'}} constants: {{A, B}}
         system: {{symbol: symbol, position: position, output: left}}\n{}",
        statements.join("\n")
    ));
    let mut shares = productions.iter().map(|it| it.starts_with("and "));
    each(&mut program.statements, &mut |production| production.shares_layer = shares.next().unwrap());
    Executable::new(program)
}

const SWAP: [&str; 4] = [
    "where position[N] == position[N]: left[N] = A",
    "where position[N] == position[N]: right[N] = B",
    "where left[N] == left[N]: left[N] = right[N]",
    "and where right[N] == right[N]: right[N] = left[N]",
];

fn prompt(executable: &Executable) -> Task {
    task(executable, "X", &Options { max_new: Some(1), ..Options::default() })
}

fn shown(state: &[Option<psl_runtime::ValueId>], executable: &Executable, task: &Task) -> Value {
    common::state(state, &executable.registers.long, task)
}

#[test]
fn heads_swap_two_registers() {
    let executable = with_heads(&SWAP);
    let task = prompt(&executable);
    let run = executable.verify(&task).unwrap().run;
    assert_eq!(
        shown(&run.states[0], &executable, &task),
        json!({"symbol": "X", "position": "1", "left": "B", "right": "A"})
    );
    assert_eq!(output(&run, &task), "B");
    let mut productions = SWAP;
    productions[3] = productions[3].trim_start_matches("and ");
    let executable = with_heads(&productions);
    let run = executable.verify(&prompt(&executable)).unwrap().run;
    assert_eq!(
        shown(&run.states[0], &executable, &task),
        json!({"symbol": "X", "position": "1", "left": "B", "right": "B"})
    );
}

#[test]
fn a_change_before_or_after_any_head_is_before_or_after_the_layer() {
    let executable = with_heads(&SWAP);
    let mut task = prompt(&executable);
    let (value, register) = (Some(task.add_value("C")), executable.registers.by_long("left").unwrap());
    for layer in [2, 3].map(ProductionId::new) {
        for (at, left, right) in [(ChangeTime::Before(layer), "B", "C"), (ChangeTime::After(layer), "C", "A")] {
            let change = Change { at, pass: None, cell: CellId::new(0), register, value };
            let (run, _) = executable.run_changed(&task, &[change], None).unwrap();
            let state = json!({"symbol": "X", "position": "1", "left": left, "right": right});
            assert_eq!(shown(&run.states[0], &executable, &task), state);
        }
    }
    let mut several = 0;
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        let executable = Executable::new(random_program(&mut random));
        let (cells, options) = common::random_prompt(&mut random, &executable.registers);
        let task = executable.structured_task(&cells, &options).unwrap();
        let (_, trace) = traced(&executable, MachineKind::Psm, &task);
        let heads = executable.heads();
        if heads.is_empty() || trace.updates.is_empty() {
            continue;
        }
        let update = &trace.updates[random.below(trace.updates.len() as u64) as usize];
        let register = RegisterId(random.below(executable.registers.len() as u64) as u32);
        let value = Some(psl_runtime::ValueId(random.below(task.vocabulary.len() as u64) as u32));
        let time = if seed % 2 == 0 { ChangeTime::Before } else { ChangeTime::After };
        let changed = |layer: ProductionId| {
            let (at, pass) = (time(layer), Some(update.pass.clone()));
            let change = Change { at, pass, cell: update.cell, register, value };
            let mut updates = Vec::new();
            let run =
                executable.run_changed(&task, &[change], Some(&mut to_the_end(|update| updates.push(update.clone()))));
            (run, updates)
        };
        let expected = changed(update.layer);
        let siblings = ProductionId::first(heads.len())
            .filter(|other| heads[other.index()].layer == heads[update.layer.index()].layer);
        for sibling in siblings.filter(|other| *other != update.layer) {
            several += 1;
            assert!(changed(sibling) == expected, "seed {seed}, at {sibling} instead of {}", update.layer);
        }
    }
    assert!(several > 500, "{several} changes at heads of one layer");
}

#[test]
fn a_trace_names_layer_and_head() {
    let executable = with_heads(&SWAP);
    let task = prompt(&executable);
    let (_, Trace { updates }) = traced(&executable, MachineKind::Dat, &task);
    assert_eq!(updates.iter().map(|update| update.layer.number()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let (labels, heads) = (executable.labels(), executable.heads());
    let names =
        TraceNames { registers: &executable.registers, vocabulary: &task.vocabulary, labels: &labels, heads: &heads };
    let expected = json!({
        "step": 0, "layer": 3, "head": 2, "pass": [], "cell": 1, "attends": 1, "production": null,
        "set": {"right": "A"},
        "state": {"symbol": "X", "position": "1", "left": "B", "right": "A"},
    });
    assert_eq!(updates[3].to_json(&names), expected);
}

#[test]
fn a_conflict_names_place_register_and_values() {
    let executable = with_heads(&[
        "where symbol[N] == B: right[N] = A",
        "where symbol[N] == B: left[N] = B",
        "and where symbol[n] == A and symbol[N] == B: left[N] = symbol[n]",
    ]);
    let check = |symbols, message: Option<&str>| {
        let task = task(&executable, symbols, &Options::default());
        let found = agree(&executable, &task, symbols).err();
        let found = found.map(|error| error.message(&executable.registers, &task.vocabulary));
        assert_eq!(found.as_deref(), message);
    };
    check("B", None);
    check(
        "A C B B",
        Some(
            "step 0, layer 2, pass [], cell 3: heads of one layer set left to different values: A, B; add conditions \
             that keep all but one of them from setting it, or put them into different layers",
        ),
    );
}

/// Decompiles heads to a text without them.
fn check_text(productions: &[&str], expected: Result<&[&str], &str>) {
    let executable = with_heads(productions);
    let program = psl_runtime::decompile::program(executable.qkvl()).unwrap();
    assert_eq!(psl_runtime::compile(&program).weights, executable.qkvl().weights);
    let found = decompile(executable.qkvl()).map_err(|error| error.to_string());
    let expected = expected.map(|expected| decompile(with_heads(expected).qkvl()).unwrap());
    assert_eq!(found.as_ref().map_err(String::as_str), expected.as_ref().map_err(|error| *error));
}

#[test]
fn a_text_has_the_heads_in_an_order_that_makes_no_difference() {
    let [set, read] = ["where symbol[N] == A: left[N] = A", "where left[n] == A: right[N] = B"];
    check_text(&[set, &format!("and {read}")], Ok(&[read, set]));
    check_text(&[read, &format!("and {set}")], Ok(&[read, set]));
    // The order puts a head without a setting after one that has one.
    let causal = format!("causal_attn: true {read}");
    check_text(&[set, &format!("and {causal}")], Ok(&[&causal, &format!("causal_attn: false {set}")]));
    check_text(
        &SWAP,
        Err("layer 3: in a text, each production is a layer; head 1 sets what head 2 reads or sets, and cannot come \
             after it either; run it as it is, or compile without --heads"),
    );
}

/// The entries of QKVL with three productions, which share layers or not.
fn entries(flags: [bool; 3]) -> Value {
    let [one, two, three] = ["left[N] = A", "right[N] = B", "symbol[N] = A"];
    let productions = [one, two, three].map(|assignment| format!("where symbol[N] == A: {assignment}"));
    let marked: Vec<String> = productions
        .iter()
        .zip(flags)
        .map(|(it, shares)| if shares { format!("and {it}") } else { it.clone() })
        .collect();
    let executable = with_heads(&marked.iter().map(String::as_str).collect::<Vec<_>>());
    serde_json::from_str::<Value>(&executable.qkvl().to_json()).unwrap()["weights"].take()
}

#[test]
fn qkvl_lists_the_heads_of_a_layer() {
    let alone = entries([false; 3]);
    let [one, two, three] = [0, 1, 2].map(|index| alone[index].clone());
    assert_eq!(entries([false, true, true]), json!([{"heads": [one, two, three]}]));
    assert_eq!(entries([false, true, false]), json!([{"heads": [one, two]}, three]));
    assert_eq!(entries([false, false, true]), json!([one, {"heads": [two, three]}]));
    let mut first = one.clone();
    first.as_object_mut().unwrap().shift_remove("heads");
    assert_eq!(
        read_entries(&json!([{"heads": [one]}, two])).unwrap().weights,
        read_entries(&json!([first, two])).unwrap().weights
    );
}

fn read_entries(weights: &Value) -> Result<qkvl::Program, String> {
    let registers = json!({"symbol": "s", "position": "p", "left": "l", "right": "r"});
    let roles = json!({"symbol": "s", "position": "p", "output": "l"});
    let file = json!({"register_map": registers, "system_map": roles, "weights": weights});
    qkvl::Program::from_value(&file).map_err(|error| error.to_string())
}

#[test]
fn lists_of_heads_that_are_none_are_refused() {
    let head = entries([false; 3])[0].clone();
    let check = |weights: &Value, error: &str| assert_eq!(read_entries(weights).unwrap_err(), error);
    check(&json!([{"heads": []}]), "weights[0].heads: the layer has no heads; add a head, or remove the layer");
    let help = "list the layer's productions, each with q, k and v in `weights`";
    check(&json!([head, {"heads": {}}]), &format!("weights[1].heads: expected a list, found an object; {help}"));
    check(
        &json!([{"heads": [head, {"until": {}, "weights": [head]}]}]),
        &format!("weights[0].heads[1]: expected a head, found a repeat block; {help}"),
    );
    check(
        &json!([{"heads": [{"heads": [head]}]}]),
        &format!("weights[0].heads[0]: expected a head, found a layer; {help}"),
    );
    check(
        &json!([{"heads": [head], "weights": head["weights"]}]),
        "weights[0]: both `heads` and `weights`; put `weights` into the heads, or remove `heads`",
    );
    check(
        &json!([{"heads": [1]}]),
        "weights[0].heads[0]: expected an object, found a number; see App. J of the paper for the format",
    );
}

#[test]
fn a_weights_file_has_version_2_only_for_heads() {
    let model = |productions: &[&str]| {
        let executable = with_heads(productions);
        Model::new(executable.qkvl(), prompt(&executable).vocabulary)
    };
    let document = |model: &Model| serde_json::from_str::<Value>(&document(model).unwrap()).unwrap();
    let with_heads = model(&SWAP);
    let found = document(&with_heads);
    assert_eq!(found["version"], 2);
    let keys = |block: &Value| block.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        found["blocks"].as_array().unwrap().iter().flat_map(keys).collect::<Vec<_>>(),
        ["layer", "layer", "heads"]
    );
    let mut file = Vec::new();
    write(&with_heads, Layout::Sparse, &mut file).unwrap();
    assert!(read(&mut Cursor::new(file)).unwrap().weights == with_heads.weights);
    let without = model(&SWAP.map(|production| production.trim_start_matches("and ")));
    let without = document(&without);
    assert_eq!(without["version"], 1);
    assert_eq!(found["blocks"][2]["heads"], json!([without["blocks"][2]["layer"], without["blocks"][3]["layer"]]));
}
