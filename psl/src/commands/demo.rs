//! `psl demo`: a tour of the tools with the program of the paper.

use std::{
    io::{self, IsTerminal, Write},
    sync::atomic::AtomicBool,
    time::Instant,
};

use psl_lsp::run_tests;
use psl_program::RunFailure;
use psl_runtime::{MachineKind, compile_production, qkvl::Slots};
use psl_syntax::program::{Production, TestPrompt};

use crate::{
    failure::Failure,
    input::{bundled::PARGEN, program_file::ProgramFile},
    output::{
        color::Color,
        stdio::{Content, stdout_to_the_end},
    },
};

/// The start of the label of the production in the tour.
const SHOWN: &str = "# G1:";

const EDITORS: &str =
    "  Neovim: unpack psl.nvim-*.tar.gz into ~/.local/share/nvim/site/pack/psl/start, or see editors/nvim/README.md
  VS Code: install psl-*.vsix, which includes psl, or see editors/vscode/README.md
  other editors: start the language server `psl lsp` for *.psl files; it uses standard input and output";

const NEXT: &str = "  psl run --prompt \"Q a ? b A b ? a . Q c ? d A\"  # prints d ? c .
  psl check FILE   psl test FILE   psl --help";

const SYMBOLS: &str =
    "  Q starts a question and A its answer; a full stop ends the example, and the answer that PARGEN generates.
  All other symbols are free: the example shows what to do with those of the second question.";

/// Runs the tour.
pub fn run(color: Color) -> Result<bool, Failure> {
    let bold = color.on(io::stdout().is_terminal());
    let mut out = stdout_to_the_end(Content::People);
    let heading = |text: &str| if bold { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() };

    writeln!(out, "{}", heading("PSL, the Production System Language: each production is one attention layer."))?;
    writeln!(out, "This is PARGEN, the program of the paper: it completes a pattern from one example.\n")?;

    let file = ProgramFile::pargen().file;
    let program = file.program();
    let start = Instant::now();
    psl_program::diagnostics(&ProgramFile::pargen().file, None);
    let checking = micros(start);
    let start = Instant::now();
    let runner = file.compiled();
    let compiling = micros(start);
    let found = psl_program::diagnostics(&file, run_tests(&file, &AtomicBool::new(false)).as_ref());
    writeln!(
        out,
        "{} {} lines, {} productions, {} diagnostics, in {checking}",
        heading("check  "),
        PARGEN.lines().count(),
        program.productions().len(),
        found.len(),
    )?;
    writeln!(out, "{} to query, key and value maps, in {compiling}\n", heading("compile"))?;

    let productions = program.productions();
    let shown = productions
        .iter()
        .zip(1..)
        .find(|(production, _)| production.label.as_ref().is_some_and(|label| label.starts_with(SHOWN)));
    if let Some((production, layer)) = shown {
        writeln!(out, "{}", heading(&format!("layer {layer}, as written")))?;
        show(&mut out, program, production)?;
    }

    writeln!(out, "{}", heading("prompts from the paper, run with the weights of the transformer"))?;
    writeln!(out, "{SYMBOLS}")?;
    let mut passed = true;
    for test in &program.tests {
        let start = Instant::now();
        let result = runner.test(test, MachineKind::Dat);
        let time = micros(start);
        let good = matches!(&result, Ok(continuation) if continuation.is(&test.gold));
        passed &= good;
        let mark = if good { "ok    " } else { "FAILED" };
        let text = result.map_or_else(|failure| failure.message, |continuation| continuation.text());
        let TestPrompt::Plain(prompt) = &test.prompt else { continue };
        writeln!(out, "  {prompt}\n  {mark} => {text}   ({time})")?;
    }
    let start = Instant::now();
    if let Some(test) = program.tests.first() {
        let verified = runner.test_task(&test.prompt).and_then(|task| runner.verify(&task));
        let names = MachineKind::ALL.map(MachineKind::name).join(" = ");
        match verified {
            Ok(_) => writeln!(
                out,
                "\n{} {names} in every register of every cell after every layer, in {}",
                heading("verify "),
                micros(start)
            )?,
            Err(RunFailure { message, .. }) => {
                passed = false;
                writeln!(out, "\n{} FAILED: {message}", heading("verify "))?;
            }
        }
    }
    writeln!(out, "\n{}\n{EDITORS}", heading("in an editor"))?;
    writeln!(out, "\n{}\n{NEXT}", heading("next"))?;
    Ok(passed)
}

fn show(out: &mut impl Write, program: &psl_syntax::Program, production: &Production) -> io::Result<()> {
    for line in production.span.of(PARGEN).lines() {
        writeln!(out, "  {line}")?;
    }
    let layer = compile_production(program, production);
    let weights = &layer.weights;
    let entries = |map: &Slots| map.iter().map(|(slot, source)| format!("{slot}: {source}")).collect::<Vec<_>>();
    let values: Vec<String> = weights.v.iter().map(|(register, value)| format!("{register}: {value}")).collect();
    for (name, entries) in [("q", entries(&weights.q)), ("k", entries(&weights.k)), ("v", values)] {
        writeln!(out, "    {name}  {}", entries.join(", "))?;
    }
    writeln!(out)
}

fn micros(start: Instant) -> String {
    let time = start.elapsed();
    if time.as_millis() > 9 { format!("{} ms", time.as_millis()) } else { format!("{} µs", time.as_micros()) }
}
