//! The cells of the grid, against the trace.

use std::{collections::HashMap, sync::Arc};

use psl_explorer::PageSession;
use psl_program::{Config, File};
use psl_runtime::{Executable, MachineKind, decompile};
use serde_json::{Value, json};

use crate::{
    PARGEN, Page,
    common::{random::Random, random_prompt},
    list,
};

/// A program with a test, and the contents of its prompts.
struct Example {
    place: String,
    text: String,
    prompts: HashMap<String, String>,
    test: usize,
}

/// Checks that the grid has the lines of the trace and no others. Returns the number of lines, or `None` if the run fails.
fn check(example: &Example) -> Option<usize> {
    let Example { place, text, prompts, test } = example;
    let file = File::new(text.as_str(), Arc::new(Config::default()))
        .with_prompts(|name| prompts.get(name).cloned().ok_or_else(String::new));
    let runner = file.runner().unwrap_or_else(|error| panic!("{place}: {error}\n{text}"));
    let case = &runner.executable().program.tests[*test];
    let task = runner.test_task(&case.prompt).expect("a task");
    let mut lines = Vec::new();
    let mut observe = |update: &_| lines.push(runner.trace_line(update, &task));
    let continuation = runner.complete(&task, MachineKind::Psm, Some(&mut observe)).ok()?;

    let mut page = Page(PageSession::default());
    page.ask(json!({"op": "open", "text": text, "prompts": prompts}));
    let run = page.run(0, json!({"test": test}));
    assert_eq!(run["continuation"], json!(continuation.symbols), "{place}");
    let registers = &runner.executable().registers.long;
    let all: Vec<usize> = (0..registers.len()).collect();
    // More than there is.
    let tile = page.ask(json!({"op": "tile", "slot": 0, "rows": [0, 99_999], "cells": [0, 99_999], "registers": all}));
    let rows = list(&run["rows"]);
    assert_eq!(
        (&tile["rows"], &tile["cells"]),
        (&json!([0, rows.len()]), &json!([1, list(&run["symbols"]).len() + 1]))
    );
    for line in &lines {
        let place = format!("{place}: {line}");
        let of_line = |row: &Value| row["layer"] == line["layer"] && row["pass"] == line["pass"];
        let row = rows.iter().position(of_line).expect("a row");
        let cell = line["cell"].as_u64().expect("a number") as usize;
        let attends = line["attends"].as_i64().unwrap_or(0);
        assert_eq!(tile["attends"][row][cell - 1], attends, "{place}");
        let shown: Vec<&Value> = registers.iter().map(|name| &line["state"][name]).collect();
        assert_eq!(list(&tile["values"][row][cell - 1]).iter().collect::<Vec<_>>(), shown, "{place}");
        let update = page.ask(json!({"op": "update", "slot": 0, "row": row, "cell": cell}));
        check_update(&place, &update, line, registers, &tile["changed"][row][cell - 1]);
    }
    let attends = list(&tile["attends"]).iter().flat_map(list);
    assert_eq!(attends.filter(|attends| **attends != -1).count(), lines.len(), "{place}: updates beyond the trace");
    Some(lines.len())
}

/// Checks an update against its line of the trace.
fn check_update(place: &str, update: &Value, line: &Value, registers: &[String], changed: &Value) {
    let set = list(&update["set"]).iter().map(|set| {
        let register = set["register"].as_u64().expect("a number") as usize;
        (registers[register].clone(), set["value"].clone())
    });
    assert_eq!(Value::Object(set.collect()), line["set"], "{place}");
    assert_eq!((&update["attends"], &update["rests"]), (&line["attends"], &Value::Bool(false)), "{place}");
    let (before, after) = (list(&update["before"]), list(&update["after"]));
    let differ: Vec<Value> = before.iter().zip(after).map(|(before, after)| Value::Bool(before != after)).collect();
    assert_eq!(list(changed), differ, "{place}");
    let shown: Vec<&Value> = registers.iter().map(|name| &line["state"][name]).collect();
    assert_eq!(after.iter().collect::<Vec<_>>(), shown, "{place}");
    let (matches, attends) = (list(&update["matches"]), &update["attends"]);
    assert_eq!(attends.is_null(), matches.is_empty(), "{place}");
    assert!(attends.is_null() || [matches.first(), matches.last()].contains(&Some(attends)), "{place}: {matches:?}");
    let why = &update["why"];
    assert!(attends.is_null() || (why["source"] == *attends && why["wins"] == true && why["holds"] == true), "{place}");
    // The two say the same in different forms: the program, and what it compiles to.
    let conditions = list(&why["conditions"]).iter().all(|condition| condition["holds"] == true);
    let entries = list(&update["entries"]).iter().all(|entry| entry["match"] == true);
    assert_eq!(conditions, entries, "{place}: {update:#}");
}

#[test]
fn the_grid_of_pargen_is_the_trace() {
    let tests = psl_syntax::check(PARGEN).analysis.program.tests.len();
    let mut lines = 0;
    for test in 0..tests {
        let place = format!("PARGEN, test {test}");
        lines += check(&Example { place, text: PARGEN.to_owned(), prompts: HashMap::new(), test }).expect("it runs");
    }
    assert!(lines > 5_000, "{lines} lines");
}

#[test]
fn the_grid_of_random_programs_is_the_trace() {
    let (mut ran, mut rested) = (0, 0);
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        let executable = Executable::new(random.program());
        let (cells, _) = random_prompt(&mut random, &executable.registers);
        let Ok(text) = decompile(&executable.qkvl) else { continue };
        let names = &executable.registers.long;
        let cell = |given: &Vec<(usize, &str)>| -> Value {
            given.iter().map(|(register, value)| (names[*register].clone(), Value::from(*value))).collect()
        };
        let prompt: Value = cells.iter().map(cell).collect();
        let text = format!("//@ test json \"p.json\" => \"A\"\n{text}");
        let prompts = HashMap::from([("p.json".to_owned(), prompt.to_string())]);
        let example = Example { place: format!("seed {seed}"), text, prompts, test: 0 };
        if check(&example).is_some() {
            ran += 1;
            let mut page = Page(PageSession::default());
            page.ask(json!({"op": "open", "text": example.text, "prompts": example.prompts}));
            rested += usize::from(page.run(0, json!({"test": 0}))["resting"] != json!({}));
        }
    }
    assert!(ran > 100 && rested > 2, "{ran} ran, {rested} of them with cells that rest");
}
