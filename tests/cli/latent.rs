//! `psl latent`.

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in, repository},
    command::psl,
};

/// Two heads that attend to the last `Q`, one of them in a cell that is not itself.
const PROGRAM: &str = "\
//@ max-new 1
//@ test last \"Q a\" => \"a\"
registers: {symbol: 's', position: 'p', last: 'l', other: 'o', again: 'g'}
constants: {Q}
watch: [other, again]
causal_attn: true
# mark
where_rm symbol[n] == Q:
    last[N] = position[n]
# compare
where_rm symbol[n] == Q and symbol[N] != Q:
    other[N] = Q
repeat:
    # again
    where position[n] == last[N]:
        again[N] = symbol[n]
until NO_CHANGE
";

#[test]
fn codes_are_listed_by_layer() {
    psl("latent a.psl --prompt 'a Q b c'")
        .file("a.psl", PROGRAM)
        .complains("verified: the weights agree with 9 codes\n")
        .prints(
            "layer 1: 2 heads, 3 pairs
  1  line 8   mark
  2  line 11  compare

  code  pairs  first pair        meaning
  1     1      step 0, N 2, n 2  copies position from n to last
  1+2   2      step 0, N 3, n 2  copies position from n to last, sets other to Q

  similarity of the mean codes
     1     2
  1  1.00  0.98
  2  0.98  1.00

layer 2: 1 head, 6 pairs
  1  line 15  again

  code  pairs  first pair                meaning
  1     6      step 0, pass 1, N 2, n 2  copies symbol from n to again
",
        );
}

#[test]
fn layers_can_be_chosen_and_heads_limited() {
    for layer in ["2", "compare"] {
        psl(&format!("latent a.psl --test last --layer {layer} --max-heads 1"))
        .file("a.psl", PROGRAM)
        .complains("verified: the weights agree with 1 code\n")
        .prints("layer 2: 1 head, 1 pair\n  1  line 11  compare\n\n  code  pairs  first pair        meaning\n  1     1      step 0, N 2, n 1  sets other to Q\n");
    }
}

#[test]
fn heads_that_share_no_pair_are_not_compared() {
    let program = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n\
                   where symbol[N] == A:\n    mark[N] = B\nwhere symbol[N] == B:\n    mark[N] = A\n//@ max-new 1\n";
    psl("latent - --prompt 'A B'").input(program).complains("verified: the weights agree with 2 codes\n").prints(
        "layer 1: 2 heads, 2 pairs
  1  line 3
  2  line 5

  code  pairs  first pair        meaning
  1     1      step 0, N 1, n 1  sets mark to B
  2     1      step 0, N 2, n 2  sets mark to A

  no two heads attend to the same cell from the same cell
",
    );
}

/// The JSON of a command in a folder with a program.
fn json_of(program: &str, args: &[&str]) -> Value {
    let folder = folder(&[("a.psl", program)]);
    let compiled = psl_in(folder.path(), &["compile", "a.psl", "-o", "a.json"], b"");
    assert_eq!(code(&compiled), 0, "{}", err(&compiled));
    let output = psl_in(folder.path(), &[&["latent", "--format", "json", "--prompt", "a Q b"], args].concat(), b"");
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("JSON")
}

#[test]
fn json_has_heads_pairs_codes_and_similarities() {
    let found = json_of(PROGRAM, &["a.psl", "--layer", "1"]);
    let pair = |cell: usize| json!({"step": 0, "pass": [], "cell": cell, "attends": 2});
    let with_code = |cell, code: usize| {
        let mut pair = pair(cell);
        pair["code"] = json!(code);
        pair
    };
    let copies = "copies position from n to last";
    let both = "copies position from n to last, sets other to Q";
    let head = |head: usize, line: usize, label: &str, meaning: &str| json!({"head": head, "production": head, "line": line, "label": label, "meaning": meaning});
    let (similarities, mut found) = (found["layers"][0]["similarities"].clone(), found);
    found["layers"][0].as_object_mut().expect("an object").remove("similarities");
    let expected = json!({
        "prompt": "a Q b",
        "continuation": "b",
        "stopped": "max-new",
        "max_heads": null,
        "verified": 2,
        "layers": [{
            "layer": 1,
            "heads": [head(1, 8, "# mark", copies), head(2, 11, "# compare", "sets other to Q")],
            "pairs": [with_code(2, 1), with_code(3, 2)],
            "codes": [
                {"code": 1, "heads": [1], "meaning": copies, "pairs": 1, "first": pair(2)},
                {"code": 2, "heads": [1, 2], "meaning": both, "pairs": 1, "first": pair(3)},
            ],
            "mean_codes": [[1.0, 0.5], [1.0, 1.0]],
        }],
    });
    assert_eq!(found, expected);
    assert_eq!((&similarities[0][0], &similarities[0][1]), (&json!(1.0), &similarities[1][0]));
}

#[test]
fn a_head_that_never_attends_has_no_mean_code() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let output = psl_in(folder.path(), &["latent", "a.psl", "--format", "json", "--prompt", "Q"], b"");
    let found: Value = serde_json::from_str(&out(&output)).expect("JSON");
    assert_eq!(found["layers"][0]["mean_codes"], json!([[1.0, 0.0], null]));
    assert_eq!(found["layers"][0]["similarities"], json!([[1.0, null], [null, null]]));
}

#[test]
fn qkvl_has_the_same_codes_as_its_program() {
    // QKVL has no directives.
    let program = PROGRAM.replace("//@ max-new 1\n", "");
    let (of_psl, of_qkvl) = (json_of(&program, &["a.psl"]), json_of(&program, &["a.json"]));
    assert_eq!(of_qkvl["layers"][0]["heads"][0]["line"], Value::Null);
    for layer in 0..2 {
        for field in ["pairs", "codes", "mean_codes", "similarities"] {
            assert_eq!(of_psl["layers"][layer][field], of_qkvl["layers"][layer][field], "layer {layer}, {field}");
        }
    }
}

#[test]
fn arrays_are_an_archive() {
    let folder = folder(&[("a.psl", PROGRAM)]);
    let args = ["latent", "a.psl", "--format", "npz", "--prompt", "Q a"];
    let output = psl_in(folder.path(), &args, b"");
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(output.stdout.starts_with(b"PK\x03\x04"), "{:?}", output.stdout.get(..4));
    let written = psl_in(folder.path(), &[&args[..], &["-o", "a.npz"]].concat(), b"");
    assert_eq!((code(&written), out(&written)), (0, String::new()));
    assert_eq!(std::fs::read(folder.path().join("a.npz")).expect("a file"), output.stdout);
}

#[test]
fn pargen_agrees_with_its_weights_in_each_schedule() {
    for max_heads in ["1", "2", "9"] {
        let output = psl_in(&repository(), &["latent", "examples/pargen.psl", "--max-heads", max_heads], b"");
        let verified = err(&output);
        assert_eq!(code(&output), 0, "{verified}");
        assert!(verified.starts_with("verified: the weights agree with "), "{verified}");
    }
}

/// A refusal: the exit code and the complaint.
#[track_caller]
fn check_refused(args: &str, program: &str, code: i32, complaint: &str) {
    psl(&format!("latent a.psl {args}")).file("a.psl", program).code(code).complains(complaint).prints("");
}

#[test]
fn a_run_that_cannot_be_shown_is_reported() {
    let without_tests = PROGRAM.replace("//@ test", "//");
    check_refused("", &without_tests, 2, "psl: a.psl: the program has no tests: give a prompt with --prompt\n");
    check_refused("-p ''", PROGRAM, 1, "error: a.psl: the prompt is empty: give at least one symbol\n");
    check_refused("-p Q --layer 3", PROGRAM, 2, "psl: layer 3 is out of range: the program has 2 layers\n");
    let endless = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                   repeat:\n    where symbol[N] == A:\n        symbol[N] = B\n    where symbol[N] == B:\n        symbol[N] = A\n\
                   until symbol[N] == A and symbol[N] == B\n";
    let output = psl_in(folder(&[("a.psl", endless)]).path(), &["latent", "a.psl", "-p", "A"], b"");
    assert_eq!((code(&output), out(&output)), (1, String::new()));
    assert!(err(&output).starts_with("error: a.psl:3:1: repeat block 1 never stops"), "{}", err(&output));
}

#[test]
fn a_program_with_an_error_is_reported() {
    psl("latent - -p Q").input("where symbol[N] ==\n").code(1).mentions("error").prints("");
    psl("latent - --prompt-json -").code(2).mentions("cannot both come from standard input").prints("");
}
