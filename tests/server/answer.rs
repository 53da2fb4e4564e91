//! The readable form of the server's answers: see [`shown`].

use serde_json::Value;

use crate::{
    cases::shown::{self, NOTHING, error, indented, or_none},
    server::text::{Encoding, lines, offset, place, position},
};

/// The text of an answer, and the unit of its columns.
pub struct Page<'a> {
    pub uri: &'a str,
    pub text: &'a str,
    pub encoding: Encoding,
    /// The names of the types and modifiers of semantic tokens.
    pub legend: &'a Value,
}

impl Page<'_> {
    /// An answer to a request.
    pub fn answer(&self, method: &str, answer: &Result<Value, Value>) -> String {
        let answer = match answer {
            Ok(Value::Null) => return NOTHING.to_owned(),
            Ok(Value::Array(items)) if items.is_empty() => return or_none(String::new()),
            Ok(answer) => answer,
            Err(why) => return error(&string(&why["message"])),
        };
        let shown = match method {
            "textDocument/hover" => self.hover(answer),
            "textDocument/completion" => self.completions(if answer.is_array() { answer } else { &answer["items"] }),
            "completionItem/resolve" => self.completion(answer) + &indented(&markdown(&answer["documentation"])),
            "textDocument/signatureHelp" => signatures(answer),
            "textDocument/documentSymbol" | "textDocument/prepareCallHierarchy" => self.symbols(answer, 0),
            "workspace/symbol" => self.each(answer, Self::workspace_symbol),
            "callHierarchy/incomingCalls" => self.each(answer, |page, call| page.call(&call["from"], call)),
            "callHierarchy/outgoingCalls" => self.each(answer, |page, call| page.call(&call["to"], call)),
            "textDocument/documentHighlight" => self.each(answer, |page, highlight| {
                format!("{} {}\n", page.range(&highlight["range"]), word(&HIGHLIGHTS, &highlight["kind"]))
            }),
            "textDocument/codeAction" => self.each(answer, Self::action),
            "codeAction/resolve" => self.action(answer),
            "textDocument/diagnostic" => match &answer["items"] {
                Value::Array(items) => self.diagnostics(items),
                _ => string(&answer["kind"]) + "\n",
            },
            "textDocument/codeLens" => self.each(answer, Self::lens),
            "codeLens/resolve" => self.lens(answer),
            "textDocument/inlayHint" => self.hints(answer),
            "textDocument/foldingRange" => self.each(answer, Self::fold),
            "textDocument/selectionRange" => self.each(answer, Self::selection),
            "textDocument/semanticTokens/full" | "textDocument/semanticTokens/range" => self.tokens(&answer["data"]),
            "textDocument/rename" => self.workspace_edit(answer),
            _ if method.ends_with("ormatting") => self.diff(list(answer)),
            _ if answer["layers"].is_array() => self.compiled(answer),
            _ => self.value(answer),
        };
        or_none(shown)
    }

    /// Published or pulled diagnostics.
    pub fn diagnostics(&self, diagnostics: &[Value]) -> String {
        let show = |found: &Value| {
            let (range, severity) = (self.range(&found["range"]), word(&SEVERITIES, &found["severity"]));
            let tags: Vec<_> = list(&found["tags"]).iter().map(|tag| word(&TAGS, tag)).collect();
            let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
            let related = list(&found["relatedInformation"]).iter();
            let related: Vec<_> =
                related.map(|about| (self.location(&about["location"]), string(&about["message"]))).collect();
            let head = (range.as_str(), severity.as_str(), &*string(&found["code"]));
            shown::diagnostic(head, &string(&found["message"]), &tags, &related)
        };
        or_none(diagnostics.iter().map(show).collect())
    }

    fn each(&self, items: &Value, show: impl Fn(&Self, &Value) -> String) -> String {
        list(items).iter().map(|item| show(self, item)).collect()
    }

    fn offset(&self, at: &Value) -> usize {
        let number = |field: &str| at[field].as_u64().expect("a number") as usize;
        let offset = offset(self.text, number("line"), number("character"), self.encoding);
        assert_eq!(*at, position(self.text, offset, self.encoding), "the position is invalid");
        offset
    }

    fn span(&self, range: &Value) -> (usize, usize) {
        (self.offset(&range["start"]), self.offset(&range["end"]))
    }

    fn range(&self, range: &Value) -> String {
        shown::range(self.text, self.span(range))
    }

    fn location(&self, location: &Value) -> String {
        let range = self.range(&location["range"]);
        if location["uri"] == self.uri { range } else { format!("{} {range}", string(&location["uri"])) }
    }

    /// A compiled text, and the spans of its layers in both texts.
    fn compiled(&self, compiled: &Value) -> String {
        let text = string(&compiled["text"]);
        let page = Page { uri: self.uri, text: &text, encoding: self.encoding, legend: self.legend };
        let layer = |layer: &Value| {
            let (range, object) = (self.range(&layer["range"]), page.range(&layer["text"]));
            format!("layer: {}, line: {}, range: {range}, text: {object}\n", layer["layer"], layer["line"])
        };
        format!("text: {text}") + &list(&compiled["layers"]).iter().map(layer).collect::<String>()
    }

    fn hover(&self, hover: &Value) -> String {
        let range = hover.get("range").map(|range| self.range(range) + "\n").unwrap_or_default();
        range + &with_page_name(&markdown(&hover["contents"]))
    }

    /// The replaced span, then one item per line.
    fn completions(&self, items: &Value) -> String {
        let mut shown = String::new();
        let mut replaced = None;
        for item in list(items) {
            let edit = &item["textEdit"];
            let range = edit.get("range").or(edit.get("replace")).map(|range| self.range(range));
            if let Some(range) = range.filter(|range| replaced.as_ref() != Some(range)) {
                shown.push_str(&shown::in_place_of(&range));
                replaced = Some(range);
            }
            shown.push_str(&self.completion(item));
        }
        shown
    }

    fn completion(&self, item: &Value) -> String {
        let (label, kind) = (string(&item["label"]), word(&COMPLETIONS, &item["kind"]));
        let inserted = item["textEdit"]["newText"].as_str().or(item["insertText"].as_str());
        shown::completion((&label, &kind), item["detail"].as_str(), inserted)
            + &indented(&self.diff(list(&item["additionalTextEdits"])))
    }

    fn symbols(&self, symbols: &Value, depth: usize) -> String {
        self.each(symbols, |page, symbol| {
            let whole = page.span(&symbol["range"]);
            let name = page.span(&symbol["selectionRange"]);
            assert!(whole.0 <= name.0 && name.1 <= whole.1, "the name is not in the symbol: {symbol}");
            let head = (&*string(&symbol["name"]), &*word(&SYMBOLS, &symbol["kind"]));
            let range = page.range(&symbol["selectionRange"]);
            shown::symbol(depth, head, symbol["detail"].as_str(), &range)
                + &page.symbols(&symbol["children"], depth + 1)
        })
    }

    fn call(&self, item: &Value, call: &Value) -> String {
        let item = self.symbols(&Value::Array(vec![item.clone()]), 0);
        let ranges: Vec<_> = list(&call["fromRanges"]).iter().map(|range| self.range(range)).collect();
        shown::call(&item, &ranges)
    }

    fn workspace_symbol(&self, symbol: &Value) -> String {
        let container = symbol["containerName"].as_str().map(|name| format!(" in {name}")).unwrap_or_default();
        let place = self.location(&symbol["location"]);
        format!("{} {}{container} {place}\n", string(&symbol["name"]), word(&SYMBOLS, &symbol["kind"]))
    }

    fn action(&self, action: &Value) -> String {
        let diff = action.get("edit").map_or_else(String::new, |edit| self.workspace_edit(edit));
        let (kind, title) = (string(&action["kind"]), string(&action["title"]));
        let mut shown = shown::action(&kind, action["isPreferred"] == true, &title, &diff);
        if let Some(reason) = action["disabled"]["reason"].as_str() {
            shown.push_str(&indented(&format!("disabled: {reason}")));
        }
        if let Some(command) = action.get("command") {
            shown.push_str(&indented(&self.compact(command)));
        }
        shown
    }

    fn lens(&self, lens: &Value) -> String {
        let (start, _) = self.span(&lens["range"]);
        let line = place(self.text, start, self.encoding).0 + 1;
        format!("{line}: {}\n", string(&lens["command"]["title"]))
    }

    fn hints(&self, hints: &Value) -> String {
        let hint = |hint: &Value| {
            let side = |field: &str| if hint[field] == true { " " } else { "" };
            let (left, right) = (side("paddingLeft"), side("paddingRight"));
            (self.offset(&hint["position"]), format!("{left}⟨{}⟩{right}", hint_label(&hint["label"])))
        };
        shown::hints(self.text, list(hints).iter().map(hint).collect())
    }

    fn fold(&self, fold: &Value) -> String {
        let number = |field: &str| fold[field].as_u64().expect("a number") as usize;
        let (start, end) = (number("startLine"), number("endLine"));
        let lines = lines(self.text);
        assert!(start <= end && end < lines.len(), "the fold is not in the text: {fold}");
        shown::fold((start + 1, end + 1), fold["kind"].as_str(), lines[start].trim_end_matches(['\n', '\r']))
    }

    /// A selection and the ranges that it grows to.
    fn selection(&self, selection: &Value) -> String {
        let mut shown = String::new();
        let mut next = Some(selection);
        let mut inner: Option<(usize, usize)> = None;
        while let Some(selection) = next {
            let span = self.span(&selection["range"]);
            assert!(inner.is_none_or(|inner| span.0 <= inner.0 && inner.1 <= span.1), "a selection does not grow");
            shown.push_str(&(self.range(&selection["range"]) + "\n"));
            inner = Some(span);
            next = selection.get("parent").filter(|parent| !parent.is_null());
        }
        shown
    }

    /// One token per line: its text, type and modifiers.
    pub fn tokens(&self, data: &Value) -> String {
        let mut shown = String::new();
        let (mut line, mut column, mut before) = (0, 0, 0);
        let data: Vec<usize> = list(data).iter().map(|number| number.as_u64().expect("a number") as usize).collect();
        for token in data.chunks(5) {
            let &[lines, columns, length, kind, modifiers] = token else { panic!("tokens come in fives: {token:?}") };
            column = if lines == 0 { column + columns } else { columns };
            line += lines;
            let at = |column| {
                let offset = offset(self.text, line, column, self.encoding);
                assert_eq!(place(self.text, offset, self.encoding), (line, column), "the token is invalid: {token:?}");
                offset
            };
            let (start, end) = (at(column), at(column + length));
            assert!(before <= start && start < end, "tokens overlap or are empty: {token:?}");
            before = end;
            let named = list(&self.legend["tokenModifiers"]).iter().enumerate();
            let named = named.filter(|(bit, _)| modifiers & (1 << bit) != 0).filter_map(|(_, name)| name.as_str());
            let kind = string(&self.legend["tokenTypes"][kind]);
            shown.push_str(&shown::token(&self.text[start..end], &kind, &named.collect::<Vec<_>>()));
        }
        or_none(shown)
    }

    fn workspace_edit(&self, edit: &Value) -> String {
        let mut shown = String::new();
        let mut file = |uri: &Value, edits: &Value| {
            if *uri == self.uri {
                shown.push_str(&self.diff(list(edits)));
            } else {
                shown.push_str(&(string(uri) + ": " + &edits.to_string() + "\n"));
            }
        };
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            file(&Value::from(uri.as_str()), edits);
        }
        for change in list(&edit["documentChanges"]) {
            file(&change["textDocument"]["uri"], &change["edits"]);
        }
        shown
    }

    fn diff(&self, edits: &[Value]) -> String {
        let edits = edits.iter().map(|edit| (self.span(&edit["range"]), string(&edit["newText"])));
        shown::diff(self.text, edits.collect())
    }

    /// Any other answer: one item per line, with the text of its spans.
    fn value(&self, value: &Value) -> String {
        match value {
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            _ => format!("{}\n", self.compact(value)),
        }
    }

    fn compact(&self, value: &Value) -> String {
        match value {
            Value::Object(fields) if fields.contains_key("start") && fields.contains_key("end") => self.range(value),
            Value::Object(fields)
                if fields.len() == 2 && fields.contains_key("uri") && fields.contains_key("range") =>
            {
                self.location(value)
            }
            Value::Object(fields) => {
                // Times vary, so they are left out.
                let shown: Vec<_> = fields
                    .iter()
                    .filter(|(name, _)| *name != "seconds")
                    .map(|(name, field)| format!("{name}: {}", self.compact(field)))
                    .collect();
                shown.join(", ")
            }
            Value::Array(items) => {
                let shown: Vec<_> = items.iter().map(|item| self.compact(item)).collect();
                format!("[{}]", shown.join("; "))
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn word(words: &[&str], number: &Value) -> String {
    let index = number.as_u64().and_then(|number| usize::try_from(number).ok());
    index.and_then(|index| words.get(index)).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A hover in which the link to the cached reference has only the name of its page.
fn with_page_name(hover: &str) -> String {
    let Some((before, link)) = hover.rsplit_once("](file:") else { return hover.to_owned() };
    let (url, after) = link.split_once(')').expect("the end of the link");
    let name = url.rsplit('/').next().and_then(|page| page.split('#').next()).expect("a page");
    format!("{before}]({name}){after}")
}

fn markdown(contents: &Value) -> String {
    let text = contents["value"].as_str().or(contents.as_str()).unwrap_or_default();
    shown::lines(text)
}

fn signatures(help: &Value) -> String {
    let form = |(signature, index): (&Value, u64)| {
        let current = signature["activeParameter"].as_u64().or(help["activeParameter"].as_u64());
        let parts = list(&signature["parameters"]).iter().zip(0..);
        let parts: Vec<_> = parts
            .map(|(part, index)| (current == Some(index), string(&part["label"]), markdown(&part["documentation"])))
            .collect();
        let parts: Vec<_> = parts.iter().map(|(active, label, meaning)| (*active, &**label, &**meaning)).collect();
        let active = help["activeSignature"].as_u64().unwrap_or(0) == index;
        shown::form(active, &string(&signature["label"]), &parts, &markdown(&signature["documentation"]))
    };
    list(&help["signatures"]).iter().zip(0..).map(form).collect()
}

fn hint_label(label: &Value) -> String {
    label.as_str().map_or_else(|| list(label).iter().map(|part| string(&part["value"])).collect(), str::to_owned)
}

const TAGS: [&str; 3] = ["", "unnecessary", "deprecated"];
const SEVERITIES: [&str; 5] = ["", "error", "warning", "info", "hint"];
const HIGHLIGHTS: [&str; 4] = ["", "text", "read", "write"];
const COMPLETIONS: [&str; 26] = [
    "",
    "text",
    "method",
    "function",
    "constructor",
    "field",
    "variable",
    "class",
    "interface",
    "module",
    "property",
    "unit",
    "value",
    "enum",
    "keyword",
    "snippet",
    "color",
    "file",
    "reference",
    "folder",
    "enum-member",
    "constant",
    "struct",
    "event",
    "operator",
    "type-parameter",
];
const SYMBOLS: [&str; 27] = [
    "",
    "file",
    "module",
    "namespace",
    "package",
    "class",
    "method",
    "property",
    "field",
    "constructor",
    "enum",
    "interface",
    "function",
    "variable",
    "constant",
    "string",
    "number",
    "boolean",
    "array",
    "object",
    "key",
    "null",
    "enum-member",
    "struct",
    "event",
    "operator",
    "type-parameter",
];
