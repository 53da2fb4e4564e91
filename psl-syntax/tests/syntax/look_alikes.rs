//! Characters that look like those of PSL, in texts pasted from papers, slides and web pages.
//!
//! Each is named once, by its code point, and its fix gives the program that was meant. Strings and comments keep
//! theirs.

use psl_syntax::{Diagnostic, check, diagnostic::Edit, fix};

use crate::properties;

/// A program with every kind of place for a look-alike.
const PROGRAM: &str = "\
# of A – “the first” — to B
registers: {symbol: 's', position: 'p', final_one: \"f\"}
constants: {A, B: '–', C: 3, D: \"“\"}

causal_attn: true
repeat:
    where symbol[N] != A and position[n] == position[N]@pos_decrement:
        final_one[N] = symbol[n]
    where final_one[N] in [A, B]:
        symbol[N] = C
until NO_CHANGE
";

fn errors(text: &str) -> Vec<Diagnostic> {
    let mut found = check(text).diagnostics;
    found.retain(Diagnostic::is_error);
    found
}

/// Checks that the text is the program except for one look-alike, which is named so.
fn check_named(text: &str, program: &str, message: &str) {
    assert_ne!(text, program);
    let found = errors(text);
    let messages: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, [message], "{text}");
    assert_eq!(fix(text, errors).text, program, "{text}");
    properties::parse(text);
    properties::check(text);
    properties::fix(text);
}

/// Checks the program with a part written differently: its first occurrence.
fn check_pasted(part: &str, pasted: &str, message: &str) {
    check_named(&PROGRAM.replacen(part, pasted, 1), PROGRAM, message);
}

#[test]
fn the_program_has_no_error() {
    assert_eq!(errors(PROGRAM), []);
}

#[test]
fn letters_of_other_scripts_are_named_in_keywords_and_names() {
    check_pasted("where", "whеre", "`е` (U+0435, Cyrillic) looks like `e` (U+0065)");
    check_pasted("where", "ｗhere", "`ｗ` (U+FF57, fullwidth) looks like `w` (U+0077)");
    check_pasted("registers", "registerѕ", "`ѕ` (U+0455, Cyrillic) looks like `s` (U+0073)");
    check_pasted("constants", "сonstants", "`с` (U+0441, Cyrillic) looks like `c` (U+0063)");
    check_pasted("repeat", "reρeat", "`ρ` (U+03C1, Greek) looks like `p` (U+0070)");
    check_pasted("until", "υntil", "`υ` (U+03C5, Greek) looks like `u` (U+0075)");
    check_pasted("NO_CHANGE", "NΟ_CHANGE", "`Ο` (U+039F, Greek) looks like `O` (U+004F)");
    check_pasted("causal_attn", "causal＿attn", "`＿` (U+FF3F, fullwidth) looks like `_` (U+005F)");
    check_pasted("true", "truе", "`е` (U+0435, Cyrillic) looks like `e` (U+0065)");
    check_pasted("and", "аnd", "`а` (U+0430, Cyrillic) looks like `a` (U+0061)");
    check_pasted("in [", "іn [", "`і` (U+0456, Cyrillic) looks like `i` (U+0069)");
    check_pasted("symbol:", "symbοl:", "`ο` (U+03BF, Greek) looks like `o` (U+006F)");
    check_pasted("symbol[N]", "symbоl[N]", "`о` (U+043E, Cyrillic) looks like `o` (U+006F)");
    check_pasted("[n]", "[𝑛]", "`𝑛` (U+1D45B, mathematical) looks like `n` (U+006E)");
    check_pasted("[N]", "[Ν]", "`Ν` (U+039D, Greek) looks like `N` (U+004E)");
    check_pasted("{A,", "{А,", "`А` (U+0410, Cyrillic) looks like `A` (U+0041)");
    check_pasted("!= A", "!= Α", "`Α` (U+0391, Greek) looks like `A` (U+0041)");
    check_pasted("C: 3", "C: ３", "`３` (U+FF13, fullwidth) looks like `3` (U+0033)");
    check_pasted("pos_decrement", "pоs_decrement", "`о` (U+043E, Cyrillic) looks like `o` (U+006F)");
}

#[test]
fn ligatures_are_named() {
    check_pasted("final_one", "ﬁnal_one", "`ﬁ` (U+FB01, ligature) looks like `fi`");
    check_pasted("final_one[N] = ", "ﬁnal_one[N] = ", "`ﬁ` (U+FB01, ligature) looks like `fi`");
}

#[test]
fn letters_of_one_word_are_named_together() {
    check_pasted(
        "position[n]",
        "роsition[n]",
        "`р` (U+0440, Cyrillic) looks like `p` (U+0070), and `о` (U+043E, Cyrillic) like `o` (U+006F)",
    );
    check_pasted(
        "where",
        "ｗｈｅｒｅ",
        "`ｗ` (U+FF57, fullwidth) looks like `w` (U+0077), `ｈ` (U+FF48, fullwidth) like `h` (U+0068), \
         `ｅ` (U+FF45, fullwidth) like `e` (U+0065), and 1 more",
    );
}

#[test]
fn signs_are_named() {
    check_pasted("!=", "≠", "`≠` (U+2260, not equal to) looks like `!=`");
    check_pasted(" in ", " ∈ ", "`∈` (U+2208, element of) means `in`");
    check_pasted("==", "＝＝", "`＝` (U+FF1D, fullwidth) looks like `=` (U+003D)");
    check_pasted("==", "=＝", "`＝` (U+FF1D, fullwidth) looks like `=` (U+003D)");
    check_pasted("==", "≡", "`≡` (U+2261, identical to) looks like `==`");
    check_pasted(" = ", " ＝ ", "`＝` (U+FF1D, fullwidth) looks like `=` (U+003D)");
    check_pasted("registers:", "registers：", "`：` (U+FF1A, fullwidth) looks like `:` (U+003A)");
    check_pasted("decrement:", "decrement∶", "`∶` (U+2236, ratio) looks like `:` (U+003A)");
    check_pasted("[N]", "［N]", "`［` (U+FF3B, fullwidth) looks like `[` (U+005B)");
    check_pasted("[A, B]", "[A， B]", "`，` (U+FF0C, fullwidth) looks like `,` (U+002C)");
    check_pasted("{A,", "｛A,", "`｛` (U+FF5B, fullwidth) looks like `{` (U+007B)");
    check_pasted("@", "＠", "`＠` (U+FF20, fullwidth) looks like `@` (U+0040)");
    let negative = PROGRAM.replacen("C: 3", "C: -3", 1);
    for (dash, message) in [
        ("−", "`−` (U+2212, minus sign) looks like `-` (U+002D)"),
        ("–", "`–` (U+2013, en dash) looks like `-` (U+002D)"),
        ("－", "`－` (U+FF0D, fullwidth) looks like `-` (U+002D)"),
    ] {
        check_named(&negative.replacen("C: -", &format!("C: {dash}"), 1), &negative, message);
    }
}

#[test]
fn quotes_are_named_with_their_string() {
    let double = "(U+0022)";
    check_pasted("'s'", "‘s’", "`‘` (U+2018, curly quote) and `’` (U+2019, curly quote) look like `'` (U+0027)");
    check_pasted("'s'", "'s’", "`’` (U+2019, curly quote) looks like `'` (U+0027)");
    let two = PROGRAM.replacen("'s'", "'s’", 1).replacen("'p'", "'p’", 1);
    assert_eq!((errors(&two).len(), fix(&two, errors).text), (2, PROGRAM.to_owned()));
    check_pasted("'s'", "`s'", "``` (U+0060, backquote) looks like `'` (U+0027)");
    let both = format!("`“` (U+201C, curly quote) and `”` (U+201D, curly quote) look like `\"` {double}");
    check_pasted("\"f\"", "“f”", &both);
    check_pasted("\"f\"", "”f”", &format!("`”` (U+201D, curly quote) looks like `\"` {double}"));
    check_pasted("\"f\"", "“f\"", &format!("`“` (U+201C, curly quote) looks like `\"` {double}"));
    let open = PROGRAM.replacen("\"“\"}", "\"“\", E: \"e\"}", 1);
    check_named(
        &open.replacen("\"e\"", "\"e”", 1),
        &open,
        &format!("`”` (U+201D, curly quote) looks like `\"` {double}"),
    );
}

#[test]
fn blanks_are_named() {
    check_pasted("    where symbol", "\u{a0}\u{a0}\u{a0} where symbol", "unexpected no-break spaces (U+00A0)");
    check_pasted("    where symbol", "\u{a0} \u{a0} where symbol", "unexpected no-break spaces (U+00A0)");
    check_pasted("    where symbol", "   \u{2009}where symbol", "unexpected thin space (U+2009)");
    check_pasted("where symbol", "where\u{a0}symbol", "unexpected no-break space (U+00A0)");
    check_pasted("] == ", "]\u{202f}== ", "unexpected narrow no-break space (U+202F)");
    check_pasted("causal_attn: true\n", "causal_attn: true\u{2028}", "unexpected line separator (U+2028)");
    check_pasted("constants", "\u{feff}constants", "unexpected byte order mark (U+FEFF)");
    check_pasted("symbol[N]", "sym\u{200b}bol[N]", "unexpected zero-width space (U+200B)");
    check_pasted("symbol[N]", "sym\u{ad}bol[N]", "unexpected soft hyphen (U+00AD)");
    check_pasted(":\n        final", ":\n\u{2003}       final", "unexpected em space (U+2003)");
    check_pasted(" = symbol", "\u{3000}= symbol", "unexpected ideographic space (U+3000)");
    check_pasted("repeat:", "repeat:\u{200b}", "unexpected zero-width space (U+200B)");
}

#[test]
fn strings_and_comments_keep_theirs() {
    for text in [
        "constants: {A: 'А'}",
        "constants: {A: \"\u{a0}\"}",
        "constants: {A: 'it\\'s “B”'} # “А” ≠ \u{a0}",
        "constants: {A: 'don’t'} // − ‘x’",
    ] {
        let text = format!("{text}\n{PROGRAM}").replace("\nconstants: {A, B: '–', C: 3, D: \"“\"}", "");
        let odd: Vec<Diagnostic> = errors(&text).into_iter().filter(|error| error.code.as_str() == "syntax").collect();
        assert_eq!(odd, [], "{text}");
    }
}

#[test]
fn other_characters_are_not_look_alikes() {
    for (text, message) in [
        ("where größe[N] == A:\n    symbol[N] = A\n", "unexpected characters `öß`"),
        ("where символ[N] == A:\n    symbol[N] = A\n", "unexpected characters `символ`"),
        ("where symbol[N] == 👩\u{200d}🔬:\n    symbol[N] = A\n", "unexpected characters `👩U+200D🔬`"),
        ("where symbol[N] == “A:\n    symbol[N] = A\n", "unexpected character `“`"),
    ] {
        let found = errors(&format!("{PROGRAM}{text}"));
        let messages: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, [message], "{text}");
    }
}

#[test]
fn long_texts_take_linear_time() {
    for part in
        ["=======\n", "|||||||\n", "<<<<<<<\n", ">>>>>>>\n", "a: 's’, ", "“", "‘“", "символ ", "\u{200b}\n", "А"]
    {
        let text = format!("registers: {{{}", part.repeat(30_000));
        assert!(check(&text).diagnostics.iter().any(Diagnostic::is_error), "{part}");
    }
}

#[test]
fn a_text_with_all_of_them_is_fixed() {
    let pasted = PROGRAM
        .replacen("registers: {symbol", "ｒegisters： ｛sуmbol", 1)
        .replacen("'s'", "‘s’", 1)
        .replacen("\"f\"}", "“f”｝", 1)
        .replacen("constants", "\u{feff}соnstants", 1)
        .replacen("true", "\u{a0}true", 1)
        .replacen("    where symbol[N] !=", "\u{a0}\u{a0}\u{a0} where\u{2009}symbol［Ν］ ≠", 1)
        .replacen("[n] ==", "[𝑛] ＝＝", 1)
        .replacen("final_one[N] in", "ﬁnal_one[N] in", 1);
    let program = PROGRAM.replacen("true", " true", 1);
    assert_eq!(errors(&pasted).len(), 19);
    assert_eq!(fix(&pasted, errors).text, program);
}

#[test]
fn a_directive_is_read_by_its_fix() {
    for (pasted, directive) in [
        ("//@ test “A – b” ⇒ “it’s .”", "//@ test \"A – b\" => \"it’s .\""),
        ("//@ test nаme 'A' → 'B'", "//@ test name 'A' => 'B'"),
        ("//@\u{a0}test \"A\"\u{a0}＝＞ \"B\"", "//@ test \"A\" => \"B\""),
        ("//@ stop ‘.’", "//@ stop '.'"),
        ("//@ max‑new 3", "//@ max-new 3"),
    ] {
        let found = check(&format!("{pasted}\n{PROGRAM}")).diagnostics;
        let codes: Vec<&str> = found.iter().take(1).map(|found| found.code.as_str()).collect();
        assert_eq!(codes, ["unknown-directive"], "{pasted}");
        let fixed = fix(&format!("{pasted}\n{PROGRAM}"), |text| {
            check(text).diagnostics.into_iter().filter(|found| found.code.as_str() == "unknown-directive").collect()
        });
        assert_eq!(fixed.text, format!("{directive}\n{PROGRAM}"));
    }
    // A directive that its fix would not make readable has no fix.
    let found = check(&format!("//@ test “A” “B”\n{PROGRAM}")).diagnostics;
    assert!(found.iter().all(|found| found.fixes.is_empty() || found.code.as_str() != "unknown-directive"));
}

#[test]
fn code_around_a_look_alike_is_checked() {
    let text = PROGRAM.replacen("!= A", "≠ A", 1).replacen("symbol[N] = C", "symbol[N] = E", 1);
    let messages: Vec<String> = errors(&text).into_iter().map(|error| error.message).collect();
    assert_eq!(messages, ["`≠` (U+2260, not equal to) looks like `!=`", "unknown constant `E`"]);
}

#[test]
fn arithmetic_with_a_minus_sign_is_read_as_arithmetic() {
    let text = PROGRAM.replacen("[n] == position[N]@pos_decrement", "[n] == position[N] − 1", 1);
    let messages: Vec<String> = errors(&text).into_iter().map(|error| error.message).collect();
    assert_eq!(messages, ["unknown operator `-`", "`−` (U+2212, minus sign) looks like `-` (U+002D)"]);
    assert_eq!(fix(&text, errors).text, PROGRAM);
}

#[test]
fn a_merge_conflict_is_one_error() {
    let ours = "    where final_one[N] in [A, B]:\n";
    let theirs = "    where final_one[N] == B:\n";
    for base in ["", "||||||| 1a2b3c\n    where final_one[N] == A:\n"] {
        let conflict = format!("<<<<<<< HEAD\n{ours}{base}=======\n{theirs}>>>>>>> topic\n");
        let text = PROGRAM.replacen(ours, &conflict, 1);
        let found = errors(&text);
        let [error] = found.as_slice() else { panic!("{found:#?}") };
        assert_eq!(error.message, "unresolved merge conflict");
        let labels: Vec<(&str, &str)> =
            error.labels.iter().map(|label| (label.span.of(&text), label.message.as_str())).collect();
        assert_eq!(labels, [(ours.trim_end(), "one side: `HEAD`"), (theirs.trim_end(), "the other side: `topic`")]);
        let kept: Vec<String> =
            error.fixes.iter().map(|fix| Edit::apply(&fix.edits, &text).expect("edits in order")).collect();
        assert_eq!(kept, [PROGRAM.to_owned(), PROGRAM.replacen(ours, theirs, 1)]);
        assert!(error.fixes.iter().all(|fix| !fix.certain));
    }
}

#[test]
fn a_conflict_with_an_empty_side_keeps_the_other() {
    let added = "where symbol[N] == B:\n    symbol[N] = A\n";
    for conflict in
        [format!("<<<<<<< HEAD\n=======\n{added}>>>>>>> topic\n"), format!("<<<<<<<\n{added}=======\n>>>>>>>\n")]
    {
        let messages: Vec<String> =
            errors(&format!("{PROGRAM}{conflict}")).into_iter().map(|error| error.message).collect();
        assert_eq!(messages, ["unresolved merge conflict"], "{conflict}");
    }
}

#[test]
fn a_leftover_marker_is_one_error() {
    for marker in ["<<<<<<< HEAD\n", ">>>>>>> topic\n", "||||||| base\n"] {
        let text = PROGRAM.replacen("    where final_one[N]", &format!("{marker}    where final_one[N]"), 1);
        let found = errors(&text);
        let messages: Vec<&str> = found.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, ["leftover conflict marker"], "{text}");
    }
}
