//! A smaller program.

use std::{io::Write, path::Path};

use psl_program::count;
use psl_render::{shown_json, shown_line};
use psl_runtime::Options;
use psl_search::{Against, Minimal, Proof, ShortPrompts, Uncounted, Wanted, minimize_file, prove};
use serde_json::{Map, Value, json};

use super::args::Args;
use crate::{
    commands::{
        prove::{
            report::{Said, Scope, in_words, json_of, row, rows},
            takes_plain_prompts,
        },
        search::{Format, PROGRAMS, Threads, refused},
    },
    failure::Failure,
    input::{paths::STDIN, program_file::ProgramFile},
    output::{
        color::Color,
        output_file::Output,
        stdio::{Content, print_to_stderr, stdout_to_the_end},
        terminal,
    },
};

/// The number of prompts that decides up to which length the programs are compared.
const FEW: u64 = 20_000;

/// Prints the smallest program that does the same on the prompts.
pub fn run(args: &Args, source: &ProgramFile, color: Color) -> Result<bool, Failure> {
    let data = args.limits.examples(source, &args.data)?;
    let to = args.output.as_deref().or((args.limits.format == Format::Human).then_some(Path::new(STDIN)));
    let out = to.map(Output::create).transpose()?;
    let threads = args.limits.threads(PROGRAMS)?;
    let minimal = match minimize_file(&source.file, &data, args.outputs, &threads, threads.interrupted()) {
        Ok(minimal) => minimal,
        Err(why) => return Ok(refused(source, &why, color)),
    };
    let seconds = threads.seconds();
    let smaller = source.with_text(&minimal.text);
    let said = Said::Against { other: &source.name, states: !args.outputs };
    let compared = if minimal.cut_off { Err(None) } else { compared(args, source, &smaller, &threads).map_err(Some) };
    drop(threads);
    if let Some(mut out) = out {
        out.write_all(minimal.text.as_bytes()).map_err(|error| out.failure(error))?;
        out.commit()?;
    }
    if args.limits.format == Format::Json {
        let json = json(args, source, &minimal, compared.as_ref().ok(), seconds);
        writeln!(stdout_to_the_end(Content::Data), "{}", shown_json(&json.to_string()))?;
        return Ok(!minimal.cut_off);
    }
    print_to_stderr(summary(&minimal));
    print_to_stderr(claim(args, &minimal, seconds));
    match compared {
        Ok(Compared { prompts, proof }) => {
            let scope = Scope { like: &[], any: false, prompts: &prompts };
            let says = in_words(&smaller, &scope, &proof);
            let line = match proof.counterexample {
                Some(_) => format!("it differs from {} on other prompts: {says}", source.name),
                None => format!("{}: {says}", said.text()),
            };
            print_to_stderr(shown_line(&line));
            for (name, text) in proof.counterexample.iter().flat_map(|it| rows(&smaller, it)) {
                print_to_stderr(row(name, &text, terminal::stderr(color)));
            }
        }
        Err(Some(why)) => print_to_stderr(format_args!("note: not compared on short prompts: {why}")),
        Err(None) => {}
    }
    Ok(!minimal.cut_off)
}

/// The comparison with the original on short prompts.
struct Compared {
    prompts: ShortPrompts,
    proof: Proof,
}

/// Compares the smaller program with the original on short prompts, or returns why it cannot.
fn compared(args: &Args, source: &ProgramFile, smaller: &ProgramFile, threads: &Threads) -> Result<Compared, String> {
    takes_plain_prompts(source)?;
    let (runner, other) = (smaller.runner(), source.runner());
    let statement = if args.outputs { Against::new(other) } else { Against::with_states(runner, other) };
    let wanted = Wanted { few: FEW, few_per_test: FEW, ..Wanted::default() };
    let options = runner.options(&Options::default());
    let prompts = statement.prompts(runner, &options, &wanted).map_err(|failure| failure.message)?;
    let proof = prove(runner, &statement, &prompts, &Uncounted(threads)).map_err(|failure| failure.message)?;
    Ok(Compared { prompts, proof })
}

/// `29 of 31 productions, 51 of 102 conditions`.
fn summary(minimal: &Minimal) -> String {
    let pairs = minimal.after.named().into_iter().zip(minimal.before.named());
    let parts = pairs.filter(|(_, (_, before))| *before > 0);
    let parts = parts.map(|((name, after), (_, before))| format!("{after} of {before} {name}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether more can be left out.
fn claim(args: &Args, minimal: &Minimal, seconds: f64) -> String {
    let (tried, prompts) = (count(minimal.tried, "program"), count(minimal.prompts, "prompt"));
    let kept = if args.outputs { "continuations" } else { "states" };
    if minimal.cut_off {
        return format!("{kept} kept on {prompts}; the search was cut off: {tried} tried in {seconds:.1} s");
    }
    format!("no further single removal keeps the {kept} on {prompts}: {tried} tried in {seconds:.1} s")
}

fn json(args: &Args, source: &ProgramFile, minimal: &Minimal, compared: Option<&Compared>, seconds: f64) -> Value {
    let sizes = |named: [(&str, usize); 6]| -> Map<String, Value> {
        named.into_iter().map(|(name, size)| (name.replace(' ', "_"), size.into())).collect()
    };
    json!({
        "file": source.name,
        "text": minimal.text,
        "outputs": args.outputs,
        "before": sizes(minimal.before.named()),
        "after": sizes(minimal.after.named()),
        "prompts": minimal.prompts,
        "tried": minimal.tried,
        "cut_off": minimal.cut_off,
        "seconds": seconds,
        "compared": compared.map(|Compared { prompts, proof }| json!({
            "up_to": proof.proved.min(prompts.short()),
            "tests": prompts.tests_in_words(proof.proved),
            "without_numbers_to": prompts.without_numbers(),
            "prompts": proof.prompts,
            "counterexample": proof.counterexample.as_ref().map(json_of),
        })),
    })
}
