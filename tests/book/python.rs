//! Programs in Python.

use std::{path::Path, process::Command};

use super::folder::Folder;

/// Runs its arguments one after another with the same names. Only the last one prints.
const SESSION: &str = "\
import contextlib, io, sys
sys.stderr = sys.stdout
names = {}
for program in sys.argv[1:-1]:
    with contextlib.redirect_stdout(io.StringIO()):
        exec(program, names)
exec(sys.argv[-1], names)
";

/// The output of the last program after all earlier ones, in the environment that `tests/run` installs.
pub fn output(folder: &Folder, programs: &[&str]) -> Result<String, String> {
    let interpreter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools/venv/bin/python");
    if !interpreter.exists() {
        return Err("`.tools/venv` is missing: `tests/run` installs it".to_owned());
    }
    let (output, code) = folder.run(Command::new(interpreter).args(["-c", SESSION]).args(programs));
    if code == 0 { Ok(output) } else { Err(format!("the program fails:\n{output}")) }
}
