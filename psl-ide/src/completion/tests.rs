use super::*;
use crate::fixture::cursor;

const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, SPACE: ' '}
where symbol[N] == A:
    mark[N] = B
where symbol[N] == B:
    mark[N] = SPACE
";

fn complete(text: &str) -> (Vec<CompletionItem>, Span, String) {
    let (file, offset) = cursor(text);
    let (items, replaced) = completions(&file, offset);
    (items, replaced, file.text().to_owned())
}

fn labels(text: &str) -> String {
    complete(text).0.into_iter().map(|item| item.label).collect::<Vec<_>>().join(" ")
}

/// Checks the labels offered at the `<|>` in a text.
fn check(marked: &str, expected: &str) {
    assert_eq!(labels(&format!("{DECLARATIONS}{marked}")), expected, "{marked}");
}

const STATEMENTS: &str = "where where_lm where_rm repeat causal_attn";

#[test]
fn only_valid_items_are_offered() {
    let start = &format!("registers constants system watch {STATEMENTS}");
    assert_eq!(labels("<|>"), format!("program {start}"));
    assert_eq!(labels("# a\nwh<|>"), format!("program {start}"));
    assert_eq!(labels("wh<|>\nwatch: []"), start.replace(" watch", ""));
    assert_eq!(labels("wat<|>"), format!("program {start}"));
    assert_eq!(labels("registers: {}\nconstants: {A}\n<|>"), format!("system watch {STATEMENTS}"));
    check("where <|>", "symbol position mark");
    check("where sym<|>", "symbol position mark");
    check("where symbol[N] <|>", "== != in not in");
    check("where symbol[N] == A <|>", "and");
    check("where symbol[N] == position[n]<|>", "and");
    check("where symbol[N] == position[n]@<|>", "pos_increment pos_decrement");
    check("where symbol[N] == position[n]@pos_d<|>", "pos_increment pos_decrement");
    check("where symbol[N] == A and (<|>", "symbol position mark");
    check("where symbol[N] == A:\n    <|>", "symbol mark position");
    check("where symbol[N] == A:\n    symbol[N] = <|>", "symbol position mark A B SPACE");
    check("where symbol[N] == A:\n    symbol[N] = A\n<|>", &format!("mark {STATEMENTS} symbol position"));
    check("where symbol[N] == A:\n    symbol[N] = A\nrepeat:\n    <|>", &format!("{STATEMENTS} until"));
    let block = "repeat:\n    where symbol[N] == A:\n        symbol[N] = A\nuntil ";
    check(&format!("{block}<|>"), "symbol position mark NO_CHANGE");
    check(&format!("{block}NO_CHANGE\n<|>"), STATEMENTS);
    check("causal_attn: <|>", "true false reverse");
    check("watch: [symbol, <|>", "symbol position mark");
    check("# where <|>", "");
    check("# wh<|>ere", "");
}

#[test]
fn only_valid_cells_are_offered() {
    check("where symbol[<|>", "n N");
    check("where symbol[N] == A:\n    symbol[<|>] = A", "N");
    check("where symbol[N] == A:\n    symbol[N] = mark[<|>", "N");
    check("where symbol[n] == A:\n    symbol[N] = mark[<|>]", "n");
}

#[test]
fn only_free_roles_are_offered() {
    check("system: {<|>", "symbol position output parse eop");
    check("system: {symbol: symbol, <|>, output: mark}", "position parse eop");
    check("system: {sym<|>: symbol}", "symbol position output parse eop");
    check("system: {symbol: <|>", "symbol position mark");
}

#[test]
fn only_constants_that_the_register_can_hold_are_offered() {
    check("where mark[N] == <|>", "B SPACE symbol mark position");
    check("where mark[n] in [B, <|>", "B SPACE");
    check("where mark[n] not in [<|>", "B SPACE");
    check("where position[N] == <|>", "symbol position A B SPACE mark");
    check("where symbol[N] == <|>", "symbol position mark A B SPACE");
    check("where unknown[N] == <|>", "symbol position mark A B SPACE");
    check("where symbol[N] == A:\n    mark[N] = <|>", "symbol position mark B SPACE A");
    check("where mark[N] == \"<|>\"", "\"B\" \"SPACE\"");
    check("where mark[N] == 'B<|>:\n    mark[N] = B", "'B' 'SPACE'");
    check(
        "repeat:\n    where mark[N] == B:\n        mark[N] = B\nuntil mark[N] == <|>",
        "B SPACE symbol mark position",
    );
}

#[test]
fn unresolved_names_restrict_nothing() {
    check("where mark[N] == Unknown:\n    mark[N] = B\nwhere mark[N] == <|>", "B SPACE symbol mark position");
    check("where mark[N] == B:\n    mark[N] = Unknown\nwhere mark[N] == <|>", "symbol position mark A B SPACE");
}

#[test]
fn directives_and_codes_are_offered() {
    check("//@ <|>", "test law answer stop max-new allow allow-file input");
    check("#@al<|>", "test law answer stop max-new allow allow-file input");
    check("//@ input <|>", "symbol position mark");
    check("//@ answer <|>", "symbol position mark");
    check("// <|>", "");
    check("//@ test <|>", "");
    check("//@ law \"$a $b.. $<|> $$c x", "a b");
    check("//@ law any \"$a $b..5\" => \"$a $<|>\"", "a b");
    check("//@ law \"$a <|>\"", "");
    check("//@ test \"$a $<|>\"", "");
    let (items, replaced, text) = complete("//@ allow non-c<|>ausal");
    assert_eq!(replaced.of(&text), "non-causal");
    let allowable = Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.as_str());
    let offered: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(offered, allowable.collect::<Vec<_>>());
    assert_eq!(items.iter().find(|item| item.resolve_data.markdown().is_none()), None);
}

/// Checks the text after accepting the item `label`, without and with snippets.
fn taken(text: &str, label: &str, plain: &str, snippet: &str) {
    let (items, replaced, text) = complete(text);
    let item = items.into_iter().find(|item| item.label == label).expect("it is offered");
    let with = |new: &str| {
        let mut text = text.clone();
        text.replace_range(replaced.range(), new);
        text.lines().last().map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(with(&item.text), plain, "{text}");
    assert_eq!(with(item.snippet.as_ref().unwrap_or(&item.text)), snippet, "{text}");
}

#[test]
fn the_word_that_the_cursor_touches_is_replaced() {
    let rest = "registers: {symbol: 's', 'Übermut': 'u'}\nconstants: {A, 'a b'}\n";
    taken(&format!("{rest}where sy<|>mb"), "symbol", "where symbol[N]", "where symbol[${1|N,n|}]$0");
    taken(&format!("{rest}where sy<|>mb[n] == A"), "symbol", "where symbol[n] == A", "where symbol[n] == A");
    taken(
        &format!("{rest}where symbol[N] == a<|>:"),
        "\"a b\"",
        "where symbol[N] == \"a b\":",
        "where symbol[N] == \"a b\":",
    );
    taken(
        &format!("{rest}where symbol[N] == 'é<|>:"),
        "'a b'",
        "where symbol[N] == 'a b':",
        "where symbol[N] == 'a b':",
    );
    taken(
        &format!("{rest}where symbol[N] == A: s<|>"),
        "symbol",
        "where symbol[N] == A: symbol[N] = ",
        "where symbol[N] == A: symbol[N] = $0",
    );
    taken(
        &format!("{rest}where symbol[N] == A: s<|>[N] = A"),
        "symbol",
        "where symbol[N] == A: symbol[N] = A",
        "where symbol[N] == A: symbol[N] = A",
    );
    taken(&format!("{rest}caus<|>"), "causal_attn", "causal_attn", "causal_attn: $0");
    taken(&format!("{rest}system: {{s<|>}}"), "symbol", "system: {symbol: }", "system: {symbol: $0}");
}

/// Checks the replacement for `symbol` at the `<|>`, without and with snippets.
fn form(marked: &str, plain: &str, snippet: &str) {
    let (items, ..) = complete(&format!("{DECLARATIONS}{marked}"));
    let item = items.into_iter().find(|item| item.label == "symbol").expect("it is offered");
    assert_eq!((item.text.as_str(), item.snippet.as_deref()), (plain, Some(snippet)), "{marked}");
}

#[test]
fn a_register_comes_with_its_likely_cell() {
    let (updated, source) = ("symbol[${1|N,n|}]$0", "symbol[${1|n,N|}]$0");
    form("where <|>", "symbol[N]", updated);
    form("where symbol[n] == A and <|>", "symbol[n]", source);
    form("where symbol[n] == mark[N] and <|>", "symbol[n]", source);
    form("where symbol[N] in [A] and (<|>", "symbol[N]", updated);
    form("where mark[n] == <|>", "symbol[N]", updated);
    form("where mark[N] != s<|>", "symbol[n]", source);
    form("where symbol[N] == A:\n    mark[N] = <|>", "symbol[N]", "symbol[N]$0");
    form("where symbol[n] == A:\n    mark[N] = s<|>", "symbol[n]", "symbol[n]$0");
    form("where symbol[N] == A:\n    mark[N] = A\n    s<|>", "symbol[N] = ", "symbol[N] = $0");
}

/// Checks the labels offered at the `<|>`, with the likely ones before the `|`.
fn ranked(marked: &str, expected: &str) {
    let (items, ..) = complete(&format!("{DECLARATIONS}{marked}"));
    let words = |likely: bool| {
        let words = items.iter().filter(|item| item.likely == likely).map(|item| item.label.as_str());
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(format!("{} | {}", words(true), words(false)), expected, "{marked}");
}

#[test]
fn likely_items_come_first() {
    ranked("where mark[N] == <|>", "B SPACE symbol mark | position");
    ranked("where position[n] == <|>", "symbol position A B SPACE | mark");
    ranked("where symbol[N] == A:\n    mark[N] = <|>", "symbol position mark B SPACE | A");
    ranked(
        "where symbol[N] == A:\n    mark[N] = A\n    <|>",
        "symbol where where_lm where_rm repeat causal_attn | position mark",
    );
}

#[test]
fn a_register_that_was_never_set_is_unlikely() {
    let text =
        "registers: {symbol: 's', position: 'p', mark: 'm', late: 'l'}\nwhere <|> and symbol[N] == A:\n    mark[N] = A";
    let (items, ..) = complete(text);
    let unlikely: Vec<_> = items.iter().filter(|item| !item.likely).map(|item| item.label.as_str()).collect();
    assert_eq!(unlikely, ["late"]);
}

#[test]
fn documentation_comes_from_the_data_alone() {
    let (items, ..) = complete(&format!("{DECLARATIONS}where <|>"));
    let data = items[2].resolve_data.data().expect("it is data");
    let text = resolve_data::documentation(&data).expect("it is known");
    assert_eq!(
        text,
        "register `mark`, short name `m`\n\nvalues here: B, SPACE or null\n\nwritten by: layers 1, 2\n\nread by: no layer"
    );
    assert_eq!(resolve_data::documentation(&serde_json::json!({"other": 1})), None);
}

#[test]
fn a_hole_is_replaced_with_what_is_valid_in_its_place() {
    check("where symbol[N] == ?<|>", "symbol position mark A B SPACE");
    check("where <|>? and mark[N] == A", "symbol position mark");
    check("where symbol[N] ?<|> A", "== != in not in");
    check("where symbol[?<|>] == A", "n N");
    check("where ?<|>[N] == A", "symbol position mark");
    check("where symbol[N] == position[n]@?<|>", "pos_increment pos_decrement");
    check("where symbol[N] in [A, ?<|>]", "A B SPACE");
    check("where symbol[N] == A:\n    ?<|>", "symbol mark position");
    check("where symbol[N] ? <|>", "symbol position mark A B SPACE");
    check("where ?[?] ? ? <|>", "and");
    check("where ? <|>", "and");
    let (items, replaced, text) = complete(&format!("{DECLARATIONS}where symbol[N] == ?<|>"));
    let filters: Vec<_> = items.iter().map(|item| item.filter.as_deref().unwrap_or_default()).collect();
    assert_eq!((replaced.of(&text), filters[0]), ("?", "?symbol"));
}
