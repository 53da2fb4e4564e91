//! Programs that are hard to run correctly: all their tests, on all machines.

use psl_runtime::{Executable, MachineKind, Options};
use psl_syntax::program::TestPrompt;

use crate::common::{output, program, task, text};

fn check(name: &str) {
    let program = program(&text(&format!("defects/{name}.psl")));
    let options = Options::of(&program);
    assert!(!program.tests.is_empty(), "{name} has no test");
    let executable = Executable::new(program);
    for test in &executable.program.tests {
        let TestPrompt::Plain(prompt) = &test.prompt else { panic!("{name} has a structured prompt") };
        let task = task(&executable, prompt, &options);
        for machine in MachineKind::ALL {
            let run = executable.run(machine, &task, None).unwrap();
            assert_eq!(output(&run, &task), test.gold, "{name} on {}: {}", machine.name(), prompt);
        }
    }
}

#[test]
fn a_list_of_half_the_values_is_not_a_complement() {
    check("in_long");
}

#[test]
fn a_complement_of_half_the_values_is_not_a_list() {
    check("not_in_long");
    check("subleq");
}
