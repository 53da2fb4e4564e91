//! The checkpoint of a program completes prompts like the program, with the same registers in every cell and layer.
//!
//! `CASES=10000 cargo test -p psl-runtime --release --test runtime gpt2 -- --nocapture` runs more than the default 80
//! random programs, and prints what was compared.

use psl_runtime::{
    MachineKind, Options, Update,
    equality::{ReferenceProgram, Unequal},
    gpt2::{Bounds, Checkpoint, End, Precision, Refusal, Request, Why, build},
    to_the_end,
};
use psl_syntax::{
    causality::{Causality, causality},
    program::{Program, Statement, TestPrompt},
};

use crate::common::random::Random;

/// The most parameters of a checkpoint that is compared.
const MAX_COMPARED: usize = 100_000_000;

fn checkpoint(program: &Program, symbols: &[&str], bounds: Bounds) -> Result<Checkpoint, Refusal> {
    let looks_ahead: Vec<bool> = causality(program).iter().map(|it| !matches!(it, Causality::Proved(_))).collect();
    let qkvl = psl_runtime::compile(program);
    let stop = program.stop.as_deref().unwrap_or(".");
    let request = Request {
        program: &qkvl,
        looks_ahead: &looks_ahead,
        symbols,
        stop,
        bounds,
        precision: Precision::Float32,
        digits: Precision::Float32,
        max_parameters: MAX_COMPARED,
    };
    let files = build(&request)?;
    Ok(Checkpoint::read(&files).expect("a checkpoint"))
}

fn example(name: &str) -> (Program, Vec<String>) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(format!("{name}.psl"));
    let text = std::fs::read_to_string(path).expect("an example");
    let program = psl_syntax::check(&text).analysis.program.clone();
    let prompts = program.tests.iter().filter_map(|test| match &test.prompt {
        TestPrompt::Plain(prompt) => Some(prompt.clone()),
        TestPrompt::Json(_) => None,
    });
    let prompts = prompts.filter(|prompt| prompt.split_whitespace().count() <= 40).collect();
    (program, prompts)
}

/// The checkpoint of an example is equal to it on its tests. Returns the number of prompts.
fn check_example(name: &str, passes: usize) {
    let (program, prompts) = example(name);
    let split: Vec<Vec<&str>> = prompts.iter().map(|prompt| prompt.split_whitespace().collect()).collect();
    let longest = split.iter().map(Vec::len).max().expect("prompts");
    let bounds = Bounds { prompt: longest, new: 12, passes };
    let checkpoint =
        checkpoint(&program, &split.concat(), bounds).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let original = ReferenceProgram::new(&checkpoint).expect("a program");
    let (mut registers, mut margin, mut deviation) = (0, f32::INFINITY, 0.0_f32);
    for symbols in &split {
        let equal = original.compare(&checkpoint, symbols, 12);
        let equal = equal.unwrap_or_else(|unequal| panic!("{name}: {symbols:?}: {unequal:?}"));
        assert!(equal.registers > 0, "{name}: nothing compared");
        registers += equal.registers;
        margin = margin.min(equal.completion.margin);
        deviation = deviation.max(equal.deviation);
    }
    let model = &checkpoint.model;
    println!(
        "{name}: {} prompts, {registers} registers, margin {margin}, deviation {deviation:e}, {} blocks, width {} of {}, {} heads, {} neurons, {} places, cell {:?}, {} parameters",
        split.len(),
        model.blocks.len(),
        model.wte.columns,
        checkpoint.meaning.components.write[1],
        model.heads,
        model.blocks[0].c_fc.bias.len(),
        model.wpe.rows,
        checkpoint.meaning.cell,
        model.parameters(),
    );
}

#[test]
fn examples_without_repeat_blocks() {
    for name in ["induction", "reverse", "scan", "sort", "nested_evaluation"] {
        check_example(name, 1);
    }
}

#[test]
fn examples_with_repeat_blocks() {
    for name in ["most_frequent", "histogram", "double_histogram", "parity", "parity_log", "dyck1", "dyck2"] {
        check_example(name, 16);
    }
}

#[test]
fn k_shot_pargen() {
    check_example("pargen_kshot", 1);
}

/// The passes that the program takes.
fn passes(original: &ReferenceProgram, symbols: &[&str], max_new: usize) -> usize {
    let options = Options { max_new: Some(max_new), ..Options::default() };
    let task = original.executable().task(symbols, &options).expect("a task");
    let mut most = 0;
    let note = |update: &Update| most = most.max(update.pass.iter().copied().max().unwrap_or_default());
    original.executable().run(MachineKind::Dat, &task, Some(&mut to_the_end(note))).expect("a run");
    most
}

/// Each prompt ends the continuation for the reason.
fn check_end(checkpoint: &Checkpoint, prompts: impl Iterator<Item = String>, max_new: usize, end: End) {
    let mut count = 0;
    for prompt in prompts {
        let symbols: Vec<&str> = prompt.split_whitespace().collect();
        let done = checkpoint.complete(&symbols, max_new, |_| ()).expect("a continuation");
        assert_eq!(done.end, Some(end), "{prompt}: {:?}", done.output);
        count += 1;
    }
    assert!(count > 0, "no prompts");
}

/// Words of some symbols, from a seed.
fn words(symbols: &[&str], count: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.choose(symbols).to_owned()).collect()
}

#[test]
fn what_the_checkpoint_cannot_complete_ends_visibly() {
    let symbols = ["a", "b", "c"];
    for name in ["induction", "reverse", "histogram"] {
        let (program, _) = example(name);
        let bounds = Bounds { prompt: 8, new: 8, passes: 12 };
        let checkpoint = checkpoint(&program, &symbols, bounds).expect("a checkpoint");
        let cases = 0..100;
        let unknown = cases.clone().map(|case| {
            let mut words = words(&symbols, 1 + case % 8, case as u64);
            let place = case % words.len();
            words[place] = ["d", "<bos>", "a⏎", "<unk>", "⏎", "∅"][case % 6].to_owned();
            words.join(" ")
        });
        check_end(&checkpoint, unknown, 8, End::UnknownSymbol);
        let too_long = cases.map(|case| words(&symbols, 9 + case % 16, case as u64).join(" "));
        check_end(&checkpoint, too_long, 8, End::PromptTooLong);
        check_end(&checkpoint, std::iter::once(String::new()), 8, End::EmptyPrompt);
    }
}

#[test]
fn too_few_passes_end_visibly() {
    let (program, _) = example("parity");
    let checkpoint = checkpoint(&program, &["0", "1"], Bounds { prompt: 12, new: 4, passes: 5 }).expect("a checkpoint");
    let original = ReferenceProgram::new(&checkpoint).expect("a program");
    let (mut more, mut enough) = (0, 0);
    for case in 0..300 {
        let prompt = words(&["0", "1"], 1 + case % 12, case as u64);
        let symbols: Vec<&str> = prompt.iter().map(String::as_str).collect();
        match original.compare(&checkpoint, &symbols, 4) {
            Ok(_) => enough += 1,
            Err(unequal) => {
                assert_eq!(unequal, Unequal::Ended(End::MorePasses), "{symbols:?}");
                assert!(passes(&original, &symbols, 4) > 5, "{symbols:?}");
                more += 1;
            }
        }
    }
    assert!(more > 100 && enough > 50, "{more} and {enough}");
}

#[test]
fn a_continuation_beyond_the_bounds_ends_visibly() {
    let (program, _) = example("induction");
    let checkpoint = checkpoint(&program, &["a"], Bounds { prompt: 4, new: 3, passes: 1 }).expect("a checkpoint");
    let prompts = (1..=4).map(|length| ["a"].repeat(length).join(" "));
    check_end(&checkpoint, prompts, 100, End::OutOfPositions);
}

/// A program with this text is refused at the layer.
fn check_refused(statements: &str, layer: Option<usize>, why: &Why) {
    check_refused_program(&small(statements), layer, why);
}

fn small(statements: &str) -> Program {
    let text = format!(
        "registers: {{symbol: 's', position: 'p', mark: 'm'}}\nconstants: {{A, B}}\nsystem: {{symbol: symbol, position: position, output: mark}}\n\n{statements}"
    );
    psl_syntax::check(&text).analysis.program
}

fn check_refused_program(program: &Program, layer: Option<usize>, why: &Why) {
    let bounds = Bounds { prompt: 4, new: 4, passes: 2 };
    let refusal = checkpoint(program, &["A"], bounds).err().expect("a refusal");
    assert_eq!((refusal.layer, &refusal.why), (layer, why), "{refusal}");
}

#[test]
fn programs_without_an_equal_are_refused() {
    let copy = "where position[n] == position[N]@pos_decrement:\n    mark[N] = symbol[n]\n";
    let ahead =
        "repeat:\n    where position[n] == position[N]@pos_increment:\n        mark[N] = symbol[n]\nuntil NO_CHANGE\n";
    check_refused(&format!("{copy}\n{ahead}"), Some(2), &Why::LooksAhead);
    let until = "repeat:\n    where position[n] == position[N]@pos_decrement:\n        mark[N] = symbol[n]\nuntil mark[N] == A\n";
    check_refused(&format!("{copy}\n{until}"), Some(2), &Why::Until);
}

#[test]
fn a_layer_with_several_heads_is_refused() {
    let mut program = small(&["where symbol[N] == A:\n    mark[N] = B\n"; 4].concat());
    for statement in &mut program.statements[2..] {
        if let Statement::Production(production) = statement {
            production.shares_layer = true;
        }
    }
    check_refused_program(&program, Some(2), &Why::Heads);
}

/// The checkpoint of an example is equal to it on a random prompt of some length.
fn check_long(name: &str, length: usize) {
    let (program, prompts) = example(name);
    let symbols: Vec<&str> = prompts.iter().flat_map(|prompt| prompt.split_whitespace()).collect();
    let bounds = Bounds { prompt: length, new: 16, passes: 2 };
    let checkpoint = checkpoint(&program, &symbols, bounds).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    let prompt = words(&symbols, length, 1);
    let symbols: Vec<&str> = prompt.iter().map(String::as_str).collect();
    let original = ReferenceProgram::new(&checkpoint).expect("a program");
    let equal = original.compare(&checkpoint, &symbols, 16);
    let equal = equal.unwrap_or_else(|unequal| panic!("{name}: {unequal:?}"));
    let (margin, deviation) = (equal.completion.margin, equal.deviation);
    println!("{name}: {length} symbols, {} registers, margin {margin}, deviation {deviation:e}", equal.registers);
}

#[test]
fn prompts_of_a_thousand_symbols_are_exact_without_copies() {
    check_long("induction", 1000);
    check_long("reverse", 1000);
}

#[test]
fn prompts_of_two_hundred_symbols_are_exact_with_copies() {
    check_long("pargen_kshot", 200);
}

#[test]
fn what_is_too_large_is_refused() {
    let (program, _) = example("parity");
    let refused = |bounds| checkpoint(&program, &["0", "1"], bounds).err().expect("a refusal").why;
    assert_eq!(refused(Bounds { prompt: 4000, new: 97, passes: 2 }), Why::Long { cells: 4097 });
    assert_eq!(refused(Bounds { prompt: 4, new: 4, passes: 1000 }), Why::Deep { blocks: 2002 });
}

/// A random program with its prompt, and its checkpoint unless it is refused or has too many blocks to compare.
fn random_checkpoint(seed: u64) -> Option<(Checkpoint, Vec<&'static str>)> {
    let mut random = Random::new(seed);
    let program = random.program();
    let symbols = random.prompt();
    let bounds = Bounds { prompt: symbols.len(), new: 6, passes: 6 };
    let checkpoint = checkpoint(&program, &symbols, bounds).ok()?;
    (checkpoint.model.blocks.len() <= 150).then_some((checkpoint, symbols))
}

/// The most that a component may be off: of each score, a thousand times less than the distance of neighbors.
const DRIFT: f32 = 1e-3;

#[test]
fn many_blocks_do_not_drift() {
    let (checkpoint, symbols) = random_checkpoint(28_349).expect("a checkpoint");
    assert_eq!(checkpoint.model.blocks.len(), 143);
    let equal =
        ReferenceProgram::new(&checkpoint).expect("a program").compare(&checkpoint, &symbols, 6).expect("equal");
    assert!(equal.deviation < DRIFT, "{}", equal.deviation);
}

#[test]
fn random_programs() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |it| it.parse().expect("a number"));
    let (cases, first) = (number("CASES", 80), number("SEED", 0));
    let (mut compared, mut registers, mut seed, mut refused, mut failed, mut ended) = (0, 0, first, 0, 0, 0);
    let mut margin = f32::INFINITY;
    while compared < cases {
        seed += 1;
        let Some((checkpoint, symbols)) = random_checkpoint(seed - 1) else {
            refused += 1;
            continue;
        };
        let original = ReferenceProgram::new(&checkpoint).expect("a program");
        match original.compare(&checkpoint, &symbols, 6) {
            Ok(equal) => {
                compared += 1;
                registers += equal.registers;
                margin = margin.min(equal.completion.margin);
                assert!(equal.deviation < DRIFT, "seed {}: {}", seed - 1, equal.deviation);
            }
            Err(Unequal::Input(_) | Unequal::Run(_)) => failed += 1,
            Err(Unequal::Ended(End::MorePasses)) => {
                assert!(passes(&original, &symbols, 6) > checkpoint.meaning.passes, "seed {}", seed - 1);
                ended += 1;
            }
            Err(unequal) => {
                panic!("seed {}: {symbols:?}: {unequal:?}\n{}", seed - 1, checkpoint.meaning.program)
            }
        }
    }
    println!(
        "{compared} compared, {registers} registers, margin {margin}, {refused} refused, {failed} failed, {ended} need more passes"
    );
}
