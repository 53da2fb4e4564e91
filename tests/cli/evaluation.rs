//! `psl eval` on several files, groups and ablations, and `psl run` and `psl test` on ablated and edited programs.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    binary::{code, err, folder, out, psl, psl_in},
    command::{self, Command},
};

/// Layer 1 continues with B after A, and layer 2 ends the continuation.
const PROGRAM: &str = "//@ test \"A\" => \"B .\"
registers: {symbol: 's', position: 'p', output: 'o'}
constants: {A, B, '.'}
system: {symbol: symbol, position: position, output: output}

# continue
where symbol[N] == A:
    output[N] = B

# end
where output[N] == B and symbol[N] != A:
    output[N] = '.'

# next
where output[N] == B:
    symbol[N] = B
";

const FEW: &str = "A\tB .\t{\"length\": 1, \"kind\": \"x\"}\nB A\tB .\t{\"length\": 2, \"kind\": \"x\"}\n";
const MORE: &str = "A\tB .\t{\"length\": 1, \"kind\": \"y\"}\nA A\tA .\t{\"length\": 2, \"kind\": \"x\"}\nB A\tB .\t{\"length\": 10}\n";

fn prepared() -> TempDir {
    folder(&[("p.psl", PROGRAM), ("few.tsv", FEW), ("more.tsv", MORE)])
}

/// The standard output of a command in a folder, without the times at its end, and its exit code.
fn ran(folder: &TempDir, args: &str) -> (String, i32) {
    let output = psl_in(folder.path(), &args.split(' ').collect::<Vec<_>>(), b"");
    let text = out(&output);
    assert!(err(&output).is_empty(), "{}", err(&output));
    let cut = text.rfind(", 0.").map_or(text.as_str(), |end| &text[..end]);
    (cut.to_owned(), code(&output))
}

fn refused(args: &str) -> Command {
    command::psl(args).file("p.psl", PROGRAM).file("few.tsv", FEW).code(2)
}

#[test]
fn several_files_are_scored_in_one_table() {
    let expected = "data      correct  total  accuracy    tokens\n\
                    few.tsv         2      2  100.00 %  100.00 %\n\
                    more.tsv        2      3   66.67 %   83.33 %\n\
                    2 evaluations";
    assert_eq!(ran(&prepared(), "eval p.psl few.tsv more.tsv"), (expected.to_owned(), 1));
}

#[test]
fn accuracy_by_file_and_ablated_layer_takes_one_command() {
    let expected = "ablated   few.tsv  more.tsv\n\
                    none     100.00 %   66.67 %\n\
                    1          0.00 %    0.00 %  # continue\n\
                    2          0.00 %    0.00 %  # end\n\
                    3          0.00 %    0.00 %  # next\n\
                    8 evaluations";
    assert_eq!(ran(&prepared(), "eval p.psl few.tsv more.tsv --ablate each"), (expected.to_owned(), 1));
    let chosen = "ablated   few.tsv  more.tsv\nnone     100.00 %   66.67 %\n2-3        0.00 %    0.00 %\n4 evaluations";
    assert_eq!(ran(&prepared(), "eval p.psl few.tsv more.tsv --ablate none --ablate 2-3").0, chosen);
}

#[test]
fn an_ablated_layer_is_named_at_each_failure() {
    let (text, code) = ran(&prepared(), "eval p.psl few.tsv --ablate 2 --limit 1");
    assert!(text.starts_with("few.tsv:1: without 2: symbol 2 is `B`, not `.`\n  prompt    A\n"), "{text}");
    assert!(
        text.contains(
            "\n  info      {\"length\": 1, \"kind\": \"x\"}\n1 of 2 tokens correct (50.00 %)\n0 of 1 correct"
        ),
        "{text}"
    );
    // The failures of an experiment are its result.
    assert_eq!(code, 0);
}

#[test]
fn groups_are_scored_by_their_info() {
    let expected = "info.length  correct  total  accuracy    tokens\n\
                    1                  1      1  100.00 %  100.00 %\n\
                    2                  0      1    0.00 %   50.00 %\n\
                    10                 1      1  100.00 %  100.00 %\n\
                    5 of 6 tokens correct (83.33 %)\n\
                    2 of 3 correct (66.67 %)";
    let (text, _) = ran(&prepared(), "eval p.psl more.tsv --by info.length --show none");
    assert_eq!(text, expected);
    let args = ["eval", "p.psl", "more.tsv", "--by", "info.kind", "--format", "json", "--show", "none"];
    let output = psl_in(prepared().path(), &args, b"");
    let score: Value = serde_json::from_str(&out(&output)).expect("JSON");
    let groups = json!([
        {"info": null, "total": 1, "correct": 1, "accuracy": 1.0, "token_accuracy": 1.0},
        {"info": "x", "total": 1, "correct": 0, "accuracy": 0.0, "token_accuracy": 0.5},
        {"info": "y", "total": 1, "correct": 1, "accuracy": 1.0, "token_accuracy": 1.0},
    ]);
    assert_eq!(score["groups"], groups);
}

#[test]
fn csv_has_a_row_for_each_score() {
    let expected = "data,ablated,info,total,correct,malformed,accuracy,tokens,correct_tokens,token_accuracy\n\
                    few.tsv,none,x,2,2,0,1,4,4,1\nfew.tsv,none,all,2,2,0,1,4,4,1\n\
                    few.tsv,\"1,3\",x,2,0,0,0,4,0,0\nfew.tsv,\"1,3\",all,2,0,0,0,4,0,0\n";
    let found = ran(&prepared(), "eval p.psl few.tsv --ablate none --ablate 1,3 --by info.kind --format csv");
    assert_eq!(found, (expected.to_owned(), 0));
}

#[test]
fn csv_of_lines_has_a_row_for_each_line() {
    let expected = "data,ablated,line,correct,prompt,gold,got,info,error\n\
                    more.tsv,none,1,true,A,B .,B .,\"{\"\"length\"\": 1, \"\"kind\"\": \"\"y\"\"}\",\n\
                    more.tsv,none,2,false,A A,A .,B .,\"{\"\"length\"\": 2, \"\"kind\"\": \"\"x\"\"}\",\n";
    assert_eq!(ran(&prepared(), "eval p.psl more.tsv --show all --limit 2 --format csv"), (expected.to_owned(), 1));
    let none = ran(&prepared(), "eval p.psl few.tsv --show failures --format csv");
    assert_eq!(none, ("data,ablated,line,correct,prompt,gold,got,info,error\n".to_owned(), 0));
}

#[test]
fn each_evaluation_is_one_json_object() {
    let folder = prepared();
    let output = psl_in(folder.path(), &["eval", "p.psl", "few.tsv", "--ablate", "each", "--format", "json"], b"");
    let objects: Vec<Value> = out(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let labels: Vec<&Value> = objects.iter().map(|object| &object["labels"]).collect();
    assert_eq!(labels, [&json!([]), &json!(["continue"]), &json!(["end"]), &json!(["next"])]);
    let ablated: Vec<&Value> = objects.iter().map(|object| &object["ablated"]).collect();
    assert_eq!(ablated, [&json!([]), &json!([1]), &json!([2]), &json!([3])]);
    assert!(objects.iter().all(|object| object["data"] == "few.tsv" && object.get("failures").is_none()));
    let all = psl_in(folder.path(), &["eval", "p.psl", "more.tsv", "--show", "all", "--format", "json"], b"");
    let score: Value = serde_json::from_str(&out(&all)).expect("JSON");
    let correct: Vec<&Value> = score["lines"].as_array().expect("lines").iter().map(|line| &line["correct"]).collect();
    assert_eq!(correct, [true, false, true]);
    assert_eq!(score["lines"][1]["info"], json!({"length": 2, "kind": "x"}));
}

#[test]
fn standard_input_may_have_json_lines() {
    let data = "\n{\"prompt\": \"A\", \"gold\": \"B .\"}\n{\"prompt\": \"B A\", \"gold\": \"B .\", \"info\": 3}\n";
    let output = psl_in(prepared().path(), &["eval", "p.psl", "-"], data.as_bytes());
    assert!(out(&output).starts_with("2 of 2 correct"), "{}", out(&output));
    let braces = psl_in(prepared().path(), &["eval", "p.psl", "-"], "{ A }\t{ .\n".as_bytes());
    assert!(out(&braces).contains("<stdin>:1: symbol 1"), "{}", out(&braces));
}

#[test]
fn standard_input_is_scored_once() {
    let message = "psl: standard input can be read only once: save the data in a file for several evaluations\n";
    for args in ["eval p.psl - -", "eval p.psl - --ablate each", "eval p.psl - --ablate none --ablate 1"] {
        refused(args).input(FEW).complains(message).prints("");
    }
}

#[test]
fn layers_that_a_program_lacks_are_refused() {
    let message = "psl: layer 4 is out of range: the program has 3 layers\n";
    for args in ["eval p.psl few.tsv --ablate 4", "run p.psl --prompt A --ablate 2-4"] {
        refused(args).complains(message).prints("");
    }
    refused("eval p.psl few.tsv --ablate x").mentions("or by its label; `each` and `none` are possible too").prints("");
    let by = "expected `info`, or a field of it such as `info.depth`";
    refused("eval p.psl few.tsv --by kind").mentions(by).prints("");
}

#[test]
fn a_run_without_a_layer_is_the_same_on_all_machines() {
    let folder = prepared();
    let output =
        psl_in(folder.path(), &["run", "p.psl", "--prompt", "A", "--ablate", "2", "--max-new", "3", "--verify"], b"");
    assert_eq!((out(&output).as_str(), code(&output)), ("B B B\n", 0));
    assert!(err(&output).starts_with("verified: psm, qkvm, dat and full-dat agree"), "{}", err(&output));
    let table =
        psl_in(folder.path(), &["run", "p.psl", "--prompt", "A", "--ablate", "2", "--max-new", "3", "--table"], b"");
    assert!(!out(&table).contains("# end"), "{}", out(&table));
}

#[test]
fn weights_and_qkvl_are_evaluated() {
    let folder = prepared();
    let run = |args: &str| ran(&folder, args);
    assert_eq!(run("compile p.psl --emit weights --sparse --vocabulary more.tsv -o p.safetensors"), (String::new(), 0));
    assert_eq!(run("compile p.psl -o p.json"), (String::new(), 0));
    for file in ["p.safetensors", "p.json"] {
        for machine in ["psm", "qkvm", "dat", "full-dat"] {
            let (text, code) = run(&format!("eval {file} few.tsv --machine {machine}"));
            assert_eq!((text.as_str(), code), ("2 of 2 correct (100.00 %)", 0), "{file} on {machine}");
        }
        assert_eq!(run(&format!("test p.psl --weights {file}")).1, 0);
        assert!(run(&format!("eval {file} few.tsv --ablate 1 --show none")).0.contains("\n0 of 2 correct"));
    }
}

#[test]
fn weights_that_no_qkvl_expresses_are_evaluated_and_tested() {
    let folder = prepared();
    let output = psl_in(folder.path(), &["compile", "p.psl", "--emit", "weights", "-o", "odd.safetensors"], b"");
    assert_eq!(code(&output), 0);
    let file = folder.path().join("odd.safetensors");
    let mut bytes = fs::read(&file).expect("a file");
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&0.25_f32.to_le_bytes());
    fs::write(&file, bytes).expect("a file");
    for machine in ["dat", "full-dat"] {
        let (text, code) = ran(&folder, &format!("eval odd.safetensors few.tsv --machine {machine}"));
        assert_eq!((text.as_str(), code), ("2 of 2 correct (100.00 %)", 0));
        let (text, _) = ran(&folder, &format!("eval odd.safetensors few.tsv --machine {machine} --ablate each"));
        assert!(text.contains("\n1              0      2    0.00 %"), "{text}");
        assert_eq!(ran(&folder, &format!("test p.psl --weights odd.safetensors --machine {machine}")).1, 0);
    }
    let (text, code) = ran(&folder, "eval odd.safetensors few.tsv --machine psm --limit 1");
    assert!(text.contains("`psm` cannot run this program") && code == 1, "{text}");
}

#[test]
fn symbols_that_weights_lack_are_named_together() {
    let folder = prepared();
    assert_eq!(ran(&folder, "compile p.psl --emit weights --sparse -o p.safetensors").1, 0);
    let data = "A X Y X\tB .\nA Z\tB W .\n";
    let output = psl_in(folder.path(), &["eval", "p.safetensors", "-"], data.as_bytes());
    let line = "`X` and `Y` are not in the vocabulary of the weights: add them to FILE and write the weights again with \
                `psl compile --emit weights --vocabulary FILE`";
    assert!(out(&output).contains(line), "{}", out(&output));
    let note = "note: the weights lack 4 symbols of the data: W X Y Z\n\
                `psl compile --emit weights --vocabulary DATA` writes weights with the symbols of a data set\n";
    assert_eq!((err(&output).as_str(), code(&output)), (note, 1));
}

#[test]
fn a_vocabulary_comes_from_a_data_set() {
    let folder = prepared();
    let long = format!("A {}\tB C .\n", "X ".repeat(30).trim_end());
    fs::write(folder.path().join("long.tsv"), &long).expect("a file");
    let line = json!({"prompt": "A X", "gold": "B"});
    fs::write(folder.path().join("long.jsonl"), format!("{line}\n")).expect("a file");
    for data in ["long.tsv", "long.jsonl"] {
        let args = format!("compile p.psl --emit weights --sparse --vocabulary {data} -o p.safetensors");
        assert_eq!(ran(&folder, &args), (String::new(), 0));
        let output = psl_in(folder.path(), &["eval", "p.safetensors", data], b"");
        assert!(!out(&output).contains("vocabulary") && err(&output).is_empty(), "{}{}", out(&output), err(&output));
    }
    let message = "psl: cannot read line 2 of bad.tsv: expected PROMPT<TAB>GOLD, found no tab\n";
    let bad = refused("compile p.psl --emit weights --vocabulary bad.tsv -o x.safetensors");
    bad.file("bad.tsv", "A\tB\nno tab\n").complains(message).prints("");
}

#[test]
fn tests_run_on_one_file_of_weights() {
    let message = "psl: `--weights` runs the tests of one program: give the program's file\n";
    for args in ["test --weights p.json", "test . --weights p.json", "test p.psl p.psl --weights p.json"] {
        refused(args).complains(message).prints("");
    }
    let message = "psl: p.psl: expected weights (.safetensors) or QKVL (.json)\n";
    refused("test p.psl --weights p.psl").complains(message).prints("");
}

#[test]
fn pargen_is_evaluated_without_each_layer() {
    let data = prepared();
    let file = data.path().join("test.tsv");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(code(&psl(&["tgt", "--split", "test", "--count", "20", "-o", file])), 0);
    let output = psl(&["eval", "examples/pargen.psl", file, "--ablate", "each", "--format", "csv"]);
    let rows: Vec<String> =
        out(&output).lines().skip(1).map(|line| line.split(',').nth(6).unwrap_or("").to_owned()).collect();
    assert_eq!((rows.len(), rows[0].as_str()), (32, "1"));
    assert!(rows.iter().filter(|accuracy| *accuracy == "0").count() > 10, "{rows:?}");
}

#[test]
fn the_layers_of_a_table_have_labels() {
    let folder = prepared();
    let table = |layers: &str| {
        let args = ["run", "p.psl", "--prompt", "A", "--table", "--layers", layers];
        let output = psl_in(folder.path(), &args, b"");
        (out(&output), code(&output))
    };
    assert_eq!(table("end,1"), table("2,1"));
    assert_eq!(table("end").1, 0);
    let unknown = psl_in(folder.path(), &["run", "p.psl", "--prompt", "A", "--table", "--layers", "ent"], b"");
    assert_eq!(err(&unknown), "psl: no layer is called `ent`; did you mean `end`?\n");
}
