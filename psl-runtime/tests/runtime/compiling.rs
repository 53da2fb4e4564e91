//! Compiling PSL to QKVL, one production per check.

use psl_runtime::{compile, compile_production, primed_names, qkvl::is_primed};
use psl_syntax::{Program, program::ProductionId};
use serde_json::json;

use crate::common::{pargen, program, random::Random, text};

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm', link: 'l'}
constants: {A, B, C: 'X'}
system: {symbol: symbol, position: position, output: symbol}
";

/// Compiles one production and compares q, k and v, entry by entry in order.
fn check(production: &str, expected: &str) {
    let program = program(&format!("{HEAD}{production}"));
    let layer = compile_production(&program, program.productions()[ProductionId::new(0)]);
    let text = serde_json::to_string(&layer.weights).unwrap();
    let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
    assert_eq!(text, expected.to_string());
}

#[test]
fn n_on_the_left_goes_under_the_primed_name() {
    check(
        "where symbol[n] == symbol[N] and mark[n] != A: mark[N] = link[n]",
        r#"{"q": {"s`": "s", "m`": ["!=", "A"]}, "k": {"s`": "s", "m`": "m"}, "v": {"m": "l"}}"#,
    );
}

#[test]
fn capital_n_on_the_left_goes_under_the_plain_name() {
    check(
        "where symbol[N] == symbol[n] and position[N] == link[n]@pos_increment: mark[N] = C",
        r#"{"q": {"s": "s", "p": "p"}, "k": {"s": "s", "p": "l@pos_increment"}, "v": {"m": "X"}}"#,
    );
}

#[test]
fn without_n_a_cell_is_compared_with_itself() {
    check(
        "where symbol[N] == A: mark[N] = A",
        r#"{"q": {"s": "s", "p": "p"}, "k": {"s": "A", "p": "p"}, "v": {"m": "A"}}"#,
    );
    check("where position[N] == position[N]: mark[N] = A", r#"{"q": {"p": "p"}, "k": {"p": "p"}, "v": {"m": "A"}}"#);
}

#[test]
fn a_condition_on_the_position_leaves_the_comparison_its_primed_name() {
    check(
        "where position[N] == link[N]: mark[N] = A",
        r#"{"q": {"p": "p", "p`": "p"}, "k": {"p": "l", "p`": "p"}, "v": {"m": "A"}}"#,
    );
    check(
        "where position[N] != position[N]: mark[N] = A",
        r#"{"q": {"p": "p", "p`": "p"}, "k": {"p": ["!=", "p"], "p`": "p"}, "v": {"m": "A"}}"#,
    );
}

#[test]
fn every_condition_on_one_register_has_its_slot() {
    check(
        "where symbol[n] != A and symbol[n] != B and symbol[n] in [A, C] and symbol[N] == A and symbol[N] not in [B]:
            mark[N] = A",
        r#"{"q": {"s`": ["!=", "A"], "s``": ["!=", "B"], "s```": ["in", "A", "X"], "s": "s", "s````": "s"},
            "k": {"s`": "s", "s``": "s", "s```": "s", "s": "A", "s````": ["not_in", "B"]},
            "v": {"m": "A"}}"#,
    );
}

#[test]
fn primed_names_are_listed_under_a_free_key() {
    let compiled = compile(&program(
        "registers: {symbol: 's', alt_s: 'm', position: 'p'}
        constants: {A, B}
        system: {symbol: symbol, position: position, output: symbol}
        where symbol[n] != A and symbol[n] != B: symbol[N] = symbol[n]",
    ));
    let expected = json!({"symbol": "s", "alt_s": "m", "position": "p", "alt_alt_s": "s`", "alt_s`": "s``"});
    assert_eq!(serde_json::to_value(&compiled.register_map).unwrap(), expected);
}

#[test]
fn until_conditions_are_query_and_key() {
    let compiled = compile(&program(
        &format!(
            "{HEAD}
        # block
        repeat:
            where symbol[N] == A: mark[N] = A
        until mark[N] == A and position[N] == 3
        repeat:
            where symbol[N] == A: mark[N] = A
        until mark[n] == symbol[N]"
        )
        .replace("C: 'X'", "'3'"),
    ));
    let json = serde_json::to_value(&compiled).unwrap();
    let both = json!({"q": {"m": "m", "p": "p", "p`": "p"}, "k": {"m": "A", "p": "3", "p`": "p"}});
    assert_eq!(json["weights"][0]["until"], both);
    assert_eq!(json["weights"][0]["layer_comment"], "# block");
    assert_eq!(json["weights"][1]["until"], json!({"q": {"m`": "s"}, "k": {"m`": "m"}}));
    assert_eq!(json["register_map"]["alt_p"], "p`");
}

#[test]
fn only_productions_with_errors_are_left_out() {
    let checked = psl_syntax::check(&format!(
        "{HEAD}
        where symbol[N] == A: mark[N] = A
        where symbol[N] == unknown: mark[N] = A
        where symbol[N] == B: mark[N] = B"
    ));
    assert!(!checked.compiles());
    assert_eq!(compile(&checked.analysis.program).layers().len(), 2);
}

#[test]
fn duplicate_conditions_are_left_out() {
    let compiled = compile(&program(&text("defects/doubled_condition.psl")));
    let json = serde_json::to_value(&compiled).unwrap();
    assert_eq!(json["weights"][0]["weights"]["q"], json!({"s": "s", "p": "p"}));
    assert_eq!(json["weights"][0]["weights"]["k"], json!({"s": "A", "p": "p"}));
    assert_eq!(json["register_map"], json!({"symbol": "s", "position": "p", "mark": "m"}));

    check(
        "where symbol[n] == A and symbol[n] == B and symbol[n] == A and symbol[N] == mark[n]: mark[N] = A",
        r#"{"q": {"s`": "A", "s``": "B", "s": "s"}, "k": {"s`": "s", "s``": "s", "s": "m"}, "v": {"m": "A"}}"#,
    );
    check(
        "where position[N] != A and position[N] == position[N] and symbol[N] == A: mark[N] = A",
        r#"{"q": {"p": "p", "p`": "p", "s": "s"}, "k": {"p": ["!=", "A"], "p`": "p", "s": "A"}, "v": {"m": "A"}}"#,
    );
}

#[test]
fn primed_names_are_counted() {
    let check = |program: &Program| {
        let primed = compile(program).register_map.values().filter(|short| is_primed(short)).count();
        assert_eq!(primed_names(program), primed, "{program:?}");
    };
    for seed in 0..500 {
        check(&Random::new(seed).program());
    }
    check(&pargen().program);
    check(&program(&format!(
        "{HEAD}repeat: where position[N] != position[N]: mark[N] = A until mark[n] == A and mark[N] != mark[n]"
    )));
}
