//! The `//@` lines: tests, limits of runs and accepted warnings, in comments that other tools ignore.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    look_alikes::{look_alike, quote},
    nearest::nearest,
    program::TestPrompt,
    span::Span,
    token::{is_name, unquote},
    tree::{Directive, DirectiveKind, Tree},
};

/// Precedes the file of a test's structured prompt.
const JSON: &str = "json";

const TEST: &str = "test";

const WORDS: [&str; 6] = [TEST, "stop", "max-new", "allow", "allow-file", "input"];

/// Whether a comment is a directive.
pub fn is_directive(comment: &str) -> bool {
    comment.starts_with("//@") || comment.starts_with("#@")
}

/// The report of a comment that would be a directive with `@` right after its mark, if it is one. A comment in prose,
/// such as `// test the next symbol`, is none.
pub fn almost_directive(text: &str, span: Span) -> Option<Diagnostic> {
    let comment = span.of(text);
    let body = comment.trim_start_matches(['/', '#']).trim_start();
    let meant = body.strip_prefix('@').unwrap_or(body).trim_start();
    let word = meant.split(char::is_whitespace).next()?;
    if !WORDS.contains(&word) {
        return None;
    }
    let written = format!("//@ {}", meant.trim());
    let directive = read(&written, Span::from(0..written.len())).ok()?;
    let certain = match directive.kind {
        DirectiveKind::Test { .. } | DirectiveKind::Stop(_) | DirectiveKind::MaxNew(_) => true,
        _ => meant.len() < body.len(),
    };
    certain.then(|| {
        Diagnostic::new(Code::UnknownDirective, span, "this comment looks like a directive, and has no effect")
            .help(format!("write `{written}`"))
            .suggest(format!("Replace with `{written}`"), span, written)
    })
}

/// Parses the directive in a comment.
pub fn parse_directive(text: &str, span: Span) -> Result<Directive, Box<Diagnostic>> {
    read(text, span).map_err(|wrong| {
        let plain = plain(span.of(text));
        if plain == span.of(text) || read(&plain, Span::from(0..plain.len())).is_err() {
            return wrong;
        }
        let help = "write it in ASCII: straight quotes, plain blanks, and `=>`";
        let Diagnostic { code, message, span: place, .. } = *wrong;
        let title = "Replace the characters that look like those of PSL";
        Box::new(Diagnostic::new(code, place, message).help(help).fix(title, span, plain))
    })
}

/// A directive with the characters of PSL in place of those that look like them, outside its strings.
fn plain(comment: &str) -> String {
    let mut plain = String::with_capacity(comment.len());
    let mut open = None;
    for char in comment.chars() {
        let straight = if matches!(char, '"' | '\'') { Some(char) } else { quote(char) };
        match open {
            Some(_) if straight == open => open = None,
            Some(_) => {
                plain.push(char);
                continue;
            }
            None => open = straight,
        }
        match (straight, char) {
            (Some(quote), _) => plain.push(quote),
            (None, '→' | '⇒' | '⟶' | '⟹') => plain.push_str("=>"),
            (None, _) => match look_alike(char) {
                Some(found) => plain.push_str(found.plain),
                None => plain.push(char),
            },
        }
    }
    plain
}

fn read(text: &str, span: Span) -> Result<Directive, Box<Diagnostic>> {
    let comment = span.of(text);
    let body = comment.trim_start_matches(['/', '#']).trim_start_matches('@').trim();
    let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
    let rest = rest.trim();
    let wrong =
        |message: &str, help: &str| Err(Box::new(Diagnostic::new(Code::UnknownDirective, span, message).help(help)));
    let kind = match word {
        TEST => match parse_test(rest) {
            Some(DirectiveKind::Test { name: Some(name), .. }) if name == JSON => {
                return wrong(
                    "invalid test name `json`",
                    "rename the test: `json` introduces the file of a structured prompt",
                );
            }
            Some(kind) => kind,
            None => {
                return wrong(
                    "invalid `test` directive",
                    "write `//@ test [NAME] \"PROMPT\" => \"CONTINUATION\"`, or, for a structured prompt, \
                     `//@ test [NAME] json \"FILE\" => \"CONTINUATION\"`",
                );
            }
        },
        "stop" => match parse_string(rest) {
            Some((stop, "")) if !stop.is_empty() => DirectiveKind::Stop(stop),
            _ => return wrong("invalid `stop` directive", "write the stop symbol in quotes, as in `//@ stop \".\"`"),
        },
        "max-new" => match rest.parse() {
            Ok(count) if count > 0 => DirectiveKind::MaxNew(count),
            _ => {
                return wrong(
                    "invalid `max-new` directive",
                    "write the maximum length as a whole number, at least 1, as in `//@ max-new 64`",
                );
            }
        },
        "allow" | "allow-file" => {
            let length = rest.find([':', ' ', '\t']).unwrap_or(rest.len()) as u32;
            if length == 0 {
                let message = format!("missing code after `{word}`");
                return wrong(&message, &format!("name the diagnostic to accept, as in `//@ {word} non-causal`"));
            }
            let start = span.start + (comment.trim_end().len() - rest.len()) as u32;
            DirectiveKind::Allow { code: Span::new(start, start + length), file: word == "allow-file" }
        }
        "input" => {
            let start = span.start + (comment.trim_end().len() - rest.len()) as u32;
            match parse_names(rest, start) {
                Some(names) => DirectiveKind::Input(names),
                None => {
                    return wrong(
                        "invalid `input` directive",
                        "list registers by their long names, as in `//@ input head, state`",
                    );
                }
            }
        }
        _ => {
            let at = comment.find(word).map_or(span, |offset| {
                let start = span.start + offset as u32;
                Span::new(start, start + word.len() as u32)
            });
            let mut diagnostic = Diagnostic::new(
                Code::UnknownDirective,
                if word.is_empty() { span } else { at },
                if word.is_empty() { "empty directive".to_owned() } else { format!("unknown directive `{word}`") },
            )
            .help("write `test`, `stop`, `max-new`, `allow`, `allow-file` or `input`");
            if let Some(name) = nearest(word, WORDS) {
                diagnostic = diagnostic.suggest(format!("Replace with `{name}`"), at, name);
            }
            return Err(Box::new(diagnostic));
        }
    };
    Ok(Directive { span, kind })
}

/// The reports of comments that are meant as tests but cannot be read, so that they do not run.
pub fn unread_tests(tree: &Tree) -> Vec<Diagnostic> {
    let meant = |comment: &&Span| {
        let body = tree.str(**comment).trim_start_matches(['/', '#']).trim_start_matches('@').trim();
        let word = body.split(char::is_whitespace).next().unwrap_or_default();
        is_directive(tree.str(**comment)) && (word == TEST || nearest(word, WORDS) == Some(TEST))
    };
    let comments = tree.tokens.comments.iter().filter(meant);
    comments.filter_map(|comment| parse_directive(&tree.text, *comment).err()).map(|wrong| *wrong).collect()
}

impl Directive {
    /// The spans of its strings with their quotes: the prompt or file and the gold of a test, or the stop symbol.
    pub fn strings(&self, text: &str) -> Vec<Span> {
        let mut strings = Vec::new();
        if let DirectiveKind::Test { .. } | DirectiveKind::Stop(_) = self.kind {
            let mut rest = self.span.of(text);
            while let Some(quoted) = rest.find(['"', '\'']).and_then(|quote| rest.get(quote..))
                && let Some((_, after)) = parse_string(quoted)
            {
                let end = |rest: &str| self.span.end - rest.len() as u32;
                strings.push(Span::new(end(quoted), end(after)));
                rest = after;
            }
        }
        strings
    }
}

/// Parses `name, name, …`, which starts at offset `start`. A comma may follow the last name.
fn parse_names(list: &str, start: u32) -> Option<Vec<Span>> {
    let mut names = Vec::new();
    let mut at = start as usize;
    for name in list.strip_suffix(',').unwrap_or(list).split(',') {
        let from = at + name.len() - name.trim_start().len();
        if !is_name(name.trim()) {
            return None;
        }
        names.push(Span::from(from..from + name.trim().len()));
        at += name.len() + 1;
    }
    Some(names)
}

/// Parses `[name] [json] "prompt" => "gold"`. Returns `None` for any other text.
fn parse_test(rest: &str) -> Option<DirectiveKind> {
    let quote = rest.find(['"', '\''])?;
    let (words, strings) = rest.split_at_checked(quote)?;
    let words: Vec<&str> = words.split_whitespace().collect();
    let (name, prompt): (_, fn(String) -> TestPrompt) = match *words.as_slice() {
        [] => (None, TestPrompt::Plain),
        [JSON] => (None, TestPrompt::Json),
        [name] => (Some(name), TestPrompt::Plain),
        [name, JSON] => (Some(name), TestPrompt::Json),
        _ => return None,
    };
    let (given, rest) = parse_string(strings)?;
    let (gold, rest) = parse_string(rest.trim_start().strip_prefix("=>")?.trim_start())?;
    let test = || DirectiveKind::Test { name: name.map(str::to_owned), prompt: prompt(given), gold };
    rest.trim().is_empty().then(test)
}

/// Parses a quoted string at the start. Returns its value and the rest, or `None` if there is no string.
fn parse_string(rest: &str) -> Option<(String, &str)> {
    let quote = rest.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if char == '\\' {
            escaped = true;
        } else if char == quote {
            let end = at + quote.len_utf8();
            return Some((unquote(rest.get(..end)?), rest.get(end..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expected: Result<DirectiveKind, &str>) {
        let span = Span::new(0, comment.len() as u32);
        match (parse_directive(comment, span), expected) {
            (Ok(directive), Ok(kind)) => assert_eq!(directive.kind, kind),
            (Err(diagnostic), Err(part)) => assert!(diagnostic.message.contains(part), "{}", diagnostic.message),
            (got, _) => panic!("{comment}: {got:?}"),
        }
    }

    #[test]
    fn directives() {
        let test = |name: Option<&str>, prompt: &str, gold: &str| DirectiveKind::Test {
            name: name.map(str::to_owned),
            prompt: TestPrompt::Plain(prompt.to_owned()),
            gold: gold.to_owned(),
        };
        let json = |name: Option<&str>, file: &str| DirectiveKind::Test {
            name: name.map(str::to_owned),
            prompt: TestPrompt::Json(file.to_owned()),
            gold: "B".to_owned(),
        };
        check(r#"//@ test swap "Q // A" => "B .""#, Ok(test(Some("swap"), "Q // A", "B .")));
        check(r#"#@test "a \" b" => '"'"#, Ok(test(None, "a \" b", "\"")));
        check(r#"//@ test add json "a b.json" => "B""#, Ok(json(Some("add"), "a b.json")));
        check(r#"#@ test json"../a.json"=>"B""#, Ok(json(None, "../a.json")));
        check(r#"//@ test json json "a.json" => "B""#, Err("invalid test name `json`"));
        check(r#"//@ test json add "a.json" => "B""#, Err("invalid `test` directive"));
        check(r#"//@ test "a""#, Err("invalid `test` directive"));
        check(r#"//@ test "a" => "b" c"#, Err("invalid `test` directive"));
        check(r#"//@ stop "!""#, Ok(DirectiveKind::Stop("!".to_owned())));
        check("//@ max-new 0", Err("invalid `max-new` directive"));
        check("//@ max-new 9", Ok(DirectiveKind::MaxNew(9)));
        check(
            "//@ allow non-causal: it must look ahead ",
            Ok(DirectiveKind::Allow { code: Span::new(10, 20), file: false }),
        );
        check("//@ tset", Err("unknown directive `tset`"));
        check("//@", Err("empty directive"));
    }

    #[test]
    fn strings() {
        let strings = |text: &str| {
            let directive = parse_directive(text, Span::new(0, text.len() as u32)).expect("a directive");
            directive.strings(text).iter().map(|span| span.of(text).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(strings(r#"//@ test a#1 "Q \" A" => 'B .' "#), [r#""Q \" A""#, "'B .'"]);
        assert_eq!(strings("//@ stop '∅'"), ["'∅'"]);
        assert_eq!(strings("//@ allow non-causal: as in \"(58)\""), [""; 0]);
    }
}
