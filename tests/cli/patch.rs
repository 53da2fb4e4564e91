//! `psl patch`.

use serde_json::{Value, json};

use crate::{
    binary::{out, psl_in, repository},
    cases::golden::compare,
    command::psl,
};

/// PARGEN copies with one prompt and swaps with the other.
const COPY: &str = "Q B V D E A B V D E . Q F G H V K L A";
const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

/// The last cell copies the symbol of cell 2 in two steps.
const PROGRAM: &str = "\
//@ max-new 1
registers: {symbol: 's', position: 'p', parse: 'a', second: 'c', mark: 'm'}
constants: {'1', '2'}
system: {symbol: symbol, position: position, output: mark, parse: parse}
# read: the second symbol
where position[n] == 2 and parse[N] == 1:
    second[N] = symbol[n]
# write
where second[N] == second[N]:
    mark[N] = second[N]
";

fn patched(args: &[&str]) -> Value {
    let args = [&["patch", "examples/pargen.psl", "-p", COPY, "--with", SWAP, "--format", "json"], args].concat();
    serde_json::from_str(&out(&psl_in(&repository(), &args, b""))).expect("JSON")
}

#[test]
fn every_place_of_pargen() {
    let found = patched(&["--by", "layer,pass,cell,register"]);
    assert_eq!((&found["places"], &found["differing"]), (&json!(25_840), &json!(951)));
    let patches = found["patches"].as_array().expect("patches");
    let changing = patches.iter().filter(|patch| patch["changes"] != json!(0)).count();
    let restoring = patches.iter().filter(|patch| patch["restores"] == json!(true)).count();
    assert_eq!((patches.len(), changing, restoring), (951, 305, 0));
}

#[test]
fn the_minimal_sets_of_pargen_are_minimal() {
    let found = patched(&["--min"]);
    let sets = found["sets"].as_array().expect("sets");
    let of = |layer: usize| {
        let set = sets.iter().find(|set| set["layer"] == json!(layer)).expect("a layer");
        let place = |place: &Value| format!("{}[{}]", place["register"].as_str().unwrap_or_default(), place["cell"]);
        set["set"].as_array().map(|places| places.iter().map(place).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(of(1).as_deref(), Some("symbol[7] symbol[9] symbol[10]"));
    assert_eq!(of(16).as_deref(), Some("field[7] type[9] field[9] field[10]"));
    assert_eq!(of(29), None);
}

#[test]
fn the_heat_map_of_the_book_is_true() {
    let args = ["patch", "examples/pargen.psl", "-p", COPY, "--with", SWAP, "--format", "svg"];
    let found = out(&psl_in(&repository(), &args, b""));
    compare(&repository().join("docs/images/patches.svg"), &found).unwrap_or_else(|message| panic!("{message}"));
}

/// The command with these options on two runs of the program.
#[track_caller]
fn check(options: &str, expected: &str) {
    psl(&format!("patch a.psl -p 'a b c' --with 'a x c' {options}")).file("a.psl", PROGRAM).prints(expected);
}

#[test]
fn effects_are_listed_by_size() {
    check(
        "",
        "\
run        a b c  →  b
values of  a x c  →  x

layers  after  cell     register  value  becomes  result
1       read   3     c  second    b      x        x       restored
2       write  3     c  mark      b      x        x       restored

11 of 30 places have another value; 2 of 11 patches change the continuation, 2 restore that of the other run
",
    );
}

#[test]
fn rows_with_equal_effects_share_a_line() {
    let again = PROGRAM.replace("# write", "# nothing\nwhere mark[N] == '2':\n    second[N] = mark[N]\n# write");
    psl("patch a.psl -p 'a b c' --with 'a x c' --show 1").file("a.psl", again).prints(
        "\
run        a b c  →  b
values of  a x c  →  x

layers  after            cell     register  value  becomes  result
1-2     read to nothing  3     c  second    b      x        x       restored
and 1 more: `--show 2` lists them

15 of 45 places have another value; 3 of 15 patches change the continuation, 3 restore that of the other run
",
    );
}

#[test]
fn a_patch_sets_all_places_with_the_same_parts() {
    check(
        "--by layer",
        "\
run        a b c  →  b
values of  a x c  →  x

layers  after  places  result
1       read   4       x       restored
2       write  7       x       restored

11 of 30 places have another value; 2 of 2 patches change the continuation, 2 restore that of the other run
",
    );
}

#[test]
fn noising_swaps_the_runs_and_a_register_can_be_the_score() {
    check(
        "--noising --by cell --score mark",
        "\
run        a x c  →  x
values of  a b c  →  b

cell     places  result
3     c  3       b       restored

11 of 30 places have another value; 1 of 3 patches change the score, 1 restores that of the other run
",
    );
}

#[test]
fn a_minimal_set_carries_the_difference() {
    check(
        "--min",
        "\
run        a b c  →  b
values of  a x c  →  x

layers  after  differ  a minimal set
1       read   4       second[3]=x
2       write  7       mark[3]=x

the places after 2 of 2 layers carry the difference
",
    );
}

#[test]
fn csv_has_a_line_for_each_patch() {
    check(
        "--format csv --by cell,register",
        "\
cell,register,places,base,donor,score,changes,restores,error
1,second,2,b,x,b,0,false,
2,symbol,2,b,x,b,0,false,
2,second,2,b,x,b,0,false,
3,second,2,b,x,x,1,true,
1,mark,1,b,x,b,0,false,
2,mark,1,b,x,b,0,false,
3,mark,1,b,x,x,1,true,
",
    );
    check(
        "--format csv --min",
        "\
layer,label,pass,cell,register,base,donor
1,read: the second symbol,,3,second,b,x
2,write,,3,mark,b,x
",
    );
}

#[test]
fn runs_without_a_difference_are_not_patched() {
    psl("patch a.psl -p 'a b' --with 'a b'").file("a.psl", PROGRAM).prints(
        "\
run        a b  →  b
values of  a b  →  b

none of 20 places has another value: nothing was patched
",
    );
}

#[test]
fn cells_of_other_prompts_are_aligned() {
    psl("patch a.psl -p 'a b c' --with 'x y c d' --align 2:1,3:4 --by cell,register").file("a.psl", PROGRAM).prints(
        "\
run        a b c  →  b
values of  x y c d  →  y

cell     register  value  becomes  result
3     c  second    b      y        y       restored
3     c  mark      b      y        y       restored

10 of 20 places have another value; 2 of 6 patches change the continuation, 2 restore that of the other run
",
    );
}

#[test]
fn what_no_run_has_is_refused() {
    let check = |args: &str, code: i32, message: &str| {
        psl(&format!("patch a.psl {args}")).file("a.psl", PROGRAM).code(code).mentions(message).prints("");
    };
    check("-p 'a b' --with 'a c' --score 'symbol 2'", 2, "symbol 2 is out of range: the continuations have at most 1 ");
    check("-p 'a b' --with 'a c' --score marc", 2, "unknown register `marc`; did you mean `mark`?; a score is");
    check("-p 'a b' --with 'a c' --by row", 2, "`row` is not a part of a place");
    check("-p 'a b' --with 'a c' --min --format svg", 2, "sets of places are text, JSON or CSV");
    check("-p 'a b' --with 'a'", 2, "the prompts have 2 cells and 1 cell: name those that correspond, as in `--align");
    check("-p 'a b' --with 'a' --align 2:3", 2, "cell 3 is out of range: the prompt that gives the values has 1 cell");
    check("-p 'a b'", 2, "--with <PROMPT>");
    check("-p '' --with b", 1, "error: a.psl: the prompt is empty");
    check("-p a --with-json -", 1, "error: <stdin>: the JSON ends where a value is expected");
}
