//! Programs of any size for benchmarks.

use std::fmt::Write;

use psl_syntax::{
    check,
    names::{Access, Symbol},
    program::{ConstantId, RegisterId},
};

pub const PARGEN: &str = include_str!("../../../examples/pargen.psl");

/// The productions of PARGEN, repeated until the program has this many lines. Each repetition has its own registers and
/// constants, except for registers with a role and values that the machine sets.
pub fn pargen(lines: usize) -> String {
    let body_start = PARGEN.find("# P0:").expect("PARGEN starts with P0");
    let body = &PARGEN[body_start..];
    let copies = lines.saturating_sub(4).div_ceil(body.lines().count()).max(1);
    let analysis = check(PARGEN).analysis;
    let roles: Vec<_> =
        analysis.program.roles.iter().filter_map(|(_, register)| register).map(Symbol::Register).collect();
    let shared = |symbol| match symbol {
        Symbol::Register(_) => roles.contains(&symbol),
        Symbol::Constant(id) => {
            let constant = &analysis.program.constants[id];
            ["0", "1", "EOP"].contains(&constant.value.as_str())
        }
    };
    let (mut registers, mut constants, mut statements) = (String::new(), String::new(), String::new());
    for copy in 0..copies {
        let suffix = |symbol| if copy == 0 || shared(symbol) { String::new() } else { format!("_{copy}") };
        let declared = |symbol| copy == 0 || !shared(symbol);
        for (register, id) in analysis.program.registers.iter().zip(0..) {
            let symbol = Symbol::Register(RegisterId(id));
            if declared(symbol) {
                let suffix = suffix(symbol);
                _ = write!(registers, "{}{suffix}: '{}{suffix}', ", register.name, register.short);
            }
        }
        for (constant, id) in analysis.program.constants.iter().zip(0..) {
            let symbol = Symbol::Constant(ConstantId(id));
            if declared(symbol) {
                let suffix = suffix(symbol);
                _ = write!(constants, "{}{suffix}: '{}{suffix}', ", constant.name, constant.value);
            }
        }
        let mut end = body_start;
        let used = |access| matches!(access, Access::Read | Access::Write);
        for reference in analysis.names.references.iter().filter(|reference| used(reference.access)) {
            let span = reference.span.range();
            statements.extend([&PARGEN[end..span.end], &suffix(reference.symbol)]);
            end = span.end;
        }
        statements.push_str(&PARGEN[end..]);
    }
    format!(
        "registers: {{{registers}}}\nconstants: {{{constants}}}\n\
         system: {{symbol: symbol, position: position, output: symbol, parse: parse, eop: eop}}\n\
         causal_attn: false\n{statements}"
    )
}

/// A name, and a function from a size to a program.
pub type Shape = (&'static str, fn(usize) -> String);

/// Programs that are large in only one respect.
pub const SHAPES: [Shape; 22] = [
    ("one register, a different constant in each write", |size| {
        let constants = list(size, |at| format!("C{at}"));
        let writes = each(size, |at| format!("where symbol[N] == A:\n    mark[N] = C{at}\n"));
        program("", &constants, &writes)
    }),
    ("one register, read by each production", |size| {
        program("", "", &each(size, |_| "where mark[N] == A and position[n] == 1:\n    copy[N] = mark[n]\n".into()))
    }),
    ("copies from register to register", |size| {
        let registers = list(size, |at| format!("r{at}: 'r{at}'"));
        let first = "where symbol[N] == A:\n    r0[N] = A\n".to_owned();
        let copies = each(size - 1, |at| format!("where symbol[N] == A:\n    r{}[N] = r{at}[N]\n", at + 1));
        program(&registers, "", &(first + &copies))
    }),
    ("copies from register to register, last first", |size| {
        let registers = list(size, |at| format!("r{at}: 'r{at}'"));
        let copies =
            each(size - 1, |at| format!("where symbol[N] == A:\n    r{}[N] = r{}[N]\n", size - at - 1, size - at - 2));
        program(&registers, "", &format!("repeat:\n{copies}where symbol[N] == A:\n    r0[N] = A\nuntil NO_CHANGE\n"))
    }),
    ("repeats in repeats, 256 deep", |size| {
        let open = "repeat:\n".repeat(256);
        let inside = "where symbol[N] == A:\n    mark[N] = A\n";
        let close = "until NO_CHANGE\n".repeat(256);
        program("", "", &format!("{open}{inside}{close}").repeat(size.div_ceil(256)))
    }),
    ("repeats in a row", |size| {
        let block = "repeat:\n    where symbol[N] == A:\n        mark[N] = A\nuntil mark[N] == A\n";
        program("", "", &block.repeat(size))
    }),
    ("constants in one list", |size| {
        let constants = list(size, |at| format!("C{at}"));
        program(
            "",
            &constants,
            &format!("where symbol[N] in [{constants}] and symbol[n] not in [{constants}]:\n    mark[N] = A\n"),
        )
    }),
    ("registers", |size| {
        let registers = list(size, |at| format!("r{at}: 'r{at}'"));
        program(&registers, "", &each(size, |at| format!("where r{at}[N] == A:\n    r{at}[N] = symbol[N]\n")))
    }),
    ("one comment", |size| {
        program("", "", &format!("# {}\nwhere symbol[N] == A:\n    mark[N] = A\n", "comment ".repeat(5 * size)))
    }),
    ("one line", |size| program("", "", &"where symbol[N] == A: mark[N] = A ".repeat(size))),
    ("labels", |size| {
        program("", "", &each(size, |at| format!("# label {at}\nwhere symbol[N] == A:\n    mark[N] = A\n")))
    }),
    ("allows, each above its statement", |size| {
        program("", "", &"//@ allow non-causal\nwhere symbol[n] == A:\n    mark[N] = A\n".repeat(size))
    }),
    ("allows above one statement", |size| {
        program("", "", &format!("{}where symbol[n] == A:\n    mark[N] = A\n", "//@ allow non-causal\n".repeat(size)))
    }),
    ("allows above a statement in nested repeats", |size| {
        let allows = "//@ allow non-causal\n".repeat(size.div_ceil(256));
        let open = format!("{allows}repeat:\n").repeat(256);
        program("", "", &format!("{open}where symbol[n] == A:\n    mark[N] = A\n{}", "until NO_CHANGE\n".repeat(256)))
    }),
    ("conditions of one production", |size| {
        let conditions = each(size, |_| "symbol[N] != A and symbol[n] != B and ".into());
        program("", "", &format!("where {conditions}mark[n] == A:\n    mark[N] = A\n"))
    }),
    ("assignments of one production", |size| {
        let registers = list(size, |at| format!("r{at}: 'r{at}'"));
        program(&registers, "", &format!("where symbol[N] == A:\n{}", each(size, |at| format!("    r{at}[N] = A\n"))))
    }),
    ("chained right sides", |size| {
        program("", "", &format!("where symbol[N] == A:\n    {}A\n", "mark[N] = ".repeat(size)))
    }),
    ("keywords alone", |size| program("", "", &"where until repeat registers watch ".repeat(size / 5))),
    ("misspelled names", |size| {
        let registers = list(size, |at| format!("register{at}: 'r{at}'"));
        program(&registers, "", &each(size, |at| format!("where symbol[N] == A:\n    regsiter{at}[N] = A\n")))
    }),
    ("brackets, braces and quotes", |size| program("", "", &format!("where {}", "[({'\" §\n".repeat(size)))),
    ("roles", |size| {
        format!("registers: {{symbol: 's'}}\nsystem: {{{}}}\n", list(size, |at| format!("role{at}: symbol")))
    }),
    ("tests", |size| {
        program(
            "",
            "",
            &format!("{}where symbol[N] == A:\n    mark[N] = A\n", "//@ test \"A\" => \"A\"\n".repeat(size)),
        )
    }),
];

fn program(registers: &str, constants: &str, statements: &str) -> String {
    format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm', copy: 'c', {registers}}}\n\
         constants: {{A, B, 1, {constants}}}\n{statements}"
    )
}

fn list(size: usize, item: impl Fn(usize) -> String) -> String {
    (0..size).map(item).collect::<Vec<_>>().join(", ")
}

fn each(size: usize, item: impl Fn(usize) -> String) -> String {
    (0..size).map(item).collect()
}
