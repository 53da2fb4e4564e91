//! The syntax tree: what was written, names not yet looked up.
//!
//! Names are spans of [`Tree::text`]. A part that could not be parsed is missing from its list and marks the node around it
//! as `broken`; everything else is as written.

use std::{borrow::Cow, sync::Arc};

use crate::{
    lines::{indentation, line_breaks},
    program::{CausalAttn, Cell, Select, TestPrompt},
    span::Span,
    token::{Tokens, unquote},
};

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text that the spans point into.
    pub text: Arc<str>,
    /// Its tokens and comments.
    pub tokens: Tokens,
    /// All declarations, wherever they stand.
    pub declarations: Vec<Declaration>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// The `//@` lines.
    pub directives: Vec<Directive>,
    /// Whether there was no syntax error.
    pub sound: bool,
    /// Whether something stands where a declaration could that is none, so that names may be missing.
    pub stray: bool,
}

/// A name, string or number where something is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Where it stands, quotes included.
    pub span: Span,
    /// Whether it is a string.
    pub quoted: bool,
}

impl Name {
    /// What is named: without quotes, unescaped.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let written = self.span.of(text);
        if !self.quoted {
            return Cow::Borrowed(written);
        }
        match written.get(1..written.len().saturating_sub(1)) {
            Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
            _ => Cow::Owned(unquote(written)),
        }
    }
}

/// `registers`, `constants`, `system` or `watch`.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The keyword.
    pub keyword: Span,
    /// From the keyword to the closing bracket.
    pub span: Span,
    /// Whether it stands after a statement.
    pub late: bool,
    /// Whether part of it could not be parsed.
    pub broken: bool,
    /// What it declares.
    pub entries: Entries,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Long name and short name.
    Registers(Vec<(Name, Name)>),
    /// Name and, where it differs, value.
    Constants(Vec<(Name, Option<Name>)>),
    /// Role and register.
    System(Vec<(Name, Name)>),
    /// Registers.
    Watch(Vec<Name>),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `causal_attn: …`; nothing where its value is broken.
    CausalAttn(Option<CausalAttn>),
    /// `where C: A`.
    Production(Production),
    /// `repeat … until …`.
    Repeat(Repeat),
}

impl Statement {
    /// Where a production or a repeat block stands.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::CausalAttn(_) => None,
            Self::Production(production) => Some(production.span),
            Self::Repeat(repeat) => Some(repeat.span),
        }
    }
}

/// A production as written.
#[derive(Clone, Debug)]
pub struct Production {
    /// From `where` to the last token.
    pub span: Span,
    /// `where`, `where_lm` or `where_rm`.
    pub keyword: Span,
    /// From `where` to the colon.
    pub head: Span,
    /// Which match is chosen.
    pub select: Select,
    /// The comment line directly above.
    pub label: Option<Span>,
    /// The conditions; parentheses mean nothing and are not kept.
    pub conditions: Vec<Condition>,
    /// The assignments.
    pub assignments: Vec<Assignment>,
    /// Whether part of it could not be parsed.
    pub broken: bool,
}

/// A repeat block as written.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// From `repeat` to the end of the `until` clause, or of the body where there is none.
    pub span: Span,
    /// The keyword `repeat`.
    pub keyword: Span,
    /// The keyword `until`.
    pub until_keyword: Option<Span>,
    /// The comment line directly above.
    pub label: Option<Span>,
    /// What is repeated.
    pub body: Vec<Statement>,
    /// The conditions of `until`; none for `NO_CHANGE`.
    pub until: Vec<Condition>,
    /// Whether its own header or `until` clause could not be parsed.
    pub broken: bool,
}

/// `register[cell]`, perhaps with `@function`.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// All of it.
    pub span: Span,
    /// The register's name.
    pub register: Span,
    /// The cell.
    pub cell: Cell,
    /// The `n` or `N`.
    pub cell_span: Span,
    /// The function's name, without the `@`.
    pub function: Option<Span>,
}

/// What stands on a right side.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A constant's name.
    Constant(Name),
    /// A register of a cell.
    Place(Place),
}

impl Operand {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Constant(name) => name.span,
            Self::Place(place) => place.span,
        }
    }
}

/// One comparison as written.
#[derive(Clone, Debug)]
pub struct Condition {
    /// From the left side to the end of the right side.
    pub span: Span,
    /// The left side.
    pub left: Place,
    /// What is said of it.
    pub comparison: Comparison,
}

/// Operator and right side of a comparison.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// `==` or `!=`.
    Equality {
        /// A `not` before the operator, which means nothing there.
        not: Option<Span>,
        /// The operator.
        operator: Span,
        /// Whether it is `!=`.
        negated: bool,
        /// The right side.
        right: Operand,
    },
    /// `in` or `not in`.
    Membership {
        /// Whether it is `not in`.
        negated: bool,
        /// The list.
        list: Vec<Operand>,
    },
}

/// `target[N] = source` as written.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// From the target to the end of the source.
    pub span: Span,
    /// What is written.
    pub target: Place,
    /// Where the value comes from.
    pub source: Operand,
}

/// A `//@` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The whole comment.
    pub span: Span,
    /// What it says.
    pub kind: DirectiveKind,
}

/// What a directive says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `test [name] "prompt" => "gold"`, or `test [name] json "FILE" => "gold"`.
    Test {
        /// Its name.
        name: Option<String>,
        /// What it runs on.
        prompt: TestPrompt,
        /// The expected continuation.
        gold: String,
    },
    /// `stop "."`.
    Stop(String),
    /// `max-new 64`.
    MaxNew(usize),
    /// `allow code` or `allow-file code`.
    Allow {
        /// The diagnostic's code.
        code: Span,
        /// Whether it holds for the whole file.
        file: bool,
    },
    /// `input register, …`: the names.
    Input(Vec<Span>),
}

impl Tree {
    /// The text of a span.
    pub fn str(&self, span: Span) -> &str {
        span.of(&self.text)
    }

    /// The runs of comments that stand alone on their lines, line below line.
    pub fn comment_blocks(&self) -> Vec<Span> {
        let mut blocks: Vec<Span> = Vec::new();
        let alone = |comment: &&Span| indentation(&self.text, comment.start).is_some();
        for &comment in self.tokens.comments.iter().filter(alone) {
            match blocks.last_mut() {
                Some(block) if self.directly_below(*block, comment) => *block = block.join(comment),
                _ => blocks.push(comment),
            }
        }
        blocks
    }

    /// Whether a comment stands on the line below a block of comments, and no code between them.
    fn directly_below(&self, block: Span, comment: Span) -> bool {
        let between = Span::new(block.end, comment.start);
        self.str(between).trim().is_empty() && line_breaks(&self.text, between.start, between.end) == 1
    }

    /// The declaration that gives roles.
    pub fn system(&self) -> Option<&Declaration> {
        self.declarations.iter().find(|declaration| matches!(declaration.entries, Entries::System(_)))
    }

    /// How the text's lines end: `\n`, `\r\n` or `\r`.
    pub fn line_end(&self) -> &'static str {
        let first = self.text.find(['\n', '\r']).and_then(|at| self.text.get(at..));
        match first {
            Some(rest) if rest.starts_with("\r\n") => "\r\n",
            Some(rest) if rest.starts_with('\r') => "\r",
            _ => "\n",
        }
    }

    /// The text of a name, unquoted.
    pub fn name(&self, name: Name) -> Cow<'_, str> {
        name.text(&self.text)
    }
}
