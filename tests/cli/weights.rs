//! Weights and QKVL on the command line: written, read back, run.

use std::{fs, path::PathBuf};

use crate::binary::{code, err, golden, out, psl, psl_with, repository};

/// A temporary folder, removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("psl-weights-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a command that must succeed. Returns its output.
fn fine(args: &[&str]) -> String {
    let output = psl(args);
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    out(&output)
}

/// Runs a command that must fail. Returns its exit code and its error output.
fn refused(args: &[&str]) -> (i32, String) {
    let output = psl(args);
    assert_eq!(out(&output).trim(), "", "{args:?}");
    (code(&output), err(&output))
}

const PARGEN: &str = "examples/pargen.psl";
const INDUCTION: &str = "examples/induction.psl";
const SWAP: &str = "Q B V D E A D E V B . Q F G H V K L A";

#[test]
fn weights_run_like_their_program() {
    let folder = Folder::new("run");
    let file = folder.path("pargen.safetensors");
    assert_eq!(fine(&["compile", "--emit", "weights", "--sparse", PARGEN, "-o", &file]), "");
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        assert_eq!(fine(&["run", &file, "--machine", machine, "--prompt", SWAP]), "K L V F G H .\n", "{machine}");
    }
    let verified = psl(&["run", &file, "--verify", "--prompt", SWAP]);
    assert_eq!((code(&verified), out(&verified).as_str()), (0, "K L V F G H .\n"), "{}", err(&verified));
    let states = fine(&["run", &file, "--trace", "-", "--prompt", SWAP]).lines().count();
    assert_eq!(err(&verified), format!("verified: psm, qkvm, dat and full-dat agree on {states} states\n"));
    // Values outside the file's vocabulary are refused as input.
    let (unknown, long) =
        (refused(&["run", &file, "-p", "Q Z A"]), refused(&["run", &file, "-p", "Q A", "--max-new", "90"]));
    assert_eq!(
        unknown,
        (
            1,
            format!(
                "error: {file}: `Z` is not in the vocabulary of the weights: add it to FILE and write the weights again with `psl compile --emit weights --vocabulary FILE`\n"
            )
        )
    );
    assert_eq!(
        long,
        (
            1,
            format!(
                "error: {file}: prompt and continuation may need positions up to 93, and the weights have them up to 77: write them again with `psl compile --emit weights --positions 93`, or lower `max-new`\n"
            )
        )
    );
}

#[test]
fn weights_can_be_made_larger() {
    let folder = Folder::new("larger");
    let [symbols, small, large] = ["symbols", "small.safetensors", "large.safetensors"].map(|name| folder.path(name));
    fs::write(&symbols, "u v\nw").expect("a file");
    fine(&["compile", "--emit", "weights", INDUCTION, "--positions", "6", "--vocabulary", &symbols, "-o", &small]);
    assert_eq!(
        fine(&["run", &small, "--prompt", "u v u", "--max-new", "2"]),
        fine(&["run", INDUCTION, "--prompt", "u v u", "--max-new", "2"])
    );
    assert_eq!(refused(&["run", &small, "--prompt", "u v u", "--max-new", "3"]).0, 1);
    let cut = psl(&["run", &small, "--prompt", "u v u"]);
    assert_eq!(
        err(&cut),
        "note: stopped after 2 symbols without the stop symbol (the weights end there; psl compile --positions allows more)\n"
    );
    fine(&["compile", "--emit", "weights", &small, "--positions", "9", "--vocabulary", &symbols, "-o", &large]);
    assert_eq!(
        fine(&["run", &large, "--prompt", "u v u", "--max-new", "3"]),
        fine(&["run", INDUCTION, "--prompt", "u v u", "--max-new", "3"])
    );
}

#[test]
fn dense_weights_announce_their_size() {
    let folder = Folder::new("size");
    let file = folder.path("w.safetensors");
    let written = psl(&["compile", "--emit", "weights", INDUCTION, "--positions", "6", "--dense", "-o", &file]);
    let size = fs::metadata(&file).expect("the file").len();
    assert!((1000..1_000_000).contains(&size), "{size}");
    #[allow(clippy::cast_precision_loss, reason = "the size is small")]
    let size = size as f64 / 1000.0;
    let expected = format!("{file}: {size:.1} kB (positions 6, vocabulary 16, 3 layers)\n");
    assert_eq!((code(&written), err(&written)), (0, expected));
    let sparse = psl(&["compile", "--emit", "weights", INDUCTION, "--sparse", "-o", &file]);
    assert_eq!((code(&sparse), err(&sparse)), (0, String::new()));
    assert_eq!(refused(&["compile", INDUCTION, "--dense"]).0, 2);
}

#[test]
fn every_form_converts_to_every_other() {
    let folder = Folder::new("forms");
    let [qkvl, dense, sparse, again, printed] =
        ["p.qkvl.json", "d.safetensors", "s.safetensors", "a.safetensors", "p.psl"].map(|name| folder.path(name));
    let program = golden("programs/nested_repeat.psl").display().to_string();
    fine(&["compile", &program, "-o", &qkvl]);
    fine(&["compile", "--emit", "weights", &program, "-o", &dense]);
    fine(&["compile", "--emit", "weights", "--sparse", &dense, "-o", &sparse]);
    fine(&["compile", "--emit", "weights", &sparse, "-o", &again]);
    let read = |path: &str| fs::read(path).expect("a file");
    assert!(read(&dense) == read(&again) && read(&sparse).len() < read(&dense).len());
    let text = fine(&["compile", "--emit", "psl", &sparse]);
    assert_eq!(text, fine(&["compile", "--emit", "psl", &qkvl]));
    fs::write(&printed, &text).expect("a file");
    assert_eq!(fine(&["compile", &printed]), fine(&["compile", &program]));
    assert_eq!(fine(&["compile", &sparse]), fine(&["compile", &qkvl]));
    assert_eq!(fine(&["fmt", "--check", &printed]), "");
    assert_eq!(
        fine(&["compile", "--emit", "psl", PARGEN]),
        fs::read_to_string(repository().join(PARGEN)).expect("PARGEN")
    );
    for machine in ["psm", "qkvm", "dat", "full-dat"] {
        assert_eq!(fine(&["run", &qkvl, "--machine", machine, "-p", "A B", "--max-new", "2"]), "B B\n", "{machine}");
    }
    // Without `-o`, the weights go to standard output.
    let piped = psl(&["compile", "--emit", "weights", &dense]);
    assert!(code(&piped) == 0 && piped.stdout == read(&dense));
}

#[test]
fn qkvl_that_does_not_decompile_still_runs() {
    let folder = Folder::new("odd");
    let [qkvl, weights] = ["odd.json", "odd.safetensors"].map(|name| folder.path(name));
    let text = r#"{"register_map": {"symbol": "s", "position": "p"},
        "weights": [{"weights": {"q": {"s": "s"}, "k": {"s": "A"}, "v": {"s": "B"}}}]}"#;
    fs::write(&qkvl, text).expect("a file");
    let reason = "layer 1: no condition selects the cell to attend to; \
                  add the position to q and k, as PSL does for a production without `n`";
    assert_eq!(refused(&["compile", "--emit", "psl", &qkvl]), (1, format!("error: {qkvl}: {reason}\n")));
    assert_eq!(
        refused(&["run", &qkvl, "--machine", "psm", "-p", "A"]),
        (1, format!("error: {qkvl}: `psm` cannot run this program: {reason}\n"))
    );
    fine(&["compile", "--emit", "weights", &qkvl, "-o", &weights]);
    for file in [&qkvl, &weights] {
        for machine in ["qkvm", "dat", "full-dat"] {
            assert_eq!(fine(&["run", file, "--machine", machine, "-p", "A", "--max-new", "1"]), "B\n", "{machine}");
        }
    }
}

/// Weights whose last entry is replaced.
fn with_last_entry(folder: &Folder, entry: f32) -> String {
    let file = folder.path("changed.safetensors");
    fine(&["compile", "--emit", "weights", INDUCTION, "-o", &file]);
    let mut bytes = fs::read(&file).expect("a file");
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&entry.to_le_bytes());
    fs::write(&file, bytes).expect("a file");
    file
}

#[test]
fn odd_weights_run_only_on_the_dats() {
    let folder = Folder::new("half");
    let file = with_last_entry(&folder, 0.5);
    let (exit, message) = refused(&["compile", "--emit", "psl", &file]);
    assert_eq!(exit, 1);
    assert!(message.contains("b_v has 0.5 at value ") && message.contains("but `psl run` can run it"), "{message}");
    assert_eq!(refused(&["run", &file, "--machine", "qkvm", "-p", "a x a"]).0, 1);
    assert_eq!(fine(&["run", &file, "-p", "a x a", "--max-new", "1"]), "x\n");
}

#[test]
fn weights_with_an_entry_that_is_not_finite_are_refused() {
    let folder = Folder::new("infinite");
    for (entry, name) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (f32::NEG_INFINITY, "-inf")] {
        let file = with_last_entry(&folder, entry);
        for command in [vec!["run", &file, "-p", "a x a"], vec!["compile", &file]] {
            let (exit, message) = refused(&command);
            assert!(exit == 1 && message.contains(&format!("b_v: component 237 (0-based) is {name};")), "{message}");
        }
    }
}

#[test]
fn files_that_are_not_weights_are_refused() {
    let folder = Folder::new("broken");
    let file = folder.path("broken.safetensors");
    fine(&["compile", "--emit", "weights", INDUCTION, "-o", &file]);
    let whole = fs::read(&file).expect("a file");
    for (bytes, cause) in [
        (&whole[..0], "not a safetensors file: it ends before its header does"),
        (&whole[..100], "not a safetensors file: it ends before its header does"),
        (&whole[..whole.len() - 1], "not a safetensors file: its tensors do not fill it"),
        (&b"\x02\0\0\0\0\0\0\0{}"[..], "metadata: the entry `psl` is missing"),
    ] {
        fs::write(&file, bytes).expect("a file");
        for command in [vec!["run", &file, "-p", "a"], vec!["compile", "--emit", "psl", &file]] {
            let (exit, message) = refused(&command);
            assert!(exit == 1 && message.contains(cause), "{command:?}: {message}");
        }
    }
    assert_eq!(refused(&["run", &folder.path("none.safetensors"), "-p", "a"]).0, 2);
    assert_eq!(refused(&["compile", "--sparse", INDUCTION]).0, 2);
    assert_eq!(refused(&["compile", "--emit", "weights", "--positions", "1", INDUCTION]).0, 2);
    let json = folder.path("broken.json");
    fs::write(&json, b"\xff").expect("a file");
    assert_eq!(refused(&["compile", &json]).0, 1);
    assert_eq!(code(&psl_with(&["compile", "--emit", "psl", "-"], b"where")), 1);
}
