//! Parts of programs.

use psl_syntax::{Code, Severity, check, declare, diagnostic::Edit};

/// The diagnostics of declarations that a part of a program may lack.
const LACKING: [Code; 2] = [Code::EmptyProgram, Code::MissingRole];

/// Checks a part of a program with the declarations that it lacks: it has diagnostics with these codes, and no other
/// errors. The error has the number of the wrong line in the part, 1-based.
pub fn check_fragment(fragment: &str, codes: &[String]) -> Result<(), (usize, String)> {
    let is_listed = |code: Code| codes.iter().any(|listed| listed == code.as_str());
    let program = complete(fragment, is_listed);
    let found = check(&program).diagnostics;
    let added = program.lines().count().saturating_sub(fragment.lines().count());
    for diagnostic in &found {
        let is_error = diagnostic.severity == Severity::Error && !LACKING.contains(&diagnostic.code);
        if is_error && !is_listed(diagnostic.code) {
            let above = program[..diagnostic.span.start as usize].matches('\n').count();
            let message = format!("error[{}]: {}", diagnostic.code.as_str(), diagnostic.message);
            return Err((above.saturating_sub(added) + 1, format!("{message}, in the program\n{program}")));
        }
    }
    match codes.iter().find(|code| !found.iter().any(|diagnostic| diagnostic.code.as_str() == **code)) {
        Some(missing) => Err((1, format!("the diagnostic `{missing}` is missing in the program\n{program}"))),
        None => Ok(()),
    }
}

/// A program with this part. Names remain unknown if the code for that is listed.
fn complete(fragment: &str, is_listed: impl Fn(Code) -> bool) -> String {
    let has_syntax_error = |text: &String| check(text).diagnostics.iter().any(|found| found.code == Code::Syntax);
    let form = forms(fragment).into_iter().find(|form| !has_syntax_error(form));
    let mut program = form.unwrap_or_else(|| fragment.to_owned());
    if !program.contains("registers") {
        program.insert_str(0, "registers: {symbol: 's', position: 'p'}\n");
    }
    loop {
        let checked = check(&program);
        let unknown = checked.diagnostics.iter().filter(|found| {
            matches!(found.code, Code::UnknownRegister | Code::UnknownConstant) && !is_listed(found.code)
        });
        let Some(declaring) = unknown.into_iter().find_map(|found| declare(&checked, found.span.start)) else {
            return program;
        };
        apply(&mut program, &declaring.fix.edits);
    }
}

/// The text as a program, as lines of conditions and as assignments.
fn forms(fragment: &str) -> [String; 3] {
    let cell = |text: &str| if text.contains("[n]") { "n" } else { "N" };
    let lines = fragment.lines().filter(|line| !line.trim().is_empty());
    let conditions = lines.map(|line| format!("where {line}:\n    symbol[N] = symbol[{}]\n", cell(line)));
    let conditions = conditions.collect::<Vec<_>>().concat();
    [fragment.to_owned(), conditions, format!("where position[{}] == position[N]:\n{fragment}", cell(fragment))]
}

fn apply(text: &mut String, edits: &[Edit]) {
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
}
