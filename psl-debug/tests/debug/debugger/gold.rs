//! The first symbol that differs from the gold.

use psl_debug::{BreakOn, Breakpoint, Debugger, Direction, Exception, gold_difference};
use psl_program::{Progress, Prompt, TestName};

use super::{debugger, launched, shown};

/// The second layer writes `B` into the third cell alone.
const PROGRAM: &str = "//@ max-new 3\nregisters: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {B, third: '3'}\n\
                       where symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n\
                       where position[N] == third:\n    symbol[N] = B\n";

fn tested(gold: &str) -> Debugger {
    let text = format!("//@ test \"a\" => \"{gold}\"\n{PROGRAM}");
    launched(&text, Prompt::Test(TestName::Index(0)))
}

fn check(gold: &str, expected: Option<&str>) {
    let debugger = tested(gold);
    let timeline = debugger.timeline();
    let found = gold_difference(&debugger).map(|found| {
        let [expected, got] = [found.expected, found.got].map(|symbol| symbol.unwrap_or_else(|| "nothing".to_owned()));
        let written = found.written.map_or("nowhere".to_owned(), |written| shown(timeline, written));
        format!("expected {expected}, got {got}, {}, from {written}", shown(timeline, found.moment))
    });
    assert_eq!(found.as_deref(), expected);
}

#[test]
fn the_first_wrong_symbol_is_found_with_the_layer_that_wrote_it() {
    check(" a  a B ", None);
    check("a a c", Some("expected c, got B, 2: symbol, from 2: layer 2 [] cell 3"));
    check("c a B", Some("expected c, got a, 0: symbol, from nowhere"));
    check("a a", Some("expected nothing, got B, 2: symbol, from 2: layer 2 [] cell 3"));
    check("a a B B", Some("expected B, got nothing, 3: end, from nowhere"));
}

#[test]
fn a_prompt_without_gold_has_no_difference() {
    assert_eq!(gold_difference(&debugger(PROGRAM, "a")), None);
}

/// The stops at wrong symbols: the same in both directions.
fn check_stops(gold: &str, expected: &[&str]) {
    let stops = |direction, from: Option<&str>| {
        let on = BreakOn::Exception(Exception::WrongSymbol);
        let breakpoints = [Breakpoint { id: 1, on, condition: None, hits: None, log: None }];
        let mut debugger = tested(gold);
        if direction == Direction::Backward {
            debugger.go_to(debugger.timeline().end());
        }
        let mut stops: Vec<String> = from.map(str::to_owned).into_iter().collect();
        while debugger.resume(direction, &breakpoints, &Progress::default()).hit.is_some() {
            stops.push(shown(debugger.timeline(), debugger.moment()));
        }
        stops
    };
    assert_eq!(stops(Direction::Forward, None), expected, "{gold}");
    // The way back leaves the end.
    let end = expected.last().copied().filter(|stop| stop.ends_with("end"));
    let mut backward = stops(Direction::Backward, end);
    backward.reverse();
    assert_eq!(backward, expected, "{gold}");
}

#[test]
fn a_wrong_symbol_stops_and_so_does_a_wrong_end() {
    check_stops("a a B", &[]);
    check_stops("a c B", &["1: symbol"]);
    check_stops("c c c", &["0: symbol", "1: symbol", "2: symbol"]);
    check_stops("a a", &["2: symbol"]);
    check_stops("a", &["1: symbol", "2: symbol"]);
    check_stops("a a B B", &["3: end"]);
    check_stops("c a B a B", &["0: symbol", "3: end"]);
}
