//! Programs with holes: what checks and formats them, and what refuses them.

use std::fs;

use crate::{
    binary::{code, err, folder, out, psl_in},
    command::psl,
};

const HOLE: &str = "\
registers: {symbol: 's', position: 'p'}
constants: {A, B}
where symbol[N] == A:
    symbol[N] = ?
";

const REPORT: &str = "\
error[hole]: a constant or a register belongs in this hole
   ╭─[ a.psl:4:17 ]
 4 │     symbol[N] = ?
   │                 ━
  help: replace `?` yourself, or search for what fits with `psl fill`
";

#[test]
fn what_needs_a_whole_program_refuses_one_with_a_hole() {
    for command in ["run -p A", "compile", "debug -p A", "eval a.psl data.tsv"] {
        let file = if command.starts_with("eval") { "" } else { " a.psl" };
        psl(&format!("{command}{file}"))
            .file("a.psl", HOLE)
            .file("data.tsv", "A\tB\n")
            .code(1)
            .complains(REPORT)
            .prints("");
    }
}

#[test]
fn a_check_reports_a_hole_and_a_fix_leaves_it() {
    let folder = folder(&[("a.psl", HOLE)]);
    for (args, summary) in [
        (&["check", "a.psl"][..], "checked 1 file: 1 error, 0 warnings\n"),
        (&["check", "--fix", "a.psl"], "checked 1 file: 1 error, 0 warnings, 0 fixed\n"),
    ] {
        let output = psl_in(folder.path(), args, b"");
        assert_eq!((code(&output), out(&output).as_str()), (1, REPORT));
        assert_eq!(err(&output), format!("\n{summary}more about a code: psl explain hole\n"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.psl")).expect("the file"), HOLE);
}

#[test]
fn a_program_with_holes_is_formatted() {
    psl("fmt -").input("where x[N]?A and ?:? y[N]=?[ ? ]").prints("where x[N] ? A and ?:\n    ?\n    y[N] = ?[?]\n");
}
