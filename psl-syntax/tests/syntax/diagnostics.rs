//! Diagnostics, with the expected ones marked in the text: carets below a place, its code and message.

use psl_syntax::{Code, Diagnostic, Levels, apply_levels, check as check_text, diagnostic::Edit};

use crate::common::{DECLARATIONS, check};

#[test]
fn every_example_gets_its_code_and_every_repair_gets_nothing() {
    for code in Code::ALL.iter().copied().filter(|&code| code != Code::FailingTest) {
        let entry = code.entry();
        let mut levels = Levels::default();
        levels.set(code, Some(entry.severity));
        let codes = |text: &str| {
            let checked = check_text(text);
            apply_levels(&checked.tree, checked.diagnostics, &[], &levels)
                .iter()
                .map(|found| found.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(&entry.example_program()), [code], "{}", entry.example_program());
        assert_eq!(codes(&entry.repair_program()), [], "{}", entry.repair_program());
        assert!(entry.markdown().contains(entry.why));
        assert_eq!(Code::from_name(entry.name), Some(code));
    }
}

#[test]
fn unknown_names() {
    check(
        r#"
        where symbl[N] == A and symbol[N] == SPACES:
             #^^^^^ unknown-register: unknown register `symbl`
                                            #^^^^^^ unknown-constant: unknown constant `SPACES`
            mark[N] = "C"
                     #^^^ unknown-constant: unknown constant `C`
        where symbol[n] == mark[N]@pos_incremnt:
                                  #^^^^^^^^^^^^ unknown-function: unknown function `pos_incremnt`
            copy[N] = symbol[n]
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p'}
        constants: {"A"}
        system: {symbol: symbol, output: symbol, positoin: position, parse: prase}
                                                #^^^^^^^^ unknown-role: unknown role `positoin`
                                                                           #^^^^^ unknown-register: unknown register `prase`
        watch: [symbol, sybmol]
                       #^^^^^^ unknown-register: unknown register `sybmol`
        where symbol[N] == A:
            symbol[N] = A
"#,
    );
}

#[test]
fn the_nearest_name_is_a_fix() {
    let text = format!("{DECLARATIONS}where symbl[N] == A:\n    mark[N] = \"SPAC\"\n");
    let fixes: Vec<_> = check_text(&text)
        .diagnostics
        .iter()
        .flat_map(|found| found.fixes.iter().flat_map(|fix| fix.edits.iter().map(|edit| edit.text.clone())))
        .collect();
    assert_eq!(fixes, ["symbol", "SPACE"]);
}

#[test]
fn consequences_of_a_reported_cause_are_not_reported() {
    check(
        r#"
        registers: {symbol: 's', position: 'p' mark: 'm'}
                                              #^^^^ syntax: expected `,`, found `mark`
        constants: {"A"}
        where symbol[N] == A:
            mark[N] = A
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p', mark: 'm'}
        constants {"A"
                  #^^^ syntax: expected `}`, found `where`
        where symbol[N] == B:
            mark[N] = C
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p', mark: 'm'}
        where mark[N] == mark[n] and symbol[n] = mark[N]:
                                              #^ syntax: expected `==`, found `=`
            mark[N] = mark[n]
"#,
    );
}

#[test]
fn declarations() {
    check(
        r#"
        registers: {symbol: 's', 'position': "p", symbol: 'q', copy: 's', mark: 'M', eop: '`', parse: 'x@', 'a b': 'c'}
                                                 #^^^^^^ duplicate-register: duplicate register `symbol`
                                                                    #^^^ duplicate-short-name: duplicate short name `s`
                                                                               #^^^ bad-short-name: invalid short name `M`
                                                                                         #^^^ bad-short-name: invalid short name: it contains a backquote
                                                                                                     #^^^^ bad-short-name: invalid short name `x@`
                                                                                                           #^^^^^ syntax: invalid register name `a b`
        constants: {A, 'A', copy: 'B', C: 's', D: 'p`', E: 's@pos_increment'}
                      #^^^ duplicate-constant: duplicate constant `A`
                           #^^^^ ambiguous-name: constant `copy` has the name of a register
                                      #^ ambiguous-name: the value of constant `C` is read as register `copy` in QKVL
                                              #^ ambiguous-name: the value of constant `D` is read as register `position` in QKVL
                                                       #^ ambiguous-name: the value of constant `E` is read as register `copy` in QKVL
        where symbol[N] == A:
            symbol[N] = A
"#,
    );
}

#[test]
fn roles() {
    check(
        r#"
        registers: {symbol: 's', mark: 'm'}
       #^^^^^^^^^ missing-role: no register has the role `position`
        where symbol[N] == mark[N]:
            mark[N] = symbol[N]
"#,
    );
    check(
        r#"
        registers: {symbol: 's', mark: 'm'}
        system: {position: mark, symbol: symbol, symbol: mark}
       #^^^^^^ missing-role: no register has the role `output`
                                                #^^^^^^ syntax: duplicate role `symbol`
        where symbol[N] == mark[N]:
            symbol[N] = symbol[N]
"#,
    );
    check(
        r#"
        registers: {symbol: 's', mark: 'm'}
        watch: [mark]
        where symbol[n] == symbol[N]:
            mark[N] = symbol[n]
"#,
    );
}

#[test]
fn a_program_without_registers() {
    let found = check_text("where symbol[N] == A:\n    mark[N] = B\nwhere").diagnostics;
    let codes: Vec<_> = found.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["missing-role", "unknown-constant", "unknown-constant", "syntax"]);
}

#[test]
fn the_position_shares_its_register_with_no_role() {
    check(
        r#"
        registers: {symbol: 's', position: 'p'}
        constants: {A}
        system: {symbol: symbol, position: position, output: position, parse: position}
                                                                      #^^^^^ assign-to-position: `position` cannot have both roles `position` and `parse`
        where symbol[N] == A: symbol[N] = A
"#,
    );
}

#[test]
fn cells() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = symbol[n]
                            #^ unbound-n: cannot read cell `n`: no condition mentions it
        where symbol[n] == symbol[N]:
            mark[n] = symbol[N]
                #^ assign-to-n: cannot assign to cell `n`
            eop[N] = symbol[N]
                           #^ action-reads-N: cannot read cell `N` in a production that mentions `n`
            position[N] = A
           #^^^^^^^^^^^ assign-to-position: cannot assign to `position`: the machine sets it
            copy[N] = A
            copy[N] = B
           #^^^^^^^ assigned-twice: duplicate assignment to `copy`
"#,
    );
    check(
        r#"
        where mark[N] == copy[N]:
            mark[N] = A
        where mark[N] == copy[N] and symbol[n] == A:
             #^^^^^^^^^^^^^^^^^^ same-cell-comparison: cannot compare two registers of cell `N` in a production that mentions `n`
            mark[N] = A
        where mark[n] != copy[n]:
             #^^^^^^^^^^^^^^^^^^ same-cell-comparison: cannot compare two registers of cell `n`
            mark[N] = A
        repeat:
            where symbol[N] == A:
                mark[N] = A
        until mark[n] == copy[n]
             #^^^^^^^^^^^^^^^^^^ same-cell-comparison: cannot compare two registers of cell `n`
        where symbol[n]@pos_increment == mark[N]:
                      #^^^^^^^^^^^^^^ function-on-left: `@pos_increment` is only allowed on the right of a comparison
            mark[N] = symbol[n]
        where symbol[N] not == A:
                       #^^^ syntax: `not` is only allowed before `in`
            mark[N] = A
        where symbol[N] not in [A, mark[N], copy[n]]:
                                  #^^^^^^^ register-in-list: expected a constant, found a register
                                           #^^^^^^^ register-in-list: expected a constant, found a register
            mark[N] = A
"#,
    );
}

#[test]
fn empty_things() {
    check(
        r#"
        where symbol[N] == A:
       #^^^^^^^^^^^^^^^^^^^^^ empty-production: this production has no assignment
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        repeat:
       #^^^^^^ empty-repeat: this repeat block has no production
            causal_attn: true
        until NO_CHANGE
"#,
    );
    assert_eq!(check_text("").diagnostics[0].code, Code::EmptyProgram);
    assert_eq!(check_text("# only a comment").diagnostics[0].code, Code::EmptyProgram);
}

#[test]
fn a_syntax_error_affects_only_its_clause() {
    check(
        r#"
        where symbol[N] = A and mark[M] == B and (copy[N] == A):
                       #^ syntax: expected `==`, found `=`
                                    #^ syntax: expected `n` or `N`, found `M`
            mark[N] == A
                   #^^ syntax: expected `=`, found `==`
            copy[N] = symbl[N]
                     #^^^^^ unknown-register: unknown register `symbl`
        where symbol[N] == A
                          #^ syntax: expected `:`, found `mark`
            mark[N] = A
        where symbol == A:
             #^^^^^^ syntax: the cell of `symbol` is missing
            mark[N] =
                   #^ syntax: expected a constant or a register, found `where`
        where symbol[N] in [A B]:
                             #^ syntax: expected `,` or `]`, found `B`
            mark[N] = 'A
                     #^^ syntax: unterminated string
        where (symbol[N] == A:
             #^ syntax: unclosed `(`
            mark[N] = A
        where symbol[N] == A):
                           #^ syntax: unmatched `)`
            mark[N] = A
        where symbol[N] == A $ § and mark[N] == B:
                            #^^^ syntax: unexpected characters `$§`
            mark[N] = A
"#,
    );
}

#[test]
fn lost_keywords() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        wher symbol[N] == B and mark[N] == A:
       #^^^^ syntax: expected `where`, found `wher`
            copy[N] = B
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        (symbol[N] == B) and mark[N] == A:
       #^ syntax: expected `where` before this condition
            copy[N] = B
"#,
    );
    check(
        r#"
        repeat:
       #^^^^^^ syntax: `repeat` without `until`
            where symbol[N] == A:
                mark[N] = A
        NO_CHANGE
       #^^^^^^^^^ syntax: expected an assignment or a production, found `NO_CHANGE`
        where symbol[N] == A:
            mark[N] = A
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = A
        until NO_CHANGE
       #^^^^^ syntax: `until` without `repeat`
        causal_attn: maybe
                    #^^^^^ syntax: expected `true`, `false` or `reverse`, found `maybe`
        watch: [mark]
       #^^^^^ late-declaration: `watch` is declared after a statement
"#,
    );
}

#[test]
fn a_wrong_keyword_affects_only_its_statement() {
    check(
        r#"
        repeat:
            where symbol[N] == A:
                mark[N] = A
        untli (mark[N] == A) and symbol[N] == B
       #^^^^^ syntax: expected `until`, found `untli`
        where symbol[N] == A:
            mark[N] = B
"#,
    );
    check(
        r#"
        repeat:
            where mark until n] == A and copy[n] == B:
                      #^^^^^ syntax: expected `[`, found `until`
                mark[N] = A
        until NO_CHANGE
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = symbol[N]
        == symbol[N] == B and mark[N] == A:
       #^^ syntax: expected `where`, found `==`
            copy[N] = B
        where [symbol N] == B:
             #^ syntax: expected `(` or a register, found `[`
            copy[N] = B
        where symbol[N] == A:
            mark[N] = A
        "where symbol[N] == B:
       #^^^^^^^^^^^^^^^^^^^^^^ syntax: unterminated string
            copy[N] = B
"#,
    );
}

#[test]
fn odd_texts_get_one_clear_diagnostic() {
    let only = |text: &str| {
        let found = check_text(text).diagnostics;
        assert_eq!(found.len(), 1, "{found:#?}");
        format!("{}: {}", found[0].code.as_str(), found[0].message)
    };
    assert_eq!(only("\0"), "syntax: unexpected character `U+0000`");
    assert_eq!(only("\u{a0}"), "syntax: unexpected no-break space (U+00A0)");
    assert_eq!(only("lorem ipsum dolor"), "syntax: expected a declaration or a production, found `lorem`");
    assert_eq!(only("\u{1f600} \u{1f600}"), "syntax: unexpected characters `\u{1f600}\u{1f600}`");
    let deep = |open: &str| {
        let text = format!("{DECLARATIONS}{}", open.repeat(100_000));
        only(&text)
    };
    assert_eq!(deep("("), "syntax: expected a declaration or a production, found `(`");
    assert_eq!(deep("repeat: "), "nested-too-deep: repeat blocks are nested more than 256 levels deep");
    let parens = format!("{DECLARATIONS}where {}symbol[N] == A:\n mark[N] = A", "(".repeat(100_000));
    assert_eq!(only(&parens), "nested-too-deep: parentheses are nested more than 256 levels deep");
}

#[test]
fn curly_quotes_get_help() {
    let found = check_text(&format!("{DECLARATIONS}where symbol[N] == “A”:\n    mark[N] = A")).diagnostics;
    assert_eq!(found[0].help.as_deref(), Some("write strings in straight quotes, `'` or `\"`"));
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let declarations = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n";
    let text = format!("{declarations}# label\nwhere symbol[N] == A:\n    symbol[N] = A\n");
    for text in [text.clone(), text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")] {
        let checked = check_text(&text);
        assert_eq!(apply_levels(&checked.tree, checked.diagnostics, &[], &Levels::default()), [], "{text:?}");
        let productions = checked.analysis.program.productions();
        assert_eq!(productions.as_slice()[0].label.as_deref(), Some("# label"), "{text:?}");
    }
}

#[test]
fn labels_are_comments_directly_above() {
    let label = |above: &str| {
        let text = format!("{DECLARATIONS}{above}where symbol[N] == A:\n    mark[N] = A\n");
        check_text(&text).analysis.program.productions().as_slice()[0].label.clone()
    };
    assert_eq!(label("# one\n# two \n").as_deref(), Some("# two"));
    assert_eq!(label("# one\n\n"), None);
    assert_eq!(label("// one\n  //@ allow non-causal\n#@ allow x\n").as_deref(), Some("// one"));
    assert_eq!(label("causal_attn: true # one\n"), None);
}

#[test]
fn ten_megabytes_are_checked_like_ten_lines() {
    let production = "# a label\nwhere symbol[n] == symbol[N] and mark[N] in [A, B]:\n    mark[N] = symbol[n]\n\n";
    let start = "registers: {symbol: 's', mark: 'm'}\nconstants: {A, B}\nwhere symbol[n] == A and symbol[N] == A:\n    mark[N] = A\n";
    let text = format!("{start}{}", production.repeat(10_000_000 / production.len()));
    let checked = check_text(&text);
    let (notes, others): (Vec<_>, Vec<_>) =
        checked.diagnostics.into_iter().partition(|found| found.code == Code::SeparateLayers);
    assert_eq!((notes.len(), others), (10_000_000 / production.len(), Vec::new()));
    assert_eq!(checked.analysis.program.statements.len(), 1 + 10_000_000 / production.len());
}

#[test]
fn one_cause_is_reported_once() {
    check(
        r#"
        where symbol[N] == A:
            mark[N] = symbol[N-1]
                            #^^^ syntax: expected `n` or `N`, found `N-1`
        where symbol[N] == mark[i] and symbol[N] == copy[N+1]:
                               #^ syntax: expected `n` or `N`, found `i`
                                                        #^^^ syntax: expected `n` or `N`, found `N+1`
            mark[N] = B
"#,
    );
    check(
        r#"
        where symbol[N] == A:
            mark[N] = symbol[n]
                            #^ unbound-n: cannot read cell `n`: no condition mentions it
            copy[N] = symbol[n]
"#,
    );
    check(
        r#"
        repeat:
            repeat:
           #^^^^^^ empty-repeat: this repeat block has no production
            until NO_CHANGE
        until NO_CHANGE
        where symbol[N] == A:
            mark[N] = B
"#,
    );
    check(
        r#"
        registers: {token: 's', place: 'p'}
        constants: {A}
        system: {token: symbol, position: place, output: token}
                #^^^^^^^^^^^^^ unknown-role: expected `symbol: token`, found `token: symbol`
        where token[N] == A:
            token[N] = A
"#,
    );
}

#[test]
fn an_unknown_name_is_reported_once() {
    let others = "\nwhere symbol[N] == Z:\n    mark[N] = 'Z'".repeat(6);
    let functions = "where symbol[n] == mark[N]@pos_incremnt:\n    mark[N] = mark[n]@pos_incremnt";
    let text =
        format!("{DECLARATIONS}where symbl[N] == Z and symbl[n] == B:\n    mark[N] = symbl[n]{others}\n{functions}\n");
    let found = check_text(&text).diagnostics;
    let shown: Vec<_> = found
        .iter()
        .map(|found| {
            let labels: Vec<_> = found.labels.iter().map(|label| label.message.as_str()).collect();
            (found.message.as_str(), labels)
        })
        .collect();
    let many = [vec!["also used here"; 7], vec!["also used here; 4 more like this"]].concat();
    let expected = [
        ("unknown register `symbl`", vec!["also used here"; 2]),
        ("unknown constant `Z`", many),
        ("unknown function `pos_incremnt`", vec!["also used here"]),
    ];
    assert_eq!(shown, expected);
    let mended = |found: &Diagnostic| Edit::apply(&found.fixes[0].edits, &text).expect("edits");
    assert_eq!(mended(&found[0]), text.replace("symbl", "symbol"));
    assert_eq!(mended(&found[2]), text.replace("pos_incremnt", "pos_increment"));
}

#[test]
fn a_misspelled_declaration_gets_the_nearest_keyword() {
    for (written, intended) in [
        ("roles: {symbol: symbol, position: position, output: mark}", "system"),
        ("sytem {symbol: symbol, position: position, output: mark}", "system"),
        ("Constants: {C, D}", "constants"),
        ("constant: {C, D}", "constants"),
        ("register: {other: 'o'}", "registers"),
        ("watches: [mark]", "watch"),
    ] {
        for declarations in [format!("{DECLARATIONS}{written}\n"), format!("{} {written}\n", DECLARATIONS.trim_end())] {
            let text = format!("{declarations}where symbl[N] == A:\n    mark[N] = B\n");
            let found = check_text(&text).diagnostics;
            let messages: Vec<_> = found.iter().map(|found| found.message.as_str()).collect();
            let word = written.split([':', ' ']).next().expect("a word");
            let misspelled = format!("unknown declaration `{word}`");
            assert_eq!(messages, [misspelled.as_str(), "unknown register `symbl`"], "{text}");
            let mended = Edit::apply(&found[0].fixes[0].edits, &text).expect("edits");
            assert_eq!(mended, text.replacen(written, &written.replacen(word, intended, 1), 1));
        }
    }
}

#[test]
fn names_are_checked_against_declarations_without_errors() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', mark 'm'}
                                                    #^^^ syntax: expected `:`, found `'m'`
        constants: {A}
        where symbl[N] == A:
            symbol[N] = B
                       #^ unknown-constant: unknown constant `B`
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p'}
        constants: {A: }
                      #^ syntax: expected a string or a number, found `}`
        where symbl[N] == A:
             #^^^^^ unknown-register: unknown register `symbl`
            symbol[N] = B
"#,
    );
    check(
        r#"
        registers: {symbol: 's', position: 'p'} {A, B}
                                               #^ syntax: expected a declaration or a production, found `{`
        where symbl[N] == A:
             #^^^^^ unknown-register: unknown register `symbl`
            symbol[N] = B
"#,
    );
}

#[test]
fn declaring_a_register_gives_it_its_role() {
    let suggestion = |declarations: &str| {
        let text =
            format!("{declarations}\nconstants: {{A}}\nwhere parse[N] == 1 and symbol[N] == A:\n    symbol[N] = A\n");
        let checked = check_text(&text);
        let found =
            checked.diagnostics.iter().find(|found| found.code == Code::UnknownRegister).expect("it is unknown");
        let edits = psl_syntax::declare(&checked, found.span.start).expect("it can be declared").fix.edits;
        let declared = Edit::apply(&edits, &text).expect("edits");
        assert!(!check_text(&declared).diagnostics.iter().any(|found| found.code == Code::UnknownRegister));
        let declared = declared.split("\nconstants").next().expect("the declarations").to_owned();
        (found.help.clone().expect("a help"), declared)
    };
    let check = |declarations: &str, help: &str, declared: &str| {
        assert_eq!(suggestion(declarations), (format!("declare it: {help}"), declared.to_owned()));
    };
    check(
        "registers: {symbol: 's', position: 'p'}",
        "`registers: {parse: 'a'}`",
        "registers: {symbol: 's', position: 'p', parse: 'a'}",
    );
    check(
        "registers: {symbol: 's', position: 'p', mark: 'a'}",
        "`registers: {parse: 'SHORT'}`",
        "registers: {symbol: 's', position: 'p', mark: 'a', parse: 'pa'}",
    );
    check(
        "registers: {symbol: 's', position: 'p'} system: {symbol: symbol, output: symbol}",
        "`registers: {parse: 'a'}`, and give it the role: `system: {parse: parse}`",
        "registers: {symbol: 's', position: 'p', parse: 'a'} system: {symbol: symbol, output: symbol, parse: parse}",
    );
}
