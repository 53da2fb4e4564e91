//! Warnings about the flow of values: programs with the expected diagnostics marked in the text.

use psl_syntax::{Code, Severity, check as check_text};

use crate::common::{check_only, fixed, mark};

/// The codes tested here.
const CODES: &[Code] = &[
    Code::Syntax,
    Code::ReadBeforeWrite,
    Code::StalePrev,
    Code::DeadAssignment,
    Code::UnusedRegister,
    Code::UnusedConstant,
    Code::NeverRead,
    Code::DuplicateProduction,
    Code::UnindentedAssignment,
];

fn check_marked(text: &str) {
    check_only(text, CODES);
}

/// Checks the marks in productions, below declarations that are all used.
fn check(text: &str) {
    check_marked(&format!("{DECLARATIONS}{text}"));
}

const DECLARATIONS: &str = r#"
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm', copy: 'c', link: 'l'}
        constants: {A, B}
        watch: [mark, copy, link]
        where symbol[N] == A:
            symbol[N] = B"#;

/// Registers that nothing watches, so that overwritten values are lost.
const UNWATCHED: &str = r#"
        registers: {symbol: 's', position: 'p', parse: 'a', mark: 'm', flag: 'f'}
        constants: {A, B}"#;

fn check_unwatched(text: &str) {
    check_marked(&format!("{UNWATCHED}{text}"));
}

#[test]
fn reads_that_no_write_reaches() {
    check(
        r#"
        where mark[N] == A and copy[n] == mark[N]:
             #^^^^ read-before-write: `mark` is read but never written
                              #^^^^ read-before-write: `copy` is read before anything writes it
            copy[N] = mark[n]
        where symbol[N] != link[N]@pos_increment:
                          #^^^^ read-before-write: `link` is read before anything writes it
            symbol[N] = link[N]
        where symbol[N] == B:
            link[N] = B
"#,
    );
    check(
        r#"
        repeat:
            where symbol[N] == mark[N]:
                              #^^^^ read-before-write: `mark` is read before anything writes it
                copy[N] = A
        until copy[N] == A and link[N] == B
                              #^^^^ read-before-write: `link` is read but never written
        repeat:
            where symbol[N] == B:
                mark[N] = A
        until NO_CHANGE
"#,
    );
    check(
        r#"
        repeat:
            repeat:
                where symbol[N] == mark[N]:
                    copy[N] = A
            until link[N] == A
            where symbol[N] == B:
                mark[N] = A
                link[N] = mark[N]
        until NO_CHANGE
"#,
    );
    check(
        r#"
        where parse[N] == A and eop[N] == A and position[n] == position[N]:
            parse[N] = B
"#,
    );
}

#[test]
fn a_read_that_only_the_next_cell_fills_is_a_hint() {
    let text = format!("{DECLARATIONS}\n where mark[N] == A:\n copy[N] = A\n where copy[N] == A:\n mark[N] = A\n");
    let found = check_text(&text).diagnostics;
    let hints: Vec<_> = found.iter().filter(|found| found.code == Code::ReadBeforeWrite).collect();
    assert_eq!(hints.len(), 1);
    assert_eq!(hints[0].severity, Severity::Hint);
    assert_eq!(hints[0].labels.iter().map(|label| label.span.of(&text)).collect::<Vec<_>>(), ["mark[N] = A"]);
}

#[test]
fn stale_copies() {
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        where position[n] == position[N]@pos_decrement and symbol[N] == A:
            copy[N] = mark[n]
            mark[N] = B
        where copy[N] == A and copy[n] == symbol[N]:
             #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
            link[N] = copy[n]
        where position[N] == position[n]@pos_increment:
            copy[N] = mark[n]
        where copy[N] == A:
            mark[N] = A
        where mark[N] == B:
            link[N] = copy[N]
                     #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
"#,
    );
}

#[test]
fn copies_in_repeat_blocks() {
    // After a block that copies and ends with NO_CHANGE, the copy equals its source. After an `until`, it may not.
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        repeat:
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
            where copy[N] == A:
                mark[N] = A
        until NO_CHANGE
        where copy[N] == A:
            link[N] = A
        repeat:
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
            where copy[N] == A:
                mark[N] = B
        until copy[N] == B
             #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
        where copy[N] == A:
             #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
            link[N] = B
"#,
    );
    // The copy below the read is current when the block repeats. Without it, the read would be stale.
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        where position[n] == position[N]@pos_decrement:
            copy[N] = mark[n]
        where symbol[N] == A:
            mark[N] = B
        repeat:
            where copy[N] == A:
                link[N] = A
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
        until NO_CHANGE
"#,
    );
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        where position[n] == position[N]@pos_decrement:
            copy[N] = mark[n]
        repeat:
            where symbol[N] == A:
                mark[N] = B
            where copy[N] == A:
                 #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
                link[N] = A
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
        until NO_CHANGE
        where symbol[N] == A:
            mark[N] = A
        repeat:
            repeat:
                where copy[N] == A:
                     #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
                    link[N] = B
            until NO_CHANGE
        until NO_CHANGE
"#,
    );
    // In the next pass of the outer block, the copy comes from a settled inner block.
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        where position[n] == position[N]@pos_decrement:
            copy[N] = mark[n]
        where symbol[N] == A:
            mark[N] = B
        repeat:
            where copy[N] == A:
                link[N] = A
            repeat:
                where position[n] == position[N]@pos_decrement:
                    copy[N] = mark[n]
                where copy[N] == B:
                    mark[N] = B
            until NO_CHANGE
        until NO_CHANGE
"#,
    );
}

#[test]
fn copies_that_are_not_stale() {
    check(
        r#"
        where symbol[N] == B:
            mark[N] = A
        where position[n] == position[N]@pos_increment:
            copy[N] = mark[n]
            link[N] = position[n]@pos_increment
        where symbol[N] == A:
            mark[N] = B
        where copy[N] == A and link[N] == position[n]:
            symbol[N] = B
        where position[n] == position[N]@pos_decrement:
            copy[N] = mark[n]
        where symbol[N] == A:
            mark[N] = B
        where position[n] == position[N]@pos_decrement and copy[N] != B:
            copy[N] = mark[n]
        where symbol[N] == A:
            mark[N] = A
        where symbol[N] == A:
            copy[N] = A
        where copy[N] == A:
            link[N] = A
"#,
    );
}

/// PARGEN without the production with this label, if there is one: the label of the production and the copy of each
/// stale read.
fn stale_in_pargen_without(label: &str) -> Vec<String> {
    let text = include_str!("../../../examples/pargen.psl");
    let checked = check_text(text);
    let productions = checked.analysis.program.productions();
    let mut kept = text.to_owned();
    if let Some(cut) = productions.iter().find(|it| it.label.as_ref().is_some_and(|it| it.starts_with(label))) {
        kept.replace_range(cut.span.range(), "");
    } else {
        assert_eq!(label, "nothing");
    }
    let checked = check_text(&kept);
    let productions = checked.analysis.program.productions();
    let name = |found: &psl_syntax::Diagnostic| {
        let reader = productions.iter().find(|it| it.span.range().contains(&found.span.range().start)).expect("inside");
        let label = reader.label.as_deref().expect("a label");
        format!("{} {} {}", label[2..].split(':').next().expect("one"), found.code.as_str(), found.span.of(&kept))
    };
    checked.diagnostics.iter().filter(|found| CODES.contains(&found.code)).map(name).collect()
}

#[test]
fn pargen_has_no_stale_copy_until_a_production_is_removed() {
    assert_eq!(stale_in_pargen_without("nothing"), [""; 0]);
    assert_eq!(stale_in_pargen_without("# Ppre-4"), ["P4 stale-prev prev_region"]);
    assert_eq!(stale_in_pargen_without("# Ppre-9"), ["P9 stale-prev prev_field", "P10 stale-prev prev_field"]);
    assert_eq!(stale_in_pargen_without("# Gpre-2"), ["G2 stale-prev prev_field", "G2 stale-prev prev_region"]);
    // Nothing that it copies is written between Ppre-1 or the block of P9, and G1.
    assert_eq!(stale_in_pargen_without("# Gpre-1"), [""; 0]);
}

#[test]
fn overwritten_assignments() {
    check_unwatched(
        r#"
        where symbol[N] == A:
            mark[N] = A
           #^^^^^^^^^^^ dead-assignment: `mark` is overwritten before anything reads it
            flag[N] = A
        where flag[N] == A and position[N] == position[N]:
            symbol[N] = B
           #^^^^^^^^^^^^^ dead-assignment: `symbol` is overwritten before anything reads it
        where position[n] == position[N]:
            mark[N] = position[n]
        where mark[N] == B:
            symbol[N] = A
           #^^^^^^^^^^^^^ dead-assignment: `symbol` is overwritten before anything reads it
        where mark[N] in [B, B] and mark[N] == B and parse[N] == parse[N]:
            symbol[N] = A
           #^^^^^^^^^^^^^ dead-assignment: `symbol` is overwritten before anything reads it
        repeat:
            where position[N] == position[N]:
                symbol[N] = position[N]
        until NO_CHANGE
"#,
    );
}

#[test]
fn assignments_that_may_count() {
    check_unwatched(
        r#"
        where symbol[N] == A:
            mark[N] = A
            flag[N] = A
        where flag[N] == A:
            mark[N] = flag[N]
        where mark[N] == A and position[n] == position[N]@pos_decrement:
            mark[N] = B
        where mark[N] == A:
            flag[N] = B
        repeat:
            where symbol[N] == B:
                mark[N] = A
        until mark[N] == A
        where position[N] == position[N]:
            mark[N] = B
            flag[N] = mark[N]
        causal_attn: true
        where symbol[n] == A and flag[N] == B:
            mark[N] = A
        causal_attn: reverse
        where symbol[n] == A:
            mark[N] = B
        where position[N] == position[N]:
            symbol[N] = mark[N]
            mark[N] = flag[N]@pos_increment
"#,
    );
    // A symbol is not a position, so the later value is null and changes nothing.
    check_unwatched(
        r#"
        where symbol[N] == A:
            flag[N] = A
        where position[N] == position[N]:
            flag[N] = symbol[N]@pos_increment
            mark[N] = B
        where flag[N] == A and mark[N] == B:
            symbol[N] = B
"#,
    );
}

#[test]
fn names_without_use() {
    check_marked(
        r#"
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm', copy: 'c', link: 'l', flag: 'f'}
                                                                                           #^^^^ never-read: register `link` is written but never read
                                                                                                      #^^^^ unused-register: register `flag` is never used
        constants: {A, B: "b", 0, "1", EOP, last: 'x'}
                      #^ unused-constant: constant `B` is never used
                              #^ unused-constant: constant `0` is never used
                                           #^^^^ unused-constant: constant `last` is never used
        watch: [mark]
        where symbol[N] == A:
            mark[N] = A
            copy[N] = A
        where copy[N] == A:
            link[N] = copy[N]
"#,
    );
    check_marked(
        r#"
        registers: {symbol: 's', position: 'p', mark: 'm', out: 'o'}
        constants: {A, "1", EOP}
                      #^^^ unused-constant: constant `1` is never used
                           #^^^ unused-constant: constant `EOP` is never used
        system: {symbol: symbol, output: out, position: position}
        where mark[N] == A:
             #^^^^ read-before-write: `mark` is read but never written
            out[N] = symbol[N]
"#,
    );
    check_marked(
        r#"
        registers: {symbol: 's', out: 'o', position: 'p'}
                   #^^^^^^ never-read: register `symbol` is written but never read
        constants: {A}
        system: {symbol: symbol, output: out, position: position}
        where position[N] == A:
            symbol[N] = A
            out[N] = A
"#,
    );
}

fn check_fixed(before: &str, after: &str) {
    assert_eq!(fixed(before), after, "{before}");
    assert!(check_text(after).compiles());
}

#[test]
fn unused_names_are_removed() {
    let rest = "where symbol[N] == A:\n    symbol[N] = A\n";
    let check = |before: &str, after: &str| check_fixed(&format!("{before}{rest}"), &format!("{after}{rest}"));
    let constants = "constants: {A}\n";
    let in_registers =
        |before: &str, after: &str| check(&format!("{before}{constants}"), &format!("{after}{constants}"));
    in_registers("registers: {symbol: 's', position: 'p', mark: 'm'}\n", "registers: {symbol: 's', position: 'p'}\n");
    in_registers("registers: {mark: 'm', symbol: 's', position: 'p',}\n", "registers: {symbol: 's', position: 'p',}\n");
    in_registers(
        "registers: {\n    symbol: 's', # one\n    mark: 'm', # two\n    copy: 'c',\n    position: 'p'\n}\n",
        "registers: {\n    symbol: 's', # one\n    # two\n\n    position: 'p'\n}\n",
    );
    in_registers(
        "registers: {symbol: 's', position: 'p', # one\n    mark: 'm' # two\n    , copy: 'c' # three\n}\n",
        "registers: {symbol: 's', position: 'p', # one\n    # two\n    # three\n}\n",
    );
    let registers = "registers: {symbol: 's', position: 'p'}\n";
    let in_constants =
        |before: &str, after: &str| check(&format!("{registers}{before}"), &format!("{registers}{after}"));
    in_constants("constants: {A, B, C, D: 'd'}\n", "constants: {A}\n");
    // No comment becomes that of the next constant.
    in_constants("constants: {B, # one\n    A, # two\n}\n", "constants: { # one\n\n    A, # two\n}\n");
    in_constants(
        "constants: {\n    # one\n    B,\n    # two\n    A\n}\n",
        "constants: {\n    # one\n\n    # two\n    A\n}\n",
    );
    in_constants("constants: { # all\n    B,\n    A\n}\n", "constants: { # all\n    A\n}\n");
    in_constants("constants: {B, A, # both\n}\n", "constants: {A, # both\n}\n");
    in_constants("constants: {A,\n    B # one\n}\n", "constants: {A # one\n}\n");
    in_constants("constants: {B, C, A, D, E}\n", "constants: {A}\n");
    in_constants("constants: {B,\r\n  C,\r\n  A,\r\n  D,\r\n  E}\r\n", "constants: {\r\n  A}\r\n");
    check_fixed(
        "registers: {symbol: 's', mark: 'm'}\nconstants: {A}\nwhere symbol[n] == symbol[N]:\n    symbol[N] = symbol[n]",
        "registers: {symbol: 's'}\nconstants: {}\nwhere symbol[n] == symbol[N]:\n    symbol[N] = symbol[n]",
    );
}

#[test]
fn repeated_productions() {
    check(
        r#"
        where symbol[n] == mark[N] and symbol[N] in [A, B]:
                          #^^^^ read-before-write: `mark` is read before anything writes it
            link[N] = symbol[n]
            copy[N] = A
        where symbol[N] == B:
            parse[N] = A
        where_lm symbol[N] in [B, A, B] and mark[N] == symbol[n] and symbol[n] == mark[N]:
       #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-production: duplicate production: nothing it reads or writes has changed since the first one
            copy[N] = A
            link[N] = symbol[n]
        causal_attn: true
        where_rm symbol[N] == B:
       #^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-production: duplicate production: nothing it reads or writes has changed since the first one
            parse[N] = A
        repeat:
            where symbol[N] == B:
           #^^^^^^^^^^^^^^^^^^^^^ duplicate-production: duplicate production: nothing it reads or writes has changed since the first one
                parse[N] = A
            where position[N] == A:
                mark[N] = B
        until parse[N] == A
"#,
    );
}

#[test]
fn productions_that_do_something_new() {
    check(
        r#"
        where symbol[n] == B:
            mark[N] = symbol[n]
            copy[N] = A
        where_rm symbol[n] == B:
            mark[N] = symbol[n]
            copy[N] = A
        where symbol[n] == B and copy[N] == A:
            copy[N] = copy[n]
        where symbol[n] == B and copy[N] == A:
            copy[N] = copy[n]
        where mark[N] == A:
            link[N] = A
        repeat:
            where mark[N] == A:
                link[N] = A
            where symbol[N] == B:
                mark[N] = A
        until NO_CHANGE
        where position[N] == A:
            link[N] = B
        where mark[N] == A:
            link[N] = A
        where position[N] == A:
            link[N] = B
"#,
    );
}

#[test]
fn repeated_productions_are_removed() {
    let start =
        "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n# one\nwhere symbol[N] == A:\n    symbol[N] = A\n";
    let again = "where position[N] == A:\n    symbol[N] = A\n";
    let start = start.replace("symbol[N] == A", "position[N] == A");
    check_fixed(&format!("{start}\n{again}\n{again}"), &start);
    let other = "where symbol[N] == A:\n    symbol[N] = A\n";
    check_fixed(&format!("{start}\n{again}\n{other}"), &format!("{start}\n{other}"));
    // The label of the removed production does not become that of the next one.
    check_fixed(&format!("{start}\n# two\n{again}{other}"), &format!("{start}\n# two\n\n{other}"));
    check_fixed(&format!("{start}# one\n# two\n{again}"), &format!("{start}# one\n# two\n"));
    let block = |body: &str| format!("{start}repeat:\n    {body}until NO_CHANGE\n");
    let again = again.replace("    ", "        ");
    check_fixed(&block(&format!("{again}    {again}")), &block(&again));
    // Leaving an empty block, or a comment without its code, would be worse than the warning.
    for untouched in [
        block(&again),
        format!("{start}//@ allow non-causal\n{again}"),
        format!("{start}where position[N] == A: # why\n    symbol[N] = A\n"),
    ] {
        check_fixed(&untouched, &untouched);
        assert!(mark(&untouched.replace('\n', "\n "), CODES).contains("duplicate-production"), "{untouched}");
    }
}

#[test]
fn assignments_that_look_outside_of_their_production() {
    check(
        r#"
        where symbol[N] == A:
        mark[N] = A
       #^^^^^^^^^^^ unindented-assignment: this assignment is not indented below its production
            copy[N] = A
      link[N] = A
        repeat: where symbol[N] == B:
            mark[N] = B
        link[N] = B
       #^^^^^^^^^^^ unindented-assignment: this assignment is not indented below its production
        until NO_CHANGE
"#,
    );
    // A mistake elsewhere does not hide it.
    check(
        r#"
        where symbol[N] == A:
            mark[N] == A
                   #^^ syntax: expected `=`, found `==`
        where symbol[N] == B: copy[N] = A link[N] = A
        mark[N] = B
       #^^^^^^^^^^^ unindented-assignment: this assignment is not indented below its production
"#,
    );
    let start = "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A}\nwatch: [mark]\n";
    let check = |before: &str, after: &str| check_fixed(&format!("{start}{before}"), &format!("{start}{after}"));
    check(
        "  where symbol[N] == A:\r\n  mark[N] = A\r\n symbol[N] = A",
        "  where symbol[N] == A:\r\n      mark[N] = A\r\n      symbol[N] = A",
    );
    check("\twhere symbol[N] == A:\n\tmark[N] = A", "\twhere symbol[N] == A:\n\t    mark[N] = A");
    // Whether eight blanks are wider than a tab depends on the editor.
    check("\twhere symbol[N] == A:\n        mark[N] = A", "\twhere symbol[N] == A:\n        mark[N] = A");
}

#[test]
fn visibility_of_overwritten_cells() {
    check_unwatched(
        r#"
        causal_attn: true
        where symbol[n] == A:
            mark[N] = A
           #^^^^^^^^^^^ dead-assignment: `mark` is overwritten before anything reads it
        causal_attn: false
        where symbol[n] == A:
            mark[N] = B
            flag[N] = B
        causal_attn: true
        where symbol[n] == A:
            flag[N] = A
        where mark[N] == flag[N]:
            symbol[N] = B
"#,
    );
}
