//! `psl explore`: writes or serves a page that shows a program at work.

mod serve;
mod versions;

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use clap::ValueHint;
use psl_explorer::{FirstPrompt, PageExample, PagePrompt, explorer_page};
use psl_host::page_server::Template;
use psl_program::{Prompt, laws::MAX_LAW_WORK};

use self::{
    serve::serve,
    versions::{Difference, Versions},
};
use super::examples::examples;
use crate::{
    failure::Failure,
    input::{
        bundled::BUNDLED,
        load::{errors, report},
        paths::{STDIN, is_stdin, name, word},
        program_file::ProgramFile,
    },
    output::{browser::open_in_browser, color::Color, output_file::Output, stdio::print_to_stderr},
};

/// The page that scripts/explorer builds. Empty if psl was built before it.
const BUILT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.html"));
const NOT_BUILT: &str = "this psl was built without the explorer: run `scripts/explorer`, then build psl again";

/// The programs to choose from.
static EXAMPLES: LazyLock<Vec<PageExample>> =
    LazyLock::new(|| BUNDLED.iter().map(|program| PageExample { name: program.name, text: program.text }).collect());

/// The arguments of `psl explore`.
#[derive(clap::Args)]
#[command(after_help = examples(&[
    ("psl explore pargen.psl", "pargen.html, which opens on the first test"),
    ("psl explore pargen.psl --test swap --open", "open it in the browser on this test"),
    ("psl explore pargen.psl --prompt \"Q a A a . Q b A\"", "open on a prompt"),
    ("psl explore pargen.psl -o - > page.html", "print it"),
    ("psl explore pargen.psl --against old.psl", "compare the runs of two versions"),
    ("psl explore pargen.psl --serve --open", "open a page that follows the file while you edit it"),
]))]
pub struct Args {
    /// Program, or - for standard input.
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Prompt to open, symbols separated by spaces [default: the first test's].
    #[arg(short, long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// Test to open, by its name.
    ///
    /// A test without a name has the name `test` and its number in the file.
    #[arg(long, value_name = "NAME", conflicts_with = "prompt")]
    test: Option<String>,
    /// Another version of the program, whose run of the same prompt is beside that of FILE in the panel Compare.
    ///
    /// Layers belong together if their productions do, whatever their numbers. The page opens on a prompt whose
    /// continuations differ, if one is found within five seconds: a test's, or a short one.
    #[arg(long, value_name = "OLD", value_hint = ValueHint::FilePath)]
    against: Option<PathBuf>,
    /// Output file, or - for standard output [default: FILE's name with .html, in this folder].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Serve the page on this machine until Ctrl-C, and follow the program while it is edited [default port: a free
    /// one].
    ///
    /// Prints the address of the page, which contains a secret: other users of the machine cannot guess it.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with = "output")]
    serve: Option<u16>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

/// Writes or serves the page. A program with errors has a page, too, which shows them.
pub fn run(args: &Args, color: Color) -> Result<bool, Failure> {
    let built = built(BUILT)?;
    for path in [&args.file].into_iter().chain(&args.against) {
        if let Some("json" | "safetensors") = path.extension().and_then(OsStr::to_str) {
            let file = name(path);
            let word = word(path).unwrap_or_else(|| file.clone());
            let way = format!("print it as PSL first, with `psl compile --emit psl {word} -o OUT.psl`");
            return Err(Failure::Message(format!("{file}: the explorer shows PSL: {way}")));
        }
    }
    let against = args.against.as_deref();
    if is_stdin(&args.file) && against.is_some_and(is_stdin) {
        return Err(Failure::both_from_stdin("one version", "the other", "a file"));
    }
    if let Some(port) = args.serve {
        if is_stdin(&args.file) || against.is_some_and(is_stdin) {
            return Err(Failure::Message("`--serve` needs a file: standard input cannot be read again".to_owned()));
        }
        let read = || Versions::read(&args.file, against, ProgramFile::read_regular);
        first_prompt(args, &read()?.program, 0)?;
        let template = Template::new(built, explorer_page).ok_or_else(invalid)?;
        let files: Vec<PathBuf> = [&args.file].into_iter().chain(&args.against).cloned().collect();
        return serve(&files, port, template, args.open, read, |versions| {
            // Edits can remove the test.
            versions.page_data(first_prompt(args, &versions.program, MAX_LAW_WORK).unwrap_or_default(), &EXAMPLES)
        });
    }
    let output = output(args)?;
    let versions = Versions::read(&args.file, against, ProgramFile::read)?;
    let mut first = first_prompt(args, &versions.program, u64::MAX)?;
    if let Some(Difference { says, prompt }) = versions.difference()? {
        print_to_stderr(format_args!("note: {says}"));
        if args.prompt.is_none() && args.test.is_none() {
            first = prompt.map_or(first, |prompt| FirstPrompt::of(&versions.program.file, &Prompt::Plain(prompt)));
        }
    }
    let data = versions.page_data(first, &EXAMPLES).to_json().map_err(Failure::Message)?;
    let page = explorer_page(built, &data).ok_or_else(invalid)?;
    let mut out = Output::create(&output)?;
    out.write_all(page.as_bytes()).map_err(|error| out.failure(error))?;
    out.commit()?;
    let mut fine = true;
    for source in versions.iter() {
        fine &= errors(source).map_err(|errors| report(source, &errors, color)).is_ok();
    }
    if !is_stdin(&output) {
        let shown = name(&output);
        if args.open {
            show(&output)?;
        } else {
            print_to_stderr(format_args!("created {shown}: open it in a browser"));
        }
    }
    Ok(fine)
}

fn invalid() -> Failure {
    Failure::Message("the page in this psl is broken: run `scripts/explorer`, then build psl again".to_owned())
}

/// The built page, if there is one.
fn built(page: &str) -> Result<&str, Failure> {
    if page.is_empty() {
        return Err(Failure::Message(NOT_BUILT.to_owned()));
    }
    Ok(page)
}

/// The built page for the language server.
///
/// # Errors
///
/// Returns a message if there is none.
pub fn built_page() -> Result<&'static str, &'static str> {
    if BUILT.is_empty() { Err(NOT_BUILT) } else { Ok(BUILT) }
}

/// The file of the page.
fn output(args: &Args) -> Result<PathBuf, Failure> {
    let output = match &args.output {
        Some(output) => output.clone(),
        None if is_stdin(&args.file) => PathBuf::from(STDIN),
        None => Path::new(args.file.file_name().unwrap_or_default()).with_extension("html"),
    };
    if args.open && is_stdin(&output) {
        return Err(Failure::Message("`--open` needs a file: add `-o OUT.html`".to_owned()));
    }
    Ok(output)
}

/// The prompt that the page runs first. `max_work` is the most work for a law.
fn first_prompt(args: &Args, source: &ProgramFile, max_work: u64) -> Result<FirstPrompt, Failure> {
    if let Some(prompt) = &args.prompt {
        return Ok(FirstPrompt { prompt: Some(PagePrompt::Plain(prompt.clone())), gold: None });
    }
    Ok(match &args.test {
        Some(name) => FirstPrompt::of_test(&source.file, source.test_index(name)?, max_work),
        None => FirstPrompt::default(),
    })
}

/// Opens a file in the browser.
fn show(page: &Path) -> Result<(), Failure> {
    let opened = dunce::canonicalize(page);
    let page = opened.map_err(|error| Failure::Message(format!("cannot open {}: {error}", name(page))))?;
    open_in_browser(&page.display().to_string()).map_err(Failure::Message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_psl_without_the_page_names_the_script() {
        let message = "this psl was built without the explorer: run `scripts/explorer`, then build psl again";
        assert!(matches!(built(""), Err(Failure::Message(why)) if why == message));
        assert!(matches!(built("page"), Ok("page")));
    }
}
