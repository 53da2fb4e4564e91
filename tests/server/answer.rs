//! The server's answers as a reader of a test sees them: places with their text, edits as the lines that they change.

use std::fmt::Write as _;

use imara_diff::{Algorithm, Diff, InternedInput, Token};
use serde_json::Value;

use super::text::{Encoding, lines, offset, place, position};

/// A range's text is shown in the middle only as far as this many characters.
const SHOWN: usize = 40;

/// What an answer is about, and how it counts columns.
pub struct Page<'a> {
    pub uri: &'a str,
    pub text: &'a str,
    pub encoding: Encoding,
    /// What the numbers of semantic tokens mean.
    pub legend: &'a Value,
}

impl Page<'_> {
    /// An answer to a request.
    pub fn answer(&self, method: &str, answer: &Result<Value, Value>) -> String {
        let answer = match answer {
            Ok(Value::Null) => return "nothing\n".to_owned(),
            Ok(Value::Array(items)) if items.is_empty() => return "none\n".to_owned(),
            Ok(answer) => answer,
            Err(error) => return format!("error: {}\n", string(&error["message"])),
        };
        let shown = match method {
            "textDocument/hover" => self.hover(answer),
            "textDocument/completion" => self.completions(if answer.is_array() { answer } else { &answer["items"] }),
            "completionItem/resolve" => self.completion(answer) + &indented(&markdown(&answer["documentation"])),
            "textDocument/signatureHelp" => signatures(answer),
            "textDocument/documentSymbol" => self.symbols(answer, 0),
            "workspace/symbol" => self.each(answer, Self::workspace_symbol),
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
            _ => self.value(answer),
        };
        if shown.is_empty() { "none\n".to_owned() } else { shown }
    }

    /// Published or pulled diagnostics.
    pub fn diagnostics(&self, diagnostics: &[Value]) -> String {
        let mut shown = String::new();
        for found in diagnostics {
            let severity = word(&SEVERITIES, &found["severity"]);
            let range = self.range(&found["range"]);
            let message = string(&found["message"]).replace('\n', "\n  ");
            let _ = write!(shown, "{range} {severity} {}: {message}", string(&found["code"]));
            for tag in list(&found["tags"]) {
                let _ = write!(shown, " ({})", word(&["", "unnecessary", "deprecated"], tag));
            }
            shown.push('\n');
            for related in list(&found["relatedInformation"]) {
                let _ = writeln!(shown, "  {}: {}", self.location(&related["location"]), string(&related["message"]));
            }
        }
        if shown.is_empty() { "none\n".to_owned() } else { shown }
    }

    fn each(&self, items: &Value, show: impl Fn(&Self, &Value) -> String) -> String {
        list(items).iter().map(|item| show(self, item)).collect()
    }

    fn offset(&self, at: &Value) -> usize {
        let number = |field: &str| at[field].as_u64().expect("a number") as usize;
        let offset = offset(self.text, number("line"), number("character"), self.encoding);
        assert_eq!(*at, position(self.text, offset, self.encoding), "the server names a place that is none");
        offset
    }

    fn span(&self, range: &Value) -> (usize, usize) {
        (self.offset(&range["start"]), self.offset(&range["end"]))
    }

    /// `1:1-1:6 "where"`: lines and columns from 1, columns in characters, whatever the client counts.
    fn range(&self, range: &Value) -> String {
        let (start, end) = self.span(range);
        let at = |offset| {
            let (line, column) = place(self.text, offset, Encoding::Utf32);
            format!("{}:{}", line + 1, column + 1)
        };
        format!("{}-{} \"{}\"", at(start), at(end), shortened(&self.text[start..end]))
    }

    fn location(&self, location: &Value) -> String {
        let range = self.range(&location["range"]);
        if location["uri"] == self.uri { range } else { format!("{} {range}", string(&location["uri"])) }
    }

    fn hover(&self, hover: &Value) -> String {
        let range = hover.get("range").map(|range| self.range(range) + "\n").unwrap_or_default();
        range + &markdown(&hover["contents"])
    }

    /// What all replace, and an item a line.
    fn completions(&self, items: &Value) -> String {
        let mut shown = String::new();
        let mut replaced = None;
        for item in list(items) {
            let edit = &item["textEdit"];
            let range = edit.get("range").or(edit.get("replace")).map(|range| self.range(range));
            if let Some(range) = range.filter(|range| replaced.as_ref() != Some(range)) {
                let _ = writeln!(shown, "in place of {range}:");
                replaced = Some(range);
            }
            shown.push_str(&self.completion(item));
        }
        shown
    }

    fn completion(&self, item: &Value) -> String {
        let mut shown = format!("{} {}", string(&item["label"]), word(&COMPLETIONS, &item["kind"]));
        if let Some(detail) = item["detail"].as_str() {
            let _ = write!(shown, ", {detail}");
        }
        let text = item["textEdit"]["newText"].as_str().or(item["insertText"].as_str());
        if let Some(text) = text.filter(|text| *text != item["label"]) {
            let _ = write!(shown, " ⇒ {}", text.replace('\n', "⏎"));
        }
        shown.push('\n');
        shown + &indented(&self.diff(list(&item["additionalTextEdits"])))
    }

    fn symbols(&self, symbols: &Value, depth: usize) -> String {
        self.each(symbols, |page, symbol| {
            let mut shown =
                format!("{}{} {}", "  ".repeat(depth), string(&symbol["name"]), word(&SYMBOLS, &symbol["kind"]));
            if let Some(detail) = symbol["detail"].as_str() {
                let _ = write!(shown, ", {detail}");
            }
            let whole = page.span(&symbol["range"]);
            let name = page.span(&symbol["selectionRange"]);
            assert!(whole.0 <= name.0 && name.1 <= whole.1, "the name is not in the symbol: {symbol}");
            let _ = writeln!(shown, " {}", page.range(&symbol["selectionRange"]));
            shown + &page.symbols(&symbol["children"], depth + 1)
        })
    }

    fn workspace_symbol(&self, symbol: &Value) -> String {
        let container = symbol["containerName"].as_str().map(|name| format!(" in {name}")).unwrap_or_default();
        let place = self.location(&symbol["location"]);
        format!("{} {}{container} {place}\n", string(&symbol["name"]), word(&SYMBOLS, &symbol["kind"]))
    }

    fn action(&self, action: &Value) -> String {
        let kind = string(&action["kind"]);
        let preferred = if action["isPreferred"] == true { ", preferred" } else { "" };
        let mut shown = format!("{kind}{preferred}: {}\n", string(&action["title"]));
        if let Some(reason) = action["disabled"]["reason"].as_str() {
            let _ = writeln!(shown, "  disabled: {reason}");
        }
        if let Some(edit) = action.get("edit") {
            shown.push_str(&indented(&self.workspace_edit(edit)));
        }
        if let Some(command) = action.get("command") {
            let _ = writeln!(shown, "  {}", self.compact(command));
        }
        shown
    }

    fn lens(&self, lens: &Value) -> String {
        let (start, _) = self.span(&lens["range"]);
        let line = place(self.text, start, self.encoding).0 + 1;
        format!("{line}: {}\n", string(&lens["command"]["title"]))
    }

    /// The lines that have hints, with the hints in them.
    fn hints(&self, hints: &Value) -> String {
        let mut placed: Vec<_> = list(hints).iter().map(|hint| (self.offset(&hint["position"]), hint)).collect();
        placed.sort_by_key(|(at, _)| *at);
        let mut shown = String::new();
        let mut start = 0;
        for (line, number) in lines(self.text).into_iter().zip(1..) {
            let end = start + line.len();
            let here = |at: usize| start <= at && (at < end || end == self.text.len());
            let hints: Vec<_> = placed.iter().filter(|(at, _)| here(*at)).collect();
            if !hints.is_empty() {
                let _ = write!(shown, "{number}: ");
                let mut written = start;
                for (at, hint) in hints {
                    let side = |field: &str| if hint[field] == true { " " } else { "" };
                    let (left, right) = (side("paddingLeft"), side("paddingRight"));
                    let _ = write!(shown, "{}{left}⟨{}⟩{right}", &self.text[written..*at], hint_label(&hint["label"]));
                    written = *at;
                }
                let _ = writeln!(shown, "{}", self.text[written..end].trim_end_matches(['\n', '\r']));
            }
            start = end;
        }
        shown
    }

    /// The lines that are left in sight of a fold, and those that are folded.
    fn fold(&self, fold: &Value) -> String {
        let number = |field: &str| fold[field].as_u64().expect("a number") as usize;
        let (start, end) = (number("startLine"), number("endLine"));
        let lines = lines(self.text);
        assert!(start <= end && end < lines.len(), "the fold is not in the text: {fold}");
        let kind = fold["kind"].as_str().map(|kind| format!(" {kind}")).unwrap_or_default();
        let first = shortened(lines[start].trim_end_matches(['\n', '\r']));
        format!("{}-{}{kind} \"{first}\"\n", start + 1, end + 1)
    }

    /// A selection and what it grows to.
    fn selection(&self, selection: &Value) -> String {
        let mut shown = String::new();
        let mut next = Some(selection);
        let mut inner: Option<(usize, usize)> = None;
        while let Some(selection) = next {
            let span = self.span(&selection["range"]);
            assert!(inner.is_none_or(|inner| span.0 <= inner.0 && inner.1 <= span.1), "a selection does not grow");
            let _ = writeln!(shown, "{}", self.range(&selection["range"]));
            inner = Some(span);
            next = selection.get("parent").filter(|parent| !parent.is_null());
        }
        shown
    }

    /// A token a line: its text, its type and its modifiers.
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
                assert_eq!(place(self.text, offset, self.encoding), (line, column), "the token is none: {token:?}");
                offset
            };
            let (start, end) = (at(column), at(column + length));
            assert!(before <= start && start < end, "tokens overlap or are empty: {token:?}");
            before = end;
            let _ = write!(shown, "{} {}", &self.text[start..end], string(&self.legend["tokenTypes"][kind]));
            for (bit, modifier) in list(&self.legend["tokenModifiers"]).iter().enumerate() {
                if modifiers & (1 << bit) != 0 {
                    let _ = write!(shown, ".{}", string(modifier));
                }
            }
            shown.push('\n');
        }
        if shown.is_empty() { "none\n".to_owned() } else { shown }
    }

    fn workspace_edit(&self, edit: &Value) -> String {
        let mut shown = String::new();
        let mut file = |uri: &Value, edits: &Value| {
            if *uri == self.uri {
                shown.push_str(&self.diff(list(edits)));
            } else {
                let _ = writeln!(shown, "{}: {edits}", string(uri));
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

    /// The lines that edits change, each block below the number of its first line.
    fn diff(&self, edits: &[Value]) -> String {
        changed_lines(&with_ends(self.text), &with_ends(&self.edited(edits)))
    }

    /// The text after edits that all speak of the text as it is.
    pub fn edited(&self, edits: &[Value]) -> String {
        let mut placed: Vec<_> =
            edits.iter().map(|edit| (self.span(&edit["range"]), string(&edit["newText"]))).collect();
        // Several insertions at one place come in their order.
        placed.sort_by_key(|(span, _)| *span);
        let mut after = String::new();
        let mut written = 0;
        for ((start, end), text) in placed {
            assert!(written <= start && start <= end, "edits overlap");
            after.push_str(&self.text[written..start]);
            after.push_str(&text);
            written = end;
        }
        after + &self.text[written..]
    }

    /// Any other answer: an item a line, its places with their text.
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
                // How long a thing took is no part of what is tested.
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

/// The numbers of semantic tokens after edits of them, each of which speaks of the numbers as they were.
pub fn edited_tokens(before: &Value, edits: &Value) -> Value {
    let before = list(before);
    let mut after = Vec::new();
    let mut written = 0;
    for edit in list(edits) {
        let [start, deleted] = ["start", "deleteCount"].map(|field| edit[field].as_u64().expect("a number") as usize);
        assert!(written <= start && start + deleted <= before.len(), "the edit is none: {edit}");
        after.extend_from_slice(&before[written..start]);
        after.extend_from_slice(list(&edit["data"]));
        written = start + deleted;
    }
    after.extend_from_slice(&before[written..]);
    after.into()
}

/// The lines that differ in two texts.
pub fn changed_lines(before: &str, after: &str) -> String {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut shown = String::new();
    for hunk in diff.hunks() {
        let _ = writeln!(shown, "@ {}", hunk.before.start + 1);
        let lines = |tokens: &[Token]| tokens.iter().map(|token| input.interner[*token]).collect::<Vec<_>>();
        for line in lines(&input.before[hunk.before.start as usize..hunk.before.end as usize]) {
            let _ = writeln!(shown, "{}", format!("- {line}").trim_end());
        }
        for line in lines(&input.after[hunk.after.start as usize..hunk.after.end as usize]) {
            let _ = writeln!(shown, "{}", format!("+ {line}").trim_end());
        }
    }
    shown
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

/// A text whose lines all end in `\n`, those that do not with their end in sight.
fn with_ends(text: &str) -> String {
    text.replace("\r\n", "␍␊\n").replace('\r', "␍\n")
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |shown, line| shown + "  " + line + "\n")
}

/// A text in one line, its middle left out if it is long.
fn shortened(text: &str) -> String {
    let text = text.replace("\r\n", "⏎").replace(['\n', '\r'], "⏎");
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= SHOWN {
        return text;
    }
    let (start, end) = (&chars[..SHOWN / 2], &chars[chars.len() - SHOWN / 2..]);
    format!("{}…{}", String::from_iter(start), String::from_iter(end))
}

fn markdown(contents: &Value) -> String {
    let text = contents["value"].as_str().or(contents.as_str()).unwrap_or_default();
    text.lines().fold(String::new(), |shown, line| shown + line + "\n")
}

fn signatures(help: &Value) -> String {
    let mut shown = String::new();
    for (signature, index) in list(&help["signatures"]).iter().zip(0_u64..) {
        let active = if help["activeSignature"].as_u64().unwrap_or(0) == index { "▸ " } else { "" };
        let _ = writeln!(shown, "{active}{}", string(&signature["label"]));
        let current = signature["activeParameter"].as_u64().or(help["activeParameter"].as_u64());
        for (parameter, number) in list(&signature["parameters"]).iter().zip(0_u64..) {
            let active = if current == Some(number) { "▸ " } else { "" };
            let label = string(&parameter["label"]);
            let _ = writeln!(shown, "  {active}{label}");
            shown.push_str(&indented(&indented(&markdown(&parameter["documentation"]))));
        }
        shown.push_str(&indented(&markdown(&signature["documentation"])));
    }
    shown
}

fn hint_label(label: &Value) -> String {
    label.as_str().map_or_else(|| list(label).iter().map(|part| string(&part["value"])).collect(), str::to_owned)
}

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
