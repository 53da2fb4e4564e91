//! `psl schedule`, and `--heads` of other commands.

use serde_json::{Value, json};

use crate::{
    binary::{err, folder, out, psl_in, repository},
    command::psl,
};

/// The second production reads what the first and the third write, and the third shares no cell with the first.
const PROGRAM: &str = "//@ max-new 1\nregisters: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}\nconstants: {A, B}\n\
    system: {symbol: symbol, position: position, output: copy}\nwatch: [mark, copy]\n\
    # first: mark A\nwhere symbol[N] == A:\n    mark[N] = A\n\
    where mark[N] == A:\n    copy[N] = mark[N]\n\
    # third\nwhere symbol[N] == B:\n    mark[N] = B\n";

#[test]
fn a_schedule_is_shown_with_its_critical_path() {
    psl("schedule -").input(PROGRAM).prints(
        "3 productions in 2 layers of up to 2 heads\n\n\
         layer 1  first\nlayer 2  line 9 | third\n\n\
         critical path: these 2 productions wait for each other\n  \
         first\n  line 9  reads `mark[N]`, which first writes\n",
    );
}

#[test]
fn a_limit_on_heads_says_how_many_layers_are_needed_at_least() {
    let summary = |args: &str| {
        let text = out(&psl_in(&repository(), &args.split(' ').collect::<Vec<_>>(), b""));
        text.lines().next().map(str::to_owned).expect("a summary")
    };
    let of = |heads: usize| summary(&format!("schedule examples/scan.psl --max-heads {heads}"));
    assert_eq!(summary("schedule examples/scan.psl"), "25 productions in 10 layers of up to 9 heads");
    assert_eq!(of(3), "25 productions in 10 layers of up to 3 heads");
    assert_eq!(of(2), "25 productions in 14 layers of up to 2 heads; at least 13 are needed");
    assert_eq!(of(1), "25 productions in 25 layers of up to 1 head");
    psl("schedule - --max-heads 0")
        .code(2)
        .mentions("invalid value '0' for '--max-heads <K>': a layer has at least 1 head")
        .prints("");
}

#[test]
fn json_has_layers_path_and_flows() {
    let folder = folder(&[("program.psl", PROGRAM)]);
    let found = out(&psl_in(folder.path(), &["schedule", "program.psl", "--format", "json"], b""));
    let found: Value = serde_json::from_str(&found).expect("JSON");
    let head = |production: usize, name: &str, label: Option<&str>, line: usize, writes: &str| json!({"production": production, "name": name, "label": label, "line": line, "writes": [writes]});
    let layers = json!([
        {"heads": [head(1, "first", Some("first: mark A"), 7, "mark")]},
        {"heads": [head(2, "line 9", None, 9, "copy"), head(3, "third", Some("third"), 12, "mark")]},
    ]);
    let expected = json!({
        "productions": 3, "depth": 2, "width": 2, "fewest": 2, "max_heads": null, "layers": layers, "repeats": [],
        "critical_path": [
            {"production": 1, "order": null, "registers": []},
            {"production": 2, "order": "after", "registers": [{"register": "mark", "use": "read at N"}]},
        ],
        "flows": [{"register": "mark", "from": 1, "to": 2}],
    });
    assert_eq!(found, expected);
}

#[test]
fn a_picture_has_a_box_for_each_production() {
    let picture = out(&psl_in(&repository(), &["schedule", "examples/pargen.psl", "--format", "svg"], b""));
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
    let numbers = picture.split("data-production=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=31).collect::<Vec<_>>());
}

#[test]
fn names_are_escaped_in_a_picture() {
    let program = PROGRAM.replace("# third", "# <b> & \"third\"");
    let folder = folder(&[("program.psl", &program)]);
    let picture = out(&psl_in(folder.path(), &["schedule", "program.psl", "--format", "svg"], b""));
    assert!(picture.contains("<title>&lt;b&gt; &amp; &quot;third&quot;</title>"), "{picture}");
}

#[test]
fn programs_with_heads_and_with_errors_are_not_scheduled() {
    let folder = folder(&[("program.psl", PROGRAM), ("broken.psl", "where x:\n")]);
    let run = |args: &str| psl_in(folder.path(), &args.split(' ').collect::<Vec<_>>(), b"");
    out(&run("compile program.psl --heads -o heads.json"));
    for command in ["schedule heads.json", "run heads.json --heads -p A", "compile heads.json --heads"] {
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("its layers have several heads already"), "{command}: {message}");
    }
    assert_eq!(run("schedule broken.psl").status.code(), Some(1));
}

#[test]
fn heads_run_as_their_productions_do() {
    let prompt = "Q B V D E A D E V B . Q F G H V K L A";
    let run = |options: &[&str]| {
        let args = [&["run", "examples/pargen.psl", "--heads", "--prompt", prompt], options].concat();
        psl_in(&repository(), &args, b"")
    };
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        assert_eq!(out(&run(&["--machine", machine])), "K L V F G H .\n");
    }
    assert!(err(&run(&["--verify"])).starts_with("verified: psm, qkvm, dat and full-dat agree on "));
}

#[test]
fn compiled_heads_are_read_back() {
    let folder = folder(&[("program.psl", PROGRAM)]);
    let run = |args: &str| out(&psl_in(folder.path(), &args.split(' ').collect::<Vec<_>>(), b""));
    run("compile program.psl --heads -o heads.json");
    run("compile program.psl --heads --emit weights --sparse -o heads.safetensors");
    let in_order = run("compile program.psl --heads --emit psl");
    assert_eq!(run("compile heads.json --emit psl"), in_order);
    assert_eq!(run("compile heads.safetensors --emit psl"), in_order);
    let places = ["# first: mark A", "mark[N] == A", "# third"].map(|part| in_order.find(part).expect("a production"));
    assert!(places.is_sorted(), "{in_order}");
    for file in ["program.psl", "heads.json", "heads.safetensors"] {
        assert_eq!(run(&format!("run {file} -p A --max-new 1")), "A\n", "{file}");
    }
}

#[test]
fn dense_weights_are_announced_with_their_layers() {
    psl("compile - --heads --emit weights -o heads.safetensors").input(PROGRAM).mentions(", 2 layers)").prints("");
}

#[test]
fn a_checkpoint_with_heads_is_refused() {
    let way_out = "leave out `--heads`";
    psl("compile - --heads --emit hf -o unused").input(PROGRAM).code(2).mentions(way_out).prints("");
}

#[test]
fn tables_and_ablations_number_the_layers_of_heads() {
    let folder = folder(&[("program.psl", PROGRAM)]);
    let run = |args: &[&str]| {
        out(&psl_in(folder.path(), &[&["run", "program.psl", "--heads", "-p", "A B"], args].concat(), b""))
    };
    let headings = |args: &[&str]| {
        let table = run(&[&["--table"], args].concat());
        let headings = table.lines().filter(|line| line.starts_with("layer"));
        headings.map(str::to_owned).collect::<Vec<_>>()
    };
    let [first, second, third] = [
        "layer 1, head 1 · first: mark A · line 7",
        "layer 2, head 1 · where mark[N] == A: · line 9",
        "layer 2, head 2 · third · line 12",
    ];
    assert_eq!(headings(&[]), [first, second, third]);
    assert_eq!(headings(&["--layers", "2"]), [second, third]);
    assert_eq!(headings(&["--ablate", "2"]), [first]);
    let output = psl_in(folder.path(), &["run", "program.psl", "--heads", "-p", "A", "--ablate", "3"], b"");
    assert!(String::from_utf8_lossy(&output.stderr).contains("layer 3 is out of range: the program has 2 layers"));
}

#[test]
fn check_explains_what_keeps_productions_apart() {
    psl("check --heads --format short -").input(PROGRAM).mentions("1 info").prints(
        "<stdin>:9:1: info[separate-layers]: this production needs a later layer than an earlier one: it reads `mark[N]`, \
         which that one writes\n",
    );
    psl("check --format short -").input(PROGRAM).mentions("0 warnings").prints("");
}
