//! Holes: their diagnostics, marked in the text, and programs with parts replaced by `?`.

use std::{fs, path::Path};

use psl_syntax::{
    Code, Span, Tree, check as check_text,
    diagnostic::Edit,
    format,
    holes::{HoleKind, holes},
    parse, read, reread,
    tree::{Comparison, Operand, Production, RegisterAccess, Statement},
};

use crate::{
    common::{DECLARATIONS, check},
    properties,
    random::Random,
};

/// The number of texts made from each program.
const TEXTS: u64 = 8;

#[test]
fn each_part_of_a_clause_can_be_a_hole() {
    check(
        r#"
        where symbol[N] == ?:
                          #^ hole: a constant or a register belongs in this hole
            mark[N] = ?
                     #^ hole: a constant or a register belongs in this hole
        where ?[n] != B and symbol[?] == A and symbol[n] ? mark[N]:
             #^ hole: a register belongs in this hole
                                  #^ hole: `n` or `N` belongs in this hole
                                                        #^ hole: `==` or `!=` belongs in this hole
            mark[N] = ?[n]
                     #^ hole: a register belongs in this hole
            copy[N] = symbol[?]
                            #^ hole: `n` or `N` belongs in this hole
        where position[n] == position[N]@?:
                                        #^ hole: a function belongs in this hole
            ?[N] = position[n]@?
           #^ hole: a register belongs in this hole
                              #^ hole: a function belongs in this hole
        where ?[?] ? ?:
             #^ hole: a register belongs in this hole
               #^ hole: `n` or `N` belongs in this hole
                  #^ hole: `==` or `!=` belongs in this hole
                    #^ hole: a constant or a register belongs in this hole
            ?[?] = ?[?]@?
           #^ hole: a register belongs in this hole
             #^ hole: `n` or `N` belongs in this hole
                  #^ hole: a register belongs in this hole
                    #^ hole: `n` or `N` belongs in this hole
                       #^ hole: a function belongs in this hole
"#,
    );
}

#[test]
fn a_list_has_at_most_two_holes() {
    check(
        r#"
        where symbol[N] in [?, A, ?] and mark[N] not in [?]:
                           #^ hole: a constant belongs in this hole
                                 #^ hole: a constant belongs in this hole
                                                        #^ hole: a constant belongs in this hole
            mark[N] = A
        where symbol[N] in [?, ?, A, ?]:
                           #^ hole: a constant belongs in this hole
                              #^ hole: a constant belongs in this hole
                                    #^ hole: a list can have at most two holes
            mark[N] = A
"#,
    );
}

#[test]
fn conditions_and_assignments_can_be_holes() {
    check(
        r#"
        where ?:
             #^ hole: a condition belongs in this hole
            ?
           #^ hole: an assignment belongs in this hole
        where symbol[N] == A and (?) and ((? and mark[N] == B)):
                                 #^ hole: a condition belongs in this hole
                                          #^ hole: a condition belongs in this hole
            ?
           #^ hole: an assignment belongs in this hole
            mark[N] = ?
                     #^ hole: a constant or a register belongs in this hole
            ? ?
           #^ hole: an assignment belongs in this hole
             #^ hole: an assignment belongs in this hole
            ?[N] = A
           #^ hole: a register belongs in this hole
            copy[N] = position[N]@?
                                 #^ hole: a function belongs in this hole
            ?
           #^ hole: an assignment belongs in this hole
        repeat:
            where symbol[N] == A:
                mark[N] = B ?
                           #^ hole: an assignment belongs in this hole
        until ? and mark[N] == B
             #^ hole: a condition belongs in this hole
        repeat:
            where symbol[N] == A:
                mark[N] = B
        until ?
             #^ hole: a condition belongs in this hole
"#,
    );
}

#[test]
fn a_hole_is_the_only_error_where_the_rest_depends_on_it() {
    check(
        r#"
        where ?:
             #^ hole: a condition belongs in this hole
            mark[N] = symbol[n]
        where symbol[N] == ?:
                          #^ hole: a constant or a register belongs in this hole
            mark[N] = symbol[n]
        where symbol[?] == A:
                    #^ hole: `n` or `N` belongs in this hole
            mark[N] = symbol[n]
            copy[N] = symbol[N]
        where symbol[n] == mark[?] and ?[n] != symbol[N]:
                               #^ hole: `n` or `N` belongs in this hole
                                      #^ hole: a register belongs in this hole
            mark[N] = ?
                     #^ hole: a constant or a register belongs in this hole
            mark[N] = B
            ?[N] = A
           #^ hole: a register belongs in this hole
            ?[N] = B
           #^ hole: a register belongs in this hole
        where symbol[N] == A:
            ?
           #^ hole: an assignment belongs in this hole
        where symbol[N]@? == A:
                       #^ hole: a function belongs in this hole
            mark[N]@? = ?
                   #^ hole: a function belongs in this hole
                       #^ hole: a constant or a register belongs in this hole
"#,
    );
    check(
        r#"
        registers: {symbol: 's', mark: 'm'}
        constants: {A}
        where ?:
             #^ hole: a condition belongs in this hole
            mark[N] = A
        where symbol[N] == ?:
                          #^ hole: a constant or a register belongs in this hole
            mark[N] = A
        repeat:
            where symbol[n] == A:
                mark[N] = A
        until ? and mark[N] == A
             #^ hole: a condition belongs in this hole
"#,
    );
}

#[test]
fn errors_that_no_hole_can_repair_are_reported() {
    check(
        r#"
        where symbl[?] ? A and ? and position[n] == position[N]:
             #^^^^^ unknown-register: unknown register `symbl`
                   #^ hole: `n` or `N` belongs in this hole
                      #^ hole: `==` or `!=` belongs in this hole
                              #^ hole: a condition belongs in this hole
            mark[N] = symbol[N]
                            #^ action-reads-N: cannot read cell `N` in a production that mentions `n`
            copy[n] = ?
                #^ assign-to-n: cannot assign to cell `n`
                     #^ hole: a constant or a register belongs in this hole
            position[N] = ?
           #^^^^^^^^^^^ assign-to-position: cannot assign to `position`: the machine sets it
                         #^ hole: a constant or a register belongs in this hole
        where symbol[n] ? mark[n] and symbol[N]@pos_increment == ?:
             #^^^^^^^^^^^^^^^^^^^ same-cell-comparison: cannot compare two registers of cell `n`
                       #^ hole: `==` or `!=` belongs in this hole
                                              #^^^^^^^^^^^^^^ function-on-left: `@pos_increment` is only allowed on the right of a comparison
                                                                #^ hole: a constant or a register belongs in this hole
            mark[N] = A
        where symbol[N] in [?, symbol[N]] and symbol[N] not ? A:
                           #^ hole: a constant belongs in this hole
                              #^^^^^^^^^ register-in-list: expected a constant, found a register
                                                       #^^^ syntax: `not` is only allowed before `in`
                                                           #^ hole: `==` or `!=` belongs in this hole
            mark[N] = C
                     #^ unknown-constant: unknown constant `C`
            ?
           #^ hole: an assignment belongs in this hole
        where ? and symbol[N] == A:
       #^^^^^^^^^^^^^^^^^^^^^^^^^^^ empty-production: this production has no assignment
             #^ hole: a condition belongs in this hole
"#,
    );
}

#[test]
fn elsewhere_a_question_mark_is_an_unexpected_character() {
    check(
        r#"
        registers: {symbol: 's', position: 'p', mark: ?}
                                                     #^ syntax: unexpected character `?`
        constants: {A, ? B}
                      #^ syntax: unexpected character `?`
        system: {symbol: ?}
                        #^ syntax: unexpected character `?`
        watch: [?]
               #^ syntax: unexpected character `?`
        causal_attn: ?
                    #^ syntax: unexpected character `?`
        repeat: ?
               #^ syntax: unexpected character `?`
            where symbol[N] == A:
                symbol[N] = A
        until NO_CHANGE ?
                       #^ syntax: unexpected character `?`
"#,
    );
    check(
        r#"
        where symbol[N] == A ? and mark[N] == ? ?:
                            #^ syntax: unexpected character `?`
                                             #^ hole: a constant or a register belongs in this hole
                                               #^ syntax: unexpected character `?`
            mark[N] = A
        where symbol ? A:
                    #^ syntax: unexpected character `?`
            mark[N] = A
        where symbol[N] == "?":
                          #^^^ unknown-constant: unknown constant `?`
            mark[N] = A
"#,
    );
}

#[test]
fn half_typed_clauses() {
    check(
        r#"
        where symbol[N] ?:
                        #^ syntax: expected a constant or a register, found `:`
            mark[N] = A
        where symbol[N] ? A mark[N] == B:
                       #^ hole: `==` or `!=` belongs in this hole
                           #^^^^ syntax: expected `and` or `:`, found `mark`
            mark[N] = A
        where ? symbol[N] == A:
             #^ hole: a condition belongs in this hole
               #^^^^^^ syntax: expected `and` or `:`, found `symbol`
            mark[N] = A
        where symbol[N] == A:
            mark[N] ? A
                   #^ syntax: unexpected character `?`
        where symbol[N] == A:
            ?[N]
              #^ syntax: expected `=`, found `where`
        where ?[N]:
             #^^^^ syntax: expected a condition, found `?[N]`
            mark[N] = A
"#,
    );
}

#[test]
fn phrases_of_other_languages_around_holes() {
    check(
        r#"
        where symbol[N] is ? and mark[?] ? A or ?[N] == B:
                       #^^ syntax: expected `==`, found `is`
                          #^ hole: a constant or a register belongs in this hole
                                     #^ hole: `n` or `N` belongs in this hole
                                        #^ hole: `==` or `!=` belongs in this hole
                                            #^^ syntax: unknown operator `or`
                                               #^ hole: a register belongs in this hole
            mark[N] == ?
                   #^^ syntax: expected `=`, found `==`
            copy[N] =? ?[N] := A
                    #^ hole: a constant or a register belongs in this hole
                      #^ hole: a register belongs in this hole
                           #^^ syntax: expected `=`, found `:=`
            ?
           #^ hole: an assignment belongs in this hole
"#,
    );
}

#[test]
fn the_formatter_keeps_holes() {
    let stays = "\
where ?[n]?A and ( ? )and symbol[ ? ]==symbol[N] @ ? and mark[N]in[ ?,A ]:mark[N]=? ? ?[N]=?[?] ?
repeat where?:? until?
";
    let formatted = format(stays).expect("sound syntax").text;
    assert_eq!(
        formatted,
        "\
where ?[n] ? A and (?) and symbol[?] == symbol[N]@? and mark[N] in [?, A]:
    mark[N] = ?
    ?
    ?[N] = ?[?]
    ?
repeat:
    where ?:
        ?
until ?
"
    );
    assert_eq!(format(&formatted).expect("sound syntax").edits, []);
}

#[test]
fn holes_have_kinds_and_are_in_text_order() {
    let text = format!("{DECLARATIONS}where ?[?] ? ? and ? and mark[N] in [?, ?, ?]:\n    ?\n    mark[N] = ?[n]@?\n");
    let tree = parse(&text).tree;
    let found = holes(&tree);
    let kinds: Vec<HoleKind> = found.iter().map(|hole| hole.kind).collect();
    assert_eq!(
        kinds,
        [
            HoleKind::Register,
            HoleKind::Cell,
            HoleKind::Comparison,
            HoleKind::Value,
            HoleKind::Condition,
            HoleKind::ListEntry,
            HoleKind::ListEntry,
            HoleKind::SurplusEntry,
            HoleKind::Assignment,
            HoleKind::Register,
            HoleKind::Function,
        ]
    );
    assert!(found.is_sorted_by_key(|hole| hole.span) && found.iter().all(|hole| hole.span.of(&text) == "?"));
}

#[test]
fn a_part_of_a_program_replaced_by_a_hole_is_the_only_error() {
    for (name, text) in programs() {
        let tree = parse(&text).tree;
        let parts = parts(&tree);
        for seed in 0..TEXTS {
            let mut random = Random(seed);
            let count = 1 + random.below(4);
            let holed = with_holes(&text, &parts, count, &mut random);
            properties::parse(&holed);
            properties::check(&holed);
            properties::fix(&holed);
            properties::format(&holed);
            let checked = check_text(&holed);
            let found = holes(&checked.tree);
            let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
            assert!(errors.iter().all(|error| error.code == Code::Hole), "{name}: {errors:#?}\n{holed}");
            let places = |spans: &mut dyn Iterator<Item = Span>| spans.collect::<Vec<_>>();
            let reported = places(&mut errors.iter().map(|error| error.span));
            assert_eq!(reported, places(&mut found.iter().map(|hole| hole.span)), "{name}");
            assert!(!found.is_empty() && found.len() <= count, "{name}: {found:#?}");
            let known = read(text.as_str());
            let [one, other] = [reread(&known, holed.as_str()), read(holed.as_str())];
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{name}");
            let [one, other] = [reread(&other, text.as_str()), known];
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{name}");
        }
    }
}

/// The text with some parts replaced by holes. A part that overlaps another one is left out.
fn with_holes(text: &str, parts: &[Span], count: usize, random: &mut Random) -> String {
    let mut chosen: Vec<Span> = Vec::new();
    for _ in 0..count {
        let part = parts[random.below(parts.len())];
        if chosen.iter().all(|other| other.end <= part.start || part.end <= other.start) {
            chosen.push(part);
        }
    }
    chosen.sort_unstable();
    let edits: Vec<Edit> = chosen.into_iter().map(|span| Edit { span, text: "?".to_owned() }).collect();
    Edit::apply(&edits, text).expect("edits in order")
}

/// The parts of a tree that can be a hole.
fn parts(tree: &Tree) -> Vec<Span> {
    fn visit(statements: &[Statement], out: &mut Vec<Span>) {
        for statement in statements {
            match statement {
                Statement::Production(written) => production(written, out),
                Statement::Repeat(repeat) => {
                    visit(&repeat.body, out);
                    out.extend(repeat.until.iter().map(|condition| condition.span));
                }
                Statement::CausalAttn(_) => {}
            }
        }
    }
    fn production(production: &Production, out: &mut Vec<Span>) {
        for condition in &production.conditions {
            out.push(condition.span);
            place(&condition.left, out);
            match &condition.comparison {
                Comparison::Equality { operator, right, .. } => {
                    out.push(*operator);
                    operand(right, out);
                }
                Comparison::Membership { list, .. } => list.iter().for_each(|entry| operand(entry, out)),
            }
        }
        for assignment in &production.assignments {
            out.push(assignment.span);
            place(&assignment.target, out);
            operand(&assignment.source, out);
        }
    }
    fn operand(operand: &Operand, out: &mut Vec<Span>) {
        out.push(operand.span());
        if let Operand::Register(written) = operand {
            place(written, out);
        }
    }
    fn place(place: &RegisterAccess, out: &mut Vec<Span>) {
        out.extend([place.register, place.cell_span]);
        out.extend(place.function);
    }
    let mut out = Vec::new();
    visit(&tree.statements, &mut out);
    out
}

/// The programs without errors, by name.
fn programs() -> Vec<(String, String)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut paths: Vec<_> = ["../examples", "programs", "golden/programs"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(tests.join(folder)).expect("a folder of programs"))
        .map(|entry| entry.expect("a program").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "psl"))
        .collect();
    paths.sort();
    let program = |path: &Path| (path.display().to_string(), fs::read_to_string(path).expect("a text"));
    let programs = paths.iter().map(|path| program(path));
    programs.filter(|(_, text)| check_text(text).compiles()).collect()
}
