//! The table in `examples/README.md`: each example has a row with correct numbers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use psl_runtime::{Executable, MachineKind, Options, Update, to_the_end};
use psl_syntax::{
    program::{Program, Statement, TestPrompt},
    schedule::schedule,
};

use crate::binary::repository;

/// A row of the table.
struct Row {
    productions: usize,
    /// The layers of the schedule, and the most heads of one.
    scheduled: String,
    passes: String,
}

fn rows() -> BTreeMap<String, Row> {
    let text = fs::read_to_string(repository().join("examples/README.md")).expect("the table");
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = text.lines().filter(|line| line.starts_with("| [")).map(|line| {
        let cells = cells(line);
        let [_, program, _, _, productions, scheduled, passes, _, _] = &cells[..] else {
            panic!("seven columns: {line}")
        };
        let (name, _) = program.trim_start_matches('[').split_once("](").expect("a link");
        assert_eq!(*program, format!("[{name}]({name}.psl)"));
        let productions = productions.parse().expect("a number");
        (name.to_owned(), Row { productions, scheduled: scheduled.clone(), passes: passes.clone() })
    });
    rows.collect()
}

fn read(name: &str) -> Executable {
    let path = repository().join("examples").join(name).with_extension("psl");
    let checked = psl_syntax::check(&fs::read_to_string(&path).expect("a program"));
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
    let options = Options { max_new: Some(1), ..Options::default() };
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

/// The plain prompts of an example's tests and data.
fn prompts(name: &str, example: &Executable) -> Vec<Vec<String>> {
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
    let files = fs::read_dir(repository().join("examples")).expect("a folder");
    let names = files.filter_map(|file| {
        Some(file.expect("a file").file_name().to_str().expect("UTF-8").strip_suffix(".psl")?.to_owned())
    });
    assert_eq!(names.collect::<BTreeSet<_>>(), rows().into_keys().collect());
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
        let schedule = schedule(&read(name).program, None);
        let row = page.lines().find(|line| line.starts_with(&format!("| {task} |"))).expect("a row");
        assert!(row.ends_with(&format!("| {} | {} |", schedule.depth(), schedule.width())), "{row}");
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
