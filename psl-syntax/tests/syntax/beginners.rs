//! Beginners' mistakes: each is the only error of its file, and its report names the remedy.
//!
//! `beginners.txt` has them with their reports and, if there is a fix, the fixed program. `UPDATE=1` rewrites the
//! reports. The page of `syntax` has a table of foreign phrases, whose rows are tested too.

use std::{env, fmt::Write as _, fs, path::Path};

use psl_syntax::{Checked, Diagnostic, check, diagnostic::Edit, fix, reread};

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', count: 'c'}
constants: {\"A\", \"B\", \"C\", \"1\", \"2\"}
watch: [mark, count]
";

const FILE: &str = "tests/syntax/beginners.txt";
const PAGE: &str = include_str!("../../../docs/diagnostics/syntax.md");

/// A mistake as in the file: its title and its program.
struct Mistake<'t> {
    title: &'t str,
    program: &'t str,
}

fn mistakes(file: &str) -> Vec<Mistake<'_>> {
    let section = |section| {
        let (title, rest): (&str, &str) = str::split_once(section, '\n').expect("a title and a program");
        let end = rest.find("\n> ").map_or(rest.trim_end().len(), |end| end) + 1;
        Mistake { title, program: rest.get(..end).expect("a line end") }
    };
    file.split("\n## ").skip(1).map(section).collect()
}

/// The declarations before a program that has none.
fn declarations(program: &str) -> &'static str {
    if program.contains("registers") { "" } else { DECLARATIONS }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let mut found = check(text).diagnostics;
    found.retain(Diagnostic::is_error);
    found
}

/// The program after its fix: the certain one as `psl check --fix` applies it, otherwise the first suggestion.
fn fixed(text: &str, error: &Diagnostic) -> Option<String> {
    let offered = error.fixes.first()?;
    Some(if offered.certain {
        fix(text, errors).text
    } else {
        let mut edits: Vec<&Edit> = offered.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span);
        Edit::apply(edits, text).expect("edits that fit")
    })
}

/// The reports of a mistake, the program after its fix, and whether that is one error, which the fix resolves.
fn answer(mistake: &Mistake<'_>) -> (String, bool) {
    let declarations = declarations(mistake.program);
    let text = format!("{declarations}{}", mistake.program);
    let errors = errors(&text);
    let mut answer = String::new();
    for error in &errors {
        let before = text.get(..error.span.range().start).expect("a span in the text");
        let line = before.matches('\n').count() - declarations.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        writeln!(answer, "> {line}:{column} {}: {}", error.code.as_str(), error.message).expect("a string takes all");
        if let Some(help) = &error.help {
            writeln!(answer, "> help: {help}").expect("a string takes all");
        }
    }
    let mut resolved = errors.len() == 1;
    if let Some(error) = errors.first()
        && let (Some(offered), Some(fixed)) = (error.fixes.first(), fixed(&text, error))
    {
        let kind = if offered.certain { "fix" } else { "suggestion" };
        resolved &= self::errors(&fixed).is_empty();
        let program = fixed.strip_prefix(declarations).expect("declarations are unchanged");
        write!(answer, "> {kind}: {}\n{program}", offered.title).expect("a string takes all");
    }
    (answer, resolved)
}

#[test]
fn each_mistake_is_the_only_error_and_is_named_with_its_remedy() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let file = fs::read_to_string(&path).expect("the file of mistakes");
    let mistakes = mistakes(&file);
    let mut unresolved = Vec::new();
    let mut sections = Vec::new();
    for mistake in &mistakes {
        let (answer, resolved) = answer(mistake);
        unresolved.extend((!resolved).then(|| format!("{}\n{answer}", mistake.title)));
        sections.push(format!("\n## {}\n{}{answer}", mistake.title, mistake.program));
    }
    let head = file.split("\n## ").next().expect("a head");
    let expected = format!("{head}{}", sections.concat());
    assert!(unresolved.is_empty(), "not one error that its fix resolves:\n{}", unresolved.join("\n"));
    assert!(mistakes.len() >= 45, "{} mistakes", mistakes.len());
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &expected).expect("the file is written");
    } else {
        assert!(file == expected, "UPDATE=1 rewrites the reports");
    }
}

/// A mistake does not hide errors in the statement below, and gets the same report when it is typed into a valid text.
#[test]
fn what_surrounds_a_mistake_is_checked_as_usual() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let file = fs::read_to_string(path).expect("the file of mistakes");
    for mistake in mistakes(&file).iter().filter(|mistake| !mistake.program.contains("registers")) {
        let text = format!("{DECLARATIONS}{}where symbl[N] == B:\n    symbol[N] = A\n", mistake.program);
        let codes: Vec<_> = errors(&text).iter().map(|error| error.code.as_str()).collect();
        assert!(codes.contains(&"unknown-register"), "{}: {codes:?}", mistake.title);
        let valid: Checked = check(DECLARATIONS);
        let text = format!("{DECLARATIONS}{}", mistake.program);
        let typed: Vec<Diagnostic> =
            reread(&valid, text.as_str()).diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        assert_eq!(typed, errors(&text), "{}", mistake.title);
    }
}

/// Several mistakes in one line are reported one by one, and all are fixed.
#[test]
fn a_program_in_the_manner_of_c_is_fixed() {
    let text = format!("{DECLARATIONS}if (symbol[N] == A && mark[N] <> B) {{\n    mark[N] := B;\n}}\n");
    let fixed = fix(&text, errors);
    assert_eq!(fixed.text, format!("{DECLARATIONS}where (symbol[N] == A and mark[N] != B):\n    mark[N] = B\n"));
    assert_eq!(fixed.applied.len(), 6);
}

/// The rows of the page's table: the foreign line, and PSL.
fn rows() -> Vec<(String, String)> {
    let code = |cell: &str| cell.trim().trim_matches('`').replace("\\|", "|").replace(" ⏎ ", "\n    ");
    PAGE.lines()
        .filter_map(|line| line.replace("\\|", "\u{1}").strip_prefix("| `").map(str::to_owned))
        .filter_map(|line| {
            let mut cells = line.trim_end_matches('|').splitn(2, '|');
            let [wrong, right] = [cells.next()?, cells.next()?].map(|cell| code(&cell.replace('\u{1}', "|")));
            Some((wrong, right))
        })
        .collect()
}

/// A whole program around a line.
fn program(line: &str) -> String {
    let assigns = |line: &str| line.contains("[N] = ") || line.contains("[N] == A\n");
    let text = match line {
        _ if line.starts_with("until") => format!("repeat:\n    where symbol[N] == A:\n        mark[N] = B\n{line}\n"),
        _ if line.ends_with(':') || line.ends_with('{') => format!("{line}\n    mark[N] = B\n"),
        _ if line.contains('\n') || line.starts_with("where ") && assigns(line) => format!("{line}\n"),
        _ if line.starts_with("where ") => format!("{line}\n    mark[N] = B\n"),
        _ => format!("where symbol[N] == A:\n    {line}\n"),
    };
    format!("{DECLARATIONS}{text}")
}

#[test]
fn each_row_of_the_page_is_one_error_and_its_remedy_none() {
    let rows = rows();
    assert!(rows.len() >= 20, "{} rows", rows.len());
    for (wrong, right) in rows {
        let errors_of =
            |line: &str| errors(&program(line)).iter().map(Diagnostic::message_and_help).collect::<Vec<_>>();
        assert_eq!(errors_of(&wrong).len(), 1, "{wrong}: {:#?}", errors_of(&wrong));
        assert_eq!(errors_of(&right), [""; 0], "{right}");
    }
}

/// The role `output` is forgotten more often than anything else. A program that gives it meant another register.
#[test]
fn a_register_that_is_never_read_may_be_the_answer() {
    let help = |system: &str| {
        let text = format!(
            "registers: {{symbol: 's', position: 'p', answer: 'w'}}\n{system}where symbol[n] == symbol[N]:\n    answer[N] = symbol[n]\n"
        );
        let found = check(&text).diagnostics.into_iter().find(|found| found.code.as_str() == "never-read");
        found.and_then(|found| found.help).expect("a warning with help")
    };
    assert!(help("").starts_with("if it is the answer, give it the role `output`, as in `system: {"));
    assert!(help("system: {symbol: symbol, position: position, output: symbol}\n").starts_with("show it in traces"));
}
