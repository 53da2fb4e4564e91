//! The formatter, rule by rule: texts before and after.

use psl_syntax::{Code, Span, diagnostic::Edit, format, format_lines};

/// Checks that formatting turns one text into another, which formatting leaves unchanged.
fn check(before: &str, after: &str) {
    let formatted = format(before).expect("sound syntax").text;
    assert!(formatted == after, "{before}\n==== becomes\n{formatted}\n==== instead of\n{after}");
    assert_eq!(format(after).expect("sound syntax").edits, [], "{after}");
}

/// Checks that a text is already formatted.
fn stays(text: &str) {
    check(text, text);
}

#[test]
fn one_statement_or_assignment_on_each_line() {
    check(
        "registers:{a:'a',b:'b'}constants:{A}system:{symbol:a}watch:[a,b]causal_attn:true where a [ N ]==A:b[N]=A a[N]=b[N] @ pos_increment",
        "\
registers: {a: 'a', b: 'b'}
constants: {A}
system: {symbol: a}
watch: [a, b]
causal_attn: true
where a[N] == A:
    b[N] = A
    a[N] = b[N]@pos_increment
",
    );
    check(
        "repeat:where_lm a[n]!=b[N]@pos_decrement:a[N]=A repeat where_rm a[n] not\nin[A,B]:a[N]=A until NO_CHANGE until a[N]==A and\nb[N]==B where c[N]==C:c[N]=C",
        "\
repeat:
    where_lm a[n] != b[N]@pos_decrement:
        a[N] = A
    repeat:
        where_rm a[n] not in [A, B]:
            a[N] = A
    until NO_CHANGE
until a[N] == A and b[N] == B
where c[N] == C:
    c[N] = C
",
    );
}

#[test]
fn declarations_and_repeats_have_a_colon_and_lists_no_trailing_comma() {
    check("registers{a:'a',}", "registers: {a: 'a'}\n");
    check("watch []constants{}", "watch: []\nconstants: {}\n");
    check(
        "repeat where a[N] in [A,]: a[N] = A until NO_CHANGE",
        "repeat:\n    where a[N] in [A]:\n        a[N] = A\nuntil NO_CHANGE\n",
    );
}

#[test]
fn parentheses_quotes_and_spellings_stay() {
    stays("where ((a[N] == 'A') and (b[n] == \"it's\" and c[N] == -1.5)):\n    a[N] = \"\\\"\"\n");
    stays("Causal_Attn: TRUE\nwhere_lm a[N] == A:\n    a[N] = A\n");
    check("where(( a[N]==A)and( b[N]==B ) ):a[N]=A", "where ((a[N] == A) and (b[N] == B)):\n    a[N] = A\n");
}

#[test]
fn a_map_over_100_columns_has_one_entry_a_line() {
    let name = "x".repeat(100 - "constants: {A, B, }".len());
    stays(&format!("constants: {{A, B, {name}}}\n"));
    check(&format!("constants: {{A, B, {name}x}}"), &format!("constants: {{\n    A,\n    B,\n    {name}x\n}}\n"));
    check("watch: [\n    a,\n\n    b,\n]", "watch: [a, b]\n");
}

#[test]
fn columns_are_scalar_values() {
    let wide = |count: usize| format!("constants: {{\"{}\", A}}\n", "é".repeat(count));
    let columns = wide(0).trim_end().len();
    stays(&wide(100 - columns));
    check(&wide(101 - columns), &format!("constants: {{\n    \"{}\",\n    A\n}}\n", "é".repeat(101 - columns)));
}

#[test]
fn conditions_over_100_columns_break_after_and() {
    let name = "x".repeat(100 - "where a[N] == A and b[N] == B and [N] == C:".len());
    stays(&format!("where a[N] == A and b[N] == B and {name}[N] == C:\n    a[N] = A\n"));
    check(
        &format!("where a[N] == A\nand b[N] == B and {name}x[N] == C: a[N] = A"),
        &format!("where a[N] == A and b[N] == B and\n    {name}x[N] == C:\n    a[N] = A\n"),
    );
    stays(&format!(
        "repeat:\n    where a[N] == A:\n        a[N] = A\nuntil a[N] == A and b[N] == B and {name}[N] == C\n"
    ));
    check(
        &format!("repeat where a[N] == A: a[N] = A until a[N] == A and b[N] == B and {name}xx[N] == C"),
        &format!(
            "repeat:\n    where a[N] == A:\n        a[N] = A\nuntil a[N] == A and b[N] == B and\n    {name}xx[N] == C\n"
        ),
    );
    let long = "x".repeat(120);
    stays(&format!(
        "where {long}[N] == A and\n    {long}[N] == B and\n    a[N] == A and\n    {long}[N] == B:\n    a[N] = A\n"
    ));
}

#[test]
fn a_list_over_100_columns_has_one_entry_a_line() {
    let name = "x".repeat(100 - "    b[N] in [A, ] and".len());
    check(
        &format!("where a[N]==A and b[N] in [A, {name}] and c[N]==C:a[N]=A"),
        &format!("where a[N] == A and\n    b[N] in [A, {name}] and\n    c[N] == C:\n    a[N] = A\n"),
    );
    check(
        &format!("where a[N]==A and (b[N] in [A, {name}x]) and c[N]==C:a[N]=A"),
        &format!("where a[N] == A and (b[N] in [\n        A,\n        {name}x\n    ]) and c[N] == C:\n    a[N] = A\n"),
    );
}

#[test]
fn at_most_one_blank_line_and_none_at_the_ends() {
    check(
        "\n\n# one\n\n\n\n# two\nrepeat:\n\n\n  where a[N] == A:\n\n    a[N] = A\n\n\n    b[N] = B\n\n\nuntil NO_CHANGE\n \n\t\n# three\n\n",
        "\
# one

# two
repeat:
    where a[N] == A:
        a[N] = A

        b[N] = B
until NO_CHANGE

# three
",
    );
    check("constants: { # c\n A,\n\n\n B\n\n }", "constants: {  # c\n    A,\n\n    B\n}\n");
    // A blank line next to a comment may matter, because an allow covers what is directly below it.
    stays(
        "repeat:  //@ allow always-true\n\n    where a[N] == A:\n        a[N] = A\n    //@ allow always-true\n\nuntil a[N] == A\n",
    );
    check(" \n\t", "");
    stays("");
}

#[test]
fn comments_stay_on_their_own_line_or_at_the_end_of_one() {
    check(
        "\
registers: {   # the registers
# first
  a: 'a',# one
      // second
  b: 'b'
  # last
}  # after
repeat: # again
 where a[N] == A and # the first
  # the second
   b[N] in [ # a list
     A, # its first
     B
     # no more
   ] and c[N] == C: # the head
  # before
  a[N] = A # at the end
  # between
  b[N] = B   \t

until # what for
  a[N] == A and
  # more
  b[N] == B # done
# the end   ",
        "\
registers: {  # the registers
    # first
    a: 'a',  # one
    // second
    b: 'b'
    # last
}  # after
repeat:  # again
    where a[N] == A and  # the first
        # the second
        b[N] in [  # a list
            A,  # its first
            B
            # no more
        ] and c[N] == C:  # the head
        # before
        a[N] = A  # at the end
        # between
        b[N] = B
until  # what for
    a[N] == A and
    # more
    b[N] == B  # done
# the end
",
    );
    stays("# only a comment\n");
}

#[test]
fn a_comment_before_a_closing_bracket_moves_after_it() {
    check(
        "constants: {\n    A # one\n  , B // two\n  , C\n}",
        "constants: {\n    A,  # one\n    B,  // two\n    C\n}\n",
    );
    check(
        "where a[N] == A # one\n  and b[N] == B # two\n  : a[N] = A",
        "where a[N] == A and  # one\n    b[N] == B:  # two\n    a[N] = A\n",
    );
    check("causal_attn # why\n: # now\n true", "causal_attn: true  # why\n# now\n");
}

#[test]
fn a_comment_indented_further_than_the_next_line_belongs_to_the_previous_one() {
    stays(
        "\
repeat:
    where a[N] == A:
        a[N] = A
        # b[N] = B

    where b[N] == B:
        a[N] = A
        # of the production
    # of the block
# of the end
until NO_CHANGE
",
    );
    check(
        "where a[N] == A:\n\ta[N] = A\n\t# of the production\n\n# of the next\nwhere b[N] == B:\n\ta[N] = A\n  # at the end",
        "where a[N] == A:\n    a[N] = A\n    # of the production\n\n# of the next\nwhere b[N] == B:\n    a[N] = A\n    # at the end\n",
    );
    check("causal_attn: true\n    # of nothing\nwatch: []", "causal_attn: true\n# of nothing\nwatch: []\n");
}

#[test]
fn no_comment_becomes_a_label() {
    // Directly above a statement, a moved comment would become its label.
    check(
        "where a[N] == A: a[N] =\n# why\nA\nwhere b[N] == B: b[N] = B",
        "where a[N] == A:\n    a[N] = A\n# why\n\nwhere b[N] == B:\n    b[N] = B\n",
    );
    check(
        "where a[N] == A: a[N] = # why\nA # how\n//@ allow always-true\nwhere b[N] == B: b[N] = B",
        "where a[N] == A:\n    a[N] = A  # why\n    # how\n\n//@ allow always-true\nwhere b[N] == B:\n    b[N] = B\n",
    );
    stays("# no label\n\nwhere a[N] == A:\n    a[N] = A  # no label\nwhere b[N] == B:\n    b[N] = B\n");
}

#[test]
fn directives_begin_with_slashes() {
    check(
        "#@ stop \"#@\"  \nwhere a[N] == A: a[N] = A #@ allow x\n##@\n# @",
        "//@ stop \"#@\"\nwhere a[N] == A:\n    a[N] = A  //@ allow x\n##@\n# @\n",
    );
}

#[test]
fn line_ends_become_the_first_one_and_a_byte_order_mark_is_removed() {
    check("# a\r\n# b\n# c\r# d", "# a\r\n# b\r\n# c\r\n# d\r\n");
    check("# a\n# b\r\n# c", "# a\n# b\n# c\n");
    check("# a\r# b\r", "# a\n# b\n");
    check("\u{feff}# a", "# a\n");
    check("\u{feff}", "");
}

#[test]
fn syntax_errors_prevent_formatting() {
    let codes =
        |text: &str| -> Vec<Code> { format(text).expect_err("broken syntax").iter().map(|found| found.code).collect() };
    assert_eq!(codes("//@ tset\nwhere a[N] == A: a[N] == B"), [Code::Syntax]);
    assert_eq!(codes(&"repeat:\n".repeat(300)), [Code::NestedTooDeep]);
    assert_eq!(codes(&format!("where {}a[N] == A: a[N] = A", "(".repeat(300))), [Code::NestedTooDeep]);
    stays("where unknown[N] == A:\nwhere a[N] == a[N]:\n    n[n] = b[n]@wrong\n");
}

#[test]
fn deep_and_long_programs() {
    let deep = format!("{}where a[N]==A:a[N]=A {}", "repeat ".repeat(256), "until NO_CHANGE ".repeat(256));
    let formatted = format(&deep).expect("sound syntax").text;
    assert_eq!(formatted.lines().count(), 2 * 256 + 2);
    assert!(formatted.contains(&format!("\n{}where a[N] == A:\n", "    ".repeat(256))));
    let long = format!("where {}a[N] == A: a[N] = A", "a[N] == A and ".repeat(100_000));
    assert!(format(&long).expect("sound syntax").text.lines().all(|line| line.len() <= 100));
}

/// Checks the result of formatting the lines of the part between `<` and `>`.
fn check_lines(marked: &str, after: &str) {
    let (before, rest) = marked.split_once('<').expect("a start");
    let (part, rest) = rest.split_once('>').expect("an end");
    let text = format!("{before}{part}{rest}");
    let span = Span::from(before.len()..before.len() + part.len());
    let edits = format_lines(&text, span).expect("sound syntax");
    assert_eq!(Edit::apply(&edits, &text).expect("edits of this text"), after, "{marked}");
    let all = format_lines(&text, Span::from(0..text.len())).expect("sound syntax");
    assert_eq!(all, format(&text).expect("sound syntax").edits);
}

#[test]
fn some_lines_alone() {
    let text = |a: &str, b: &str| format!("where a[N]==A:\n{a}\n{b}\n\n\n# x \n");
    check_lines(&text("<>a[N]=A", "b[N]=B"), &text("    a[N] = A", "b[N]=B"));
    check_lines(&text("  a[N]<=A", "b[N]>=B"), &text("    a[N] = A", "    b[N] = B"));
    check_lines(&text("<a[N]=A \t", ">b[N]=B"), &text("    a[N] = A", "b[N]=B"));
    check_lines(&text("a[N]=A", "<b[N]=B\n>"), &text("a[N]=A", "    b[N] = B\n"));
    check_lines("# a  \r\n# b  <>\r\n# c  ", "# a  \r\n# b\r\n# c  ");
    check_lines("# a<>", "# a\n");
}

#[test]
fn edits_are_narrow() {
    let edits = |text: &str| -> Vec<(usize, usize, String)> {
        let edits = format(text).expect("sound syntax").edits;
        edits.into_iter().map(|edit| (edit.span.range().start, edit.span.range().end, edit.text)).collect()
    };
    let edit = |start, end, text: &str| (start, end, text.to_owned());
    assert_eq!(edits("where a[N]  == A:\n  a[N] = A  \n"), [edit(11, 12, ""), edit(20, 20, "  "), edit(28, 30, "")]);
    assert_eq!(edits("#@ stop \".\""), [edit(0, 1, "//"), edit(11, 11, "\n")]);
    assert_eq!(edits("registers {a: 'a',}\r\n"), [edit(9, 9, ":"), edit(17, 18, "")]);
    assert_eq!(edits("# a\r\n\r\n\r\n# b\r\n"), [edit(7, 9, "")]);
    assert_eq!(edits("# a\r\n# b\n"), [edit(8, 9, "\r\n")]);
}
