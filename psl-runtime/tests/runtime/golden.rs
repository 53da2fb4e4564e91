//! Golden data: QKVL of the reference compiler, states and traces of independent implementations.

use psl_runtime::{Executable, FullDat, Machine, MachineKind, Options, Qkvm, Registers, Task, Trace, qkvl, weights};
use serde_json::{Value, json};

use crate::common::{files, json, output, pargen, program, state, stem, task, text, traced};

/// Compiles `programs/NAME.psl` and compares with `qkvl/NAME.json` as JSON values.
fn check_qkvl(name: &str) {
    let compiled = Executable::new(program(&text(&format!("golden/programs/{name}.psl")))).qkvl().clone();
    assert_eq!(serde_json::to_value(&compiled).unwrap(), json(&format!("golden/qkvl/{name}.json")), "{name}");
}

#[test]
fn qkvl_equals_that_of_the_reference_compiler() {
    let names: Vec<_> = files("golden/qkvl", ".json").iter().map(|path| stem(path).to_owned()).collect();
    assert_eq!(names.len(), 12);
    names.iter().filter(|name| *name != "pargen").for_each(|name| check_qkvl(name));
}

#[test]
fn qkvl_of_pargen_has_the_reference_compilers_weights() {
    fn without_labels(json: &mut Value) {
        match json {
            Value::Object(map) => {
                if let Some(label) = map.get_mut("layer_comment") {
                    *label = Value::Null;
                }
                map.values_mut().for_each(without_labels);
            }
            Value::Array(list) => list.iter_mut().for_each(without_labels),
            _ => {}
        }
    }
    let mut compiled = serde_json::to_value(pargen().qkvl()).unwrap();
    without_labels(&mut compiled);
    let golden = json("golden/qkvl/pargen.json");
    assert_eq!(compiled["system_map"], golden["system_map"]);
    assert_eq!(compiled["weights"], golden["weights"]);
}

/// Runs the program on the file's prompts, and compares the continuation and the final registers of every cell.
fn check_states(name: &str, machine: MachineKind) {
    let golden = json(&format!("golden/states/{name}.json"));
    let loaded = Executable::new(program(&text(&format!("golden/{}", golden["program"].as_str().unwrap()))));
    let runs = golden["runs"].as_array().unwrap();
    assert!(!runs.is_empty(), "{name} has no run");
    for expected in runs {
        let max_new = expected["max_new"].as_u64().map(|it| it as usize);
        let task = task(&loaded, expected["prompt"].as_str().unwrap(), &Options { max_new, ..Options::default() });
        let run = loaded.run(machine, &task, None).unwrap();
        let symbols = |&value: &Option<_>| value.map_or(Value::Null, |it| task.vocabulary.show(Some(it)).into());
        let states: Vec<_> = run.states.iter().map(|it| state(it, &loaded.registers.long, &task)).collect();
        let place = format!("{name} on {machine:?}: {}", expected["prompt"]);
        assert_eq!(
            Value::from(run.output.iter().map(symbols).collect::<Vec<_>>()),
            expected["continuation"],
            "{place}"
        );
        assert_eq!(Value::from(states), expected["states"], "{place}");
    }
}

#[test]
fn final_states_of_the_small_programs() {
    let names = files("golden/states", ".json");
    assert!(names.len() >= 15);
    for path in names {
        for machine in MachineKind::ALL {
            check_states(stem(&path), machine);
        }
    }
}

/// States by step, layer and cell. Repeated layers have those of the last pass.
fn last_passes(trace: &Trace, loaded: &Executable, task: &Task) -> Vec<Vec<Vec<Value>>> {
    let mut steps: Vec<Vec<Vec<Value>>> = Vec::new();
    for update in &trace.updates {
        steps.resize(steps.len().max(update.step + 1), Vec::new());
        let layers = &mut steps[update.step];
        layers.resize(layers.len().max(update.layer.number()), Vec::new());
        let cells = &mut layers[update.layer.index()];
        let place = if update.step == 0 { update.cell.index() } else { 0 };
        cells.resize(cells.len().max(place + 1), Value::Null);
        cells[place] = state(&update.state, &loaded.registers.short, task);
    }
    steps
}

#[test]
fn traces_of_pargen() {
    let pargen = pargen();
    let traces = files("golden/traces", ".json");
    assert_eq!(traces.len(), 6);
    for path in traces {
        let golden = json(&format!("golden/traces/{}.json", stem(&path)));
        let task = task(&pargen, golden["prompt"].as_str().unwrap(), &Options::default());
        for machine in MachineKind::ALL {
            let (run, trace) = traced(&pargen, machine, &task);
            assert_eq!(output(&run.unwrap(), &task), golden["continuation"], "{} on {machine:?}", stem(&path));
            let mut steps = last_passes(&trace, &pargen, &task).into_iter();
            assert_eq!(json!(steps.next().unwrap()), golden["prompt_pass"], "{} on {machine:?}", stem(&path));
            let generated: Vec<Vec<_>> = steps.map(|layers| layers.into_iter().flatten().collect()).collect();
            assert_eq!(json!(generated), golden["generated"], "{} on {machine:?}", stem(&path));
        }
    }
}

#[test]
fn pargen_completes_the_examples() {
    let pargen = pargen();
    let examples = text("golden/examples.tsv");
    assert_eq!(examples.lines().count(), 16);
    for line in examples.lines() {
        let (prompt, gold) = line.split_once('\t').unwrap();
        let task = task(&pargen, prompt, &Options::default());
        for machine in MachineKind::ALL {
            let run = pargen.run(machine, &task, None);
            assert_eq!(output(&run.unwrap(), &task), gold.split('\t').next().unwrap(), "{machine:?}");
        }
    }
}

#[test]
fn the_references_own_pargen_completes_the_examples() {
    let program = qkvl::Program::from_json(&text("golden/qkvl/pargen.json")).unwrap();
    let examples = text("golden/examples.tsv");
    assert!(examples.lines().count() >= 4);
    for line in examples.lines().take(4) {
        let columns: Vec<_> = line.split('\t').collect();
        let symbols: Vec<_> = columns[0].split(' ').collect();
        let task = Task::new(&Registers::from(&program), &program.constants(), &symbols, &Options::default()).unwrap();
        let weights = weights(&program, &task.vocabulary);
        let machines: [&dyn Machine; 2] =
            [&Qkvm::new(&program, &task.vocabulary), &FullDat::new(&weights, &task.limits).unwrap()];
        for machine in machines {
            assert_eq!(output(&machine.run(&task.input, &task.limits, None).unwrap(), &task), columns[1]);
        }
    }
}
