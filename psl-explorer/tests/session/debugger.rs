//! The debugger against the console of `psl debug`, and its place.

use std::{collections::BTreeSet, sync::Arc};

use psl_debug::{
    Debugger, Launch,
    console::{Answer, Command, Console},
};
use psl_program::{File, Progress, Prompt};
use psl_runtime::{Executable, MachineKind, decompile};
use serde_json::{Value, json};

use crate::{PARGEN, Page, common::random::Random, list};

/// A block of two layers that takes two passes.
const NESTED: &str = "//@ max-new 1\nregisters: {symbol: 's', position: 'p', mark: 'm', count: 'c'}\nconstants: {OFF, ON}\n\
    watch: [mark]\n# start\nwhere symbol[N] == symbol[N]:\n    mark[N] = OFF\nrepeat:\n    # turn on\n    \
    where mark[N] == OFF:\n        mark[N] = ON\n    # count é\n    where mark[N] == ON:\n        count[N] = symbol[N]\nuntil NO_CHANGE\n";

fn debug(page: &mut Page, command: &str) -> Value {
    page.ask(json!({"op": "debug", "slot": 0, "command": command}))
}

fn texts(lines: &Value) -> Vec<String> {
    list(lines).iter().map(|line| line["text"].as_str().expect("a text").to_owned()).collect()
}

/// A session of `psl debug`, whose answers are texts.
struct Terminal {
    debugger: Debugger,
    console: Console,
}

impl Terminal {
    fn new(text: &str, prompt: &str) -> Option<Self> {
        let prompt = Prompt::Plain(prompt.to_owned());
        let launch = Launch {
            prompt,
            case: None,
            machine: MachineKind::Dat,
            max_passes: None,
            verify: false,
            ablated: BTreeSet::new(),
        };
        let debugger = Debugger::new(Arc::new(File::new(text, Arc::default())), &launch, &Progress::default()).ok()?;
        Some(Self { debugger, console: Console::new(None) })
    }

    fn answer(&mut self, line: &str) -> Vec<String> {
        let answer = Command::parse(line)
            .and_then(|command| self.console.execute(&mut self.debugger, &command, &Progress::default()));
        match answer {
            Ok(Answer { lines, .. }) => lines.into_iter().map(|line| line.text).collect(),
            Err(error) => vec![format!("error: {error}")],
        }
    }

    fn place(&self) -> Vec<String> {
        Console::start(&self.debugger).lines.into_iter().map(|line| line.text).collect()
    }
}

/// Commands of every kind with random arguments.
fn command(random: &mut Random, registers: &[&str]) -> String {
    let (cell, number) = (1 + random.below(4), random.below(6));
    let register = random.choose(registers);
    match random.below(40) {
        0..=4 => "next".to_owned(),
        5..=8 => format!("step {}", 1 + number),
        9 | 10 => "out".to_owned(),
        11 | 12 => "back".to_owned(),
        13 => "stepback 3".to_owned(),
        14 => "continue".to_owned(),
        15 => "rback".to_owned(),
        16 | 17 => format!("until {register}[{cell}] changes"),
        18 => format!("until layer {}", 1 + number),
        19 => format!("goto layer {} cell {cell}", 1 + number),
        20 => random.choose(&["goto end", "goto start", "goto step 1", "cell 2"]).to_owned(),
        21 => format!("set {register}[{cell}] = A"),
        22 => format!("ablate {}", 1 + number),
        23 => random.choose(&["ablate none", "restart", "ablate"]).to_owned(),
        24 => format!("break layer {} if cell == {cell}", 1 + number),
        25 => format!("watch {register}[N] != A hits >= 2"),
        26 => format!("watch! {register} log {{cell}}: {{{register}[N]}}"),
        27 => random.choose(&["catch endless", "catch ahead", "catch wrong", "catch disagree"]).to_owned(),
        28 => format!("{} {}", random.choose(&["delete", "disable", "enable"]), 1 + random.below(3)),
        29 => format!("print {register}[{cell}] == {register}[N]"),
        30 => format!("{register}[{cell}]"),
        31 => format!("why {cell} {}", 1 + number),
        32 => format!("from {register}[{cell}]"),
        33 => format!("last {register}[N]"),
        34 => random.choose(&["breakpoints", "where", "list", "registers", "table", "continuation", "why"]).to_owned(),
        35 => random.choose(&["help", "help until", "diff", "frobnicate", "next x", "watch é"]).to_owned(),
        _ => String::new(),
    }
}

#[test]
fn the_answers_are_those_of_psl_debug() {
    const REGISTERS: [&str; 4] = ["symbol", "position", "mark", "copy"];
    let (mut answers, mut failed) = (0, 0);
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let executable = Executable::new(random.program());
        let Ok(text) = decompile(executable.qkvl()) else { continue };
        let prompt = random.prompt().join(" ");
        let Some(mut terminal) = Terminal::new(&text, &prompt) else { continue };
        let (mut page, _) = Page::with_run(&text, prompt.as_str());
        for _ in 0..40 {
            let line = command(&mut random, &REGISTERS);
            let (found, expected) = (debug(&mut page, &line), terminal.answer(&line));
            let label = format!("seed {seed}: {line}\n{text}\n{prompt}");
            assert_eq!(texts(&found["lines"]), expected, "{label}");
            assert_eq!(texts(&found["place"]["lines"]), terminal.place(), "{label}");
            answers += 1;
            failed += usize::from(found["failed"] == true);
        }
    }
    assert!(answers > 2_000 && failed > 200 && failed * 2 < answers, "{answers} answers, {failed} of them errors");
}

#[test]
fn the_place_is_the_row_and_the_cell_of_the_page() {
    let (mut page, run) = Page::with_run(NESTED, "A B");
    let mut check = |request: Value, row: Value, cell: usize, place: &str| {
        let mut whole = json!({"op": "debug", "slot": 0});
        whole.as_object_mut().expect("fields").extend(request.as_object().expect("fields").clone());
        let found = page.ask(whole);
        assert_eq!((&found["place"]["row"], &found["place"]["cell"]), (&row, &json!(cell)), "{found}");
        assert_eq!(texts(&found["place"]["lines"])[0], place);
    };
    assert_eq!(list(&run["rows"]).len(), 5);
    check(json!({}), json!(0), 1, "step 0, cell 1 (A), layer 1 · start");
    check(json!({"at": [2, 2]}), json!(2), 2, "step 0, cell 2 (B), layer 3, pass 1 · count é");
    check(json!({"command": "next"}), json!(2), 2, "step 0, cell 2 (B), end of block 1, pass 1");
    check(json!({"command": "next"}), json!(3), 2, "step 0, cell 2 (B), layer 2, pass 2 · turn on");
    check(json!({"command": "goto layer 1"}), json!(0), 2, "step 0, cell 2 (B), layer 1 · start");
    check(json!({"command": "next"}), json!(1), 2, "step 0, cell 2 (B), before block 1");
    check(json!({"at": [null, 1]}), json!(0), 1, "step 0, cell 1 (A), layer 1 · start");
    check(json!({"at": [1, 2], "command": "back"}), json!(1), 2, "step 0, cell 2 (B), before block 1");
    check(json!({"command": "goto end"}), json!(4), 2, "the run is complete: B …");
    // Rows and cells that the run lacks.
    check(json!({"at": [null, 99]}), json!(4), 2, "the run is complete: B …");
    check(json!({"at": [99, 1]}), json!(4), 1, "step 0, after the last layer: symbol 1 is B");
}

#[test]
fn another_run_replaces_the_shown_one() {
    let (mut page, run) = Page::with_run(NESTED, "A B");
    let tile = |page: &mut Page| {
        let tile = json!({"op": "tile", "slot": 0, "rows": [0, 9], "cells": [1, 9], "registers": [0, 2, 3]});
        page.ask(tile)["values"].take()
    };
    let before = tile(&mut page);
    let command = json!({"op": "debug", "slot": 0, "command": "set symbol[2] = C", "at": [0, 2], "tile": {"registers": [2], "most": 99}});
    let changed = page.ask(command);
    assert_eq!((&changed["whatIf"], &changed["run"]["continuation"]), (&json!("changed run"), &json!(["C"])));
    assert!(changed["run"]["tile"].is_object());
    assert_ne!(tile(&mut page), before);
    let without = debug(&mut page, "ablate count");
    assert_eq!(without["whatIf"], "changed run without layer 3");
    assert!(debug(&mut page, "next")["run"].is_null());
    let restored = debug(&mut page, "restart");
    assert_eq!((&restored["whatIf"], &restored["run"]), (&Value::Null, &run));
    assert_eq!(tile(&mut page), before);
}

#[test]
fn stops_and_watched_expressions_come_with_each_answer() {
    let (mut page, _) = Page::with_run(NESTED, "A B");
    debug(&mut page, "watch mark[2]");
    debug(&mut page, "break count");
    debug(&mut page, "disable 2");
    let stop = |id: usize, text: &str, enabled: bool| json!({"id": id, "text": text, "enabled": enabled});
    let expressions = ["mark[N]", "mark[2] == ON", "mark[9]", "mrak[N]"];
    let found = page.ask(json!({"op": "debug", "slot": 0, "command": "continue", "watch": expressions}));
    assert_eq!(found["stops"], json!([stop(1, "changes of mark[2]", true), stop(2, "layer 3, line 13", false)]));
    let watched: Vec<(&str, bool)> = list(&found["watched"])
        .iter()
        .map(|watched| (watched["value"].as_str().expect("a text"), watched["failed"] == true))
        .collect();
    assert_eq!(watched[..2], [("∅", false), ("false: ∅ == ON", false)]);
    assert!(watched[2].1 && watched[3].1, "{watched:?}");
    // The end of a session is the start of the next one.
    let ended = debug(&mut page, "quit");
    assert_eq!((&ended["quit"], &ended["stops"], &ended["place"]["row"]), (&json!(true), &json!([]), &json!(0)));
}

#[test]
fn commands_are_completed() {
    let (mut page, _) = Page::with_run(NESTED, "A B");
    let mut check = |typed: &str, expected: Value| {
        assert_eq!(page.ask(json!({"op": "complete", "slot": 0, "text": typed})), expected, "{typed}");
    };
    check("conti", json!([{"start": 0, "text": "continue"}, {"start": 0, "text": "continuation"}]));
    check("watch 'é' ma", json!([{"start": 10, "text": "mark"}]));
    check("break cou", json!([{"start": 6, "text": "count é"}]));
    check("é", json!([]));
}

#[test]
fn a_test_has_its_first_difference() {
    let text = PARGEN.replacen("//@ test swap", "//@ test wrong \"Q a A a . Q b A\" => \"a .\"\n//@ test swap", 1);
    let mut page = Page::new(&text);
    let run = page.run(0, json!({"test": 0}));
    assert_eq!(run["passed"], false);
    let found = debug(&mut page, "diff");
    assert!(texts(&found["lines"])[0].starts_with("expected a, got b"), "{found}");
}
