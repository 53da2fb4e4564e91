//! Texts that a user types, and the answers.

use std::{fmt::Debug, sync::Arc};

use psl_debug::{
    AnswerLine, Breakpoint, DebugCondition, DebugError, Direction, LogMessage, Moment, Timeline, evaluate, from_text,
    last_text, why_text,
};
use psl_program::{File, Progress};
use psl_runtime::{
    MachineKind,
    record::{RecordedRun, RowId},
};

use super::{everywhere, search};
use crate::common::numbers::{cell, layer};

/// Layer 1 copies the symbol of the cell before, and layer 2 marks the first cell with the same symbol.
pub const PROGRAM: &str = "registers: {symbol: 's', position: 'p', before: 'b', mark: 'm'}
constants: {A, B, 'cell', '#'}
where position[n] == position[N]@pos_decrement:
    before[N] = symbol[n]
where symbol[n] == symbol[N] and symbol[N] != B:
    mark[N] = before[n]
where mark[N] == A and position[N] == position[N]:
    symbol[N] = B
//@ max-new 1
";

pub fn record(text: &str, prompt: &str) -> (File, RecordedRun) {
    let file = File::new(text, Arc::default());
    let runner = file.runner().expect("a program that compiles");
    let task = runner.task(prompt).expect("a task");
    let run = runner.record(task, MachineKind::Psm, &Progress::default());
    (file, run)
}

/// The moment at which a cell reaches a row.
fn at(run: &RecordedRun, row: usize, number: usize) -> Moment {
    Timeline::new(run).at_row(RowId::new(row), cell(number)).expect("a moment")
}

/// The value or the error of an expression in cell 3 of `A B A` at layer 2.
fn check(expression: &str, expected: &str) {
    let (file, run) = record(PROGRAM, "A B A");
    let found = evaluate(&file, &run, at(&run, 1, 3), expression).unwrap_or_else(|error| format!("error: {error}"));
    assert_eq!(found, expected, "{expression}");
}

#[test]
fn an_expression_has_the_value_before_the_layer() {
    check("symbol[N]", "A");
    check("symbol[n]", "A");
    check("position[n]", "1");
    check("position[2]", "2");
    check(" before[ 3 ] ", "B");
    check("before[1]", "∅");
    check("mark[N]", "∅");
    check("cell", "3");
    check("step", "0");
}

#[test]
fn a_condition_shows_both_sides() {
    check("symbol[N] == A", "true: A == A");
    check("symbol[2] == A", "false: B == A");
    check("symbol[1] != symbol[2] and symbol[N] == symbol[n]", "true: A != B and A == A");
    check("symbol[n] == before[n]", "false: A == ∅");
    check("position[3] == position[2]@pos_increment", "true: 3 == 3");
    check("(symbol[3] not in [A, B] and cell == 3)", "false: A not in [A, B] and 3 == 3");
    check("symbol[N] == 'cell'", "false: A == cell");
    check("symbol[N] == cell", "false: A == cell");
    check("symbol[N] == '#'", "false: A == #");
    check("step != 1 and cell == 4", "false: 0 != 1 and 3 == 4");
    check("pass == 1", "false: ∅ == 1");
    check("mark[N] != A", "false: ∅ != A");
}

#[test]
fn a_condition_takes_any_value() {
    check("position[N] == 3", "true: 3 == 3");
    check("position[N] != 1", "true: 3 != 1");
    check("position[2] in [1, 2]", "true: 2 in [1, 2]");
    check("symbol[N] == 'where'", "false: A == where (this run has no value `where`)");
    check("symbol[N] == 's'", "false: A == s (this run has no value `s`)");
    check("symbol[N] == \"symbol\"", "false: A == symbol (this run has no value `symbol`)");
    check("symbol[N] == 'it\\'s'", "false: A == it's (this run has no value `it's`)");
    check("symbol[N] == 7.5", "false: A == 7.5 (this run has no value `7.5`)");
    check("symbol[N] == -5", "false: A == -5 (this run has no value `-5`)");
    check("symbol[N] == EOP", "false: A == EOP");
    check("symbol[N] == n", "false: A == n (this run has no value `n`)");
    check("symbol[N] not in [N, A]", "false: A not in [N, A] (this run has no value `N`)");
    check("symbol[N] != three", "true: A != three (this run has no value `three`)");
    check(
        "symbol[N] in [A, B, cel] and symbol[N] != three",
        "true: A in [A, B, cel] and A != three (this run has no values `cel` and `three`)",
    );
    check("symbol[N] == cel", "false: A == cel (this run has no value `cel`; did you mean `cell`?)");
}

#[test]
fn a_condition_can_test_for_null() {
    check("mark[N] == \u{2205}", "true: \u{2205} == \u{2205}");
    check("mark[N] != null", "false: \u{2205} != \u{2205}");
    check("symbol[N] != None and cell == 3", "true: A != \u{2205} and 3 == 3");
    check("symbol[N] == 'null'", "false: A == null (this run has no value `null`)");
}

#[test]
fn a_constant_has_its_value_and_not_its_name() {
    let (file, run) = record(&PROGRAM.replace("{A,", "{Other: 'C', None, A,"), "A Other C");
    let check = |cell: usize, expression: &str, expected: &str| {
        assert_eq!(evaluate(&file, &run, at(&run, 1, cell), expression), Ok(expected.to_owned()), "{expression}");
    };
    check(2, "symbol[N] == Other", "false: Other == C");
    check(3, "symbol[N] == Other", "true: C == C");
    check(3, "symbol[N] == 'C'", "true: C == C");
    check(3, "symbol[N] == None", "false: C == None");
}

#[test]
fn an_error_names_the_reason() {
    let error = |expression: &str, expected: &str| check(expression, &format!("error: {expected}"));
    error("symbol[4]", "cell 4 does not exist yet: at this moment, the last cell is 3");
    error("symbol[0] == A", "cell 0 does not exist: the first cell is 1");
    error("symbol[N] = A", "a condition assigns nothing: write `==` to compare");
    error("symbol[N] == A:", "`:` can only be in a condition as a value in quotes");
    error("symbol[N] == A where symbol[N] == B", "`where` can only be in a condition as a value in quotes");
    error("symbol[N] == A\n    and symbol[N] == B", "a condition has one line: join conditions by `and`");
    error("symbol[N] == A # B", "a condition has no comment: put `#` and `//` in quotes");
    error("symbol[N] == 'A", "the string 'A has no closing quote");
    error("pass", "no repeat block is around this place");
    error("cell == 1.5", "cells, steps and passes are whole numbers, and 1.5 is not");
    error("symbol", "expected a register of a cell, such as `symbol[5]`");
    error("symbol[N] and mark[N]", "expected a register of a cell, such as `symbol[5]`");
    error("", "expected a register of a cell, such as `symbol[5]`");
}

fn message<T: Debug>(found: Result<T, DebugError>) -> String {
    found.expect_err("an error").to_string()
}

/// The error of a condition.
fn refused(condition: &str) -> String {
    let (file, _) = record(PROGRAM, "A");
    message(DebugCondition::parse(&file, condition))
}

#[test]
fn the_language_reports_names_and_syntax() {
    assert!(refused("symbl[N] == A").starts_with("unknown register `symbl`"), "{}", refused("symbl[N] == A"));
    assert_eq!(refused("wholly[N] == A"), "unknown register `wholly`; `registers` lists the registers");
    assert!(refused("symbol[N] == mark").starts_with("unknown constant `mark`; add a cell: `mark[N]`"));
    assert_eq!(
        refused("symbol[N] in [A, mark[N]]"),
        "expected a constant, found a register; compare with it in a condition of its own"
    );
    assert_eq!(
        refused("position[N]@pos_increment == 3"),
        "`@pos_increment` is only allowed on the right of a comparison"
    );
    assert!(refused("symbol[N] == mark[5]@pos_up").starts_with("unknown function `pos_up`"));
    for text in [
        "",
        "symbol[N] ==",
        "(symbol[N] == A",
        "symbol[N] == A)",
        "symbol[] == A",
        "cell == A",
        "[5] == A",
        "== ==",
        "and",
    ] {
        assert!(!refused(text).is_empty(), "{text}");
    }
}

#[test]
fn n_is_missing_where_the_layer_does_not_fire() {
    let (file, run) = record(PROGRAM, "A B A");
    let program = file.program();
    let moment = at(&run, 0, 1);
    let missing = "cell 1 attends to no cell at this layer: name a cell by its number";
    assert_eq!(message(evaluate(&file, &run, moment, "symbol[n]")), missing);
    let condition = DebugCondition::parse(&file, "symbol[n] == A").expect("a condition");
    assert!(!condition.holds(program, &run, moment));
    assert!(condition.holds(program, &run, at(&run, 0, 2)));
    let end = Timeline::new(&run).end();
    let missing = "`n` is the cell that `N` attends to at a layer: go to a layer";
    assert_eq!(message(evaluate(&file, &run, end, "symbol[n]")), missing);
    assert_eq!(evaluate(&file, &run, end, "mark[3]"), Ok("∅".to_owned()));
}

fn lines(answer: Result<Vec<AnswerLine>, DebugError>) -> Vec<String> {
    answer.unwrap_or_else(|error| panic!("{error}")).into_iter().map(|line| line.text).collect()
}

#[test]
fn why_gives_the_conditions_and_the_winner() {
    let (file, run) = record(PROGRAM, "A B A");
    let moment = at(&run, 1, 1);
    assert_eq!(
        lines(why_text(&file, &run, moment, cell(3), cell(2))),
        [
            "symbol[n] == symbol[N] does not hold: B == A",
            "symbol[N] != B holds: A != B",
            "cell 3 attends to cell 1 of the matches 1, 3",
        ]
    );
    let last = why_text(&file, &run, moment, cell(3), cell(2)).expect("an answer").pop().expect("a line");
    assert_eq!(last.moment, Some(at(&run, 1, 3)));
    assert_eq!(
        lines(why_text(&file, &run, moment, cell(2), cell(2))).last().map(String::as_str),
        Some("cell 2 attends to no cell")
    );
    let error = message(why_text(&file, &run, moment, cell(3), cell(9)));
    assert_eq!(error, "cell 9 does not exist when cell 3 runs this layer");
    assert!(why_text(&file, &run, Timeline::new(&run).end(), cell(1), cell(1)).is_err());
}

#[test]
fn a_value_comes_from_registers_that_can_be_gone_to() {
    let (file, run) = record(PROGRAM, "A A");
    let end = Timeline::new(&run).end();
    let answer = from_text(&file, &run, end, "before[2]").expect("an answer");
    let texts: Vec<&str> = answer.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["before[2] = A: layer 1 copies it", "symbol[1] = A: the prompt has it"]);
    assert_eq!(answer[0].moment, Some(at(&run, 0, 2)));
    let last = last_text(&file, &run, end, "before[2]").expect("an answer");
    assert_eq!(last[0].text, "before[2] = A: layer 1 writes it, before: ∅");
    assert_eq!(last[0].moment, Some(at(&run, 0, 2)));
    assert_eq!(
        lines(last_text(&file, &run, at(&run, 0, 2), "before[2]")),
        ["before[2] = ∅: no layer has written it since the cell started"]
    );
}

#[test]
fn a_log_message_refuses_what_it_cannot_read() {
    let (file, _) = record(PROGRAM, "A");
    assert_eq!(message(LogMessage::parse(&file, "a {cell")), "a `}` is missing after `{cell`");
    assert!(LogMessage::parse(&file, "{symbl[N]}").is_err());
    assert!(LogMessage::parse(&file, "no braces }").is_ok());
}

#[test]
fn a_search_in_a_generated_step_takes_the_cells_before_as_they_were() {
    let (file, run) = record(PROGRAM.replace("max-new 1", "max-new 3").as_str(), "A B A");
    let condition = DebugCondition::parse(&file, "step == 1 and before[3] == B").expect("a condition");
    let breakpoints =
        [Breakpoint { id: 1, on: everywhere(layer(2)), condition: Some(condition), hits: None, log: None }];
    let cancelled = std::sync::atomic::AtomicBool::new(false);
    let program = file.program();
    let search = search(program, &run, &breakpoints, cell(1), &cancelled);
    let hit = search.next_stop(Some(Timeline::new(&run).start()), Direction::Forward).stop.expect("a stop");
    assert_eq!((hit.moment.step, hit.moment.cell.number()), (1, 4));
}

#[test]
fn a_rare_condition_is_found_among_many_moments() {
    let prompt: Vec<&str> = (1..=3000).map(|cell| if cell % 1100 == 0 { "A" } else { "B" }).collect();
    let (file, run) = record(&PROGRAM.replace("max-new 1", "max-new 0"), &prompt.join(" "));
    let condition = DebugCondition::parse(&file, "symbol[N] == A").expect("a condition");
    let breakpoints =
        [Breakpoint { id: 1, on: everywhere(layer(1)), condition: Some(condition), hits: None, log: None }];
    let cancelled = std::sync::atomic::AtomicBool::new(false);
    let program = file.program();
    let search = search(program, &run, &breakpoints, cell(1), &cancelled);
    let timeline = Timeline::new(&run);
    let cells = |from: Moment, direction| {
        let next = |moment: &Moment| Some(search.next_stop(Some(*moment), direction).stop?.moment);
        let stops = std::iter::successors(next(&from), next).map(|moment| moment.cell.number());
        stops.collect::<Vec<_>>()
    };
    assert_eq!(cells(timeline.start(), Direction::Forward), [1100, 2200]);
    assert_eq!(cells(timeline.end(), Direction::Backward), [2200, 1100]);
}
