//! Reading QKVL: our files, the reference's, those of App. J, and invalid ones.

use psl_runtime::qkvl::{self, Block, CausalAttn, Function, Source, Term, Until};
use serde_json::{Value, json};

use crate::common::{files, stem, text};

#[test]
fn the_references_files_survive_reading_and_writing() {
    for path in files("golden/qkvl", ".json") {
        let written = text(&format!("golden/qkvl/{}.json", stem(&path)));
        let program = qkvl::Program::from_json(&written).unwrap();
        let (ours, theirs): (Value, Value) =
            (serde_json::to_value(&program).unwrap(), serde_json::from_str(&written).unwrap());
        assert_eq!(ours, theirs, "{}", stem(&path));
    }
}

/// Reads a program of one layer.
fn layer(attributes: &Value) -> Result<qkvl::Program, String> {
    let json = json!({
        "register_map": {"symbol": "s", "position": "p", "index": "d"},
        "weights": [{"weights": attributes}],
    });
    qkvl::Program::from_json(&json.to_string()).map_err(|error| error.to_string())
}

#[test]
fn app_j_spellings_are_read() {
    let json = json!({
        "register_map": {"symbol": "s", "position": "p", "prev": "p*"},
        "constants_map": {"CQ": null, "ONE": 1},
        "system_map": {"symbol": "symbol", "output": "s", "position": "p"},
        "watch_list": ["prev", "s"],
        "weights": [
            {"layer_comment": "// start Cue", "causal_attn": false, "right_match": false, "weights": {
                "q": {"s'": "s", "p'": "1", "p": "p"},
                "k": {"s'": "s", "p'": "p", "p": ["not in", "1", "2"]},
                "v": {"p*": "p@pos_decrement"},
            }},
            {"until": "NO_CHANGE", "weights": [{"causal_attn": true, "weights": {"v": {"s": "CQ"}}}]},
        ],
    });
    let program = qkvl::Program::from_json(&json.to_string()).unwrap();
    let expected = json!({"symbol": "s", "position": "p", "prev": "p*", "alt_s": "s`", "alt_p": "p`"});
    assert_eq!(serde_json::to_value(&program.register_map).unwrap(), expected);
    assert_eq!(program.constants(), ["CQ", "1", "1", "1", "2", "CQ"]);
    assert_eq!(program.system_map["symbol"], "s");
    assert_eq!(program.watch_list, ["p*", "s"]);
    let layers = program.layers();
    assert_eq!(layers[0].causal_attn, Some(CausalAttn::False));
    assert_eq!(layers[0].weights.q["p`"], Source::Is(Term::Constant("1".into())));
    assert_eq!(layers[0].weights.k["p"], Source::NotIn(vec!["1".into(), "2".into()]));
    assert_eq!(layers[0].weights.v["p*"], Term::Register("p".into(), Some(Function::PosDecrement)));
    assert!(matches!(&program.weights[1], Block::Repeat(repeat) if repeat.until == Until::NoChange {}));
}

#[test]
fn a_declared_register_may_end_in_a_quote() {
    let json = json!({
        "register_map": {"symbol": "s", "next": "s'"},
        "system_map": {"symbol": "s", "output": "s'"},
        "weights": [{"weights": {"q": {"s'": "s'"}, "k": {"s'": "s"}, "v": {"s'": "it's"}}}],
    });
    let program = qkvl::Program::from_json(&json.to_string()).unwrap();
    let attributes = &program.layers()[0].weights;
    assert_eq!(attributes.q["s'"], Source::Is(Term::Register("s'".into(), None)));
    assert_eq!(attributes.v["s'"], Term::Constant("it's".into()));
}

/// Reads invalid attributes.
fn check(attributes: &Value, error: &str) {
    assert_eq!(layer(attributes).unwrap_err(), error);
}

#[test]
fn errors_name_place_cause_and_suggestion() {
    check(
        &json!({"q": {"x": "s"}, "k": {"x": "s"}}),
        "weights[0].weights.q.x: unknown register `x`; declare it in register_map",
    );
    check(
        &json!({"v": {"p": "p@double"}}),
        "weights[0].weights.v.p: unknown function `double`; use `pos_increment` or `pos_decrement`",
    );
    check(&json!({"v": {"p": 1}}), "weights[0].weights.v.p: expected a string, found a number; put it in quotes");
    check(&json!({"v": {"p`": "s"}}), "weights[0].weights.v.p`: unknown register `p``; declare it in register_map");
    check(&json!({"q": {"s": "s"}}), "weights[0].weights: `s` is in q but not in k; add it to both or remove it");
    check(
        &json!({"q": {"s": ["in", "A"]}, "k": {"s": ["!=", "A"]}}),
        "weights[0].weights: `s` is an operation in both q and k; make one of them a register or a constant",
    );
    check(
        &json!({"q": {"s": ["in", "p"]}, "k": {"s": "s"}}),
        "weights[0].weights.q.s: register `p` in a list; list constants only",
    );
    check(
        &json!({"q": {"s": ["<", "A"]}, "k": {"s": "s"}}),
        "weights[0].weights.q.s: unknown operation; use a value, [\"!=\", value], [\"in\", constants…] \
         or [\"not_in\", constants…]",
    );
}

/// Reads an invalid file.
fn refuse(json: &Value, place: &str, cause: &str) {
    let error = qkvl::Program::from_json(&json.to_string()).unwrap_err();
    assert_eq!((error.place.as_str(), error.cause.as_str()), (place, cause));
}

#[test]
fn invalid_files_are_refused() {
    let map = json!({"symbol": "s"});
    refuse(&json!([]), "the file", "expected an object, found a list");
    refuse(&json!({"weights": []}), "the file", "`register_map` is missing");
    refuse(&json!({"register_map": map}), "the file", "`weights` is missing");
    let listed = json!({"symbol": "x"});
    refuse(&json!({"register_map": listed, "weights": []}), "system_map", "no register has the role `symbol`");
    refuse(
        &json!({"register_map": {"a": "x", "b": "x"}}),
        "register_map.b",
        "duplicate short name `x`: `a` has it too",
    );
    refuse(
        &json!({"register_map": {"symbol": "s", "b": "t`"}}),
        "register_map.b",
        "the register of the primed name `t`` is missing",
    );
    let roles = json!({"symbol": "s", "output": "s", "stop": "s"});
    refuse(&json!({"register_map": map, "system_map": roles, "weights": []}), "system_map.stop", "unknown role");
    let error = qkvl::Program::from_json("{\"register_map\": ").unwrap_err();
    assert!(error.cause.starts_with("invalid JSON: the JSON ends"), "{error}");
    for (text, cause) in [
        ("{\"weights\": [], \"weights\": []}", "duplicate key `weights` at line 1 column 25"),
        (
            "{\"weights\": [{\"weights\": {\"q\": {\"s\": 1, \"p\": 2, \"s\": 3}}}]}",
            "duplicate key `s` at line 1 column 51",
        ),
        ("{\"weights\": [{\"q\": 1, \"\\u0071\": 1}]}", "duplicate key `q` at line 1"),
        ("", "invalid JSON: the JSON ends where a value is expected"),
        ("null", "expected an object, found null"),
        ("\"", "invalid JSON: the JSON ends in the middle of a string"),
        ("[[[", "invalid JSON: the JSON ends in the middle of a list"),
        ("}", "invalid JSON: expected value"),
        ("{\"a\\", "invalid JSON: the JSON ends in the middle of a string"),
    ] {
        let error = qkvl::Program::from_json(text).unwrap_err();
        assert_eq!(error.place, "the file", "{text:?}");
        assert!(error.cause.starts_with(cause), "{text:?}: {error}");
    }
}

/// A file with repeat blocks nested that deeply.
fn nested(depth: usize) -> Result<qkvl::Program, String> {
    let open = "{\"weights\": [".repeat(depth);
    let close = "]}".repeat(depth);
    let text = format!(
        "{{\"register_map\": {{\"symbol\": \"s\", \"out\": \"o\"}}, \"system_map\": {{\"symbol\": \"s\", \"output\": \"o\"}}, \"weights\": [{open}{close}]}}"
    );
    qkvl::Program::from_json(&text).map_err(|error| error.cause)
}

#[test]
fn repeat_blocks_nest_up_to_the_limit() {
    assert!(nested(qkvl::Program::MAX_NESTING).is_ok());
    assert_eq!(nested(qkvl::Program::MAX_NESTING + 1), Err("repeat blocks are nested too deeply".to_owned()));
    assert_eq!(nested(1_000_000), Err("brackets are nested too deeply".to_owned()));
}
