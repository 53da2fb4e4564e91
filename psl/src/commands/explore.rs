//! `psl explore`: writes or serves a page that shows a program at work.

mod serve;

use std::{
    ffi::OsStr,
    io::Write,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use clap::ValueHint;
use psl_ide::{PageData, PageExample, PagePrompt, explorer_page};
use psl_lsp::{disk::Configs, explorer_server::Template};

use self::serve::serve;
use crate::{
    browser::open_in_browser,
    bundled::BUNDLED,
    color::Color,
    examples::examples,
    failure::Failure,
    input_file::InputFile,
    loading::{errors, report},
    output::Output,
    paths::{STDIN, is_stdin, name},
    stdio::say,
    test_name::test_index,
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
    /// Output file, or - for standard output [default: FILE's name with .html, in this folder].
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Serve the page on this machine until Ctrl-C, and follow the program while it is edited [default port: a free one].
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
    if let Some("json" | "safetensors") = args.file.extension().and_then(OsStr::to_str) {
        let file = name(&args.file);
        let way = format!("print it as PSL first, with `psl compile --emit psl {file} -o OUT.psl`");
        return Err(Failure::Message(format!("{file}: the explorer shows PSL: {way}")));
    }
    if let Some(port) = args.serve {
        if is_stdin(&args.file) {
            return Err(Failure::Message("`--serve` needs a file: standard input cannot be read again".to_owned()));
        }
        let source = InputFile::read_regular(&args.file, &mut Configs::default())?;
        open(args, &source)?;
        let template = Template::new(built).ok_or_else(invalid)?;
        return serve(&args.file, port, template, args.open, |source| {
            // Edits can remove the test.
            page_data(source, open(args, source).ok().flatten())
        });
    }
    let output = output(args)?;
    let source = InputFile::read(&args.file, &mut Configs::default())?;
    let data = page_data(&source, open(args, &source)?).to_json().map_err(Failure::Message)?;
    let page = explorer_page(built, &data).ok_or_else(invalid)?;
    let mut out = Output::create(&output)?;
    out.write_all(page.as_bytes()).map_err(|error| out.failure(error))?;
    out.commit()?;
    let fine = errors(&source).map_err(|errors| report(&source, &errors, color)).is_ok();
    if !is_stdin(&output) {
        let shown = name(&output);
        if args.open {
            show(&output)?;
        } else {
            say(format_args!("created {shown}: open it in a browser"));
        }
    }
    Ok(fine)
}

fn page_data(source: &InputFile, open: Option<PagePrompt>) -> PageData<'_> {
    PageData { open, ..PageData::new(page_name(source), &source.program, &EXAMPLES) }
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

/// The name of the program without its folders: the page may go to other people.
fn page_name(source: &InputFile) -> &str {
    Path::new(&source.name).file_name().and_then(|name| name.to_str()).unwrap_or(&source.name)
}

fn open(args: &Args, source: &InputFile) -> Result<Option<PagePrompt>, Failure> {
    if let Some(prompt) = &args.prompt {
        return Ok(Some(PagePrompt::Prompt(prompt.clone())));
    }
    let program = &source.program.checked().analysis.program;
    let test = args.test.as_deref().map(|name| test_index(program, name));
    test.transpose()
        .map(|test| test.map(PagePrompt::Test))
        .map_err(|why| Failure::Message(format!("{}: {why}", source.shown_name())))
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
