//! Templatic generation data: `psl tgt` accepts the data that it generates, and PARGEN completes it.

use std::{
    collections::HashSet,
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::binary::{SPLITS, code, err, folder, golden, out, psl, psl_in, psl_with, repository};

fn made(args: &[&str]) -> String {
    let output = psl(&[&["tgt"], args].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
    out(&output)
}

/// Checks the one violation that `psl tgt --check` finds in a line of a split.
fn check_in(split: &str, line: &str, expected: &str) {
    let output = psl_with(&["tgt", "--split", split, "--check", "-"], line.as_bytes());
    assert_eq!((code(&output), out(&output)), (1, format!("<stdin>:1: {expected}\n")), "{line}");
}

fn check(line: &str, expected: &str) {
    check_in("train", line, expected);
}

#[test]
fn generated_data_is_valid() {
    for split in SPLITS {
        for shots in 1..=10 {
            let shots = shots.to_string();
            let words = if shots.len() == 1 { "rlw" } else { "eng" };
            let kind = ["--split", split, "--shots", &shots, "--words", words];
            let data: String = ["0", "1", "18446744073709551615"]
                .map(|seed| made(&[&kind[..], &["--seed", seed, "--count", "60"]].concat()))
                .concat();
            let output = psl_with(&[&["tgt", "--check", "-"], &kind[..]].concat(), data.as_bytes());
            assert_eq!((code(&output), out(&output).as_str()), (0, ""), "{kind:?}");
            assert_eq!(err(&output), "180 lines checked: 0 wrong\n");
        }
    }
}

#[test]
fn independent_data_is_valid() {
    let mut checked = 0;
    for split in SPLITS {
        let data = golden(&format!("tgt-{split}.tsv"));
        if data.exists() {
            let output = psl(&["tgt", "--split", split, "--check", data.to_str().expect("UTF-8")]);
            assert_eq!((code(&output), err(&output).as_str()), (0, "100 lines checked: 0 wrong\n"), "{}", out(&output));
            checked += 1;
        }
    }
    assert_eq!(checked, 6, "there is data for six splits");
}

/// Changes of one symbol that no constraint allows. Any symbol is duplicated. A symbol of an answer is removed or
/// swapped with the next one, because answers follow from the rest of the line. The cue gets a word of an example.
fn mutants(line: &str) -> Vec<String> {
    let line = line.replace('\t', " \t ");
    let symbols: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let mut mutants = Vec::new();
    let mut mutant = |change: &dyn Fn(&mut Vec<String>)| {
        let mut changed = symbols.clone();
        change(&mut changed);
        mutants.push(changed.join(" ").replace(" \t ", "\t"));
    };
    let end = symbols.iter().rposition(|symbol| symbol == ".").expect("the end of the gold");
    let mut in_answer = false;
    for index in (0..=end).filter(|&index| symbols[index] != "\t") {
        mutant(&|symbols| symbols.insert(index, symbols[index].clone()));
        in_answer &= symbols[index] != "Q";
        if in_answer {
            mutant(&|symbols| drop(symbols.remove(index)));
        }
        if in_answer && symbols[index] != "." {
            mutant(&|symbols| symbols.swap(index, index + 1));
        }
        in_answer |= symbols[index] == "A";
    }
    let is_word = |symbol: &&String| symbol.len() == 2 && symbol.bytes().all(|byte| byte.is_ascii_alphabetic());
    let of_example = symbols.iter().find(|symbol| is_word(symbol)).expect("a constituent");
    let of_cue = symbols.iter().rfind(|symbol| is_word(symbol)).expect("a constituent");
    mutant(&|symbols| {
        for symbol in symbols.iter_mut().filter(|symbol| *symbol == of_cue) {
            symbol.clone_from(of_example);
        }
    });
    mutants
}

#[test]
fn every_mutant_is_refused() {
    for (split, shots) in
        [("train", "1"), ("ood_lexical", "1"), ("ood_cons_count_10", "1"), ("test", "3"), ("dyn_ood_lexical", "2")]
    {
        let kind = ["--split", split, "--shots", shots];
        let data = made(&[&kind[..], &["--count", "50"]].concat());
        let mutants: Vec<String> = data.lines().flat_map(mutants).collect();
        let output = psl_with(&[&["tgt", "--check", "-"], &kind[..]].concat(), mutants.join("\n").as_bytes());
        let refused: HashSet<usize> = out(&output)
            .lines()
            .map(|line| line.split(':').nth(1).and_then(|number| number.parse().ok()).expect("a line number"))
            .collect();
        let accepted = mutants.iter().enumerate().find(|(index, _)| !refused.contains(&(index + 1)));
        assert_eq!((code(&output), accepted), (1, None));
    }
}

#[test]
fn a_violation_is_named() {
    check("Q ab A ab . Q cd A", "expected PROMPT<TAB>GOLD, found no tab");
    check("Q ab A ab . Q cd A\tcd .\tinfo", "invalid JSON in the info: expected value at column 1");
    check("Q ab  A ab . Q cd A\tcd .", "expected one space between symbols, and none at the ends");
    check("Q ab A ab . Q cd\tcd .", "expected `A` at the end of the prompt");
    check("Q ab A ab . Q cd A\tcd", "expected one answer with `.` at its end as the gold");
    check("Q ab A ab . Q cd A\tcd . cd .", "expected one answer with `.` at its end as the gold");
    check("ab A ab . Q cd A\tcd .", "expected `Q` at the start of example 1");
    check("Q ab ab . Q cd A\tcd .", "expected `Q … A … .` for example 1");
    check("Q ab A Q . Q cd A\tcd .", "expected `Q … A … .` for example 1");
    check("Q cd A\tcd .", "expected 1 example, found 0");
    check("Q ab A ab . Q ab A ab . Q cd A\tcd .", "expected 1 example, found 2");
    check(
        "Q abc A abc . Q cd A\tcd .",
        "`abc` in the question of example 1 is neither a word of two lower-case letters nor a delimiter",
    );
    check("Q ab ? ? cd A ab . Q ef ? ? gh A\tef .", "duplicate `?` in the question of example 1");
    check("Q ab ? A ab . Q cd A\tcd .", "the questions of example 1 and the cue have different delimiters");
    check("Q ? A ? . Q ? A\t? .", "the question of example 1 has 0 constituents, expected 1, 2 or 4");
    check(
        "Q ab bc cd A ab bc cd . Q ef A\tef .",
        "the constituent `ab bc cd` in the question of example 1 has 3 symbols, expected 1, 2 or 4",
    );
    check("Q ab cd A ab cd . Q ab A\tab .", "example 1 and the cue share the word `ab`");
    check(
        "Q ab cd A cd . Q ef A\tef .",
        "`cd` in the answer of example 1 does not start a constituent of the question",
    );
    check("Q ab ? cd A cd ab . Q ef ? gh A\tgh ef .", "missing delimiter before `ab` in the answer of example 1");
    check("Q ab A ? . Q cd A\t? .", "missing constituent in the answer of example 1");
    check("Q ab A ab ! . Q cd A\tcd .", "expected `cd !` as the answer of the cue, as in example 1, found `cd`");
    check("Q ab A ab . Q cd A\tcd .\t{\"constituents\": 2}", "wrong info: `constituents` is 1");
    check("Q ab A ab . Q cd A\tcd .\t{\"kept\": 0}", "wrong info: `kept` is 1");
    check(
        "Q ab A ab . Q cd A\tcd .\t{\"type\": \"echo\"}",
        "`ab` in the question of example 1 is neither a word of two upper-case letters nor a delimiter",
    );
    check(
        "Q AB ? A AB . Q CD ? A\tCD .\t{\"type\": \"echo\"}",
        "delimiter `?` in the question of example 1: echo prompts have none",
    );
    let dev = psl_with(
        &["tgt", "--split", "dev", "--check", "-"],
        b"Q AB A AB . Q CD A\tCD .\t{\"type\": \"echo\"}\n\n\xff\n",
    );
    assert_eq!(out(&dev), "<stdin>:1: `dev` does not have echo prompts\n<stdin>:3: the line is not UTF-8\n");
}

/// Whether a constituent has upper-case words, and its length, for each constituent of a question.
fn constituents(question: &str) -> HashSet<(bool, usize)> {
    let symbols: Vec<&str> = question.split(' ').collect();
    symbols
        .chunk_by(|left, right| left.starts_with(char::is_alphabetic) == right.starts_with(char::is_alphabetic))
        .filter(|run| run[0].starts_with(char::is_alphabetic))
        .map(|run| (run[0].starts_with(char::is_uppercase), run.len()))
        .collect()
}

#[test]
fn the_cue_of_table_10_differs_from_the_examples() {
    let forms = |upper: bool, lengths: &[usize]| lengths.iter().map(|length| (upper, *length)).collect::<HashSet<_>>();
    let trained = &[1, 2, 4];
    for (split, of_examples, of_cue) in [
        ("test", forms(false, trained), forms(false, trained)),
        ("dyn_ood_lexical", forms(false, trained), forms(true, trained)),
        ("dyn_ood_cons_len", forms(false, trained), forms(false, &[7])),
        ("dyn_rev_cons_len", forms(false, &[7]), forms(false, trained)),
    ] {
        for words in ["rlw", "eng"] {
            let (mut examples, mut cues) = (HashSet::new(), HashSet::new());
            for line in made(&["--split", split, "--shots", "5", "--words", words]).lines() {
                let prompt = line.split(" A\t").next().expect("a prompt");
                let mut shots: Vec<&str> =
                    prompt.split(" . ").map(|shot| shot.strip_prefix("Q ").expect("Q")).collect();
                cues.extend(constituents(shots.pop().expect("a cue")));
                assert_eq!(shots.len(), 5, "{line}");
                let questions = shots.iter().map(|shot| shot.split(" A ").next().expect("a question"));
                examples.extend(questions.flat_map(constituents));
            }
            assert_eq!((&examples, &cues), (&of_examples, &of_cue), "{split}, {words}");
        }
    }
}

#[test]
fn a_violation_in_table_10_is_named() {
    check_in(
        "dyn_ood_lexical",
        "Q ab A ab . Q cd A\tcd .",
        "`cd` in the question of the cue is neither a word of two upper-case letters nor a delimiter",
    );
    check_in(
        "dyn_ood_lexical",
        "Q AB A AB . Q CD A\tCD .",
        "`AB` in the question of example 1 is neither a word of two lower-case letters nor a delimiter",
    );
    check_in(
        "dyn_ood_cons_len",
        "Q ab A ab . Q cd A\tcd .",
        "the constituent `cd` in the question of the cue has 1 symbol, expected 7",
    );
    check_in(
        "dyn_rev_cons_len",
        "Q ab A ab . Q cd A\tcd .",
        "the constituent `ab` in the question of example 1 has 1 symbol, expected 7",
    );
}

#[test]
fn the_same_arguments_always_give_the_same_lines() {
    let expected = fs::read_to_string(repository().join("tests/tgt/pinned.tsv")).expect("the lines");
    let made = [
        made(&["--split", "train", "--shots", "1", "--count", "20", "--seed", "1"]),
        made(&["--split", "ood_cons_count_5", "--shots", "2", "--count", "5", "--seed", "1", "--words", "eng"]),
        made(&["--split", "dyn_ood_lexical", "--shots", "5", "--count", "3", "--seed", "1"]),
    ]
    .concat();
    assert_eq!(made, expected);
}

#[test]
fn lines_are_tsv_or_json() {
    let kind = ["--split", "train", "--count", "40"];
    let objects = made(&[&kind[..], &["--format", "jsonl"]].concat());
    let tsv: Vec<String> = objects
        .lines()
        .map(|object| serde_json::from_str::<Value>(object).expect("JSON"))
        .map(|object| {
            format!("{}\t{}", object["prompt"].as_str().expect("a prompt"), object["gold"].as_str().expect("a gold"))
        })
        .collect();
    assert_eq!(tsv.len(), 40);
    for (line, (object, both)) in made(&kind).lines().zip(objects.lines().zip(tsv)) {
        let info = line.strip_prefix(&format!("{both}\t")).expect("the same prompt and gold");
        assert!(object.ends_with(&format!("\"info\": {info}}}")), "{object}: {info}");
    }
}

#[test]
fn json_is_written_checked_and_scored() {
    let folder =
        folder(&[("pargen.psl", &fs::read_to_string(repository().join("examples/pargen.psl")).expect("PARGEN"))]);
    let run = |args: &str, input: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        let output = psl_in(folder.path(), &args, input.as_bytes());
        (code(&output), out(&output), err(&output))
    };
    assert_eq!(run("tgt --split test --count 20 -o data.jsonl", ""), (0, String::new(), String::new()));
    let data = fs::read_to_string(folder.path().join("data.jsonl")).expect("data");
    assert_eq!(data, run("tgt --split test --count 20 --format jsonl", "").1, "the extension selects the format");
    let fine = (0, String::new(), "20 lines checked: 0 wrong\n".to_owned());
    assert_eq!(run("tgt --split test --check data.jsonl", ""), fine);
    assert_eq!(run("tgt --split test --format jsonl --check -", &data), fine);
    let scored = run("eval pargen.psl data.jsonl", "");
    assert!(scored.1.starts_with("20 of 20 correct"), "{scored:?}");

    let wrong =
        "{\"prompt\": \"Q ab A ab . Q cd A\", \"gold\": \"ab .\"}\n{\"prompt\": 1}\n{}\nQ\tA\n{\"prompt\": \"Q\n";
    fs::write(folder.path().join("wrong.jsonl"), wrong).expect("a file");
    let (code, found, _) = run("tgt --split test --check wrong.jsonl", "");
    let expected = [
        "1: expected `cd` as the answer of the cue, as in example 1, found `ab`",
        "2: expected a JSON object with `prompt` and `gold`: invalid type: integer `1`, expected a string at column 12",
        "3: expected a JSON object with `prompt` and `gold`: missing field `prompt` at column 2",
        "4: expected a JSON object with `prompt` and `gold`: expected value at column 1",
        "5: expected a JSON object with `prompt` and `gold`: the JSON ends in the middle of a string at column 13",
    ];
    assert_eq!((code, found), (1, expected.map(|line| format!("wrong.jsonl:{line}\n")).concat()));
    let (code, found, _) = run("eval pargen.psl wrong.jsonl", "");
    assert!(code == 1 && found.contains("0 of 5 correct (0.00 %), 4 malformed lines"), "{found}");
    assert!(found.contains("wrong.jsonl:3: malformed line: expected a JSON object with"), "{found}");
}

#[test]
fn seeds_and_splits_differ() {
    let mut seen = HashSet::new();
    for split in SPLITS {
        for seed in ["1", "2"] {
            let data = made(&["--split", split, "--count", "50", "--seed", seed]);
            assert!(seen.insert(data.to_lowercase()), "{split} {seed}");
        }
    }
}

#[test]
fn some_training_prompts_are_echoes() {
    let data = made(&["--split", "train", "--count", "2000"]);
    let infos = data.lines().map(|line| line.split('\t').nth(2).expect("an info"));
    let infos = infos.map(|info| serde_json::from_str::<Value>(info).expect("JSON"));
    let echoes = infos.filter(|info| info["type"] == "echo").count();
    assert!((60..=140).contains(&echoes), "{echoes} echo prompts of 2,000, expected about 100");
    assert!(!made(&["--split", "dev", "--count", "500"]).contains("echo"));
}

#[test]
fn pargen_completes_every_split() {
    for split in SPLITS {
        let data = made(&["--split", split, "--count", "20", "--seed", "3"]);
        let output = psl_with(&["eval", "examples/pargen.psl", "-", "--machine", "qkvm"], data.as_bytes());
        assert!(out(&output).starts_with("20 of 20 correct"), "{split}: {}", out(&output));
    }
}

#[test]
fn a_closed_pipe_ends_the_output_silently() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_psl"))
        .args(["tgt", "--split", "test", "--count", "18446744073709551615"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("psl starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let output = child.wait_with_output().expect("psl ends");
    assert_eq!((code(&output), err(&output).as_str(), line.matches('\t').count()), (0, "", 2));
}

#[test]
fn errors_of_usage_are_reported() {
    for (args, expected) in [
        (&["--split", "tset"][..], "a similar value exists: 'test'"),
        (&["--split", "test", "--shots", "0"], "0 is not in 1..=10"),
        (&["--split", "test", "--check", "no/such/file.tsv"], "cannot read no/such/file.tsv"),
        (&["--split", "test", "--check", "-"], "<stdin> has no lines to check"),
        (&["--split", "test", "--check", "-", "--seed", "1"], "cannot be used with"),
    ] {
        let output = psl(&[&["tgt"], args].concat());
        assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
        assert!(err(&output).contains(expected), "{args:?}: {}", err(&output));
    }
}
