//! Programs on which a machine was once wrong: every test of theirs, on every machine.
#![allow(clippy::unwrap_used)]

mod common;

use common::{output, program, task, text};
use psl_runtime::{Executable, MachineKind, Options};

fn check(name: &str) {
    let program = program(&text(&format!("defects/{name}.psl")));
    let options = Options::of(&program);
    assert!(!program.tests.is_empty(), "{name} has no test");
    let executable = Executable::new(program);
    for test in &executable.program.tests {
        let task = task(&executable, &test.prompt, &options);
        for machine in MachineKind::ALL {
            let run = executable.run(machine, &task, None).unwrap();
            assert_eq!(output(&run, &task), test.gold, "{name} on {}: {}", machine.name(), test.prompt);
        }
    }
}

#[test]
fn a_list_of_half_the_values_is_no_complement() {
    check("in_long");
}

#[test]
fn a_complement_of_half_the_values_is_no_list() {
    check("not_in_long");
    check("subleq");
}
