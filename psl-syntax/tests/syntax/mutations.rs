//! The effect of one wrong token: never a panic, at most three syntax errors, and no change in productions that it
//! does not touch.
//!
//! A mutant is a program with one token deleted, doubled, swapped with the next one, or replaced. The mutation
//! touches the tokens that it changes: one, the two that it swaps or, if it inserts an unterminated string, all
//! tokens up to the end of the line. Every production without a touched token must keep its tree. The tree of a
//! mutant must also have the properties that fuzzing checks.
//!
//! `PSL_MUTANTS=1000000 cargo test --release -p psl-syntax --test syntax mutations` makes more mutants.

use std::{collections::BTreeMap, fmt::Write, fs, ops::Range, panic, path::Path, thread};

use psl_syntax::{
    Code, Span, Tree, check, parse,
    token::{Token, tokenize},
    tree::{Comparison, Operand, Production, RegisterAccess, Statement},
};

use crate::{properties, random::Random};

const MUTANTS: u64 = 10_000;
const MAX_SYNTAX_ERRORS: usize = 3;

/// A token of each kind.
const TOKENS: [&str; 45] = [
    "symbοl",
    "≠",
    "‘A’",
    "\u{a0}",
    "\u{200b}",
    "name",
    "'string'",
    "\"string\"",
    "'open",
    "\"open",
    "42",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ",",
    "==",
    "!=",
    "=",
    "@",
    "n",
    "N",
    "registers",
    "constants",
    "system",
    "watch",
    "causal_attn",
    "true",
    "false",
    "reverse",
    "where",
    "where_lm",
    "where_rm",
    "and",
    "not",
    "in",
    "repeat",
    "until",
    "NO_CHANGE",
    "?",
    "§",
    "“",
];

struct SourceProgram {
    name: String,
    text: String,
    tokens: Vec<Token>,
    productions: Vec<Production>,
}

/// The text of a program with the tokens `touched` replaced by `tokens`.
struct Mutant<'p> {
    program: &'p SourceProgram,
    touched: Range<usize>,
    /// The replaced bytes of the program, and the length of their replacement.
    replaced: Span,
    length: u32,
    text: String,
}

#[test]
fn one_wrong_token_has_limited_effect() {
    let mutants = std::env::var("PSL_MUTANTS").map_or(MUTANTS, |count| count.parse().expect("a number of mutants"));
    let programs = programs();
    assert!(mutants > 0 && !programs.is_empty(), "{mutants} mutants of {} programs", programs.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let failures: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let programs = &programs;
                scope.spawn(move || {
                    let seeds = (first as u64..mutants).step_by(threads);
                    let failure = |seed| {
                        panic::catch_unwind(|| failure(programs, seed)).unwrap_or(Some(format!("panic, seed {seed}")))
                    };
                    seeds.filter_map(failure).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("panics are caught")).collect()
    });
    let shown = &failures[..failures.len().min(20)];
    assert!(failures.is_empty(), "{} of {mutants} mutants:\n\n{}", failures.len(), shown.join("\n\n"));
}

/// The programs to mutate, all of them without errors.
fn programs() -> Vec<SourceProgram> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let mut paths: Vec<_> = ["../examples", "programs", "golden/programs"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(tests.join(folder)).expect("a folder of programs"))
        .map(|entry| entry.expect("a program").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "psl"))
        .collect();
    paths.sort();
    let program = |path: &Path| {
        let text = fs::read_to_string(path).expect("a text");
        let parsed = parse(&text);
        assert!(parsed.tree.sound, "{}", path.display());
        let productions = productions(&parsed.tree).into_values().collect();
        let tokens = parsed.tree.tokens.code;
        SourceProgram { name: path.display().to_string(), text, tokens, productions }
    };
    paths.iter().map(|path| program(path)).collect()
}

/// The failures of the mutant with this seed, if there are any.
fn failure(programs: &[SourceProgram], seed: u64) -> Option<String> {
    let mut random = Random(seed);
    let program = &programs[random.below(programs.len())];
    let mutant = Mutant::new(program, &mut random);
    properties::parse(&mutant.text);
    let checked = check(&mutant.text);
    let mut wrong = Vec::new();
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| matches!(diagnostic.code, Code::Syntax | Code::NestedTooDeep))
        .map(|diagnostic| format!("  {}: {}", diagnostic.span.start, diagnostic.message))
        .collect();
    if errors.len() > MAX_SYNTAX_ERRORS {
        wrong.push(format!("{} syntax errors:\n{}", errors.len(), errors.join("\n")));
    }
    let found = productions(&checked.tree);
    for production in program.productions.iter().filter(|production| !mutant.touches(production)) {
        let before = shape(&program.text, production);
        let after = found.get(&mutant.moved(production.keyword.start)).map(|found| shape(&mutant.text, found));
        if after.as_deref() != Some(before.as_str()) {
            wrong.push(format!("{before}became\n{}", after.as_deref().unwrap_or("nothing")));
        }
    }
    let context = mutant.context();
    (!wrong.is_empty()).then(|| format!("{}, seed {seed}\n{context}\n{}", program.name, wrong.join("\n")))
}

impl<'p> Mutant<'p> {
    fn new(program: &'p SourceProgram, random: &mut Random) -> Self {
        let at = random.below(program.tokens.len());
        let text = |at: usize| program.tokens[at].span.of(&program.text);
        match random.below(5) {
            0 => Self::replace(program, at..at + 1, ""),
            1 => Self::replace(program, at..at + 1, &format!("{0} {0}", text(at))),
            2 if at + 1 < program.tokens.len() => {
                let gap = Span::new(program.tokens[at].span.end, program.tokens[at + 1].span.start).of(&program.text);
                Self::replace(program, at..at + 2, &format!("{}{gap} {}", text(at + 1), text(at)))
            }
            3 => Self::replace(program, at..at + 1, text(random.below(program.tokens.len()))),
            _ => Self::replace(program, at..at + 1, TOKENS[random.below(TOKENS.len())]),
        }
    }

    fn replace(program: &'p SourceProgram, mut touched: Range<usize>, by: &str) -> Self {
        let span = program.tokens[touched.start].span.join(program.tokens[touched.end - 1].span);
        let range = span.range();
        // Spaces keep it separate from other tokens.
        let text = format!("{} {by} {}", &program.text[..range.start], &program.text[range.end..]);
        if tokenize(by).code.iter().any(|token| token.kind == psl_syntax::token::Kind::OpenString) {
            let line_end = program.text[range.end..].find('\n').map_or(program.text.len(), |found| range.end + found);
            touched.end = program.tokens.partition_point(|token| token.span.range().start < line_end);
        }
        Self { program, touched, replaced: span, length: by.len() as u32 + 2, text }
    }

    fn touches(&self, production: &Production) -> bool {
        let starts: Vec<u32> = self.program.tokens[self.touched.clone()].iter().map(|token| token.span.start).collect();
        starts.iter().any(|start| production.span.range().contains(&(*start as usize)))
    }

    /// The new offset of an old one outside of the replaced bytes.
    fn moved(&self, offset: u32) -> u32 {
        if offset < self.replaced.end { offset } else { offset - self.replaced.end + self.replaced.start + self.length }
    }

    /// The mutated lines.
    fn context(&self) -> &str {
        let range = self.replaced.start as usize..(self.replaced.start + self.length) as usize;
        let start = self.text[..range.start].rfind('\n').map_or(0, |found| found + 1);
        let end = self.text[range.end..].find('\n').map_or(self.text.len(), |found| range.end + found);
        &self.text[start..end]
    }
}

/// All productions of a tree, by the offset of their keyword.
fn productions(tree: &Tree) -> BTreeMap<u32, Production> {
    fn visit(statements: &[Statement], out: &mut BTreeMap<u32, Production>) {
        for statement in statements {
            match statement {
                Statement::Production(production) => _ = out.insert(production.keyword.start, production.clone()),
                Statement::Repeat(repeat) => visit(&repeat.body, out),
                Statement::CausalAttn(_) => {}
            }
        }
    }
    let mut out = BTreeMap::new();
    visit(&tree.statements, &mut out);
    out
}

/// The tree of a production as text, with spans relative to its keyword.
fn shape(text: &str, production: &Production) -> String {
    let at =
        |span: Span| format!("{}+{} {}", span.start - production.keyword.start, span.end - span.start, span.of(text));
    let place = |place: &RegisterAccess| {
        let RegisterAccess { span, register, cell, cell_span, function } = place;
        format!("({}: {}, {cell:?} {}, {:?})", at(*span), at(*register), at(*cell_span), function.map(at))
    };
    let operand = |operand: &Operand| match operand {
        Operand::Constant(name) => format!("{} quoted {}", at(name.span), name.quoted),
        Operand::Register(written) => place(written),
        Operand::Hole(span) => at(*span),
    };
    let Production { span, keyword, head, select, label, conditions, assignments, holes, broken } = production;
    let label = label.map(|label| label.of(text));
    let mut shape = format!("{label:?}\n{} {} {} {select:?} broken {broken}\n", at(*span), at(*keyword), at(*head));
    for hole in holes {
        _ = writeln!(shape, "{}", at(*hole));
    }
    for condition in conditions {
        let right = match &condition.comparison {
            Comparison::Equality { not, operator, negated, right } => {
                format!("{:?} {} {negated} {}", not.map(at), at(*operator), operand(right))
            }
            Comparison::Membership { negated, list } => {
                format!("{negated} {}", list.iter().map(operand).collect::<Vec<_>>().join(", "))
            }
        };
        _ = writeln!(shape, "if {}: {} {right}", at(condition.span), place(&condition.left));
    }
    for assignment in assignments {
        let [target, source] = [place(&assignment.target), operand(&assignment.source)];
        _ = writeln!(shape, "{}: {target} = {source}", at(assignment.span));
    }
    shape
}
