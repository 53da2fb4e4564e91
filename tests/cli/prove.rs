//! `psl prove`.

use serde_json::{Value, json};

use crate::{
    binary::{code, err, folder, out, psl_in, psl_with},
    command::psl,
};

/// A program that generates one symbol: that of the last cell, but `B` where that is `A`.
const PROGRAM: &str = "//@ max-new 1\nregisters: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\
                       system: {symbol: symbol, position: position, output: symbol}\n\
                       where symbol[N] == A:\n    symbol[N] = B\n";

/// A program that never ends if the last symbol is `A`.
const ENDLESS: &str = "registers: {symbol: 's', position: 'p', one: 'o', other: 't'}\nconstants: {A, B, C}\n\
                       system: {symbol: symbol, position: position, output: symbol}\n\
                       where symbol[N] == A:\n    one[N] = B\n    other[N] = C\nrepeat:\n    where symbol[N] == A:\n        \
                       one[N] = other[N]\n        other[N] = one[N]\nuntil NO_CHANGE\n";

#[track_caller]
fn check(args: &str, program: &str, expected: &str) {
    let ended = i32::from(!expected.starts_with("proved"));
    psl(&format!("prove - {args}")).input(program).code(ended).prints(expected);
}

#[test]
fn a_claim_is_proved_for_all_short_prompts() {
    let proved = "proved <stdin>: terminates: for all prompts of at most 3 symbols, whatever they are: 50 prompts stand for them\n";
    check("--that terminates --up-to 3", PROGRAM, proved);
    let two = "proved <stdin>: copies: for all prompts of one symbol, whatever they are: 4 prompts stand for them\n\
               proved <stdin>: machines: for all prompts of one symbol, whatever they are: 4 prompts stand for them\n";
    check("--that copies,machines --up-to 1 --allow-symbols B --alphabet C", PROGRAM, two);
}

#[test]
fn a_shortest_prompt_refutes_a_claim() {
    let cut_off =
        "refuted <stdin>: answers: the continuation is cut off after 1 symbol\n  prompt    a\n  got       a …\n";
    check("", PROGRAM, cut_off);
    let foreign = "refuted <stdin>: copies: symbol 1, `B`, is not in the prompt\n  prompt    A\n  got       B …\n";
    check("--that copies", PROGRAM, foreign);
    let ahead = PROGRAM.replace("[N] == A:\n    symbol[N] = B", "[n] == A:\n    symbol[N] = symbol[n]");
    let ahead = ahead.replace("where", "where_rm");
    let looks = "refuted <stdin>: causal: in layer 1, cell 1 attends to cell 2\n  prompt    a A\n  got       A …\n";
    check("--that causal", &ahead, looks);
    let endless = "refuted <stdin>: terminates: repeat block 1 never stops: ";
    let done = psl_with(&["prove", "-", "--that", "terminates"], ENDLESS.as_bytes());
    assert!(out(&done).starts_with(endless) && out(&done).ends_with("  prompt    A\n"), "{}{}", out(&done), err(&done));
}

#[test]
fn numbers_are_left_out_where_the_program_compares_them() {
    let program = PROGRAM.replace("symbol[N] == A", "symbol[N] == position[N]");
    let without = "proved <stdin>: terminates: for all prompts of at most 2 symbols without the numbers 0 to 4, whatever they \
                   are: 7 prompts stand for them\n";
    check("--that terminates --up-to 2", &program, without);
    // The literal of a pattern counts among the positions.
    let like = "proved <stdin>: terminates: for all prompts like `$x A $y` without the numbers 0 to 5, whatever the symbols: 10 \
                prompts stand for them\n";
    check("--that terminates --like '$x A $y' --like-any", &program, like);
    let tested = format!("//@ test \"x y z\" => \"z\"\n{program}");
    let tests = "proved program.psl: same continuations as other.psl: for all prompts of at most 2 symbols without the \
                 numbers 0 to 4, whatever they are, and for the prompts of 1 test with any other symbols without the \
                 numbers 0 to 5: 22 prompts stand for them\n";
    check_against("--up-to 2", &tested, &program, tests);
    let with = "proved <stdin>: terminates: for all prompts of at most 2 symbols, whatever they are: 56 prompts stand for \
                them\n";
    check("--that terminates --up-to 2 --numbers", &program, with);
}

#[test]
fn prompts_are_like_a_pattern() {
    let one = "proved <stdin>: copies: for all prompts like `A $x..2 $x`, with different symbols that the program does not compare: 2 \
               prompts stand for them\n";
    check("--that copies --like 'A $x..2 $x'", PROGRAM, one);
    let any = "refuted <stdin>: copies: symbol 1, `B`, is not in the prompt\n  prompt    A A\n  got       B …\n";
    check("--that copies --like '$x $x' --like-any", PROGRAM, any);
    let some = "proved <stdin>: terminates: for all prompts like `$x` or `$x A`, whatever the symbols: 6 prompts stand for \
                them\n";
    check("--that terminates --like $x --like '$x A' --like-any", PROGRAM, some);
    let literal = "proved <stdin>: copies: for all prompts like `x y`, with different symbols that the program does not compare: one \
                   prompt stands for them\n";
    check("--that copies --like 'x y'", PROGRAM, literal);
}

#[test]
fn laws_are_decided() {
    let laws = format!("//@ law keeps \"$a $b\" => \"$b\"\n//@ law any \"$a $b\" => \"$b\"\n{PROGRAM}");
    let expected = "proved <stdin>:1: keeps: holds for all different symbols but `.` and `A`\n\
                    refuted <stdin>:2: test 2: it is broken for `$a` = `a`, `$b` = `A`\n  prompt    a A\n  expected  A\n  \
                    breaks    if `$b` is `A`\n//@ test \"a A\" => \"A\"\n";
    psl("prove -").input(laws.as_str()).code(1).prints(expected);
    let done = psl_with(&["prove", "-", "--that", "laws,answers", "--format", "json"], laws.as_bytes());
    let found: Vec<Value> = out(&done).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let verdicts: Vec<_> = found.iter().map(|it| (&it["claim"], &it["verdict"])).collect();
    assert_eq!(
        verdicts,
        [
            (&json!("laws"), &json!("proved")),
            (&json!("laws"), &json!("refuted")),
            (&json!("answers"), &json!("refuted"))
        ]
    );
    assert_eq!(found[1]["counterexample"], json!({"prompt": "a A", "gold": "A", "breaks_if": ["`$b` is `A`"]}));
    let counterexample = json!({"prompt": "a", "continuation": "a", "expected": null, "why": "the continuation is cut off after 1 symbol"});
    assert_eq!(found[2]["counterexample"], counterexample);
}

#[test]
fn a_proof_that_takes_too_long_ends_where_it_is() {
    let done = psl_with(&["prove", "-", "--that", "machines", "--up-to", "9", "--seconds", "1"], PROGRAM.as_bytes());
    let text = out(&done);
    let far = "cut off <stdin>: machines: it holds for all prompts of ";
    assert!(text.starts_with(far) && text.ends_with(", whatever they are\n"), "{text}{}", err(&done));
    assert_eq!(code(&done), 1);
    check("--that machines --seconds 0", PROGRAM, "cut off <stdin>: machines: no length was finished\n");
}

/// Checks the verdict on a program and another one in `other.psl`.
#[track_caller]
fn check_against(args: &str, program: &str, other: &str, expected: &str) {
    let ended = i32::from(!expected.starts_with("proved"));
    let proof = psl(&format!("prove program.psl --against other.psl {args}"));
    proof.file("program.psl", program).file("other.psl", other).code(ended).prints(expected);
}

#[test]
fn a_program_does_what_another_one_does() {
    let test = "//@ test \"x A\" => \"B\"\n";
    let reordered = PROGRAM.replace("[N] == A", "[N] in [A, A]");
    let short = "proved program.psl: same continuations as other.psl: for all prompts of at most 2 symbols, whatever they are: \
                 13 prompts stand for them\n";
    check_against("--up-to 2", PROGRAM, &reordered, short);
    let tests = "proved program.psl: same continuations and states as other.psl: for all prompts of one symbol, whatever they \
                 are, and for the prompts of 1 test with any other symbols: 6 prompts stand for them\n";
    check_against("--states --up-to 1", &format!("{test}{PROGRAM}"), PROGRAM, tests);
    let like = "proved program.psl: same continuations as other.psl: for all prompts like `$x`, with different symbols that \
                the program does not compare: one prompt stands for them\n";
    check_against("--like $x", &format!("{test}{PROGRAM}"), PROGRAM, like);
}

#[test]
fn a_prompt_tells_two_programs_apart() {
    let other = PROGRAM.replace("= B\n", "= A\n");
    let expected = "refuted program.psl: same continuations as other.psl: symbol 1 is `B`, not `A`: layer 1 (line 5) wrote it \
                    in cell 1\n  prompt    A\n  expected  A …\n  got       B …\n//@ test \"A\" => \"A\"\n";
    check_against("", PROGRAM, &other, expected);
    // The same continuations, of cells with other values in another register.
    let more = PROGRAM.replace("position: 'p'", "position: 'p', more: 'm'");
    let set = format!("{more}    more[N] = A\n");
    let states = "refuted program.psl: same continuations and states as other.psl: after the last layer, `more` of cell 1 is \
                  null, not `A`\n  prompt    A\n  got       B …\n";
    check_against("--states --up-to 2", &more, &set, states);
    let endless =
        "refuted program.psl: same continuations as other.psl: the run ends, and should fail: repeat block 1 never";
    let folder = folder(&[("program.psl", &PROGRAM.replace("//@ max-new 1\n", "")), ("other.psl", ENDLESS)]);
    let done = psl_in(folder.path(), &["prove", "program.psl", "--against", "other.psl"], b"");
    assert!(out(&done).starts_with(endless), "{}{}", out(&done), err(&done));
}

#[test]
fn both_programs_have_the_stop_symbol_and_the_length_of_the_first() {
    let other = format!("//@ stop \"B\"\n{}", PROGRAM.replace("max-new 1", "max-new 2"));
    psl("prove program.psl --against other.psl --up-to 2")
        .file("program.psl", PROGRAM)
        .file("other.psl", other)
        .mentions("note: other.psl ends with `B`, and both runs end with `.` here")
        .mentions("note: other.psl has `//@ max-new 2`, and both runs have 1 here")
        .prints(
            "proved program.psl: same continuations as other.psl: for all prompts of at most 2 symbols, whatever they are: 13 \
             prompts stand for them\n",
        );
}

#[test]
fn programs_that_cannot_be_compared() {
    let other = "registers: {word: 'w', place: 'p'}\nconstants: {A}\n\
                 system: {symbol: word, position: place, output: word}\nwhere word[N] == A:\n    word[N] = A\n";
    let structured = other.replace("registers", "//@ input word\nregisters");
    let refused = |args: &str, why: &str, code| {
        let proof = psl(&format!("prove {args}")).file("program.psl", PROGRAM).file("other.psl", other);
        proof.file("cells.psl", &structured).file("hole.psl", "where ?").code(code).mentions(why).prints("");
    };
    let none = "program.psl and other.psl have no register of the same name to compare";
    refused("program.psl --against other.psl --states", none, 2);
    refused("program.psl --against cells.psl", "cells.psl: its prompts are structured", 2);
    refused("program.psl --against hole.psl", "error[", 1);
    refused("program.psl --against none.psl", "none.psl", 2);
    refused("program.psl --states", "--against", 2);
    refused("- --against -", "cannot both come from standard input", 2);
}

#[test]
fn other_forms_of_a_program() {
    let folder = folder(&[("program.psl", PROGRAM)]);
    let run = |args: &[&str]| psl_in(folder.path(), args, b"");
    run(&["compile", "program.psl", "--emit", "qkvl", "-o", "program.json"]);
    let done = run(&["prove", "program.psl", "--against", "program.json", "--states", "--up-to", "2"]);
    assert!(out(&done).starts_with("proved program.psl: same continuations and states as "), "{}", err(&done));
    let done = run(&["prove", "program.json", "--that", "machines", "--up-to", "2"]);
    assert!(out(&done).starts_with("proved program.json: machines: "), "{}", err(&done));
    run(&["compile", "program.psl", "--emit", "weights", "-o", "weights.safetensors"]);
    let done = run(&["prove", "weights.safetensors", "--that", "terminates"]);
    assert!(err(&done).contains("weights have only the symbols of their vocabulary"), "{}", err(&done));
    assert_eq!(code(&done), 2);
}

#[test]
fn a_program_with_heads() {
    let two = PROGRAM.replace("position: 'p'", "position: 'p', more: 'm'");
    let two = format!("{two}where symbol[n] == symbol[N]:\n    more[N] = B\n");
    let proved = "proved program.psl: machines: for all prompts of at most 2 symbols, whatever they are: 21 prompts stand for \
                  them\nproved program.psl: same continuations and states as program.psl: for all prompts of at most 2 \
                  symbols, whatever they are: 21 prompts stand for them\n";
    psl("prove program.psl --heads --that machines --against program.psl --states --up-to 2")
        .file("program.psl", two)
        .prints(proved);
}

#[test]
fn bad_input() {
    let many = "psl: a proof runs at most 1000000000 prompts, and 10480142145 have at most 14 symbols";
    psl("prove - --that answers --up-to 14").input(PROGRAM).code(2).mentions(many).prints("");
    psl("prove - --that answers --up-to 0").input(PROGRAM).code(2).mentions("0 is not in 1..").prints("");
    psl("prove - --like $x..0")
        .input(PROGRAM)
        .code(2)
        .mentions("`--like $x..0`: `$x..0` has an invalid limit")
        .prints("");
    psl("prove - --like $x --up-to 2").input(PROGRAM).code(2).mentions("cannot be used with").prints("");
    psl("prove - --that answers --alphabet 'A B'").input(PROGRAM).code(2).mentions("`A B` is not a symbol").prints("");
    psl("prove - --that answers,laws").input(PROGRAM).code(2).mentions("it has no laws").prints("");
    psl("prove - --that right").input(PROGRAM).code(2).mentions("invalid value 'right'").prints("");
    psl("prove -").input("where").code(1).mentions("error[").prints("");
    psl("prove -").input(PROGRAM.replace("== A", "== ?")).code(1).mentions("error[hole]").prints("");
    let structured = PROGRAM.replace("registers", "//@ input symbol\nregisters");
    psl("prove -").input(structured.as_str()).code(2).mentions("its prompts are structured").prints("");
    let plain = format!("//@ test \"A\" => \"B\"\n{structured}");
    let done = psl_in(folder(&[]).path(), &["prove", "-", "--that", "terminates", "--up-to", "1"], plain.as_bytes());
    assert!(out(&done).starts_with("proved "), "{}", err(&done));
}
