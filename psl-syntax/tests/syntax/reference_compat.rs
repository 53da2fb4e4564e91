//! Deviations of the reference compiler, marked in the text.

use psl_syntax::{Code, check as check_text};

use crate::common::{check_only, fixed};

fn check(text: &str) {
    check_only(text, &[Code::NotPortable]);
}

#[test]
fn declarations() {
    check(
        r#"
        watch: [symbol]
       #^^^^^ not-portable: the reference compiler requires `registers` before `watch`
        registers {symbol: 's', place: 'q'}
       #^^^^^^^^^ not-portable: the reference compiler rejects `registers` without a colon
                                      #^^^ not-portable: the reference compiler only finds a cell by the short name `p`
        registers: {mark: 'm'}
       #^^^^^^^^^ not-portable: the reference compiler replaces the first `registers` with this one
        constants {A, "b", C: 'c', "D e", 'é', 1}
       #^^^^^^^^^ not-portable: the reference compiler rejects `constants` without a colon
                     #^^^ not-portable: the reference implementation reads the value `b` as a register
                          #^ not-portable: the reference implementation reads the value `c` as a register
        system {symbol: symbol, position: place, output: symbol}
       #^^^^^^ not-portable: the reference compiler rejects `system` without a colon
        where symbol[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn conditions() {
    check(
        r#"
        where symbol[N] != A and symbol[N] != B:
                                #^^^^^^^^^^^^^^ not-portable: the reference compiler keeps only the last condition on `symbol[N]`
            mark[N] = A
        where symbol[n] != A and symbol[n] == mark[N] and symbol[N] == A:
                                #^^^^^^^^^^^^^^^^^^^^ not-portable: the reference compiler keeps only the last condition on `symbol[n]`
            mark[N] = A
        where symbol[N] == A and symbol[N] == A:
            mark[N] = A
        where symbol[N] == A and position[N] in [0, 1]:
                                #^^^^^^^^^^^^^^^^^^^^^ not-portable: the reference compiler may read a cell other than `N` here
            mark[N] = A
        where position[N] == 1 and symbol[n] == A:
            mark[N] = A
        where position[N] == position[N] and mark[N] == position[N]:
            mark[N] = A
"#,
    );
}

#[test]
fn blocks() {
    check(
        r#"
        repeat
       #^^^^^^ not-portable: the reference compiler rejects `repeat` without a colon
            Causal_Attn: TRUE
           #^^^^^^^^^^^ not-portable: the reference compiler rejects `causal_attn` inside a repeat block
            where symbol[N] == A:
                mark[N] = A
            repeat:
           #^^^^^^ not-portable: the reference compiler rejects nested repeat blocks
                where symbol[N] == A:
                    mark[N] = A
            until NO_CHANGE
        until mark[N] == A and symbol[N] == B
             #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-portable: the reference implementation ignores the conditions of `until`
        Causal_Attn: False
       #^^^^^^^^^^^ not-portable: the reference compiler only accepts `causal_attn` in lower case
        where symbol[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn lines() {
    check(
        r##"
        registers: {symbol: 's', position: 'p', mark: 'm'}
        constants: {A, slash: "//", hash: "#", both: '#' // its own comment
                              #^^ not-portable: the reference compiler ends this line at `//`, even inside a string
                   # see http://example.org
                  #^ not-portable: the reference compiler ends this line at the first `//` and reads this `#` as code
                   // see # and http://example.org
            , sharp: "#"
                     #^ not-portable: the reference compiler ends this line at `#`, even inside a string
            , "\"\\"}
             #^^^^^^ not-portable: the reference compiler does not support escaped backslashes
        where symbol[N] == A: mark[N] = A symbol[N] = A
                             #^^^^^^^^^^^ not-portable: the reference compiler does not recognize this assignment: its line is not indented below its `where`
        where symbol[N] == A and
            symbol[N] == A: mark[N] = A
            symbol[N] = A # see
        where	symbol[N] == A:	
            #^ not-portable: the reference compiler rejects a tab inside a line
	        mark[N] = A
            where symbol[N] == A:
           #^^^^^ not-portable: the reference compiler parses this as an assignment: it is indented below the previous `where`
                mark[N] = A where symbol[N] == A:
                           #^^^^^ not-portable: the reference compiler parses this as an assignment: it is indented below the previous `where`
                mark[N] = A
"##,
    );
}

#[test]
fn certain_fixes() {
    let before = "\u{feff}registers{symbol:\t's', position: 'p', mark: 'm'}\nconstants {A, B}\nwatch [mark]\nCausal_attn: true\n\
                  repeat where symbol[N] == A:mark[N] = A symbol[N] = B\nuntil NO_CHANGE\n";
    let after = "registers:{symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwatch: [mark]\ncausal_attn: true\n\
                 repeat: where symbol[N] == A:\n    mark[N] = A symbol[N] = B\nuntil NO_CHANGE\n";
    assert_eq!(fixed(before), after);
    assert_eq!(check_text(after).diagnostics, []);
}

#[test]
fn programs_that_the_reference_reads() {
    let induction = include_str!("../../../examples/induction.psl");
    let pargen = include_str!("../../../examples/pargen.psl");
    let golden =
        ["causal", "inequality", "membership", "neighbours", "parentheses", "repeat_block", "rightmost", "same_cell"];
    let read = |name| std::fs::read_to_string(format!("../tests/golden/programs/{name}.psl")).unwrap_or_default();
    for text in [induction.to_owned(), pargen.to_owned()].into_iter().chain(golden.map(read)) {
        let checked = check_text(&text);
        assert!(checked.compiles() && !checked.analysis.program.statements.is_empty());
        assert!(checked.diagnostics.iter().all(|found| found.code != Code::NotPortable), "{text}");
    }
}
