//! Keeps account of requests: each gets exactly one response, and each response has a request. Progress begins,
//! continues and ends under a known token.

use std::collections::BTreeMap;

use serde_json::Value;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INTERNAL: i64 = -32603;
const CANCELLED: i64 = -32800;
const CONTENT_MODIFIED: i64 = -32801;

/// The open requests.
#[derive(Default)]
pub struct Ledger {
    /// Requests by id. Several requests may share an id.
    asked: BTreeMap<String, Vec<Asked>>,
    /// Responses by id.
    answers: BTreeMap<String, Vec<Value>>,
    /// The number of possible error responses to invalid messages.
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
    /// Whether a response is valid for this request.
    fn may_get(&self, answer: &Value) -> bool {
        let code = answer.pointer("/error/code").and_then(Value::as_i64);
        !self.answered
            && match code {
                // A response to an unreadable request has no id.
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

/// Assigns a request to each response with the same id. Returns whether that is possible.
fn settle(answers: &[Value], asked: &mut [Asked]) -> bool {
    let Some((answer, rest)) = answers.split_first() else { return true };
    // A damaged request may or may not get a response.
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

/// The state of progress under a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    HandedOut,
    Begun,
    Ended,
}

/// A request that was sent.
pub struct Sent<'a> {
    pub id: &'a Value,
    pub method: &'a str,
    /// The document of the request.
    pub uri: Option<&'a str>,
    /// The token for its progress.
    pub token: Option<&'a Value>,
    /// Whether the request arrives undamaged.
    pub certain: bool,
}

impl Ledger {
    /// Records a request.
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

    /// Records that invalid bytes may cause up to `count` error responses.
    pub fn expect_refusals(&mut self, count: usize) {
        self.malformed += count;
    }

    /// Records that the client cancelled a request.
    pub fn cancel(&mut self, id: &Value) {
        self.asked.get_mut(&id.to_string()).into_iter().flatten().for_each(|asked| asked.cancelled = true);
    }

    /// Records that the client cancelled the work under a token.
    pub fn cancel_work(&mut self, token: &Value) {
        let token = Some(token.to_string());
        self.asked.values_mut().flatten().filter(|asked| asked.token == token).for_each(|asked| asked.cancelled = true);
    }

    /// Records that the client cancelled work under a token of the server.
    pub fn cancel_any_work(&mut self) {
        self.asked.values_mut().flatten().for_each(|asked| asked.cancelled = true);
    }

    /// Records that a document was changed or closed. `None` means any document.
    pub fn outdate(&mut self, uri: Option<&str>) {
        for asked in self.asked.values_mut().flatten() {
            asked.outdated |= uri.is_none() || asked.uri.as_deref() == uri || asked.uri.is_none();
        }
    }

    /// Records a progress token.
    pub fn hand_out(&mut self, token: &Value) {
        self.tokens.insert(token.to_string(), Token::HandedOut);
    }

    /// The ids and methods of undamaged requests without a response.
    pub fn waiting(&self) -> Vec<(Value, &str)> {
        let all = self.asked.iter().flat_map(|(id, asked)| asked.iter().map(move |asked| (id, asked)));
        let waiting = all.filter(|(_, asked)| asked.certain && !asked.answered);
        waiting.map(|(id, asked)| (serde_json::from_str(id).expect("an id"), asked.method.as_str())).collect()
    }

    /// Records a response.
    ///
    /// # Errors
    ///
    /// A message if the response is unexpected.
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
            return Err(format!("unexpected response: {message}"));
        }
        let all = &*asked;
        let is_last = all.iter().all(|asked| asked.answered);
        let open = |asked: &&Asked| asked.token.as_ref().is_some_and(|it| self.tokens.get(it) == Some(&Token::Begun));
        match all.iter().find(open) {
            Some(asked) if is_last => Err(format!("unfinished progress after a response: {:?}", asked.token)),
            _ => Ok(()),
        }
    }

    /// Records a progress notification.
    ///
    /// # Errors
    ///
    /// A message if the notification is unexpected.
    pub fn progress(&mut self, params: &Value) -> Result<(), String> {
        let state = self.tokens.get_mut(&params["token"].to_string());
        let state = state.ok_or_else(|| format!("unknown progress token: {params}"))?;
        let next = match (params.pointer("/value/kind").and_then(Value::as_str), *state) {
            (Some("begin"), Token::HandedOut) | (Some("report"), Token::Begun) => Token::Begun,
            (Some("end"), Token::Begun) => Token::Ended,
            (_, state) => return Err(format!("unexpected progress in state {state:?}: {params}")),
        };
        *state = next;
        Ok(())
    }

    /// Checks that all requests have responses, and resets the ledger.
    ///
    /// # Errors
    ///
    /// A message about an open request or unfinished progress.
    pub fn close(&mut self) -> Result<(), String> {
        let waiting = self.waiting();
        if let Some((id, method)) = waiting.first() {
            return Err(format!("{} requests without a response, such as {id}, {method}", waiting.len()));
        }
        if let Some((token, _)) = self.tokens.iter().find(|(_, state)| **state == Token::Begun) {
            return Err(format!("unfinished progress: {token}"));
        }
        *self = Self::default();
        Ok(())
    }
}
