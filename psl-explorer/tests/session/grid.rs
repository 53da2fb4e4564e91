//! The grid against the trace.

use std::{collections::HashMap, sync::Arc};

use psl_explorer::PageSession;
use psl_program::{Config, File};
use psl_runtime::{Cell, Executable, MachineKind, Update, decompile, to_the_end};
use serde_json::{Value, json};

use crate::{
    PARGEN, Page,
    common::{cases, random::Random, random_prompt},
    list,
};

/// A program with a test, and the contents of its prompt files.
struct Example {
    label: String,
    text: String,
    prompts: HashMap<String, String>,
    test: usize,
}

/// Checks that the grid has the lines of the trace and no others. Returns the number of lines, or `None` if the run
/// fails.
fn check(example: &Example) -> Option<usize> {
    let Example { label, text, prompts, test } = example;
    let file = File::new(text.as_str(), Arc::new(Config::default()))
        .with_prompts(|name| prompts.get(name).cloned().ok_or_else(String::new));
    let runner = file.runner().unwrap_or_else(|error| panic!("{label}: {error}\n{text}"));
    let case = &runner.executable().program.tests[*test];
    let task = runner.test_task(case).expect("a task");
    let mut lines = Vec::new();
    let observe = |update: &Update| lines.push(runner.trace_line(update, &task));
    let continuation = runner.complete(&task, MachineKind::Psm, Some(&mut to_the_end(observe))).ok()?;

    let mut page = Page(PageSession::default());
    page.ask(json!({"op": "open", "text": text, "prompts": prompts}));
    let run = page.run(0, json!({"test": test}));
    assert_eq!(run["continuation"], json!(continuation.symbols), "{label}");
    let registers = &runner.executable().registers.long;
    let all: Vec<usize> = (0..registers.len()).collect();
    // The ranges exceed the run.
    let tile = page.ask(json!({"op": "tile", "slot": 0, "rows": [0, 99_999], "cells": [0, 99_999], "registers": all}));
    let rows = list(&run["rows"]);
    assert_eq!(
        (&tile["rows"], &tile["cells"]),
        (&json!([0, rows.len()]), &json!([1, list(&run["symbols"]).len() + 1]))
    );
    for line in &lines {
        let label = format!("{label}: {line}");
        let of_line = |row: &Value| row["layer"] == line["layer"] && row["pass"] == line["pass"];
        let row = rows.iter().position(of_line).expect("a row");
        let cell = line["cell"].as_u64().expect("a number") as usize;
        let attends = line["attends"].as_i64().unwrap_or(0);
        assert_eq!(tile["attends"][row][cell - 1], attends, "{label}");
        let shown: Vec<&Value> = registers.iter().map(|name| &line["state"][name]).collect();
        assert_eq!(list(&tile["values"][row][cell - 1]).iter().collect::<Vec<_>>(), shown, "{label}");
        let update = page.ask(json!({"op": "update", "slot": 0, "row": row, "cell": cell}));
        check_update(&label, &update, line, registers, &tile["changed"][row][cell - 1]);
    }
    let attends = list(&tile["attends"]).iter().flat_map(list);
    assert_eq!(attends.filter(|attends| **attends != -1).count(), lines.len(), "{label}: updates beyond the trace");
    Some(lines.len())
}

/// Checks an update against its line of the trace.
fn check_update(label: &str, update: &Value, line: &Value, registers: &[String], changed: &Value) {
    let set = list(&update["set"]).iter().map(|set| {
        let register = set["register"].as_u64().expect("a number") as usize;
        (registers[register].clone(), set["value"].clone())
    });
    assert_eq!(Value::Object(set.collect()), line["set"], "{label}");
    assert_eq!((&update["attends"], &update["rests"]), (&line["attends"], &Value::Bool(false)), "{label}");
    let (before, after) = (list(&update["before"]), list(&update["after"]));
    let differ: Vec<Value> = before.iter().zip(after).map(|(before, after)| Value::Bool(before != after)).collect();
    assert_eq!(list(changed), differ, "{label}");
    let shown: Vec<&Value> = registers.iter().map(|name| &line["state"][name]).collect();
    assert_eq!(after.iter().collect::<Vec<_>>(), shown, "{label}");
    let (matches, attends) = (list(&update["matches"]), &update["attends"]);
    assert_eq!(attends.is_null(), matches.is_empty(), "{label}");
    assert!(attends.is_null() || [matches.first(), matches.last()].contains(&Some(attends)), "{label}: {matches:?}");
    let why = &update["why"];
    assert!(attends.is_null() || (why["source"] == *attends && why["wins"] == true && why["holds"] == true), "{label}");
    // A condition and the entry that it compiles to agree.
    let conditions = list(&why["conditions"]).iter().all(|condition| condition["holds"] == true);
    let entries = list(&update["entries"]).iter().all(|entry| entry["match"] == true);
    assert_eq!(conditions, entries, "{label}: {update:#}");
}

#[test]
fn the_grid_of_pargen_is_the_trace() {
    let tests = psl_syntax::check(PARGEN).analysis.program.tests.len();
    let mut lines = 0;
    for test in 0..tests {
        let label = format!("PARGEN, test {test}");
        lines += check(&Example { label, text: PARGEN.to_owned(), prompts: HashMap::new(), test }).expect("it runs");
    }
    assert!(lines > 5_000, "{lines} lines");
}

#[test]
fn the_grid_of_random_programs_is_the_trace() {
    let (mut ran, mut rested) = (0, 0);
    let cases = cases(200);
    for seed in 0..cases {
        let mut random = Random::new(seed);
        let executable = Executable::new(random.program());
        let (cells, _) = random_prompt(&mut random, &executable.registers);
        let Ok(text) = decompile(executable.qkvl()) else { continue };
        let names = &executable.registers.long;
        let cell = |given: &Cell<'_>| -> Value {
            given.iter().map(|(register, value)| (names[register.index()].clone(), Value::from(*value))).collect()
        };
        let prompt: Value = cells.iter().map(cell).collect();
        let text = format!("//@ test json \"p.json\" => \"A\"\n{text}");
        let prompts = HashMap::from([("p.json".to_owned(), prompt.to_string())]);
        let example = Example { label: format!("seed {seed}"), text, prompts, test: 0 };
        if check(&example).is_some() {
            ran += 1;
            let mut page = Page(PageSession::default());
            page.ask(json!({"op": "open", "text": example.text, "prompts": example.prompts}));
            rested += u64::from(page.run(0, json!({"test": 0}))["resting"] != json!({}));
        }
    }
    assert!(ran > cases / 10 && rested > cases / 500, "{ran} ran, {rested} of them with cells that rest");
}
