//! The account of what was asked: each request is answered once, and no answer comes for nothing. Progress begins, goes on and
//! ends, under tokens that somebody has handed out.

use std::collections::BTreeMap;

use serde_json::Value;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL: i64 = -32603;
const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

/// What was asked and not settled yet.
#[derive(Default)]
pub struct Ledger {
    /// By id, which several may share.
    asked: BTreeMap<String, Vec<Asked>>,
    /// By id.
    answers: BTreeMap<String, Vec<Value>>,
    /// How many refusals may come of what was no message.
    malformed: usize,
    tokens: BTreeMap<String, Token>,
}

/// A request.
struct Asked {
    method: String,
    uri: Option<String>,
    certain: bool,
    answered: bool,
    cancelled: bool,
    outdated: bool,
    token: Option<String>,
}

impl Asked {
    /// Whether this is an answer that it may get.
    fn may_get(&self, answer: &Value) -> bool {
        let code = answer.pointer("/error/code").and_then(Value::as_i64);
        !self.answered
            && match code {
                // What cannot be parsed has no id.
                Some(INTERNAL | PARSE_ERROR) => false,
                Some(CANCELLED) => self.cancelled,
                Some(CONTENT_MODIFIED) => self.outdated,
                Some(METHOD_NOT_FOUND) => self.method.contains("noSuch"),
                Some(INVALID_REQUEST) => self.method.is_empty(),
                Some(_) => true,
                None => answer.get("result").is_some(),
            }
    }
}

/// Finds a request for each answer under one id, and notes them as answered; false where there is no way.
fn settle(answers: &[Value], asked: &mut [Asked]) -> bool {
    let Some((answer, rest)) = answers.split_first() else { return true };
    // Of one that was damaged, nobody knows whether it is answered.
    for certain in [true, false] {
        for index in 0..asked.len() {
            if asked[index].certain == certain && asked[index].may_get(answer) {
                asked[index].answered = true;
                if settle(rest, asked) {
                    return true;
                }
                asked[index].answered = false;
            }
        }
    }
    false
}

/// Where the progress under a token stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    HandedOut,
    Begun,
    Ended,
}

/// A request as it was sent.
pub struct Sent<'a> {
    pub id: &'a Value,
    pub method: &'a str,
    /// The document that it is about.
    pub uri: Option<&'a str>,
    /// The token for its progress.
    pub token: Option<&'a Value>,
    /// Whether it arrives whole.
    pub certain: bool,
}

impl Ledger {
    /// Notes a request.
    pub fn ask(&mut self, Sent { id, method, uri, token, certain }: &Sent<'_>) {
        let token = token.map(Value::to_string);
        if let Some(token) = &token {
            self.tokens.insert(token.clone(), Token::HandedOut);
        }
        self.asked.entry(id.to_string()).or_default().push(Asked {
            method: (*method).to_owned(),
            uri: uri.map(str::to_owned),
            certain: *certain,
            answered: false,
            cancelled: false,
            outdated: false,
            token,
        });
    }

    /// Notes that bytes which are not a message may bring up to so many refusals.
    pub fn expect_refusals(&mut self, count: usize) {
        self.malformed += count;
    }

    /// Notes that the client has said that it does not want an answer any more.
    pub fn cancel(&mut self, id: &Value) {
        self.asked.get_mut(&id.to_string()).into_iter().flatten().for_each(|asked| asked.cancelled = true);
    }

    /// Notes the same of the work under a token.
    pub fn cancel_work(&mut self, token: &Value) {
        let token = Some(token.to_string());
        self.asked.values_mut().flatten().filter(|asked| asked.token == token).for_each(|asked| asked.cancelled = true);
    }

    /// Notes the same of all work that is shown under a token of the server's.
    pub fn cancel_any_work(&mut self) {
        self.asked.values_mut().flatten().for_each(|asked| asked.cancelled = true);
    }

    /// Notes that a document has changed or was closed; nothing means any of them.
    pub fn outdate(&mut self, uri: Option<&str>) {
        for asked in self.asked.values_mut().flatten() {
            asked.outdated |= uri.is_none() || asked.uri.as_deref() == uri || asked.uri.is_none();
        }
    }

    /// Notes a token that the server got from its client.
    pub fn hand_out(&mut self, token: &Value) {
        self.tokens.insert(token.to_string(), Token::HandedOut);
    }

    /// The ids and the methods of the requests that must have arrived and have no answer.
    pub fn waiting(&self) -> Vec<(Value, &str)> {
        let all = self.asked.iter().flat_map(|(id, asked)| asked.iter().map(move |asked| (id, asked)));
        let waiting = all.filter(|(_, asked)| asked.certain && !asked.answered);
        waiting.map(|(id, asked)| (serde_json::from_str(id).expect("an id"), asked.method.as_str())).collect()
    }

    /// Takes an answer.
    ///
    /// # Errors
    ///
    /// Why it may not come.
    pub fn answer(&mut self, message: &Value) -> Result<(), String> {
        let id = message["id"].to_string();
        let asked = self.asked.entry(id.clone()).or_default();
        let answers = self.answers.entry(id).or_default();
        answers.push(message.clone());
        for asked in asked.iter_mut() {
            asked.answered = false;
        }
        if !settle(answers, asked) {
            answers.pop();
            settle(answers, asked);
            if message["id"].is_null() && self.malformed > 0 {
                self.malformed -= 1;
                return Ok(());
            }
            return Err(format!("an answer that nobody may get: {message}"));
        }
        let all = &*asked;
        let is_last = all.iter().all(|asked| asked.answered);
        let open = |asked: &&Asked| asked.token.as_ref().is_some_and(|it| self.tokens.get(it) == Some(&Token::Begun));
        match all.iter().find(open) {
            Some(asked) if is_last => Err(format!("progress is left open behind an answer: {:?}", asked.token)),
            _ => Ok(()),
        }
    }

    /// Takes a step of progress.
    ///
    /// # Errors
    ///
    /// Why it may not come.
    pub fn progress(&mut self, params: &Value) -> Result<(), String> {
        let state = self.tokens.get_mut(&params["token"].to_string());
        let state = state.ok_or_else(|| format!("nobody handed out this token: {params}"))?;
        let next = match (params.pointer("/value/kind").and_then(Value::as_str), *state) {
            (Some("begin"), Token::HandedOut) | (Some("report"), Token::Begun) => Token::Begun,
            (Some("end"), Token::Begun) => Token::Ended,
            (_, state) => return Err(format!("progress that is {state:?} goes on with {params}")),
        };
        *state = next;
        Ok(())
    }

    /// Closes the account: everything was answered.
    ///
    /// # Errors
    ///
    /// What is still open.
    pub fn close(&mut self) -> Result<(), String> {
        let waiting = self.waiting();
        if let Some((id, method)) = waiting.first() {
            return Err(format!("{} requests have no answer; the first is {id}, {method}", waiting.len()));
        }
        if let Some((token, _)) = self.tokens.iter().find(|(_, state)| **state == Token::Begun) {
            return Err(format!("the progress under {token} has no end"));
        }
        *self = Self::default();
        Ok(())
    }
}
