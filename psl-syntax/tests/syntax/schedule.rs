//! Schedules: programs of labeled productions, and the labels of the heads of each layer.

use std::{fs, num::NonZeroUsize, path::Path};

use psl_syntax::{
    Program, check as check_text,
    program::{Cell, ProductionId},
    schedule::{Order, Schedule, Usage, Wait, schedule},
};

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', w: 'w', x: 'x', y: 'y', z: 'z', g: 'g', h: 'h'}
constants: {A, B, C, ALSO_A: \"A\"}
watch: [w, x, y, z, g, h]
";

fn program(text: &str) -> Program {
    let checked = check_text(&format!("{DECLARATIONS}{text}"));
    assert!(checked.compiles(), "{:#?}", checked.diagnostics);
    checked.analysis.program
}

/// The label of a production, without its mark.
fn label(program: &Program, production: usize) -> String {
    let label = program.productions()[ProductionId::new(production)].label.clone();
    label.expect("a label").trim_start_matches(['#', ' ']).to_owned()
}

/// The layers, separated by bars, with the labels of their heads.
fn layers(program: &Program, schedule: &Schedule) -> String {
    let layer = |heads: &Vec<usize>| heads.iter().map(|head| label(program, *head)).collect::<Vec<_>>().join(" ");
    schedule.layers.iter().map(layer).collect::<Vec<_>>().join(" | ")
}

fn check(text: &str, expected: &str) {
    let program = program(text);
    let schedule = schedule(&program, None);
    assert_eq!(layers(&program, &schedule), expected, "{text}");
    assert_eq!((schedule.fewest, schedule.critical_path.is_empty()), (schedule.depth(), schedule.depth() == 0));
}

/// The critical path: the labels of its productions, with the reasons between them.
fn path(text: &str) -> String {
    let program = program(text);
    let mut words = String::new();
    let Schedule { critical_path, waits, .. } = schedule(&program, None);
    for (index, production) in critical_path.iter().enumerate() {
        match &waits[*production] {
            _ if index == 0 => {}
            None => words.push_str(" repeat "),
            Some(Wait { earlier, order, reasons }) => {
                assert_eq!(*earlier, critical_path[index - 1]);
                words.push_str(if *order == Order::After { " > " } else { " >= " });
                for reason in reasons {
                    words.push_str(&program.registers[reason.register].name);
                    words.push_str(match reason.usage {
                        Usage::Reads(Cell::Source) => "[n] ",
                        Usage::Reads(Cell::Updated) => "[N] ",
                        Usage::Writes => "= ",
                    });
                }
            }
        }
        words.push_str(&label(&program, *production));
    }
    words
}

/// Two productions, A before B.
fn pair(first: &str, second: &str) -> String {
    let production = |label: &str, text: &str| {
        let (conditions, assignments) = text.split_once(": ").expect("a production");
        let conditions = conditions.replace("; ", " and ");
        format!("# {label}\nwhere {conditions}:\n    {}\n", assignments.replace("; ", "\n    "))
    };
    production("A", first) + &production("B", second)
}

#[test]
fn productions_with_different_registers_share_a_layer() {
    check(&pair("x[N] == A: y[N] = B", "x[N] == B: z[N] = B"), "A B");
}

#[test]
fn a_production_that_reads_or_writes_what_another_writes_comes_later() {
    check(&pair("x[N] == A: y[N] = B", "y[N] == B: z[N] = B"), "A | B");
    check(&pair("x[N] == A: y[N] = B", "w[N] == B: z[N] = y[N]"), "A | B");
    check(&pair("x[N] == A: y[N] = B", "y[n] == B: z[N] = A"), "A | B");
    check(&pair("w[N] == A: y[N] = B", "x[N] == B: y[N] = C"), "A | B");
}

#[test]
fn a_production_that_writes_what_an_earlier_one_reads_comes_no_earlier() {
    check(&pair("y[N] == A: z[N] = B", "x[N] == B: y[N] = C"), "A B");
    // B alone could be in the first layer.
    let text = "# W\nwhere w[N] == A:\n    y[N] = B\n".to_owned();
    check(&(text.clone() + &pair("y[N] == A; x[n] == B: z[N] = B", "h[N] == B: x[N] = C")), "W | A B");
    check(&(text + &pair("y[N] == A; x[n] == B: z[N] = B", "h[N] == B: g[N] = C")), "W B | A");
}

#[test]
fn guards_that_exclude_each_other_let_productions_share_what_is_at_cell_n_updated() {
    check(&pair("g[N] == A: y[N] = B", "g[N] == B: y[N] = C"), "A B");
    check(&pair("g[N] == A: y[N] = B", "g[N] != A; y[N] == C: z[N] = C"), "A B");
    check(&pair("g[N] in [A, B]: y[N] = B", "g[N] not in [B, C, A]: y[N] = C"), "A B");
    check(&pair("g[N] not in [A]; g[N] not in [B]: y[N] = B", "g[N] in [A, B]: y[N] = C"), "A B");
    check(&pair("g[N] in [A, B]; g[N] in [B, C]: y[N] = B", "g[N] == A: y[N] = C"), "A B");
    // Guards that both may hold.
    check(&pair("g[N] == A: y[N] = B", "g[N] == ALSO_A: y[N] = C"), "A | B");
    check(&pair("g[N] == A: y[N] = B", "h[N] == B: y[N] = C"), "A | B");
    check(&pair("g[N] != A: y[N] = B", "g[N] != B: y[N] = C"), "A | B");
    check(&pair("g[N] == A: y[N] = B", "g[n] == B: y[N] = C"), "A | B");
    check(&pair("g[N] == x[N]: y[N] = B", "g[N] == B: y[N] = C"), "A | B");
}

#[test]
fn guards_must_also_exclude_each_other_after_the_write() {
    check(&pair("g[N] == A: y[N] = B; g[N] = C", "g[N] == B: y[N] = C"), "A B");
    check(&pair("g[N] == A: y[N] = B; g[N] = B", "g[N] == B: y[N] = C"), "A | B");
    check(&pair("g[N] == A: y[N] = B; g[N] = h[N]", "g[N] == B: y[N] = C"), "A | B");
    // A guard excludes after B's write, but not after A's.
    check(&pair("g[N] == A: y[N] = B", "g[N] == B: y[N] = C; g[N] = A"), "A B");
    let text = "# W\nwhere h[N] == A:\n    x[N] = B\n".to_owned();
    check(&(text.clone() + &pair("g[N] == A; x[N] == B: y[N] = B", "g[N] == B: y[N] = C; g[N] = A")), "W | A B");
    check(&(text + &pair("g[N] == A; x[N] == B: y[N] = B", "g[N] == B: y[N] = C; g[N] = C")), "W B | A");
}

#[test]
fn a_register_of_cell_n_is_excused_by_guards_on_that_cell() {
    check(&pair("g[N] == A: x[N] = B", "g[n] == B: y[N] = x[n]"), "A B");
    check(&pair("g[N] == A: x[N] = B", "g[N] == B; x[n] == B: y[N] = C"), "A | B");
    check(&pair("g[N] == A: x[N] = B; g[N] = C", "g[n] == B: y[N] = x[n]"), "A B");
    check(&pair("g[N] == A: x[N] = B; g[N] = B", "g[n] == B: y[N] = x[n]"), "A | B");
    // Written by both, and read from cell n: both guards are needed.
    check(&pair("g[N] == A: x[N] = B", "g[n] == B: x[N] = x[n]"), "A | B");
    check(&pair("g[N] == A: x[N] = B", "g[n] == B; g[N] == C: x[N] = x[n]"), "A B");
}

#[test]
fn repeat_blocks_are_barriers() {
    let text = "\
# A
where x[N] == A:
    y[N] = B
repeat:
    # B
    where z[N] == A:
        w[N] = B
    repeat:
        # C
        where g[N] == A:
            h[N] = B
    until NO_CHANGE
    # D
    where symbol[N] == A:
        z[N] = B
until NO_CHANGE
# E
where symbol[N] == A:
    symbol[N] = B
";
    check(text, "A | B | C | D | E");
    assert_eq!(path(text), "A repeat B repeat C repeat D repeat E");
}

#[test]
fn the_critical_path_names_what_its_productions_wait_for() {
    let text = pair("x[N] == A: y[N] = B", "y[n] == B; x[n] == A: y[N] = y[n]");
    assert_eq!(path(&text), "A > y[n] y= B");
    let text = pair("x[N] == A: y[N] = B", "y[N] == B: z[N] = C")
        + "# C\nwhere h[N] == A:\n    y[N] = C\n# D\nwhere y[N] == C:\n    w[N] = A\n";
    assert_eq!(path(&text), "A > y= C > y[N] D");
    let waits = pair("y[N] == A; x[n] == B: z[N] = B", "h[N] == B: x[N] = C");
    let text = format!("# W\nwhere w[N] == A:\n    y[N] = B\n{waits}# C\nwhere x[N] == C:\n    w[N] = A\n");
    assert_eq!(path(&text), "W > y[N] A >= x[n] B > x[N] C");
}

#[test]
fn with_few_heads_the_longest_chain_comes_first() {
    let text = "\
# A
where x[N] == A:
    y[N] = B
# B
where x[N] == A:
    z[N] = B
# C
where x[N] == A:
    g[N] = B
# D
where g[N] == B:
    h[N] = B
# E
where h[N] == B:
    w[N] = B
";
    let program = program(text);
    let of = |heads| schedule(&program, NonZeroUsize::new(heads));
    let shown = |heads| format!("{} of {}", layers(&program, &of(heads)), of(heads).fewest);
    assert_eq!(shown(1), "C | D | A | B | E of 5");
    assert_eq!(shown(2), "A C | B D | E of 3");
    assert_eq!(shown(3), "A B C | D | E of 3");
}

#[test]
fn a_production_that_must_not_come_first_can_join_the_layer_with_few_heads() {
    let text = pair("y[N] == A: z[N] = B", "x[N] == B: y[N] = C");
    let program = program(&text);
    assert_eq!(layers(&program, &schedule(&program, NonZeroUsize::new(2))), "A B");
    assert_eq!(layers(&program, &schedule(&program, NonZeroUsize::new(1))), "A | B");
}

#[test]
fn a_scheduled_program_has_the_productions_in_the_order_of_the_layers() {
    let text = "# A\nwhere x[N] == A:\n    y[N] = B\n# B\nwhere y[N] == A:\n    z[N] = B\n".to_owned();
    let program = program(
        &(text
            + "repeat:\n    # C\n    where x[N] == A:\n        y[N] = B\nuntil NO_CHANGE\n# D\nwhere w[N] == A:\n    y[N] = B\n# E\nwhere w[N] == A:\n    z[N] = B\n"),
    );
    let applied = schedule(&program, None).apply(&program);
    let shown = |(number, production): (usize, &&psl_syntax::program::Production)| {
        format!("{}{}", if production.shares_layer { "+" } else { " " }, label(&applied, number))
    };
    let shown: String = applied.productions().iter().enumerate().map(shown).collect();
    assert_eq!(shown, " A B C D+E");
    assert_eq!(applied.statements.len(), 5);
}

#[test]
fn pargen_has_27_layers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/pargen.psl");
    let program = check_text(&fs::read_to_string(path).expect("a program")).analysis.program;
    let schedule = schedule(&program, None);
    assert_eq!((schedule.depth(), program.productions().len()), (27, 31));
}
