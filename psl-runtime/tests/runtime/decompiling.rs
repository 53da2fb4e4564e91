//! QKVL and weights decompile to PSL that compiles to them, or are refused with a reason.

use psl_runtime::{compile, decompile, qkvl};
use psl_syntax::Code;
use serde_json::{Value, json};

use crate::common::{
    cases, files, program,
    random::{Random, set_causal_attn},
    stem,
};

/// A program in Rust's debug format, without its spans.
fn without_spans(program: &psl_syntax::Program) -> String {
    let shown = format!("{program:?}");
    let mut parts = shown.split("Span {");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').unwrap().1)
}

/// Decompiles a QKVL program to data and to text, which must agree. The text must be formatted and compile to the same
/// layers, names, roles and watch list.
fn check(given: &qkvl::Program, place: &str) -> String {
    let written = decompile(given).unwrap_or_else(|error| panic!("{place}: {error}\n{}", given.to_json()));
    assert_eq!(psl_syntax::format(&written).unwrap().text, written, "{place}");
    let read = program(&written);
    let built = decompile::program(given).unwrap();
    assert_eq!(without_spans(&built), without_spans(&read), "{place}\n{written}");
    let compiled = compile(&read);
    assert_eq!(compiled.weights, given.weights, "{place}\n{written}");
    assert_eq!((&compiled.system_map, &compiled.watch_list), (&given.system_map, &given.watch_list), "{place}");
    let registers = |program: &qkvl::Program| -> Vec<(String, String)> {
        program.registers().map(|(long, short)| (long.to_owned(), short.to_owned())).collect()
    };
    assert_eq!(registers(&compiled), registers(given), "{place}");
    for (name, value) in &given.constant_map {
        assert_eq!(compiled.constant_map.get(name), Some(value), "{place}");
    }
    written
}

#[test]
fn all_programs_of_the_tests_round_trip() {
    for path in [files("../examples", ".psl"), files("programs", ".psl"), files("golden/programs", ".psl")].concat() {
        check(&compile(&program(&std::fs::read_to_string(&path).unwrap())), stem(&path));
    }
    for path in files("golden/qkvl", ".json") {
        check(&qkvl::Program::from_json(&std::fs::read_to_string(&path).unwrap()).unwrap(), stem(&path));
    }
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..cases(1_000) {
        let mut random = Random::new(seed);
        let mut program = random.program();
        if seed % 2 == 1 {
            random.echo(&mut program);
        }
        set_causal_attn(&mut program);
        check(&compile(&program), &format!("seed {seed}"));
    }
}

#[test]
fn a_comparison_from_both_sides_round_trips() {
    for conditions in [
        "position[N] == position[n] and position[n] == position[N]",
        "position[n] == position[N] and position[N] == position[n]",
        "position[N] == position[n] and symbol[N] == symbol[n] and symbol[n] == symbol[N]",
        "position[N] != 2 and position[N] == position[N] and symbol[N] == 2",
    ] {
        let head = "registers: {symbol: 's', position: 'p'}\nconstants: {2}\n";
        check(&compile(&program(&format!("{head}where {conditions}: symbol[N] = 2"))), conditions);
    }
}

/// A program of these layers, with odd names.
fn read(weights: &Value) -> qkvl::Program {
    let json = json!({
        "register_map": {"symbol": "s", "position": "p", "where": "w'", "not": "not"},
        "constant_map": {"A": "A", "and": "and", "it's": "\\", "two": "2"},
        "system_map": {"symbol": "s", "position": "p", "output": "s"},
        "watch_list": ["w'", "s"],
        "weights": weights,
    });
    qkvl::Program::from_json(&json.to_string()).unwrap()
}

#[test]
fn odd_names_round_trip() {
    let slots = json!({"s`": ["in", "it's", "\\", "and", "where", "1.5", "∅", "\"'"]});
    let layer = json!({
        "layer_comment": "# odd",
        "weights": {"q": slots, "k": {"s`": "s"}, "v": {"w'": "not", "not": "w'@pos_increment", "s": "A "}},
    });
    check(&read(&json!([layer])), "odd names");
}

/// Layers whose text compiles to the same layers except for these settings and labels.
#[test]
fn what_a_text_cannot_express_makes_no_difference_to_a_run() {
    let fine = json!({"q": {"s`": "A"}, "k": {"s`": "s"}, "v": {"s": "A"}});
    let check = |layers: &Value, expected: &[(&str, Option<&str>)]| {
        let given = read(layers);
        assert_eq!(compile(&decompile::program(&given).unwrap()).weights, given.weights);
        let written = compile(&program(&decompile(&given).unwrap()));
        let found: Vec<(Option<&str>, Option<&str>)> = written
            .layers()
            .into_iter()
            .map(|layer| (layer.causal_attn.map(qkvl::CausalAttn::as_str), layer.layer_comment.as_deref()))
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(setting, label)| (Some(*setting).filter(|it| !it.is_empty()), *label)).collect();
        assert_eq!(found, expected);
    };
    let layer = |setting: Value| json!({"weights": fine, "causal_attn": setting});
    let unset = || layer(Value::Null);
    check(&json!([unset(), layer(json!("true")), unset()]), &[("", None), ("true", None), ("false", None)]);
    check(
        &json!([layer(json!("reverse")), {"weights": [unset()], "until": {}}, unset()]),
        &[("reverse", None), ("false", None), ("false", None)],
    );
    check(&json!([layer(json!("false")), unset()]), &[("false", None), ("false", None)]);
    let labeled = |label: &str| json!([{"weights": fine, "layer_comment": label}]);
    for label in ["# P1 ", "\t# P1", " # P1\u{a0}", "# P1\n", "# P1\r\n"] {
        check(&labeled(label), &[("", Some("# P1"))]);
    }
    let block = json!([{"weights": [{"weights": fine}], "until": {}, "layer_comment": "// again "}]);
    assert!(decompile(&read(&block)).unwrap().contains("\n// again\nrepeat:"));
}

/// The error for layers that no PSL compiles to.
fn refused(weights: &Value) -> String {
    decompile(&read(weights)).unwrap_err().to_string()
}

#[test]
fn refusals_name_place_cause_and_suggestion() {
    let layer = |attributes: Value| json!({"weights": attributes});
    let fine = json!({"q": {"s`": "A"}, "k": {"s`": "s"}, "v": {"s": "A"}});
    let slot = "for `[n]` on the left, set k to `s` under its first free primed name; for `[N]`, set q to `s` under its \
                first free name";
    check(&read(&json!([layer(fine.clone())])), "fine");
    assert_eq!(
        refused(&json!([layer(fine.clone()), layer(json!({"q": {"s``": "A"}, "k": {"s``": "s"}, "v": {"s": "A"}}))])),
        format!("layer 2: no condition compiles to slot `s```; {slot}")
    );
    assert_eq!(
        refused(&json!([layer(json!({"q": {"s": "A"}, "k": {"s": "p"}, "v": {"s": "A"}}))])),
        format!("layer 1: no condition compiles to slot `s`; {slot}")
    );
    assert_eq!(
        refused(&json!([layer(json!({"q": {"s": "s"}, "k": {"s": "A"}, "v": {"s": "A"}}))])),
        "layer 1: no condition selects the cell to attend to; \
         add the position to q and k, as PSL does for a production without `n`"
    );
    assert_eq!(
        refused(&json!([layer(json!({"q": {}, "k": {}, "v": {"s": "A"}}))])),
        "layer 1: q and k are empty; add a condition, such as `position[N] == position[N]`"
    );
    assert_eq!(
        refused(&json!([layer(json!({"q": {"s`": ["in"]}, "k": {"s`": "s"}, "v": {"s": "A"}}))])),
        "layer 1: `s` is compared with an empty list; add a constant to it"
    );
    assert_eq!(
        refused(&json!([layer(json!({"q": {"s`": "A"}, "k": {"s`": "s"}}))])),
        "layer 1: v is empty; add an assignment, or remove the layer"
    );
    let text = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[n] == A: position[N] = A";
    let errors = psl_syntax::check(text).diagnostics;
    let error = errors.iter().find(|it| it.code == Code::AssignToPosition).unwrap();
    assert_eq!(
        refused(&json!([layer(json!({"q": {"s`": "A"}, "k": {"s`": "s"}, "v": {"p": "A"}}))])),
        format!("layer 1: not allowed in PSL: {}; {}", error.message, error.help.as_ref().unwrap())
    );
    assert_eq!(
        refused(&json!([{"weights": fine, "layer_comment": "P1"}])),
        "layer 1: the label `P1` is not a comment; write it on one line, and start it with `#` or `//`"
    );
    assert_eq!(
        refused(&json!([{"weights": fine, "layer_comment": "//@ stop A"}])),
        "weights[0]: no PSL compiles to these instructions; change them to instructions that `psl compile` writes"
    );
    let mut shared = read(&json!([layer(fine)]));
    shared.system_map["symbol"] = "p".to_owned();
    let error = decompile(&shared).unwrap_err().to_string();
    assert_eq!(error, "system_map: `position` and `symbol` are the same register; give each role a different register");
    assert_eq!(refused(&json!([{"weights": []}])), "repeat block 1: the body is empty; remove the block");
}
