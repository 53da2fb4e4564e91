//! Checkpoints on the command line: written, run and refused.

use std::{fs, path::Path};

use tempfile::TempDir;

use crate::binary::{code, err, folder, out, psl, psl_with, repository};

const INDUCTION: &str = "examples/induction.psl";
const PROMPT: &str = "one two three . one two";

/// A folder with a checkpoint of induction.
fn induction(options: &[&str]) -> (TempDir, String) {
    let folder = folder(&[]);
    let directory = folder.path().join("induction").display().to_string();
    let output = psl(&[&["compile", INDUCTION, "--emit", "hf", "-o", &directory], options].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("\nequal to the program on "), "{}", err(&output));
    (folder, directory)
}

/// Runs a command that must fail. Returns its exit code and its error output.
fn refused(args: &[&str]) -> (i32, String) {
    let output = psl(args);
    assert_eq!(out(&output).trim(), "", "{args:?}");
    (code(&output), err(&output))
}

#[test]
fn a_checkpoint_runs_like_its_program() {
    let (_folder, directory) = induction(&[]);
    let run = |args: &[&str]| psl(&[&["run", &directory], args].concat());
    let output = run(&["-p", PROMPT]);
    assert_eq!((code(&output), out(&output).as_str()), (0, "three .\n"), "{}", err(&output));
    let verified = run(&["-p", PROMPT, "--verify"]);
    assert_eq!((code(&verified), out(&verified).as_str()), (0, "three .\n"), "{}", err(&verified));
    assert!(err(&verified).starts_with("verified: equal to dat on "), "{}", err(&verified));
    let json = psl_with(&["run", &directory, "--format", "json"], format!("{PROMPT}\none nine\n").as_bytes());
    let lines: Vec<serde_json::Value> =
        out(&json).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let continuations: Vec<_> = lines.iter().map(|line| line.get("continuation").cloned()).collect();
    assert_eq!(continuations, [Some("three .".into()), None]);
    let reason = "the prompt has a symbol that the checkpoint does not know: compile it with `--vocabulary`";
    assert_eq!(lines.get(1).and_then(|line| line.get("error")), Some(&reason.into()));
    assert_eq!((code(&json), err(&json)), (1, format!("error: {directory}: {reason}\n")));
    let endless = ["-p", "a a", "--max-new", "500"];
    let (plain, verified) = (run(&endless), run(&[&endless[..], &["--verify"]].concat()));
    assert!(err(&plain).contains("compile it with a larger `--max-new`"), "{}", err(&plain));
    assert_eq!((code(&plain), err(&plain)), (code(&verified), err(&verified)));
    let short = run(&["-p", PROMPT, "--max-new", "1"]);
    assert_eq!(out(&short), "three\n");
    assert_eq!(err(&short), "note: stopped after 1 symbol without the stop symbol\n");
}

#[test]
fn half_precision_completes_the_tests() {
    for dtype in ["bfloat16", "float16"] {
        let (_folder, directory) = induction(&["--dtype", dtype]);
        let output = psl(&["run", &directory, "-p", PROMPT, "--verify"]);
        assert_eq!((code(&output), out(&output).as_str()), (0, "three .\n"), "{dtype}: {}", err(&output));
    }
}

#[test]
fn half_precision_is_refused_where_a_test_differs() {
    let folder = folder(&[]);
    let directory = folder.path().join("long").display().to_string();
    let long = ["compile", INDUCTION, "--emit", "hf", "-o", &directory, "--max-prompt", "1000", "--dtype", "bfloat16"];
    let (code, message) = refused(&long);
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("in bfloat16, the checkpoint differs from the program on the prompt"), "{message}");
    assert!(message.ends_with("help: choose a smaller --max-prompt or --max-new, or --dtype float32\n"), "{message}");
    assert!(!Path::new(&directory).exists(), "nothing is written");
}

#[test]
fn half_precision_is_refused_where_a_long_continuation_differs() {
    // The continuations of the tests and of the longest prompts are short.
    let folder = folder(&[]);
    let directory = folder.path().join("long").display().to_string();
    let long = ["compile", INDUCTION, "--emit", "hf", "-o", &directory, "--max-prompt", "200", "--dtype", "bfloat16"];
    let (code, message) = refused(&long);
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("in bfloat16, the checkpoint differs from the program on the prompt"), "{message}");
}

#[test]
fn half_precision_is_refused_where_a_test_ends_early() {
    let folder = folder(&[]);
    let directory = folder.path().join("kshot").display().to_string();
    let program = "examples/pargen_kshot.psl";
    let short = ["compile", program, "--emit", "hf", "-o", &directory, "--dtype", "bfloat16", "--max-new", "12"];
    let (code, message) = refused(&short);
    assert_eq!(
        (code, message.contains("V K L A\": it ends with `[out-of-positions]`\nhelp: ")),
        (1, true),
        "{message}"
    );
    assert!(!Path::new(&directory).exists(), "nothing is written");
}

#[test]
fn the_limit_that_binds_first_is_named() {
    let folder = folder(&[]);
    let directory = folder.path().join("parity").display().to_string();
    let output = psl(&["compile", "examples/parity.psl", "--emit", "hf", "-o", &directory]);
    let limits =
        "; prompts of at most 43 symbols, continuations of at most 43 symbols, repeat blocks of at most 30 passes\n";
    let note =
        "note: some prompts of 43 symbols end in `[more-passes-needed]`: choose more --passes or a larger --max-new\n";
    assert!(err(&output).contains(limits) && err(&output).ends_with(note), "{}", err(&output));
    let card = fs::read_to_string(folder.path().join("parity/README.md")).expect("a model card");
    let limit = "if no repeat block takes more than 30 passes. The limit of `[more-passes-needed]` binds first: some prompts of 43 symbols end in it.";
    assert!(card.contains(limit), "{card}");
    let enough = psl(&["compile", "examples/parity.psl", "--emit", "hf", "-o", &directory, "--passes", "45"]);
    assert!(!err(&enough).contains("note: "), "{}", err(&enough));
}

#[test]
fn the_card_names_the_number_format() {
    for (program, fewer) in [
        (
            "induction",
            "In float16 and bfloat16, it was right on the tests and on two prompts of the greatest length. In 8 bits",
        ),
        ("histogram", "In float16, bfloat16, TF32, autocast or 8 bits, it generates `[float32-needed]`"),
    ] {
        let folder = folder(&[]);
        let directory = folder.path().join(program).display().to_string();
        let output = psl(&["compile", &format!("examples/{program}.psl"), "--emit", "hf", "-o", &directory]);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let card = fs::read_to_string(folder.path().join(program).join("README.md")).expect("a model card");
        assert!(card.contains("from_pretrained(\"DIRECTORY\", dtype=torch.float32)"), "{card}");
        assert!(card.contains(fewer), "{card}");
    }
}

#[test]
fn a_program_without_an_equal_is_refused_at_its_line() {
    let folder = folder(&[]);
    let directory = folder.path().join("addition").display().to_string();
    let (code, message) = refused(&["compile", "examples/addition.psl", "--emit", "hf", "-o", &directory]);
    assert_eq!(code, 1);
    assert!(
        message.starts_with("error: examples/addition.psl:71:5: a repeat block contains a production"),
        "{message}"
    );
    assert!(message.contains("\nhelp: move the production out of the block"), "{message}");
    assert!(!Path::new(&directory).exists(), "nothing is written");
}

#[test]
fn a_large_checkpoint_is_refused_until_its_bounds_are_chosen() {
    let folder = folder(&[]);
    let directory = folder.path().join("pargen").display().to_string();
    let (code, error) = refused(&["compile", "examples/pargen.psl", "--emit", "hf", "-o", &directory]);
    let reason = "and more than 250 million are written only for chosen bounds";
    assert!(error.contains(reason) && error.contains("help: choose --max-prompt, --max-new or --passes\n"), "{error}");
    assert_eq!((code, Path::new(&directory).exists()), (1, false));
}

#[test]
fn options_and_directories_that_do_not_fit_are_refused() {
    let (_folder, directory) = induction(&[]);
    let needs_directory = "psl: a checkpoint is a directory of files: add `-o DIRECTORY`\n";
    assert_eq!(refused(&["compile", INDUCTION, "--emit", "hf"]), (2, needs_directory.to_owned()));
    let (code, message) = refused(&["compile", INDUCTION, "--max-prompt", "8"]);
    assert_eq!((code, message.contains("only apply to a checkpoint: add `--emit hf`")), (2, true), "{message}");
    for option in ["--table", "--row"] {
        let (code, message) = refused(&["run", &directory, "-p", "one", option]);
        assert_eq!((code, message.contains(&format!("`{option}` is for a program"))), (2, true), "{message}");
    }
    let (code, message) = refused(&["run", &repository().join("docs").display().to_string(), "-p", "one"]);
    assert_eq!((code, message.contains("is not a checkpoint: it lacks config.json")), (2, true), "{message}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_checkpoint_is_refused() {
    let (_folder, directory) = induction(&[]);
    let path = Path::new(&directory).join("psl.json");
    fs::remove_file(&path).expect("removed");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    let (code, message) = refused(&["run", &directory, "-p", "one"]);
    assert_eq!((code, message.contains("psl.json")), (2, true), "{message}");
}

#[test]
fn a_damaged_checkpoint_is_refused_with_its_file() {
    let (_folder, directory) = induction(&[]);
    let check = |file: &str, from: &str, to: &str, blamed: &str| {
        let path = Path::new(&directory).join(file);
        let whole = fs::read_to_string(&path).expect("a text");
        assert!(whole.contains(from), "{file} has {from}");
        fs::write(&path, whole.replacen(from, to, 1)).expect("written");
        let (code, message) = refused(&["run", &directory, "-p", "one"]);
        assert_eq!(code, 1, "{file}: {message}");
        let blamed = path.with_file_name(blamed);
        assert!(message.starts_with(&format!("error: {}: ", blamed.display())), "{message}");
        fs::write(&path, whole).expect("restored");
    };
    check("config.json", "\"n_head\": ", "\"n_head\": 7", "config.json");
    check("config.json", "\"n_layer\": 5", "\"n_layer\": 4", "psl.json");
    check("config.json", "\"dtype\": \"float32\"", "\"dtype\": \"int8\"", "config.json");
    check("tokenizer.json", "\"vocab\"", "\"words\"", "tokenizer.json");
    check("psl.json", "\"cell\"", "\"cells\"", "psl.json");
    let parameters = Path::new(&directory).join("model.safetensors");
    let bytes = fs::read(&parameters).expect("parameters");
    fs::write(&parameters, bytes.get(..bytes.len() / 2).expect("half")).expect("written");
    let (code, message) = refused(&["run", &directory, "-p", "one"]);
    assert_eq!((code, message.contains("model.safetensors: ")), (1, true), "{message}");
}
