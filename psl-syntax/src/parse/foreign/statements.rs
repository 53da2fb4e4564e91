//! Keywords, blocks and statements of other languages.

use super::phrase_cursor::{Part, PhraseCursor, Rewrite, Rule, edit, remove, replace_with, without};
use crate::{
    diagnostic::Diagnostic,
    lines::removal,
    nearest::nearest,
    parse::parser::syntax,
    roles::DEFAULT_ROLES,
    span::Span,
    token::{Kind, Token},
};

pub const RULES: &[Rule] =
    &[semicolon, head_end, keyword, role, variable, statement, missing_condition, block, stray_until, until_end];

/// The keywords of statements.
const KEYWORDS: [(&str, Kind); 6] = [
    ("where", Kind::Where),
    ("where_lm", Kind::WhereLm),
    ("where_rm", Kind::WhereRm),
    ("repeat", Kind::Repeat),
    ("until", Kind::Until),
    ("causal_attn", Kind::CausalAttn),
];

const START: &str = "start a production with `where`";

/// Words that start a production in other languages, with the help and whether `where` is certain.
const FOR_WHERE: [(&str, &str, bool); 9] = [
    ("if", START, true),
    ("when", START, true),
    ("whenever", START, true),
    ("rule", START, false),
    ("while", "start a production with `where`, or a block that repeats with `repeat:`", false),
    ("elif", EXCLUDE, false),
    ("elseif", EXCLUDE, false),
    ("elsif", EXCLUDE, false),
    ("unless", "start a production with `where`, and write `!=` for `==`", false),
];

const EXCLUDE: &str = "write `where`, and add the opposite of the conditions above";

/// Words for a repeat block.
const FOR_REPEAT: [&str; 1] = ["loop"];

const EVERY_CELL: &str = "remove it: a production applies to every cell at once";
const LABEL: &str = "start a production with `where`, and write its name in a comment above it";
const FUNCTIONS: &str = "write productions: PSL has neither functions nor classes";

/// Statements with a block whose first line is not PSL.
const OF_BLOCKS: [(&str, &str); 8] = [
    ("for", EVERY_CELL),
    ("foreach", EVERY_CELL),
    ("def", FUNCTIONS),
    ("fn", FUNCTIONS),
    ("function", FUNCTIONS),
    ("class", FUNCTIONS),
    ("production", LABEL),
    ("layer", LABEL),
];

const PRINT: &str = "assign to the register with the role `output`: its value in the last cell is the next symbol";
const END: &str = "remove it: a production ends where the next one starts";

/// Statements of one line that are not PSL, with the help and whether removing them loses nothing.
const OF_LINES: [(&str, &str, bool); 14] = [
    ("print", PRINT, false),
    ("return", PRINT, false),
    ("output", PRINT, false),
    ("import", "remove it: a program is one file", true),
    ("break", "end a repeat block with `until` and conditions", false),
    ("exit", "end a repeat block with `until` and conditions, or generate the stop symbol", false),
    ("continue", "remove it: the productions of a block run in order", true),
    ("pass", "remove it: a cell that matches nothing keeps its values", true),
    ("end", END, true),
    ("endif", END, true),
    ("fi", END, true),
    ("done", END, true),
    ("od", END, true),
    ("endwhile", END, true),
];

/// Words before an assignment.
const OF_ASSIGNMENTS: [&str; 5] = ["let", "set", "var", "const", "assign"];

/// Whether a statement may start at a word.
fn starts_statement(cursor: &PhraseCursor<'_>) -> bool {
    cursor.kind(0) == Some(Kind::Name)
        && cursor.kind(1) != Some(Kind::OpenBracket)
        && cursor.operator(1).1 == 0
        && match cursor.part {
            Part::Outside => true,
            Part::Declaration => false,
            Part::Body => cursor.after_operand() || cursor.last.is_none_or(|last| last.kind == Kind::Colon),
            Part::Head | Part::Until => cursor.starts_line(0) && cursor.after_operand(),
        }
}

/// Whether the token after a word could also follow `where`.
fn conditions_follow(cursor: &PhraseCursor<'_>) -> bool {
    matches!(cursor.kind(1), Some(Kind::Name | Kind::OpenParen | Kind::Not | Kind::String | Kind::Colon))
}

/// A statement's keyword: in capitals, of another language or misspelled.
fn keyword(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if cursor.part == Part::Until && cursor.last?.kind == Kind::Until && cursor.kind(0)? == Kind::Name {
        let plain: String = cursor.word(0).to_lowercase().chars().filter(|char| *char != '_').collect();
        return (plain == "nochange" && cursor.kind(1) != Some(Kind::OpenBracket)).then(|| {
            let diagnostic = cursor.expected("NO_CHANGE", cursor.span(0, 1)).help("write `NO_CHANGE` in capitals");
            let rewrite = Rewrite::new(1, cursor.as_kind(0, Kind::NoChange), diagnostic);
            // `NO_CHANGE` is a name only because its `until` is misspelled, which is reported elsewhere.
            if cursor.word(0) == "NO_CHANGE" { Rewrite { diagnostic: None, ..rewrite } } else { rewrite }
        });
    }
    if !starts_statement(cursor) {
        return None;
    }
    let (word, span) = (cursor.word(0), cursor.span(0, 1));
    let lower = word.to_lowercase();
    if let Some((right, kind)) = KEYWORDS.into_iter().find(|(right, _)| *right == lower) {
        let diagnostic = cursor.expected(right, span).help("write keywords in lower case");
        return Some(Rewrite::new(1, cursor.as_kind(0, kind), diagnostic));
    }
    if !conditions_follow(cursor) {
        return None;
    }
    if lower == "else" && cursor.word(1) == "if" {
        let span = cursor.span(0, 2);
        let diagnostic = guess("where", "else if", span).help(EXCLUDE);
        return Some(Rewrite::new(2, [Token { kind: Kind::Where, span }], diagnostic));
    }
    if FOR_REPEAT.contains(&lower.as_str()) && cursor.kind(1) == Some(Kind::Colon) {
        let diagnostic = cursor.expected("repeat", span).help("start a block that repeats with `repeat:`");
        return Some(Rewrite::new(1, cursor.as_kind(0, Kind::Repeat), diagnostic));
    }
    if let Some((_, help, certain)) = FOR_WHERE.into_iter().find(|(other, ..)| *other == lower) {
        let diagnostic = if certain { cursor.expected("where", span) } else { guess("where", word, span) };
        return Some(Rewrite::new(1, cursor.as_kind(0, Kind::Where), diagnostic.help(help)));
    }
    let of_line =
        OF_LINES.iter().any(|(other, ..)| *other == lower) || OF_BLOCKS.iter().any(|(other, _)| *other == lower);
    let declares =
        cursor.kind(1) == Some(Kind::Colon) && matches!(cursor.kind(2), Some(Kind::OpenBrace | Kind::OpenBracket));
    if of_line || declares {
        return None;
    }
    let (right, kind) = KEYWORDS.into_iter().find(|(right, _)| nearest(word, [*right]).is_some())?;
    let diagnostic = guess(right, word, span).help(format!("did you mean `{right}`?"));
    // These are keywords after `causal_attn:` alone.
    let value = match cursor.word(2) {
        "true" => Some(Kind::True),
        "false" => Some(Kind::False),
        "reverse" => Some(Kind::Reverse),
        _ => None,
    };
    if kind == Kind::CausalAttn
        && cursor.kind(1) == Some(Kind::Colon)
        && let Some(value) = value
    {
        let replacement = cursor.as_kind(0, kind).into_iter().chain(cursor.token(1)).chain(cursor.as_kind(2, value));
        return Some(Rewrite::new(3, replacement, diagnostic));
    }
    Some(Rewrite::new(1, cursor.as_kind(0, kind), diagnostic))
}

fn guess(right: &str, found: &str, span: Span) -> Diagnostic {
    syntax(span, format!("expected `{right}`, found `{found}`")).suggest(replace_with(right), span, right)
}

/// `output: answer` outside of `system`.
fn role(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let role = DEFAULT_ROLES.into_iter().map(|(role, _)| role).find(|role| *role == cursor.word(0))?;
    let named = cursor.kind(1) == Some(Kind::Colon) && cursor.registers.contains(cursor.word(2));
    if cursor.part != Part::Outside || !named || cursor.line() != 3 {
        return None;
    }
    let register = cursor.word(2);
    let role_of = |known: &str| if known == role { register.to_owned() } else { known.to_owned() };
    let roles: Vec<String> = ["symbol", "position", "output"]
        .into_iter()
        .filter(|known| *known == role || cursor.registers.contains(known))
        .map(|known| format!("{known}: {}", role_of(known)))
        .collect();
    let diagnostic = syntax(cursor.span(0, 3), format!("expected a declaration or a production, found `{role}`"))
        .help(format!("give roles in `system`, as in `system: {{{}}}`", roles.join(", ")));
    Some(Rewrite::new(3, [], diagnostic))
}

/// `let x = 1` and `x = 1` outside of a production.
fn variable(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let declared = usize::from(OF_ASSIGNMENTS.contains(&cursor.word(0)));
    let assigns = cursor.kind(declared) == Some(Kind::Name) && cursor.kind(declared + 1) == Some(Kind::Assign);
    if cursor.part != Part::Outside || !assigns || !cursor.starts_line(0) {
        return None;
    }
    let diagnostic =
        syntax(cursor.span(0, 1), format!("expected a declaration or a production, found `{}`", cursor.word(0)))
            .help("assign to a register in a production, as in `mark[N] = A`: PSL has no variables");
    Some(Rewrite::new(cursor.line(), [], diagnostic))
}

/// A statement that PSL does not have.
fn statement(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let word = cursor.word(0);
    if OF_ASSIGNMENTS.contains(&word) && cursor.part == Part::Body && cursor.operand(1).is_some() {
        let span = cursor.span(0, 1);
        let diagnostic = syntax(span, format!("unexpected `{word}`"))
            .help("start an assignment with its register, as in `mark[N] = A`")
            .fix(remove(word), removal(cursor.text, span), "");
        return Some(Rewrite::new(1, [], diagnostic));
    }
    if !starts_statement(cursor) {
        return None;
    }
    let span = cursor.span(0, 1);
    let diagnostic = |help: &str| syntax(span, format!("unknown statement `{word}`")).help(help);
    if let Some((_, help, removed)) = OF_LINES.into_iter().find(|(other, ..)| *other == word) {
        let line = cursor.line();
        let whole = cursor.span(0, line);
        let diagnostic = diagnostic(help);
        let diagnostic = if removed {
            diagnostic.fix(remove(whole.of(cursor.text)), removal(cursor.text, whole), "")
        } else {
            diagnostic
        };
        return Some(Rewrite::new(line, [], diagnostic));
    }
    let otherwise = word == "else" || word == "otherwise";
    let help = OF_BLOCKS.into_iter().find(|(other, _)| *other == word).map(|(_, help)| help.to_owned());
    let help = help.or_else(|| otherwise.then(|| "write a production with the opposite conditions".to_owned()))?;
    let line = cursor.line();
    let end = (1..line).find(|&ahead| matches!(cursor.kind(ahead), Some(Kind::Colon | Kind::OpenBrace)));
    let length = end.map_or(line, |end| end + 1);
    let at_end = cursor.span(length - 1, 1);
    let replacement = [Token { kind: Kind::Where, span }, Token { kind: Kind::Colon, span: at_end }];
    let closing = end.filter(|&end| cursor.kind(end) == Some(Kind::OpenBrace));
    let closing = closing.and_then(|end| cursor.closing(end, Kind::OpenBrace, Kind::CloseBrace));
    let mut diagnostic = diagnostic(&help);
    if otherwise
        && end.is_some()
        && closing.is_none()
        && let Some(opposite) = opposite(cursor)
    {
        diagnostic = diagnostic.help(format!("write a production with the opposite condition, `{opposite}`"));
        diagnostic = diagnostic.suggest(replace_with(&opposite), cursor.span(0, length), opposite);
    }
    Some(Rewrite { closing, ..Rewrite::new(length, replacement, diagnostic) })
}

/// The head with the opposite of the only condition above, if there is just one.
fn opposite(cursor: &PhraseCursor<'_>) -> Option<String> {
    const MOST: usize = 64;
    let starts = |token: &Token| matches!(token.kind, Kind::Where) || token.span.of(cursor.text) == "if";
    let back = (1..MOST.min(cursor.at + 1)).find(|back| cursor.code.get(cursor.at - back).is_some_and(starts))?;
    let above = PhraseCursor { at: cursor.at - back, ..*cursor };
    let place = above.place(1)?;
    let operator = match above.kind(1 + place)? {
        Kind::Equal => "!=",
        Kind::NotEqual => "==",
        _ => return None,
    };
    let right = above.constant(2 + place) && above.kind(3 + place) == Some(Kind::Colon);
    right.then(|| format!("where {} {operator} {}:", above.str(1, place), above.word(2 + place)))
}

/// `where:` and `where true:`. The empty head is kept, so that the assignments are read.
fn missing_condition(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let always = ["true", "always", "everywhere"].contains(&cursor.word(0).to_lowercase().as_str());
    // If something was left out before it, that was reported.
    let before = cursor.at.checked_sub(1).and_then(|before| cursor.code.get(before))?.span;
    let starts = matches!(cursor.last?.kind, Kind::Where | Kind::WhereLm | Kind::WhereRm);
    if cursor.part != Part::Head || !starts || before.end != cursor.last?.span.end {
        return None;
    }
    let every = cursor.registers.every_cell();
    let help = cursor.registers.write_every_cell();
    match (cursor.kind(0)?, cursor.kind(1)) {
        (Kind::Colon, _) => {
            let keyword = cursor.last?.span;
            // An empty head without `where` belongs to a statement that was reported.
            let word = keyword.of(cursor.text);
            if !word.starts_with("where") {
                return None;
            }
            let end = Span::new(keyword.end, keyword.end);
            let diagnostic = syntax(keyword, format!("expected a condition after `{word}`, found `:`"))
                .help(help)
                .suggest(format!("Insert `{every}`"), end, format!(" {every}"));
            Some(Rewrite::new(1, cursor.token(0), diagnostic))
        }
        (_, Some(Kind::Colon)) if always => {
            let span = cursor.span(0, 1);
            let diagnostic = syntax(span, format!("expected a condition, found `{}`", cursor.word(0))).help(help).fix(
                replace_with(&every),
                span,
                every,
            );
            let reported = !cursor.last?.span.of(cursor.text).starts_with("where");
            let rewrite = Rewrite::new(2, cursor.token(1), diagnostic);
            Some(if reported { Rewrite { diagnostic: None, ..rewrite } } else { rewrite })
        }
        _ => None,
    }
}

/// `then` or `do` in place of the colon, or beside it.
fn head_end(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let word = cursor.word(0);
    let after_repeat = cursor.last?.kind == Kind::Repeat;
    if !["then", "do", "THEN", "DO"].contains(&word)
        || !(cursor.part == Part::Head && cursor.after_operand() || after_repeat)
        || cursor.kind(0)? != Kind::Name
    {
        return None;
    }
    let span = cursor.span(0, 1);
    if cursor.kind(1) == Some(Kind::Colon) {
        let diagnostic = syntax(span, format!("unexpected `{word}`")).help("end the conditions with `:` alone").fix(
            remove(word),
            Span::new(cursor.last?.span.end, span.end),
            "",
        );
        return Some(Rewrite::new(1, [], diagnostic));
    }
    let from = Span::new(cursor.last?.span.end, span.end);
    let diagnostic = syntax(span, format!("expected `:`, found `{word}`"))
        .help(if after_repeat { "write `repeat:`" } else { "end the conditions of a production with `:`" })
        .fix(replace_with(":"), from, ":");
    Some(Rewrite::new(1, cursor.as_kind(0, Kind::Colon), diagnostic))
}

/// Braces around a block.
fn block(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let opens_block = cursor.starts_line(1) || cursor.kind(1).is_some_and(Kind::starts_segment);
    let after_repeat = cursor.last?.kind == Kind::Repeat && opens_block;
    let before = cursor.at.checked_sub(2).and_then(|before| cursor.code.get(before)).map(|token| token.kind);
    let after_colon = cursor.last?.kind == Kind::Colon && (cursor.part == Part::Body || before == Some(Kind::Repeat));
    let ends_head = cursor.part == Part::Head && cursor.after_operand();
    if cursor.kind(0)? != Kind::OpenBrace || !(after_repeat || after_colon || ends_head) {
        return None;
    }
    let closing = cursor.closing(0, Kind::OpenBrace, Kind::CloseBrace);
    let span = cursor.span(0, 1);
    let mut edits = if after_colon {
        vec![without(removal(cursor.text, span))]
    } else {
        vec![edit(Span::new(cursor.last?.span.end, span.end), ":")]
    };
    if let Some(close) = closing.and_then(|closing| cursor.code.get(closing)) {
        edits.push(without(removal(cursor.text, close.span)));
    }
    let (message, replacement) = if after_colon {
        ("unexpected `{`", None)
    } else {
        ("expected `:`, found `{`", cursor.as_kind(0, Kind::Colon))
    };
    let title = if after_colon { "Remove the braces" } else { "Replace the braces with `:`" };
    let diagnostic = syntax(span, message).help("write a block without braces, after `:`").fix_all(title, edits);
    Some(Rewrite { closing, ..Rewrite::new(1, replacement, diagnostic) })
}

/// An `until` between the colon of a production and its assignments.
fn stray_until(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let assigns = cursor.place(1).is_some_and(|place| cursor.kind(1 + place) == Some(Kind::Assign));
    if cursor.kind(0)? != Kind::Until || cursor.part != Part::Body || cursor.last?.kind != Kind::Colon || !assigns {
        return None;
    }
    let span = cursor.span(0, 1);
    let diagnostic = syntax(span, "unexpected `until`")
        .help("remove it: `until` ends a repeat block, after its productions")
        .fix(remove("until"), removal(cursor.text, span), "");
    Some(Rewrite::new(1, [], diagnostic))
}

/// A colon after `until NO_CHANGE` or its conditions.
fn until_end(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    let next = cursor.kind(1);
    let ends = cursor.part == Part::Until && cursor.after_operand() && cursor.kind(0)? == Kind::Colon;
    if !ends || !next.is_none_or(Kind::starts_segment) {
        return None;
    }
    let span = cursor.span(0, 1);
    let diagnostic = syntax(span, "unexpected `:` after `until`")
        .help("remove it: nothing belongs to `until` but its conditions")
        .fix(remove(":"), span, "");
    Some(Rewrite::new(1, [], diagnostic))
}

/// A semicolon at the end of a line or between assignments.
fn semicolon(cursor: &PhraseCursor<'_>) -> Option<Rewrite> {
    if cursor.word(0) != ";" || cursor.part == Part::Declaration {
        return None;
    }
    let span = cursor.span(0, 1);
    let diagnostic =
        syntax(span, "unexpected `;`").help("remove it: a line end separates assignments").fix(remove(";"), span, "");
    Some(Rewrite::new(1, [], diagnostic))
}
