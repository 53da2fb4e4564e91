//! `psl trace diff`, on traces of one program and of two versions of it.

use std::{fs, path::Path};

use crate::binary::{code, err, folder, out, psl, psl_in};

const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

#[test]
fn traces_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let trace = |machine: &str, args: &[&str]| {
        let file = path(machine);
        let output = psl(&[&["run", "--machine", machine, "--trace", &file], args].concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        file
    };
    for args in [&["--prompt", SWAP][..], &["tests/programs/turing.psl", "--prompt-json", "tests/programs/turing.json"]]
    {
        let (psm, dat) = (trace("psm", args), trace("dat", args));
        let lines = fs::read_to_string(&psm).expect("the trace").lines().count();
        let output = psl(&["trace", "diff", &psm, &dat]);
        assert_eq!((code(&output), out(&output)), (0, format!("no difference in {lines} lines\n")));
        // A trace on standard output replaces the continuations.
        let shown = psl(&[&["run", "--machine", "psm", "--trace", "-"], args].concat());
        assert_eq!(out(&shown), fs::read_to_string(&psm).expect("the trace"));
    }

    let first = r##"{"step":0,"layer":1,"pass":[],"cell":1,"attends":null,"production":"# P1","set":{},"state":{}}"##;
    let line = r##"{"step":0,"layer":2,"pass":[3],"cell":1,"attends":1,"production":"# P2","set":{"x":"A"},"state":{"s":"A","x":"A"}}"##;
    let check = |other: &str, expected: &str| {
        for (name, text) in [("a", format!("{first}\n{line}\n")), ("b", format!("{first}\n{other}"))] {
            fs::write(path(name), text).expect("a trace");
        }
        let output = psl(&["trace", "diff", &path("a"), &path("b")]);
        let message = format!("{} (A) and {} (B) differ in line 2{expected}\n", path("a"), path("b"));
        assert_eq!((code(&output), out(&output)), (1, message), "{}", err(&output));
    };
    check(
        &line.replace("\"attends\":1", "\"attends\":null").replace("\"x\":\"A\"", "\"x\":\"B\""),
        ", at step 0, layer 2, pass [3], cell 1 (# P2):
  the cell attends to cell 1 in A, to no cell in B
  x is set to A in A, to B in B
  x is A in A, B in B",
    );
    check(
        &line.replace(r#""set":{"x":"A"},"state":{"s":"A","x":"A"}"#, r#""set":{},"state":{"s":"A","y":"A"}"#),
        ", at step 0, layer 2, pass [3], cell 1 (# P2):
  x is set to A in A, to ∅ in B
  x is A in A, ∅ in B
  y is ∅ in A, A in B",
    );
    check(
        &line.replace("\"pass\":[3]", "\"pass\":[4]"),
        ": A is at step 0, layer 2, pass [3], cell 1 (# P2), B is at step 0, layer 2, pass [4], cell 1 (# P2)",
    );

    fs::write(path("b"), format!("{first}\n{{\"step\": 0}}\n")).expect("a trace");
    for (args, expected) in [
        ([path("a"), path("b")], format!("{}:2: invalid line of a trace: missing field `layer`", path("b"))),
        ([path("a"), path("none")], format!("cannot read {}", path("none"))),
        (["-".to_owned(), "-".to_owned()], "one trace and the other cannot both come from standard input".to_owned()),
    ] {
        let output = psl(&["trace", "diff", &args[0], &args[1]]);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""));
        assert!(err(&output).contains(&expected), "{}", err(&output));
    }
}

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', left: 'l', out: 'o'}
constants: {a, b, c}
system: {symbol: symbol, position: position, output: out}
";
const MARK: &str = "\
# mark: each cell has its symbol
where symbol[N] == symbol[N]:
    mark[N] = symbol[N]
";
const SPREAD: &str = "\
# spread
repeat:
    # from the left
    where position[n] == position[N]@pos_decrement:
        left[N] = mark[n]
    # a wins
    where left[N] == a:
        mark[N] = a
until NO_CHANGE
";
const OUT: &str = "\
# out: the mark
where symbol[N] == symbol[N]:
    out[N] = mark[N]
";

/// The differences of two versions of a program on the prompt `a b c`: the code, and what is printed.
fn versions(a: &[&str], b: &[&str], max_new: &str) -> (i32, String) {
    let folder = folder(&[]);
    for (name, parts) in [("a", a), ("b", b)] {
        let text = format!("{DECLARATIONS}{}", parts.concat());
        fs::write(folder.path().join(format!("{name}.psl")), text).expect("a program");
        let (file, trace) = (format!("{name}.psl"), format!("{name}.jsonl"));
        let args = ["run", &file, "--prompt", "a b c", "--max-new", max_new, "--trace", &trace];
        let run = psl_in(folder.path(), &args, b"");
        assert_eq!(code(&run), 0, "{}", err(&run));
    }
    diff(folder.path(), b"", ["a.jsonl", "b.jsonl"])
}

fn diff(folder: &Path, input: &[u8], [a, b]: [&str; 2]) -> (i32, String) {
    let output = psl_in(folder, &["trace", "diff", a, b], input);
    assert_eq!(err(&output), "");
    (code(&output), out(&output))
}

#[test]
fn a_production_that_one_version_lacks_is_left_out() {
    // No production reads what this one writes.
    let idle = "# idle\nwhere symbol[N] == a and symbol[N] == b:\n    out[N] = a\n";
    let same = "no other difference in";
    assert_eq!(
        versions(&[MARK, idle, SPREAD, OUT], &[MARK, SPREAD, OUT], "2"),
        (1, format!("only in A: layer 2 (# idle)\n{same} 34 lines\n"))
    );
    assert_eq!(
        versions(&[MARK, SPREAD, OUT], &[MARK, SPREAD, idle, OUT, idle], "2"),
        (1, format!("only in B: layer 4 (# idle)\nonly in B: layer 6 (# idle)\n{same} 34 lines\n"))
    );
}

#[test]
fn the_first_value_that_differs_is_below_the_layers() {
    let (code, shown) = versions(&[MARK, SPREAD, OUT], &[SPREAD, OUT], "1");
    let expected = "only in A: layer 1 (# mark: each cell has its symbol)
a.jsonl (A) and b.jsonl (B) differ in line 4 of A and line 1 of B, at step 0, layer 2, pass [1], cell 1 (# from the left), \
                    which is layer 1 of B:
  mark is a in A, ∅ in B
";
    assert_eq!((code, shown.as_str()), (1, expected));
}

#[test]
fn an_edited_production_is_compared_in_its_place() {
    let renamed = MARK.replace("each cell has its symbol", "begin");
    let edited = renamed.replace("where symbol[N] == symbol[N]", "where symbol[N] in [a, b]");
    let layers = "edited: layer 1 (# mark: each cell has its symbol) of A, layer 1 (# mark: begin) of B\n".to_owned();
    assert_eq!(
        versions(&[MARK, SPREAD, OUT], &[&renamed, SPREAD, OUT], "1"),
        (1, format!("{layers}no other difference in 24 lines\n"))
    );
    let values =
        "a.jsonl (A) and b.jsonl (B) differ in line 3 of A and line 3 of B, at step 0, layer 1, pass [], cell 3 \
                  (# mark: each cell has its symbol):
  the cell attends to cell 3 in A, to no cell in B
  mark is set to c in A, to ∅ in B
  mark is c in A, ∅ in B
";
    assert_eq!(versions(&[MARK, SPREAD, OUT], &[&edited, SPREAD, OUT], "1"), (1, layers + values));
}

#[test]
fn productions_without_a_label_are_told_apart_by_their_registers() {
    let [mark, out] = [MARK, OUT].map(|text| text.split_once('\n').expect("a label").1);
    let left = "where position[n] == position[N]@pos_decrement:\n    left[N] = mark[n]\n";
    assert_eq!(
        versions(&[mark, left, out], &[mark, out], "1"),
        (
            1,
            "only in A: layer 2
a.jsonl (A) and b.jsonl (B) differ in line 8 of A and line 5 of B, at step 0, layer 3, pass [], cell 2, which is layer 2 of B:
  left is a in A, ∅ in B
"
            .to_owned()
        )
    );
}

#[test]
fn a_pass_that_one_version_lacks_is_the_first_difference() {
    // The other version ends the block after its first pass.
    let short = SPREAD.replace("until NO_CHANGE", "until symbol[N] == symbol[N]");
    let (code, shown) = versions(&[MARK, SPREAD, OUT], &[MARK, &short, OUT], "1");
    assert_eq!(code, 1);
    assert!(shown.contains("A is at step 0, layer 2, pass [2], cell 1 (# from the left), B is at "), "{shown}");
    // A block with one pass is compared with its layers alone.
    let outside =
        SPREAD.replace("# spread\nrepeat:\n    ", "").replace("\n    ", "\n").replace("until NO_CHANGE\n", "");
    let (_, shown) = versions(&[MARK, &short, OUT], &[MARK, &outside, OUT], "1");
    assert!(!shown.contains("layer 2"), "{shown}");
}

#[test]
fn a_stream_is_read_twice() {
    let folder = folder(&[
        ("a.psl", &[DECLARATIONS, MARK, SPREAD, OUT].concat()),
        ("b.psl", &[DECLARATIONS, SPREAD, OUT].concat()),
    ]);
    let trace = |program: &str| {
        out(&psl_in(folder.path(), &["run", program, "--prompt", "a b c", "--max-new", "2", "--trace", "-"], b""))
    };
    let (a, b) = (trace("a.psl"), trace("b.psl"));
    fs::write(folder.path().join("a.jsonl"), &a).expect("a trace");
    fs::write(folder.path().join("b.jsonl"), &b).expect("a trace");
    let files = diff(folder.path(), b"", ["a.jsonl", "b.jsonl"]);
    let (code, piped) = diff(folder.path(), b.as_bytes(), ["a.jsonl", "-"]);
    assert_eq!((code, piped.replace("<stdin>", "b.jsonl")), files);
    assert_eq!(files.0, 1);
    let lines = a.lines().count();
    assert_eq!(diff(folder.path(), a.as_bytes(), ["-", "a.jsonl"]), (0, format!("no difference in {lines} lines\n")));
}
