//! The `//@` lines: tests, limits of runs and accepted warnings, in comments that other tools ignore.

use crate::{
    codes::Code,
    diagnostic::Diagnostic,
    law::{self, Law, NotALaw},
    look_alikes::{look_alike, quote},
    nearest::nearest,
    program::TestPrompt,
    roles::ANSWER,
    span::Span,
    token::{is_name, unquote},
    tree::{Directive, DirectiveKind, Tree},
};

/// Precedes the file of a test's structured prompt.
const JSON: &str = "json";

/// Precedes the prompt of a law about equal symbols, too.
const ANY: &str = "any";

/// Precedes the prompt of a test or law that expects a row.
const ROW: &str = "row";

const TEST: &str = "test";
const LAW: &str = "law";

/// The words that introduce directives. The glossary explains each of them.
pub(crate) const WORDS: [&str; 8] = [TEST, LAW, ANSWER, "stop", "max-new", "allow", "allow-file", "input"];

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
        DirectiveKind::Test { .. } | DirectiveKind::Law { .. } | DirectiveKind::Stop(_) | DirectiveKind::MaxNew(_) => {
            true
        }
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
            (None, '>') if plain.ends_with('-') => {
                plain.pop();
                plain.push_str("=>");
            }
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
            Some(DirectiveKind::Test { name: Some(name), .. }) if name == ROW => {
                return wrong("invalid test name `row`", "rename the test: `row` introduces the values of a register");
            }
            Some(DirectiveKind::Test { prompt: TestPrompt::Plain(prompt), gold, row: true, .. })
                if words(&prompt) != words(&gold) =>
            {
                let message = format!("the row has {}, and the prompt {}", counted(&gold), counted(&prompt));
                let place = strings(text, span).pop().unwrap_or(span);
                return Err(Box::new(Diagnostic::new(Code::UnknownDirective, place, message).help(ROW_LENGTH)));
            }
            Some(kind) => kind,
            None => {
                return wrong(
                    "invalid `test` directive",
                    "write `//@ test [NAME] [row] \"PROMPT\" => \"CONTINUATION\"`, or, for a structured prompt, \
                     `//@ test [NAME] [row] json \"FILE\" => \"CONTINUATION\"`",
                );
            }
        },
        LAW => match parse_law(rest) {
            None => {
                return wrong(
                    "invalid `law` directive",
                    "write `//@ law [NAME] [any] [row] \"PROMPT\" => \"CONTINUATION\"`, with variables such as `$x`",
                );
            }
            Some(UnreadLaw { name: Some(name), .. }) if [ANY, ROW, JSON].contains(&name) => {
                let help = format!("rename the law: `{name}` has a meaning before the prompt");
                return wrong(&format!("invalid law name `{name}`"), &help);
            }
            Some(read) => match Law::parse(read.any, &read.prompt, &read.gold) {
                Ok(law) if read.row && !law.has_rows() => {
                    let message = "prompt and row of the law differ in length";
                    return Err(Box::new(Diagnostic::new(Code::UnknownDirective, span, message).help(ROW_LENGTH)));
                }
                Ok(law) => {
                    let name = read.name.map(str::to_owned);
                    let law = Law { row: read.row, ..law };
                    DirectiveKind::Law { name, prompt: read.prompt, gold: read.gold, law }
                }
                Err(NotALaw { message, help, word }) => {
                    let word = word.and_then(|(side, range)| {
                        let string = strings(text, span).into_iter().nth(side as usize)?;
                        let written = string.of(text);
                        // Escapes move what follows them.
                        let plain = !written.contains('\\');
                        let at = |offset: usize| string.start + 1 + offset as u32;
                        plain.then(|| Span::new(at(range.start), at(range.end)))
                    });
                    let place = word.unwrap_or(span);
                    return Err(Box::new(Diagnostic::new(Code::UnknownDirective, place, message).help(help)));
                }
            },
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
        ANSWER if is_name(rest) => {
            let end = span.start + comment.trim_end().len() as u32;
            DirectiveKind::Answer(Span::new(end - rest.len() as u32, end))
        }
        ANSWER => {
            return wrong("invalid `answer` directive", "name the register by its long name, as in `//@ answer count`");
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
            .help(format!("write {}", alternatives()));
            if let Some(name) = nearest(word, WORDS) {
                diagnostic = diagnostic.suggest(format!("Replace with `{name}`"), at, name);
            }
            return Err(Box::new(diagnostic));
        }
    };
    Ok(Directive { span, kind })
}

/// The words of directives: `` `test`, `law` or `stop` ``.
fn alternatives() -> String {
    let words: Vec<String> = WORDS.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The reports of comments that are meant as tests or laws but cannot be read, so that they do not run.
pub fn unread_tests(tree: &Tree) -> Vec<Diagnostic> {
    let meant = |comment: &&Span| {
        let body = tree.str(**comment).trim_start_matches(['/', '#']).trim_start_matches('@').trim();
        let word = body.split(char::is_whitespace).next().unwrap_or_default();
        let meant = if WORDS.contains(&word) { Some(word) } else { nearest(word, WORDS) };
        is_directive(tree.str(**comment)) && meant.is_some_and(|meant| [TEST, LAW].contains(&meant))
    };
    let comments = tree.tokens.comments.iter().filter(meant);
    let wrong = comments.filter_map(|comment| parse_directive(&tree.text, *comment).err()).map(|wrong| *wrong);
    wrong.chain(rows_without_answer(tree)).collect()
}

/// The reports of tests and laws with a row in a program that names no register for it.
pub fn rows_without_answer(tree: &Tree) -> Vec<Diagnostic> {
    if tree.directives.iter().any(|directive| matches!(directive.kind, DirectiveKind::Answer(_))) {
        return Vec::new();
    }
    let has_row = |directive: &&Directive| {
        matches!(
            directive.kind,
            DirectiveKind::Test { row: true, .. } | DirectiveKind::Law { law: Law { row: true, .. }, .. }
        )
    };
    let report = |directive: &Directive| {
        Diagnostic::new(Code::UnknownDirective, directive.span, "no register answers in the cells of the prompt")
            .help("name it, as in `//@ answer count`")
    };
    tree.directives.iter().filter(has_row).map(report).collect()
}

impl Directive {
    /// The spans of its strings with their quotes: the prompt or file and the gold of a test, or the stop symbol.
    pub fn strings(&self, text: &str) -> Vec<Span> {
        match self.kind {
            DirectiveKind::Test { .. } | DirectiveKind::Law { .. } | DirectiveKind::Stop(_) => strings(text, self.span),
            DirectiveKind::MaxNew(_)
            | DirectiveKind::Allow { .. }
            | DirectiveKind::Input(_)
            | DirectiveKind::Answer(_) => Vec::new(),
        }
    }

    /// The variables of a law with their spans, without `$` and limits, in the order of the text.
    pub fn variables<'t>(&self, text: &'t str) -> Vec<(Span, &'t str)> {
        let DirectiveKind::Law { .. } = self.kind else { return Vec::new() };
        let strings = self.strings(text).into_iter();
        // Neither quotes nor escapes are part of a name.
        let inner = strings.map(|string| Span::new(string.start + 1, string.end - 1));
        let found = inner.flat_map(|inner| {
            let at = move |offset: usize| inner.start + offset as u32;
            law::variables(inner.of(text)).map(move |(range, name)| (Span::new(at(range.start), at(range.end)), name))
        });
        found.collect()
    }
}

/// A variable of a law under a cursor.
pub struct LawVariable<'t> {
    /// The name under the cursor, without `$`.
    pub span: Span,
    /// The name.
    pub name: &'t str,
    /// All variables of the law with their spans, in the order of the text.
    pub all: Vec<(Span, &'t str)>,
}

/// The variable of a law that a cursor at `offset` touches, if there is one. Its `$` is a part of it.
pub fn law_variable(tree: &Tree, offset: u32) -> Option<LawVariable<'_>> {
    let directive = tree.directives.iter().find(|directive| directive.span.touches(offset))?;
    let all = directive.variables(&tree.text);
    let (span, name) = *all.iter().find(|(span, _)| Span::new(span.start - 1, span.end).touches(offset))?;
    Some(LawVariable { span, name, all })
}

impl LawVariable<'_> {
    /// The spans of the variable in its law, without `$`.
    pub fn uses(&self) -> impl Iterator<Item = Span> {
        self.all.iter().filter(|(_, name)| *name == self.name).map(|(span, _)| *span)
    }
}

/// The spans of quoted strings in a comment, with their quotes.
fn strings(text: &str, comment: Span) -> Vec<Span> {
    let mut strings = Vec::new();
    let mut rest = comment.of(text);
    while let Some(quoted) = rest.find(['"', '\'']).and_then(|quote| rest.get(quote..))
        && let Some((_, after)) = parse_string(quoted)
    {
        let end = |rest: &str| comment.end - rest.len() as u32;
        strings.push(Span::new(end(quoted), end(after)));
        rest = after;
    }
    strings
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

/// Parses `[name] [row] [json] "prompt" => "gold"`. Returns `None` for any other text.
fn parse_test(rest: &str) -> Option<DirectiveKind> {
    let (mut words, given, gold) = parse_expectation(rest)?;
    let prompt = if ends_with(&mut words, JSON) { TestPrompt::Json(given) } else { TestPrompt::Plain(given) };
    let row = ends_with(&mut words, ROW);
    let name = words.pop().map(str::to_owned);
    words.is_empty().then_some(DirectiveKind::Test { name, prompt, gold, row })
}

/// Whether the last word is this one, which is then left out.
fn ends_with(words: &mut Vec<&str>, last: &str) -> bool {
    words.pop_if(|word| *word == last).is_some()
}

/// The help for a row of another length than its prompt.
const ROW_LENGTH: &str = "write one value for each symbol of the prompt, `∅` for null";

fn words(symbols: &str) -> usize {
    symbols.split_whitespace().count()
}

/// `3 symbols`.
fn counted(symbols: &str) -> String {
    match words(symbols) {
        1 => "1 symbol".to_owned(),
        count => format!("{count} symbols"),
    }
}

/// A law whose strings are not read yet.
struct UnreadLaw<'t> {
    name: Option<&'t str>,
    any: bool,
    row: bool,
    prompt: String,
    gold: String,
}

/// Parses `[name] [any] [row] "prompt" => "gold"`. Returns `None` for any other text.
fn parse_law(rest: &str) -> Option<UnreadLaw<'_>> {
    let (mut words, prompt, gold) = parse_expectation(rest)?;
    let row = ends_with(&mut words, ROW);
    let any = ends_with(&mut words, ANY);
    let name = words.pop();
    words.is_empty().then_some(UnreadLaw { name, any, row, prompt, gold })
}

/// Parses `words "prompt" => "gold"`. Returns `None` for any other text.
fn parse_expectation(rest: &str) -> Option<(Vec<&str>, String, String)> {
    let quote = rest.find(['"', '\''])?;
    let (words, strings) = rest.split_at_checked(quote)?;
    let (given, rest) = parse_string(strings)?;
    let (gold, rest) = parse_string(rest.trim_start().strip_prefix("=>")?.trim_start())?;
    rest.trim().is_empty().then(|| (words.split_whitespace().collect(), given, gold))
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
            row: false,
        };
        let json = |name: Option<&str>, file: &str| DirectiveKind::Test {
            name: name.map(str::to_owned),
            prompt: TestPrompt::Json(file.to_owned()),
            gold: "B".to_owned(),
            row: false,
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
        let law = |name: Option<&str>, any, prompt: &str, gold: &str| DirectiveKind::Law {
            name: name.map(str::to_owned),
            prompt: prompt.to_owned(),
            gold: gold.to_owned(),
            law: Law::parse(any, prompt, gold).unwrap_or_else(|wrong| panic!("{}", wrong.message)),
        };
        check(r#"//@ law swap any "$a $b" => "$b $a""#, Ok(law(Some("swap"), true, "$a $b", "$b $a")));
        check(r#"#@law any"$a.."=>'∅'"#, Ok(law(None, true, "$a..", "∅")));
        check(r#"//@ law swap "$a" => "$a""#, Ok(law(Some("swap"), false, "$a", "$a")));
        check(r#"//@ law json "$a" => "$a""#, Err("invalid law name `json`"));
        check(r#"//@ law any any "$a" => "$a""#, Err("invalid law name `any`"));
        check(r#"//@ law any swap "$a" => "$a""#, Err("invalid `law` directive"));
        check(r#"//@ law swap "$a""#, Err("invalid `law` directive"));
        check(r#"//@ law "a" => "a""#, Err("the law has no variables"));
        let row = |kind: DirectiveKind| match kind {
            DirectiveKind::Test { name, prompt, gold, .. } => DirectiveKind::Test { name, prompt, gold, row: true },
            DirectiveKind::Law { name, prompt, gold, law, .. } => {
                DirectiveKind::Law { name, prompt, gold, law: Law { row: true, ..law } }
            }
            other => other,
        };
        check(r#"//@ test counts row "a b a" => "2 1 2""#, Ok(row(test(Some("counts"), "a b a", "2 1 2"))));
        check(r#"#@ test row"a"=>'∅'"#, Ok(row(test(None, "a", "∅"))));
        check(r#"//@ test add row json "a.json" => "B""#, Ok(row(json(Some("add"), "a.json"))));
        check(r#"//@ test row row "a" => "b""#, Err("invalid test name `row`"));
        check(r#"//@ test json row "a" => "b""#, Err("invalid test name `json`"));
        check(r#"//@ test row "a b" => "b""#, Err("the row has 1 symbol, and the prompt 2 symbols"));
        check(
            r#"//@ law same any row "$a.. b $c" => "c $a.. $c""#,
            Ok(row(law(Some("same"), true, "$a.. b $c", "c $a.. $c"))),
        );
        check(r#"//@ law row "$a" => "$a""#, Ok(row(law(None, false, "$a", "$a"))));
        check(r#"//@ law row row "$a" => "$a""#, Err("invalid law name `row`"));
        check(r#"//@ law row any "$a" => "$a""#, Err("invalid law name `row`"));
        check(r#"//@ law row "$a.. b" => "$a""#, Err("prompt and row of the law differ in length"));
        check(r#"//@ law row "$a.. $b.." => "$a $a""#, Err("prompt and row of the law differ in length"));
        check("//@ answer count ", Ok(DirectiveKind::Answer(Span::new(11, 16))));
        check("//@ answer", Err("invalid `answer` directive"));
        check("//@ answer a, b", Err("invalid `answer` directive"));
        check("//@ tset", Err("unknown directive `tset`"));
        check("//@", Err("empty directive"));
    }

    #[test]
    fn variables() {
        let text = r#"//@ law $c "\" $a.. $$b $a..3 $c. $b" => '$b $a'"#;
        let directive = parse_directive(text, Span::new(0, text.len() as u32)).expect("a directive");
        let found: Vec<(u32, &str)> =
            directive.variables(text).iter().map(|(span, name)| (span.start, *name)).collect();
        assert_eq!(found, [(16, "a"), (25, "a"), (35, "b"), (43, "b"), (46, "a")]);
        assert!(directive.variables(text).iter().all(|(span, name)| span.of(text) == *name));
    }

    #[test]
    fn an_invalid_variable_is_shown() {
        let text = r#"//@ law "$a" => "x $b""#;
        let wrong = parse_directive(text, Span::new(0, text.len() as u32)).expect_err("a diagnostic");
        assert_eq!(wrong.span.of(text), "$b");
    }

    #[test]
    fn strings() {
        let strings = |text: &str| {
            let directive = parse_directive(text, Span::new(0, text.len() as u32)).expect("a directive");
            directive.strings(text).iter().map(|span| span.of(text).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(strings(r#"//@ test a#1 "Q \" A" => 'B .' "#), [r#""Q \" A""#, "'B .'"]);
        assert_eq!(strings("//@ stop '∅'"), ["'∅'"]);
        assert_eq!(strings("//@ law any '$a' => \"$a\""), ["'$a'", "\"$a\""]);
        assert_eq!(strings("//@ allow non-causal: as in \"(58)\""), [""; 0]);
    }
}
