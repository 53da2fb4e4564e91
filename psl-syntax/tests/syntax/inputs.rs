//! `//@ input`: the analyses of programs for structured prompts.

use crate::common::check;

#[test]
fn a_cell_may_lack_a_symbol() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', mark: 'm', out: 'o'}
        constants: {A, B}
        system: {symbol: symbol, position: position, output: out}
        where position[N] == position[N]:
            mark[N] = A
           #^^^^^^^^^^^ dead-assignment: `mark` is overwritten before anything reads it
        where symbol[N] == symbol[N]:
            mark[N] = B
        where mark[N] == A:
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `A` here, only `B`
            out[N] = A
        where mark[N] == B:
             #^^^^^^^^^^^^ always-true: `mark` can only be `B` here, so this is always true
            out[N] = B
"#,
    );
    check(
        r#"
        //@ input symbol
        registers: {symbol: 's', position: 'p', mark: 'm', out: 'o'}
        constants: {A, B}
        system: {symbol: symbol, position: position, output: out}
        where position[N] == position[N]:
            mark[N] = A
        where symbol[N] == symbol[N]:
            mark[N] = B
        where mark[N] == A:
            out[N] = A
        where mark[N] == B:
            out[N] = B
"#,
    );
}

#[test]
fn an_input_is_written_before_the_first_layer_and_can_hold_anything() {
    check(
        r#"
        //@ input head, state
        //@ input head
        registers: {symbol: 's', position: 'p', head: 'h', state: 'q', other: 'o'}
        constants: {A, B, 1}
        where head[N] == A and state[N] != B and symbol[N] == A:
            symbol[N] = B
        where position[n] == head[N]@pos_increment and position[n] == 1 and symbol[n] == B:
            symbol[N] = symbol[n]
        where other[N] == A:
             #^^^^^ read-before-write: `other` is read but never written
            symbol[N] = B
"#,
    );
}

#[test]
fn other_values_of_an_input_must_be_positions() {
    check(
        r#"
        //@ input head
        registers: {symbol: 's', position: 'p', head: 'h'}
        constants: {A, B}
        where symbol[N] == A:
            head[N] = B
        where position[n] == head[N]@pos_increment and position[n] == position[N]@pos_decrement and symbol[n] == A:
                            #^^^^^^^^^^^^^^^^^^^^^ not-a-position: `head` can be `B`, and `@pos_increment` turns every value except a position into null
            symbol[N] = symbol[n]
"#,
    );
}

#[test]
fn invalid_input_lines() {
    check(
        r#"
        //@ input hed
                 #^^^ unknown-directive: unknown register `hed`
        //@ input head, position
                       #^^^^^^^^ unknown-directive: a prompt cannot set `position`: the machine sets it
        //@ input
       #^^^^^^^^^ unknown-directive: invalid `input` directive
        //@ input head state
       #^^^^^^^^^^^^^^^^^^^^ unknown-directive: invalid `input` directive
        //@ input head,
        registers: {symbol: 's', position: 'p', head: 'h', never: 'n'}
                                                          #^^^^^ unused-register: register `never` is never used
        constants: {A, B}
        //@ input never
        where head[N] == A and symbol[N] == B:
            symbol[N] = A
"#,
    );
}

#[test]
fn the_guards_hold_for_prompts_that_set_neither_register() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm'}
        constants: {A, B, 0, EOP}
        where eop[N] == EOP:
            parse[N] = 0
        where symbol[n] == A and parse[N] == 0:
            mark[N] = symbol[n]
        where symbol[n] == B and eop[N] in [EOP]:
            mark[N] = symbol[n]
        where mark[N] == A:
            symbol[N] = A
"#,
    );
    check(
        r#"
        //@ input parse
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm'}
        constants: {A, B, 0, EOP}
        where eop[N] == EOP:
            parse[N] = 0
        where symbol[n] == A and parse[N] == 0:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
            mark[N] = symbol[n]
        where symbol[n] == B and eop[N] in [EOP]:
            mark[N] = symbol[n]
        where mark[N] == A:
            symbol[N] = A
"#,
    );
    check(
        r#"
        //@ input eop
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm'}
        constants: {A, B, 0, EOP}
        where eop[N] == EOP:
            parse[N] = 0
        where symbol[n] == A and parse[N] == 0:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
            mark[N] = symbol[n]
        where symbol[n] == B and eop[N] in [EOP]:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
            mark[N] = symbol[n]
        where mark[N] == A:
            symbol[N] = A
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z', mark: 'm'}
        constants: {A, B, EOP}
        where symbol[n] == B and eop[N] == EOP:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
            mark[N] = symbol[n]
        where mark[N] == A:
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `A` here, only `B`
            symbol[N] = A
        where symbol[N] == A:
            eop[N] = EOP
"#,
    );
}

#[test]
fn an_until_on_an_input_need_not_hold_anywhere() {
    check(
        r#"
        //@ input eop
        registers: {symbol: 's', position: 'p', eop: 'z', mark: 'm'}
        constants: {A, EOP}
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never end: nothing in it writes a register that its `until` reads
            where symbol[N] == A:
                mark[N] = A
        until eop[N] == EOP
        where mark[N] == A:
            symbol[N] = A
"#,
    );
}
