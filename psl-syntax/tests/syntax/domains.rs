//! Value domains: conditions that never or always hold, productions that never fire, and blocks that may not end.

use crate::common::check;

#[test]
fn a_value_that_is_never_set() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        where symbol[N] == B:
            mark[N] = B
        where mark[N] == 0:
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `0` here, only `A` or `B`
            symbol[N] = A
        where mark[N] in [0, 1]:
             #^^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `0` or `1` here, only `A` or `B`
            symbol[N] = A
        where mark[N] in [0, A]:
            symbol[N] = A
"#,
    );
    check(
        r#"
        where symbol[n] == A and position[n] == position[N]@pos_decrement:
            copy[N] = position[n]
        where copy[N] == A:
             #^^^^^^^^^^^^ ill-typed-condition: `copy` cannot be `A` here, only a position from 1
            symbol[N] = A
        where copy[N] == 0:
             #^^^^^^^^^^^^ ill-typed-condition: `copy` cannot be `0` here, only a position from 1
            symbol[N] = B
        where position[N] == 0:
             #^^^^^^^^^^^^^^^^ ill-typed-condition: `position` cannot be `0` here, only a position from 1
            symbol[N] = A
        where position[N] == 1:
            symbol[N] = A
"#,
    );
}

#[test]
fn values_flow_through_copies_and_blocks_and_to_the_next_cell() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        repeat:
            where copy[N] == A:
                symbol[N] = B
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
            where copy[N] == B:
                mark[N] = B
        until NO_CHANGE
        where copy[N] == B:
            symbol[N] = A
        where copy[N] == SPACE:
             #^^^^^^^^^^^^^^^^ ill-typed-condition: `copy` cannot be `SPACE` here, only `A` or `B`
            symbol[N] = A
"#,
    );
    check(
        r#"
        where mark[N] == A:
             #^^^^ read-before-write: `mark` is read before anything writes it
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `A` here, only `B`
            symbol[N] = A
        where mark[N] == B:
            symbol[N] = B
        where symbol[N] == SPACE:
            mark[N] = B
"#,
    );
}

#[test]
fn conditions_narrow_what_is_copied() {
    check(
        r#"
        where symbol[N] in [A, B]:
            mark[N] = symbol[N]
        where symbol[n] == mark[N] and symbol[n] != A and position[n] == 1:
            copy[N] = symbol[n]
        where copy[N] == A:
             #^^^^^^^^^^^^ ill-typed-condition: `copy` cannot be `A` here, only `B`
            symbol[N] = A
        where mark[N] == SPACE:
             #^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `SPACE` here, only `A` or `B`
            symbol[N] = A
"#,
    );
}

#[test]
fn a_write_to_every_cell_replaces_earlier_values() {
    check(
        r#"
        where position[N] == position[N]:
            mark[N] = A
        where mark[N] == B:
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `B` here, only `A`
            symbol[N] = A
        where mark[N] == A:
             #^^^^^^^^^^^^ always-true: `mark` can only be `A` here, so this is always true
            symbol[N] = A
        where mark[N] != B:
             #^^^^^^^^^^^^ always-true: `mark` is never `B` here, so this is always true
            symbol[N] = A
        where symbol[N] == SPACE:
            mark[N] = B
"#,
    );
}

#[test]
fn inequalities_with_one_value() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        where mark[N] != A:
             #^^^^^^^^^^^^ ill-typed-condition: `mark` can only be `A` or null here, and `!=` also fails on null
            symbol[N] = A
        where mark[N] not in [A, B]:
             #^^^^^^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` can only be `A` or null here, and `not in` also fails on null
            symbol[N] = A
        where mark[N] != mark[N]:
             #^^^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` never differs from itself
            symbol[N] = A
        where symbol[N] != B and position[N] not in [A, B]:
                                #^^^^^^^^^^^^^^^^^^^^^^^^^ always-true: `position` is never `A` or `B` here, so this is always true
            symbol[N] = A
        where parse[N] != 0:
            symbol[N] = A
"#,
    );
}

#[test]
fn registers_with_nothing_in_common() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        where symbol[N] == B:
            copy[N] = B
        where mark[n] == copy[N] and position[n] == 1:
             #^^^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` (`A`) and `copy` (`B`) have no value in common
            symbol[N] = A
        where mark[N] == position[N]:
             #^^^^^^^^^^^^^^^^^^^^^^ ill-typed-condition: `mark` (`A`) and `position` (a position from 1) have no value in common
            symbol[N] = A
        where position[N] != mark[N]:
             #^^^^^^^^^^^^^^^^^^^^^^ always-true: `position` and `mark` have no value in common, so this is always true
            symbol[N] = A
"#,
    );
}

#[test]
fn functions_of_what_is_not_a_position() {
    check(
        r#"
        where position[n] == symbol[N]@pos_decrement:
             #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
                            #^^^^^^^^^^^^^^^^^^^^^^^ not-a-position: `symbol` can be any symbol, and `@pos_decrement` turns every value except a position into null
            mark[N] = position[n]
        where mark[n] == mark[N]@pos_increment and position[n] == 1:
            copy[N] = symbol[n]@pos_increment
                     #^^^^^^^^^^^^^^^^^^^^^^^ not-a-position: `symbol` can be any symbol, and `@pos_increment` turns every value except a position into null
        where copy[N] == position[N]:
            symbol[N] = A
"#,
    );
}

#[test]
fn conditions_that_contradict_each_other() {
    check(
        r#"
        where symbol[N] == A and symbol[N] == B:
                                #^^^^^^^^^^^^^^ never-fires: `symbol[N]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        where symbol[N] == A and symbol[N] != A:
                                #^^^^^^^^^^^^^^ never-fires: `symbol[N]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        where symbol[n] == symbol[N] and symbol[n] in [A, B] and symbol[N] in [0, 1]:
             #^^^^^^^^^^^^^^^^^^^^^^ never-fires: `symbol[n]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        where symbol[n] == A and symbol[N] == B and position[n] == position[N]:
                                #^^^^^^^^^^^^^^ never-fires: `symbol[N]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        where symbol[n] == symbol[N] and symbol[n] != symbol[N]:
                                        #^^^^^^^^^^^^^^^^^^^^^^ never-fires: `symbol[n]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        where position[n] == position[N]@pos_decrement and position[N] == position[n]@pos_decrement:
                                                          #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never-fires: `n` cannot be two different cells, so this production never fires
            symbol[N] = A
        where position[n] == position[N]@pos_decrement and position[N] == 1:
             #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never-fires: `position[n]` cannot satisfy all conditions at once, so this production never fires
            symbol[N] = A
        causal_attn: true
        where position[n] == position[N]@pos_increment:
             #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never-fires: `causal_attn: true` hides the cells to the right, so this production never fires
            symbol[N] = A
        causal_attn: reverse
        where position[n] == position[N]@pos_decrement:
             #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never-fires: `causal_attn: reverse` hides the cells to the left, so this production never fires
            symbol[N] = A
"#,
    );
}

#[test]
fn an_until_that_never_holds() {
    check(
        r#"
        repeat:
            where symbol[N] == A:
                mark[N] = A
        until mark[N] == B
             #^^^^^^^^^^^^ ill-typed-condition: `mark` cannot be `B` here, only `A`
        repeat:
            where symbol[N] == A:
                copy[N] = A
        until symbol[N] == B and symbol[N] == A
                                #^^^^^^^^^^^^^^ never-fires: `symbol[N]` cannot satisfy all conditions at once, so this `until` never holds
"#,
    );
}

#[test]
fn consequences_of_an_error_or_a_missing_write_are_not_reported() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        where mark[N] == B:
            symbol[N] = C
                       #^ unknown-constant: unknown constant `C`
        where mark[N] == B:
            symbol[N] = B
"#,
    );
    check(
        r#"
        where copy[N] == A and mark[N] == copy[N]:
             #^^^^ read-before-write: `copy` is read but never written
                              #^^^^ read-before-write: `mark` is read but never written
            symbol[N] = B
"#,
    );
}

#[test]
fn blocks_that_settle() {
    // Values only move forward.
    check(
        r#"
        repeat:
            where symbol[N] == A:
                symbol[N] = B
            where symbol[N] == B:
                symbol[N] = SPACE
        until NO_CHANGE
"#,
    );
    // Positions only grow, and end at the last one.
    check(
        r#"
        where position[N] == 1:
            mark[N] = 0
        repeat:
            where position[N] == position[N]:
                mark[N] = mark[N]@pos_increment
        until NO_CHANGE
"#,
    );
    // Copies move along the cells in one direction.
    check(
        r#"
        repeat:
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
                mark[N] = symbol[n]
            where copy[N] == copy[N]:
                 #^^^^ stale-prev: `copy` is out of date: it copies `mark` from the left, and `mark` has changed since
                mark[N] = copy[N]
        until NO_CHANGE
        repeat:
            where position[N] == position[n]@pos_decrement:
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ non-causal: cell `N` attends to the cell to its right
                symbol[N] = symbol[n]
        until NO_CHANGE
"#,
    );
}

#[test]
fn a_block_that_counts_other_cells_on_one_side_settles() {
    check(
        r#"
        where symbol[N] == symbol[N]:
            mark[N] = 1
            copy[N] = 1
        causal_attn: true
        repeat:
            where_rm symbol[n] == symbol[N] and position[n] != position[N]:
                mark[N] = mark[n]@pos_increment
        until NO_CHANGE
        causal_attn: reverse
        repeat:
            where symbol[n] == symbol[N] and position[N] != position[n]:
                 #^^^^^^^^^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
                copy[N] = copy[n]@pos_increment
        until NO_CHANGE
"#,
    );
}

#[test]
fn a_block_that_may_count_the_cell_itself_may_not_settle() {
    check(
        r#"
        where symbol[N] == symbol[N]:
            mark[N] = 1
            copy[N] = 1
        causal_attn: true
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never settle: `mark` can return to an earlier value
            where_rm symbol[n] == symbol[N] and position[n] != copy[N]:
                mark[N] = mark[n]@pos_increment
        until NO_CHANGE
"#,
    );
}

#[test]
fn a_register_that_waits_for_any_position_settles() {
    check(
        r#"
        where symbol[N] == symbol[N]:
            mark[N] = A
        repeat:
            where symbol[n] == symbol[N] and mark[N] == A:
                mark[N] = position[n]
        until NO_CHANGE
"#,
    );
}

#[test]
fn a_register_that_waits_for_any_symbol_may_not_settle() {
    check(
        r#"
        where symbol[N] == symbol[N]:
            mark[N] = A
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never settle: `mark` can return to an earlier value
            where mark[N] == A:
                mark[N] = symbol[N]
            where mark[N] == B:
                mark[N] = A
        until NO_CHANGE
"#,
    );
}

#[test]
fn a_counter_that_copies_its_next_value_settles() {
    check(
        r#"
        causal_attn: true
        where symbol[N] == A:
            mark[N] = 0
        repeat:
            where position[n] == mark[N]@pos_increment:
                mark[N] = position[n]
        until NO_CHANGE
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never settle: `mark` can return to an earlier value
            where position[n] == mark[N]@pos_increment:
                mark[N] = position[n]
            where position[n] == mark[N]@pos_decrement:
                mark[N] = position[n]
        until NO_CHANGE
"#,
    );
}

#[test]
fn blocks_that_may_not_end() {
    check(
        r#"
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never settle: `symbol` can return to an earlier value
            where symbol[N] == A:
                symbol[N] = B
            where symbol[N] == B and mark[N] != A:
                symbol[N] = A
                mark[N] = B
        until NO_CHANGE
"#,
    );
    check(
        r#"
        where symbol[N] == symbol[N]:
            copy[N] = symbol[N]
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never settle: `mark` or `copy` can return to an earlier value
            where position[n] == position[N]@pos_decrement:
                copy[N] = mark[n]
            where position[N] == position[n]@pos_decrement:
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ non-causal: cell `N` attends to the cell to its right
                mark[N] = copy[n]
        until NO_CHANGE
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = 0
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never end: `mark` can return to an earlier value
            repeat:
                where mark[N] == 0:
                    mark[N] = 1
            until NO_CHANGE
            where mark[N] == 1:
                mark[N] = 0
        until copy[N] == A
             #^^^^ read-before-write: `copy` is read but never written
"#,
    );
}

#[test]
fn registers_with_several_roles() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', flag: 'f'}
        constants: {1, 2, EOP, A, B}
        system: {symbol: symbol, position: position, output: symbol, parse: flag, eop: flag}
        where flag[N] == EOP:
            symbol[N] = A
        where flag[N] == 2:
             #^^^^^^^^^^^^ ill-typed-condition: `flag` cannot be `2` here, only `1` or `EOP`
            symbol[N] = B
"#,
    );
    // The prompt may also contain A, so this guards nothing.
    check(
        r#"
        registers: {symbol: 's', position: 'p', eop: 'z', mark: 'm'}
        constants: {EOP, A, B}
        system: {symbol: symbol, position: position, output: symbol, parse: symbol, eop: eop}
        watch: [mark]
        where eop[N] == EOP:
            symbol[N] = A
        where symbol[n] == B and symbol[N] == A:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
            mark[N] = B
"#,
    );
}

#[test]
fn contradictions_in_any_order() {
    check(
        r#"
        where symbol[N] != A and symbol[N] == A:
             #^^^^^^^^^^^^^^ never-fires: `symbol[N]` cannot satisfy all conditions at once, so this production never fires
            mark[N] = B
        where symbol[n] == symbol[N] and symbol[N] == A and symbol[n] not in [A, B]:
                                                           #^^^^^^^^^^^^^^^^^^^^^^^ never-fires: `symbol[n]` cannot satisfy all conditions at once, so this production never fires
            mark[N] = A
"#,
    );
}

#[test]
fn look_ahead_next_to_other_diagnostics() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = B
        where symbol[n] == A and mark[N] == B and position[N] != 0:
             #^^^^^^^^^^^^^^ non-causal: cell `N` may attend to a cell to its right: no condition keeps `n` at or before `N`
                                                 #^^^^^^^^^^^^^^^^ always-true: `position` is never `0` here, so this is always true
            mark[N] = A
        where symbol[n] == A and copy[N] == B:
                                #^^^^ read-before-write: `copy` is read but never written
            mark[N] = A
        where symbol[n] == B and copy[N] == A:
            mark[N] = A
"#,
    );
}

#[test]
fn blocks_that_cannot_change_what_their_until_reads() {
    check(
        r#"
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never end: nothing in it writes a register that its `until` reads
            where symbol[N] == A:
                mark[N] = B
        until symbol[N] == B
        repeat:
            repeat:
           #^^^^^^ may-not-terminate: this repeat block may never end: nothing in it writes a register that its `until` reads
                where symbol[N] == B:
                    mark[N] = A
            until copy[N] == A
            where symbol[N] == B:
                copy[N] = A
        until NO_CHANGE
        repeat:
       #^^^^^^ may-not-terminate: this repeat block may never end: nothing in it writes a register that its `until` reads
            where symbol[N] == SPACE:
                mark[N] = B
        until position[n] == 1 and eop[N] == EOP
        where mark[N] == copy[N]:
            symbol[N] = A
"#,
    );
}

#[test]
fn blocks_whose_until_holds_in_some_cell() {
    for until in [
        "position[N] == 1",
        "position[n] in [1] and position[n] == position[N]",
        "eop[N] == EOP",
        "eop[n] == EOP and symbol[n] == symbol[N]",
        "symbol[N] == symbol[N]",
        "mark[N] == B",
    ] {
        check(&format!(
            "
        repeat:
            where symbol[N] == A:
                mark[N] = B
        until {until}
        where mark[N] == B:
            symbol[N] = B
"
        ));
    }
}

#[test]
fn null_on_the_right_of_an_inequality_makes_it_hold() {
    check(
        r#"
        where symbol[N] != mark[N]:
                          #^^^^ read-before-write: `mark` is read but never written
            symbol[N] = A
        where position[n] == position[N]@pos_decrement and symbol[n] != mark[N]:
            symbol[N] = B
        where symbol[N] == A and symbol[N] == mark[N]:
            symbol[N] = A
"#,
    );
}
