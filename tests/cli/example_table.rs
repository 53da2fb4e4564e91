//! The tables in `examples/README.md`: each example has a row with correct numbers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use psl_runtime::{Executable, MachineKind, Options, Update, to_the_end};
use psl_syntax::{
    program::{Program, Statement, TestPrompt},
    schedule::schedule,
};

use crate::binary::repository;

/// The numbers of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    productions: usize,
    /// The layers of the schedule, and the most heads of one.
    scheduled: String,
    passes: String,
}

impl Row {
    fn new(productions: &str, scheduled: &str, passes: &str) -> Self {
        let productions = productions.parse().expect("a number");
        Self { productions, scheduled: scheduled.to_owned(), passes: passes.to_owned() }
    }
}

/// A row of the second table: the numbers of a program that answers in place, and of the one that generates.
struct Pair {
    in_place: Row,
    generating: Row,
    /// The lines of source of both, without comments and blank lines.
    lines: [usize; 2],
}

/// The names of the programs in a folder of the repository, and the cells after their links in the table.
fn table(folder: &str) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(repository().join("examples/README.md")).expect("the tables");
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| [")?.trim_end_matches(" |").split(" | ");
        let (name, link) = cells.next()?.split_once("](").expect("a link");
        (link == format!("{folder}{name}.psl)")).then(|| (name.to_owned(), cells.map(str::to_owned).collect()))
    });
    rows.collect()
}

/// The first table: the examples in `examples`.
fn generating() -> BTreeMap<String, Row> {
    let row = |(name, cells): (String, Vec<String>)| {
        let [_, _, productions, scheduled, passes, _] = &cells[..] else { panic!("seven columns: {name}") };
        (name, Row::new(productions, scheduled, passes))
    };
    table("").into_iter().map(row).collect()
}

/// The second table: those in `examples/rows`.
fn pairs() -> BTreeMap<String, Pair> {
    let pair = |(name, cells): (String, Vec<String>)| {
        let [_, numbers @ ..] = &cells[..] else { panic!("no columns: {name}") };
        let numbers: Vec<_> = numbers.iter().map(|cell| cell.split_once(" / ").expect("two numbers")).collect();
        let [productions, scheduled, passes, lines] = &numbers[..] else { panic!("six columns: {name}") };
        let pair = Pair {
            in_place: Row::new(productions.0, scheduled.0, passes.0),
            generating: Row::new(productions.1, scheduled.1, passes.1),
            lines: [lines.0, lines.1].map(|lines| lines.parse().expect("a number")),
        };
        (name, pair)
    };
    table("rows/").into_iter().map(pair).collect()
}

/// The rows of both tables, by the paths of their programs in `examples`, without the ending.
fn rows() -> BTreeMap<String, Row> {
    let in_place = pairs().into_iter().map(|(name, pair)| (format!("rows/{name}"), pair.in_place));
    generating().into_iter().chain(in_place).collect()
}

fn path(name: &str) -> PathBuf {
    repository().join("examples").join(name).with_extension("psl")
}

fn read(name: &str) -> Executable {
    let checked = psl_syntax::check(&fs::read_to_string(path(name)).expect("a program"));
    assert!(checked.compiles(), "{name}: {:?}", checked.diagnostics);
    Executable::new(checked.analysis.program)
}

/// The repeat blocks around each layer, outermost first.
fn blocks(program: &Program) -> Vec<Vec<usize>> {
    fn visit(statements: &[Statement], around: &[usize], next: &mut usize, found: &mut Vec<Vec<usize>>) {
        for statement in statements {
            match statement {
                Statement::Production(_) => found.push(around.to_vec()),
                Statement::Repeat(repeat) => {
                    *next += 1;
                    visit(&repeat.body, &[around, &[*next]].concat(), next, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    visit(&program.statements, &[], &mut 0, &mut found);
    found
}

/// The passes of all repeat blocks together, while a prompt is read.
fn passes(example: &Executable, prompt: &[&str]) -> usize {
    let blocks = blocks(&example.program);
    let options = Options { max_new: Some(1), answer: example.program.answer, ..Options::default() };
    let task = example.task(prompt, &options).expect("a task");
    let mut passes = BTreeSet::new();
    let observe = |update: &Update| {
        if (update.step, update.cell.number()) == (0, 1) {
            let around = &blocks[update.layer.index()];
            passes.extend((1..=around.len()).map(|depth| (around[depth - 1], update.pass[..depth].to_vec())));
        }
    };
    example.run(MachineKind::Dat, &task, Some(&mut to_the_end(observe))).expect("it runs");
    passes.len()
}

/// The plain prompts of an example's tests, and of the data of its task.
fn prompts(name: &str, example: &Executable) -> Vec<Vec<String>> {
    let name = name.trim_start_matches("rows/");
    let data = fs::read_to_string(repository().join(format!("tests/tasks/{name}.tsv"))).unwrap_or_default();
    let data = data.lines().filter_map(|line| Some(line.split_once('\t')?.0.to_owned()));
    let tests = example.program.tests.iter().filter_map(|test| match &test.prompt {
        TestPrompt::Plain(prompt) => Some(prompt.clone()),
        TestPrompt::Json { .. } => None,
    });
    data.chain(tests).map(|prompt| prompt.split_whitespace().map(str::to_owned).collect()).collect()
}

/// The value of `3`, `L`, `2L + 1` or `⌈log₂ L⌉ + 1`, or `None` for a text of another form.
fn value(formula: &str, length: usize) -> Option<usize> {
    let logarithm = length.next_power_of_two().trailing_zeros() as usize;
    formula.split(" + ").try_fold(0, |sum, term| {
        let term = match term.strip_suffix('L') {
            Some("") => length,
            Some(factor) => factor.parse::<usize>().ok()? * length,
            None if term == "⌈log₂ L⌉" => logarithm,
            None => term.parse().ok()?,
        };
        Some(sum + term)
    })
}

#[test]
fn each_example_has_a_row() {
    let mut found = BTreeSet::new();
    for folder in ["", "rows/"] {
        for file in fs::read_dir(repository().join("examples").join(folder)).expect("a folder") {
            let file = file.expect("a file").file_name();
            found.extend(file.to_str().expect("UTF-8").strip_suffix(".psl").map(|name| format!("{folder}{name}")));
        }
    }
    assert_eq!(found, rows().into_keys().collect());
}

#[test]
fn programs_that_answer_in_place_are_beside_those_that_generate() {
    let generating = generating();
    for (name, pair) in pairs() {
        assert_eq!(generating.get(&name), Some(&pair.generating), "{name}");
    }
}

#[test]
fn the_numbers_of_lines_are_true() {
    for (name, pair) in pairs() {
        let lines = [format!("rows/{name}"), name].map(|name| {
            let text = fs::read_to_string(path(&name)).expect("a program");
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '/'])).count()
        });
        assert_eq!(lines, pair.lines);
    }
}

#[test]
fn the_numbers_of_productions_are_true() {
    for (name, row) in rows() {
        assert_eq!(blocks(&read(&name).program).len(), row.productions, "{name}");
    }
}

#[test]
fn the_layers_and_heads_of_the_schedules_are_true() {
    for (name, row) in rows() {
        let schedule = schedule(&read(&name).program, None);
        assert_eq!(format!("{} × {}", schedule.depth(), schedule.width()), row.scheduled, "{name}");
    }
}

/// The tasks of the page that RASP has, too, with their examples.
const OF_RASP: [(&str, &str); 7] = [
    ("reverse", "reverse"),
    ("histogram, without a first symbol", "histogram"),
    ("double histogram", "double_histogram"),
    ("sort", "sort"),
    ("most frequent", "most_frequent"),
    ("Dyck-1", "dyck1"),
    ("Dyck-2", "dyck2"),
];

#[test]
fn the_page_on_heads_has_the_same_numbers() {
    let page = fs::read_to_string(repository().join("docs/heads.md")).expect("the page");
    for (task, name) in OF_RASP {
        let [in_place, generating] = [format!("rows/{name}"), name.to_owned()].map(|name| {
            let schedule = schedule(&read(&name).program, None);
            format!("{} × {}", schedule.depth(), schedule.width())
        });
        let row = page.lines().find(|line| line.starts_with(&format!("| {task} |"))).expect("a row");
        let cells: Vec<_> = row.split(" | ").collect();
        assert_eq!(cells.get(3..), Some(&[&*in_place, &format!("{generating} |")][..]), "{row}");
    }
}

#[test]
fn the_passes_are_the_largest_number_for_some_prompt() {
    for (name, row) in rows() {
        let example = read(&name);
        let (formula, is_bound) = row.passes.strip_prefix("< ").map_or((&row.passes[..], false), |bound| (bound, true));
        if value(formula, 1).is_none() {
            assert!(formula.contains("step"), "{name}: {formula}");
            continue;
        }
        let mut is_reached = false;
        for prompt in prompts(&name, &example) {
            let symbols: Vec<&str> = prompt.iter().map(String::as_str).collect();
            let most = value(formula, symbols.len()).expect("a number");
            let passes = passes(&example, &symbols);
            assert!(
                passes + usize::from(is_bound) <= most,
                "{name}: {passes} passes for {symbols:?}, not {}",
                row.passes
            );
            // A limit that no prompt reaches is at most twice too large.
            is_reached |= passes == most || is_bound && 2 * passes > most;
        }
        assert!(is_reached, "{name}: no prompt takes {} passes", row.passes);
    }
}
