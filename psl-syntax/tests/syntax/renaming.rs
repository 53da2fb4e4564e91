//! Renaming: changes and refusals.

use psl_syntax::{check as checked, diagnostic::Edit, renamable, rename};

/// Renames the name at the `|` of a text.
fn renamed(marked: &str, new: &str) -> Result<String, String> {
    let offset = marked.find('|').expect("a cursor") as u32;
    let text = marked.replacen('|', "", 1);
    let checked = checked(&text);
    let it = renamable(&checked, offset).expect("something to rename");
    assert_eq!(it.span.of(&text), it.name);
    let edits = rename(&checked, &it, new).map_err(|error| error.to_string())?;
    Ok(Edit::apply(&edits, &text).expect("edits of the text"))
}

fn check(marked: &str, new: &str, expected: &str) {
    match renamed(marked, new) {
        Ok(text) => assert_eq!(text, expected),
        Err(reason) => panic!("{reason}\n{marked}"),
    }
}

fn refused(marked: &str, new: &str, expected: &str) {
    match renamed(marked, new) {
        Ok(text) => panic!("{text}"),
        Err(reason) => assert!(reason.contains(expected), "{reason}"),
    }
}

#[test]
fn a_register_everywhere_but_in_comments() {
    check(
        "registers: {symbol: 's', position: 'p', 'mark': 'm'}\nwatch: [mark]\n# mark\nwhere mark[N] == ma|rk[n]:\n    mark[N] = mark[n]\n",
        "note",
        "registers: {symbol: 's', position: 'p', 'note': 'm'}\nwatch: [note]\n# mark\nwhere note[N] == note[n]:\n    note[N] = note[n]\n",
    );
    check("registers: {a|: 's'}\n# é\nwhere a[N] == b[", "_1", "registers: {_1: 's'}\n# é\nwhere _1[N] == b[");
}

#[test]
fn a_short_name_where_it_is_declared() {
    check("registers: {symbol: 's', mark: 'm|'}", "m*", "registers: {symbol: 's', mark: 'm*'}");
    check("registers: {symbol: 's', mark: m|}", "m*", "registers: {symbol: 's', mark: 'm*'}");
}

#[test]
fn a_constant_keeps_its_value() {
    let program = "registers: {symbol: 's', position: 'p'}\n";
    let uses =
        |a: &str, b: &str| format!("{program}constants: {{{a}}}\nwhere symbol[N] == {b}:\n    symbol[N] = {b}\n");
    check(&uses("A", "A").replacen("== A", "== A|", 1), "B", &uses("B: \"A\"", "B"));
    check(&uses("A", "A").replacen("== A", "== A|", 1), "B c", &uses("\"B c\": \"A\"", "\"B c\""));
    check(&uses("A", "A").replacen("== A", "== A|", 1), "where", &uses("\"where\": \"A\"", "\"where\""));
    check(&uses("'A'", "'A'").replacen("== 'A", "== '|A", 1), "B'", &uses("'B\\'': 'A'", "'B\\''"));
    check(&uses("1", "1").replacen("== 1", "== |1", 1), "ONE", &uses("ONE: 1", "ONE"));
    check(&uses("A: \"x\"", "A").replacen("A:", "A|:", 1), "B", &uses("B: \"x\"", "B"));
}

#[test]
fn a_value_changes_nothing_else() {
    check("constants: {A: \"x|\", B: 'y'}", "z", "constants: {A: \"z\", B: 'y'}");
    check("constants: {A: 1|}", "2", "constants: {A: 2}");
    check("constants: {A: 1|}", "z", "constants: {A: \"z\"}");
}

#[test]
fn renames_that_change_the_meaning_are_refused() {
    let program = |cursor: &str, marked: &str| {
        "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B: \"b\"}\nwhere mark[n] == A and symbol[N] != B:\n    mark[N] = symbol[n]\n"
            .replacen(cursor, marked, 1)
    };
    let register = program("mark[n]", "ma|rk[n]");
    refused(&register, "symbol", "duplicate register `symbol`");
    refused(&register, "a b", "invalid register name `a b`");
    refused(&register, "1a", "invalid register name `1a`");
    refused(&register, "", "invalid register name ``");
    refused(&register, "A", "constant `A` has the name of a register");
    refused(&register, "N", "`N` is the name of a cell");
    let short = program("'m'", "'m|'");
    refused(&short, "s", "duplicate short name `s`");
    refused(&short, "M", "invalid short name `M`");
    refused(&short, "b", "is read as register `mark`");
    refused(&program("'s'", "'|s'"), "x", "gives the register its role");
    refused(&program("'p'", "'|p'"), "x", "gives the register its role");
    let constant = program("== A", "== A|");
    refused(&constant, "B", "duplicate constant `B`");
    refused(&constant, "mark", "constant `mark` has the name of a register");
    refused(&constant, "", "cannot be empty");
    refused(&constant, "a\nb", "a line break");
    refused(&constant, "n", "`n` is the name of a cell");
    let value = program("\"b\"", "\"b|\"");
    refused(&value, "A", "constant `A` already has the value `A`");
    refused(&value, "m", "is read as register `mark`");
    refused("registers: {symbol: 's', parse: 'a|'}", "x", "gives the register its role");
    refused("registers: {symbol: 's', a|: 'm'}\nwhere a[N] == b[n]:\n    b[N] = a[n]", "b", "line 2 uses `b`");
    let second = "registers: {symbol: 's', a: 'a', b: 'b'}\nwhere a[n] == a[N]:\n    a[N] = b[n]\n    b|[N] = a[n]";
    refused(second, "in", "`in` is a keyword (line 4)");
}
