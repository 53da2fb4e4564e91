//! `psl test`: runs the `//@ test` and `//@ law` lines of programs.

mod coverage;
mod failure_text;
mod report;
mod suite;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use clap::ValueHint;
use psl_program::{
    NotCompiled, Progress, Prompt, Runner, TableSelection, count, coverage, explain_failure, laws::Decided,
    matching_tests,
};
use psl_runtime::{Executable, MachineKind, record::SymbolWrites, to_the_end};
use psl_syntax::{
    Diagnostic, Program, Span,
    program::{TestCase, TestPrompt},
    unread_tests,
};
use suite::{Broken, Case, Format, MachineRun, Problem, Suite, Unread};

use super::{examples::examples, watch::watch};
use crate::{
    failure::Failure,
    input::{
        file_format::FileFormat,
        load::{errors, executable, report},
        machine::machines,
        paths::name,
        program_file::ProgramFile,
        program_files::ProgramFiles,
    },
    output::{
        color::Color,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        terminal,
    },
};

/// The arguments of `psl test`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl test", "the tests in this folder"),
    ("psl test pargen.psl --test swap", "the one named swap"),
    ("psl test --machine all", "on every machine"),
    ("psl test pargen.psl --weights edited.safetensors", "its tests on edited weights"),
    ("psl test --format junit > tests.xml", "a report for CI"),
    ("psl test --coverage pargen.psl", "what the tests do not reach"),
    ("psl test --coverage --format lcov > lcov.info", "coverage for CI"),
]))]
pub struct Args {
    /// Files, folders, or - for standard input [default: this folder].
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,
    /// Run only the tests of this name. If a program has none, those whose names contain it.
    ///
    /// A test without a name has the name `test` and its number in the file.
    #[arg(long, value_name = "NAME", alias = "name")]
    test: Option<String>,
    /// Run the tests of one program on these weights (.safetensors) or this QKVL (.json) instead.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    weights: Option<PathBuf>,
    /// Exit with 0 even if no test ran.
    #[arg(long)]
    allow_none: bool,
    /// Machine that runs the tests.
    #[arg(long, default_value = "dat", value_name = "MACHINE", value_parser = machines())]
    // By its full path: clap takes a `Vec` for an option that is given several times.
    machine: ::std::vec::Vec<MachineKind>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Report the productions, conditions and assignments that the tests do not reach, or that make no difference.
    #[arg(long, conflicts_with = "weights")]
    coverage: bool,
    /// Run again when a file changes, until Ctrl-C.
    #[arg(long)]
    watch: bool,
}

/// Runs all tests of all paths. A program with errors is one failure. The other paths run even if one cannot be read.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let wrong = match (args.format, args.coverage) {
        (Format::Lcov, false) => Some("`--format lcov` is a format of the coverage: add `--coverage`"),
        (Format::Junit, true) => Some("JUnit's XML has no coverage: choose `--format human`, `json` or `lcov`"),
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(Failure::Message(wrong.to_owned()));
    }
    if args.watch {
        return watch("test", &args.paths, |seen| test(args, color, seen));
    }
    test(args, color, &mut |_| {})
}

fn test(args: &Args, color: Color, seen: &mut dyn FnMut(&ProgramFile)) -> Result<bool, Failure> {
    let edited = args.weights.as_deref().map(|path| Edited::read(path, args)).transpose()?;
    let content = if args.format == Format::Human { Content::People } else { Content::Data };
    let is_data = args.coverage && args.format != Format::Human;
    let format = (!is_data).then_some(args.format);
    let mut printed = report::Report::new(format, stdout_to_the_end(content), terminal::stdout(color));
    let mut covered: Vec<u8> = Vec::new();
    let mut sources = if args.watch { ProgramFiles::watched(&args.paths) } else { ProgramFiles::of(&args.paths) };
    let mut unread = 0;
    for source in sources.by_ref() {
        seen(&source);
        let suite = suite(args, edited.as_ref(), &source, color);
        unread += suite.unread.len();
        printed.add(&suite)?;
        if args.coverage {
            write_coverage(&mut covered, args, &source)?;
        }
    }
    let (passed, failed) = printed.finish()?;
    stdout_to_the_end(content).write_all(&covered)?;
    if unread > 0 {
        print_to_stderr(format_args!("error: {} could not be read: `psl check` shows why", count(unread, "test")));
    }
    let none = passed + failed == 0 && sources.all_done();
    if none {
        print_to_stderr(nothing_ran(args));
    }
    sources.end(failed == 0 && (args.allow_none || !none))
}

/// Writes the coverage of a program by the chosen tests. One that does not compile has none.
fn write_coverage(out: &mut Vec<u8>, args: &Args, source: &ProgramFile) -> io::Result<()> {
    let tests = chosen(args, source.file.program());
    match coverage(&source.file, &tests, &Progress::default()) {
        Ok(covered) => coverage::write(out, args.format, source, &covered),
        Err(NotCompiled { .. }) => Ok(()),
    }
}

/// The indices of the tests to run.
fn chosen(args: &Args, program: &Program) -> Vec<usize> {
    match &args.test {
        Some(name) => matching_tests(program, name),
        None => (0..program.tests.len()).collect(),
    }
}

/// The message if no test ran.
fn nothing_ran(args: &Args) -> String {
    let why = match &args.test {
        Some(name) => format!("`{name}` is not a test's name, nor a part of one"),
        None => "the programs have no `//@ test` lines".to_owned(),
    };
    if args.allow_none {
        format!("note: no test ran: {why}")
    } else {
        format!("error: no test ran: {why}; `--allow-none` accepts that")
    }
}

/// A program in weights or QKVL that replaces the one with the tests.
struct Edited<'a> {
    path: &'a Path,
    executable: Executable,
}

impl<'a> Edited<'a> {
    fn read(path: &'a Path, args: &Args) -> Result<Self, Failure> {
        let one = matches!(&args.paths[..], [path] if !path.is_dir());
        if !one {
            let message = "`--weights` runs the tests of one program: give the program's file";
            return Err(Failure::Message(message.to_owned()));
        }
        let Some(executable) = executable(FileFormat::read(path)?) else {
            let message = format!("{}: expected weights (.safetensors) or QKVL (.json)", name(path));
            return Err(Failure::Message(message));
        };
        Ok(Self { path, executable })
    }

    /// The runner for the tests of a program, with its stop symbol and its limit.
    fn runner(&self, tests: &Runner) -> Runner {
        let mut executable = self.executable.clone();
        let Program { max_new, stop, answer, registers, .. } = &tests.executable().program;
        executable.program.max_new = *max_new;
        executable.program.stop.clone_from(stop);
        let answer = answer.map(|register| registers[register].name.clone());
        Runner::of(executable).with_answer(answer).with_prompts(tests.prompts().clone())
    }
}

fn suite(args: &Args, edited: Option<&Edited<'_>>, source: &ProgramFile, color: Color) -> Suite {
    let (file, file_from_root) = (source.name.clone(), source.name_from_root());
    if let Err(errors) = errors(source) {
        report(source, &errors, color);
        print_to_stderr("");
        let reason =
            if source.file.has_only_holes() { "the program has holes" } else { "the program does not compile" };
        let broken = errors.first().map(|error| {
            let (line, error) = (source.line(error.span.start), error.message.clone());
            Broken { reason, line, error }
        });
        return Suite { file, file_from_root, cases: Vec::new(), unread: Vec::new(), broken };
    }
    let tested = source.file.compiled();
    let on_weights = edited.map(|edited| edited.runner(tested).with_stop(source.file.config().stop.clone()));
    let runner = on_weights.as_ref().unwrap_or(tested);
    let mut cases = Vec::new();
    let program = &tested.executable().program;
    for index in chosen(args, program) {
        let Some(test) = program.tests.get(index) else { continue };
        let runs = args.machine.iter().map(|&machine| run_test(runner, source, test, machine));
        let runs: Vec<MachineRun> = runs.collect();
        let verdicts = || runs.iter().filter_map(|run| run.law.as_ref());
        let broken = verdicts().find(|law| law.refutation.is_some()).or_else(|| verdicts().next());
        let shown = broken.map_or_else(|| test.clone(), |law| law.case.clone());
        let prompt = Prompt::from(&shown.prompt);
        let case = Case {
            place: source.place(test.span.start),
            line: source.line(test.span.start),
            name: test.name.clone(),
            number: index + 1,
            prompt: runner.prompt_to_json(&prompt),
            prompt_text: match &shown.prompt {
                TestPrompt::Plain(symbols) => symbols.clone(),
                TestPrompt::Json(file) => file.clone(),
            },
            is_law: test.law.is_some(),
            command: command(source, edited, &shown),
            gold: shown.gold,
            runs,
        };
        let ran = case.runs.iter().any(|run| run.got.is_some());
        if let Some(note) = runner.prompt_note(&prompt).filter(|_| ran) {
            print_to_stderr(format_args!("note: {}: {note}", case.place));
        }
        cases.push(case);
    }
    // A name chooses among the tests that can be read.
    let unread = if args.test.is_none() { unread(source) } else { Vec::new() };
    Suite { file, file_from_root, cases, unread, broken: None }
}

fn unread(source: &ProgramFile) -> Vec<Unread> {
    let unread = unread_tests(&source.file.checked().tree).into_iter();
    let of = |wrong: Diagnostic| Unread {
        place: source.place(wrong.span.start),
        line: source.line(wrong.span.start),
        error: wrong.message,
    };
    unread.map(of).collect()
}

fn run_test(runner: &Runner, source: &ProgramFile, test: &TestCase, machine: MachineKind) -> MachineRun {
    let start = Instant::now();
    let mut writes = None;
    let (law, refused) = match runner.decide(test, machine, &|| false, u64::MAX) {
        Ok(Decided::Law(law)) => (Some(*law), None),
        Ok(Decided::Test | Decided::No) => (None, None),
        Err(failure) => (None, Some(failure)),
    };
    let test = law.as_ref().map_or(test, |law| &law.case);
    let holds = law.as_ref().is_none_or(|law| law.refutation.is_none());
    let result = refused.map_or_else(|| runner.test_task(test), Err).and_then(|task| {
        let writes = writes.insert(SymbolWrites::new(runner.executable(), &task));
        runner.complete(&task, machine, Some(&mut to_the_end(|update| writes.read(update))))
    });
    let time = start.elapsed();
    let problem = match &result {
        Ok(continuation) if holds && continuation.is(&test.gold) => None,
        Ok(continuation) => {
            let explanation = explain_failure(runner, &test.gold, continuation, |symbol| writes.as_ref()?.of(symbol));
            let analysis = source.file.analysis();
            let line = |span: Span| Some(source.line(span.start));
            let selection = explanation.as_ref().map(|it| it.table_selection(analysis)).unwrap_or_default();
            Some(Problem {
                first_wrong: explanation.as_ref().map(|explanation| explanation.symbol.number()),
                message: explanation.as_ref().map_or_else(String::new, |it| it.difference().to_owned()),
                cause: explanation.and_then(|explanation| explanation.cause(&analysis.program, line)),
                options: options(&selection),
            })
        }
        Err(failure) => Some(Problem {
            first_wrong: None,
            message: failure.message.clone(),
            cause: None,
            options: options(&TableSelection::default()),
        }),
    };
    MachineRun { machine, got: result.ok().map(|continuation| continuation.text()), problem, law, time }
}

/// The command that runs a test's prompt.
fn command(source: &ProgramFile, edited: Option<&Edited<'_>>, test: &TestCase) -> Option<Vec<String>> {
    let [option, value] = match &test.prompt {
        TestPrompt::Plain(symbols) => ["--prompt", symbols].map(str::to_owned),
        TestPrompt::Json(file) => {
            let folder = Path::new(&source.name).parent().unwrap_or(Path::new(""));
            ["--prompt-json".to_owned(), folder.join(file).display().to_string()]
        }
    };
    let program = edited.map_or_else(|| source.name.clone(), |edited| name(edited.path));
    let words = ["psl".to_owned(), "run".to_owned(), program, option, value];
    let row = test.row.then(|| "--row".to_owned());
    (!source.is_stdin()).then(|| words.into_iter().chain(row).collect())
}

/// The options of `psl run` that show a part of the run.
fn options(selection: &TableSelection) -> Vec<String> {
    let TableSelection { layers, cells, registers } = selection;
    let registers = Some(registers.join(",")).filter(|names| !names.is_empty());
    let chosen = [
        ("--layers", layers.as_ref().map(ToString::to_string)),
        ("--cells", cells.as_ref().map(ToString::to_string)),
        ("--registers", registers),
    ];
    let chosen = chosen.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten();
    ["--table".to_owned()].into_iter().chain(chosen).collect()
}
