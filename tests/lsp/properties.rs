//! After any edits of a text, the server answers like a fresh server.
//!
//! Each case is a text and edits of it. One server has many documents open and edits them in turn. Then their texts are
//! opened in a second server without edits, and both servers are asked the same questions. The model in
//! `server/text.rs` defines the edited text.
//!
//! `CASES=n` tries n cases (default: 200), and `SEED=n` sets the first seed. A case that fails is tried alone and
//! reduced while it still fails. It is printed with its seed: `SEED=… CASES=1` tries it again.

use std::{thread, time::Duration};

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::server::{
    client::{Client, full},
    edits::{Change, programs, random_change, random_offset, random_text},
    questions::{PULL, QUESTIONS, TOKENS, about},
    text::{ENCODINGS, Encoding, position},
    tokens::edited_tokens,
    variables::number,
};

const CONTENT_MODIFIED: i64 = -32801;
/// The number of documents edited in turn.
const SIDE_BY_SIDE: usize = 50;

/// A text and its edits: notifications, each with its changes.
#[derive(Clone, Debug)]
struct Case {
    seed: u64,
    encoding: Encoding,
    text: String,
    edits: Vec<Vec<Change>>,
}

impl Case {
    fn random(seed: u64, programs: &[String]) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let encoding = encoding_of(seed);
        let text = random_text(&mut random, programs);
        let mut current = text.clone();
        let mut edits = Vec::new();
        for _ in 0..random.random_range(1..=12) {
            let mut changes = Vec::new();
            for _ in 0..*[0, 1, 1, 1, 1, 2, 3, 5].choose(&mut random).expect("some") {
                let change = random_change(&mut random, &current, encoding, programs);
                change.apply(&mut current, encoding);
                changes.push(change);
            }
            edits.push(changes);
        }
        Self { seed, encoding, text, edits }
    }

    /// The text after all edits.
    fn edited(&self) -> String {
        let mut text = self.text.clone();
        self.edits.iter().flatten().for_each(|change| change.apply(&mut text, self.encoding));
        text
    }

    /// An offset in the text after all edits, for questions about a position.
    fn place(&self, text: &str) -> usize {
        random_offset(&mut ChaCha8Rng::seed_from_u64(self.seed), text)
    }

    /// The version after all edits.
    fn version(&self) -> i64 {
        (1..).nth(self.edits.len()).expect("a number")
    }

    /// The cases that result from removing one part.
    fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        for index in 0..self.edits.len() {
            let mut case = self.clone();
            case.edits.remove(index);
            smaller.push(case);
            for change in 0..self.edits[index].len() {
                let mut case = self.clone();
                case.edits[index].remove(change);
                smaller.push(case);
            }
        }
        let lines: Vec<_> = self.text.split_inclusive('\n').collect();
        for size in [lines.len() / 2, lines.len() / 4, 1] {
            for start in (0..lines.len()).step_by(size.max(1)) {
                let kept = lines[..start].iter().chain(lines.iter().skip(start + size.max(1)));
                smaller.push(Self { text: kept.copied().collect(), ..self.clone() });
            }
        }
        smaller
    }
}

fn encoding_of(seed: u64) -> Encoding {
    ENCODINGS[(seed % 3) as usize]
}

type Answer = Result<Value, Value>;

/// A server and the methods that it supports.
struct Server {
    client: Client,
    questions: Vec<&'static str>,
}

impl Server {
    fn start(encoding: Encoding) -> Self {
        let mut client = Client::start();
        let greeting = json!({"processId": null, "rootUri": null, "capabilities": full(&[encoding.name()])});
        let greeted = client.greet(&greeting);
        let announced = |(_, capability): &&(&str, &str)| greeted["capabilities"].get(*capability).is_some();
        let questions = QUESTIONS.iter().filter(announced).map(|(method, _)| *method);
        Self { client, questions: ["psl/text"].into_iter().chain(questions).collect() }
    }

    /// Asks all questions about a document.
    fn ask(&mut self, uri: &str, text: &str, at: usize, encoding: Encoding) -> Vec<i64> {
        let params = about(uri, &position(text, at, encoding));
        self.questions.iter().map(|method| self.client.begin(method, &params)).collect()
    }

    fn answers(&mut self, asked: &[Vec<i64>]) -> Vec<Vec<Answer>> {
        let mut answers: Vec<Vec<Answer>> =
            asked.iter().map(|ids| ids.iter().map(|id| self.client.response(*id)).collect()).collect();
        for answer in answers.iter_mut().flatten().flatten() {
            // Versions differ, and the server is free to choose the ids of results.
            for field in ["version", "resultId"] {
                if let Some(fields) = answer.as_object_mut() {
                    fields.shift_remove(field);
                }
            }
        }
        answers
    }

    /// Asks for the semantic tokens of documents.
    fn tokens(&mut self, uris: &[String]) -> Vec<Answer> {
        let params = |uri: &String| json!({"textDocument": {"uri": uri}});
        let asked: Vec<_> = uris.iter().map(|uri| self.client.begin(TOKENS, &params(uri))).collect();
        asked.iter().map(|id| self.client.response(*id)).collect()
    }

    /// The semantic tokens of documents, computed from the edits since `before`.
    fn tokens_since(&mut self, uris: &[String], before: &[Answer]) -> Vec<Value> {
        let changed: Vec<_> = uris
            .iter()
            .zip(before)
            .map(|(uri, before)| {
                let previous = &before.as_ref().expect("tokens")["resultId"];
                let params = json!({"textDocument": {"uri": uri}, "previousResultId": previous});
                self.client.begin("textDocument/semanticTokens/full/delta", &params)
            })
            .collect();
        let changed = changed.iter().map(|id| self.client.response(*id).expect("tokens"));
        let edited = changed.zip(before).map(|(changed, before)| match changed.get("edits") {
            Some(edits) => edited_tokens(&before.as_ref().expect("tokens")["data"], edits),
            None => changed["data"].clone(),
        });
        edited.collect()
    }

    /// The last diagnostics published for these versions of documents. Waits until each document has some.
    fn published(&mut self, documents: &[(String, i64)]) -> Vec<Vec<Value>> {
        let published = documents.iter().map(|(uri, version)| self.client.published(uri, *version)).collect();
        self.republished(documents, published, Duration::from_millis(20))
    }

    /// The diagnostics after the server has been quiet for a while. New ones replace those given.
    fn republished(
        &mut self,
        documents: &[(String, i64)],
        mut published: Vec<Vec<Value>>,
        quiet: Duration,
    ) -> Vec<Vec<Value>> {
        for message in self.client.until_quiet(quiet) {
            let params = &message["params"];
            if message["method"] != "textDocument/publishDiagnostics" {
                continue;
            }
            let index = documents.iter().position(|(uri, _)| params["uri"] == uri.as_str());
            let index = index.expect("the document is open");
            if params["version"] == documents[index].1 {
                published[index] = params["diagnostics"].as_array().cloned().expect("a list");
            }
        }
        published
    }
}

/// The cases that fail, by index, with the failure. All cases have the same encoding.
fn failures(cases: &[Case]) -> Vec<(usize, String)> {
    let encoding = cases[0].encoding;
    let uris: Vec<String> = cases.iter().map(|case| format!("file:///property/{}.psl", case.seed)).collect();
    let texts: Vec<String> = cases.iter().map(Case::edited).collect();

    let mut server = Server::start(encoding);
    for (case, uri) in cases.iter().zip(&uris) {
        server.client.open(uri, &case.text);
    }
    let steps = cases.iter().map(|case| case.edits.len()).max().unwrap_or_default();
    let (mut tokens, mut meanwhile) = (Vec::new(), Vec::new());
    for (step, version) in (0..=steps).zip(2..) {
        if step == steps / 2 {
            tokens = server.tokens(&uris);
        }
        for (case, uri) in cases.iter().zip(&uris) {
            if let Some(changes) = case.edits.get(step) {
                let changes: Vec<_> = changes.iter().map(Change::json).collect();
                server.client.change(uri, version, &changes);
            }
            let turn = case.seed as usize + step;
            let method = server.questions[turn % server.questions.len()];
            if turn.is_multiple_of(4) && method != PULL {
                let params = about(uri, &json!({"line": step, "character": step}));
                meanwhile.push(server.client.begin(method, &params));
            }
        }
    }
    let mut fresh = Server::start(encoding);
    for (text, uri) in texts.iter().zip(&uris) {
        fresh.client.open(uri, text);
    }

    let versions: Vec<_> = uris.iter().cloned().zip(cases.iter().map(Case::version)).collect();
    let firsts: Vec<_> = uris.iter().cloned().map(|uri| (uri, 1)).collect();
    for id in meanwhile {
        if let Err(error) = server.client.response(id) {
            assert_eq!(error["code"], CONTENT_MODIFIED, "a question between the edits was not answered: {error}");
        }
    }
    // The server stops publishing diagnostics once a client pulls them, so the published ones come first.
    let (mut pushed, mut expected) = (server.published(&versions), fresh.published(&firsts));
    if pushed != expected {
        // The results of tests arrive later, and not at both servers at once.
        let quiet = Duration::from_secs(3);
        pushed = server.republished(&versions, pushed, quiet);
        expected = fresh.republished(&firsts, expected, quiet);
    }
    let tokens = server.tokens_since(&uris, &tokens);
    let places: Vec<_> = cases.iter().zip(&texts).map(|(case, text)| case.place(text)).collect();
    let mut answers = || {
        [&mut server, &mut fresh].map(|server| {
            let asked = uris.iter().zip(&texts).zip(&places);
            let asked: Vec<_> = asked.map(|((uri, text), place)| server.ask(uri, text, *place, encoding)).collect();
            server.answers(&asked)
        })
    };
    let [mut edited, mut opened] = answers();
    if edited != opened {
        thread::sleep(Duration::from_secs(2));
        [edited, opened] = answers();
    }
    let mut failures = Vec::new();
    for index in 0..cases.len() {
        let text = edited[index][0].as_ref().expect("the server returns its text")["text"].as_str();
        let mut fail = |what: &str, got: &dyn std::fmt::Debug, wanted: &dyn std::fmt::Debug| {
            failures.push((index, format!("{what}:\n  {got:?}\nexpected\n  {wanted:?}")));
        };
        if text != Some(&texts[index]) {
            fail("the text", &text, &texts[index]);
        }
        for (number, method) in server.questions.iter().enumerate() {
            let (got, wanted) = (&edited[index][number], &opened[index][number]);
            if got != wanted || got.is_err() {
                fail(method, got, wanted);
            }
            if *method == TOKENS && Ok(&tokens[index]) != wanted.as_ref().map(|wanted| &wanted["data"]) {
                fail("the tokens that changed", &tokens[index], wanted);
            }
        }
        if pushed[index] != expected[index] {
            fail("published diagnostics", &pushed[index], &expected[index]);
        }
    }
    failures
}

/// Reduces a case while it fails. Returns the smallest case and its failure.
fn smallest(mut case: Case, mut failure: String) -> (Case, String) {
    'smaller: loop {
        for smaller in case.smaller() {
            if let Some((_, why)) = failures(std::slice::from_ref(&smaller)).into_iter().next() {
                (case, failure) = (smaller, why);
                continue 'smaller;
            }
        }
        return (case, failure);
    }
}

/// Tries the cases in one encoding.
fn check(encoding: Encoding) {
    let programs = programs();
    let (first, count) = (number("SEED", 0), number("CASES", 200));
    assert!(count > 0, "there are no cases");
    let cases: Vec<_> = (first..first + count)
        .filter(|seed| encoding_of(*seed) == encoding)
        .map(|seed| Case::random(seed, &programs))
        .collect();
    assert!(!cases.is_empty() || count < 3, "there are no cases in {}", encoding.name());
    for cases in cases.chunks(SIDE_BY_SIDE) {
        if let Some((index, failure)) = failures(cases).into_iter().next() {
            let case = &cases[index];
            let alone = failures(std::slice::from_ref(case)).into_iter().next();
            let Some((_, alone)) = alone else { panic!("seed {} fails only with other cases: {failure}", case.seed) };
            let (smallest, failure) = smallest(case.clone(), alone);
            panic!("seed {} fails, reduced to {smallest:#?}\n{failure}", case.seed);
        }
    }
}

#[test]
fn after_any_edits_the_server_answers_like_a_fresh_one_in_utf_8() {
    check(Encoding::Utf8);
}

#[test]
fn after_any_edits_the_server_answers_like_a_fresh_one_in_utf_16() {
    check(Encoding::Utf16);
}

#[test]
fn after_any_edits_the_server_answers_like_a_fresh_one_in_utf_32() {
    check(Encoding::Utf32);
}
