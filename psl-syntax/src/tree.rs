//! The syntax tree: the text as written, with unresolved names.
//!
//! Names are spans of [`Tree::text`]. A part that could not be parsed is missing from its list, and the node around
//! it is marked as `broken`.

use std::borrow::Cow;

use crate::{
    law::Law,
    lines::{indentation, line_breaks},
    program::{CausalAttn, Cell, Select, TestPrompt},
    source_text::SourceText,
    span::Span,
    token::{Tokens, unquote},
};

/// A hole as written.
const HOLE: &str = "?";

/// A parsed text.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text that the spans refer to.
    pub text: SourceText,
    /// The tokens and comments.
    pub tokens: Tokens,
    /// All declarations, wherever they are.
    pub declarations: Vec<Declaration>,
    /// Productions, repeat blocks and `causal_attn`, in text order. Blocks contain their own.
    pub statements: Vec<Statement>,
    /// The `//@` lines.
    pub directives: Vec<Directive>,
    /// Whether the text has no syntax errors.
    pub sound: bool,
    /// Whether stray text is in the place of a declaration, so that names may be missing.
    pub stray: bool,
    /// The words with characters that only look like those of PSL, as they were meant. In text order.
    pub meant: Vec<(Span, String)>,
}

/// A name, string or number that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The span, including quotes.
    pub span: Span,
    /// Whether the name is a string.
    pub quoted: bool,
}

impl Name {
    /// The name itself, without quotes and escapes.
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
    /// `registers`, `constants`, `system` or `watch`.
    pub keyword: Span,
    /// From the keyword to the closing bracket.
    pub span: Span,
    /// Whether the declaration follows a statement.
    pub late: bool,
    /// Whether part of it could not be parsed.
    pub broken: bool,
    /// The entries that could be parsed.
    pub entries: Entries,
}

/// The entries of a declaration.
#[derive(Clone, Debug)]
pub enum Entries {
    /// Long name and short name.
    Registers(Vec<(Name, Name)>),
    /// Name and, if different, value.
    Constants(Vec<(Name, Option<Name>)>),
    /// Role and register.
    System(Vec<(Name, Name)>),
    /// Registers.
    Watch(Vec<Name>),
}

/// A statement as written.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `causal_attn: …`, or `None` if its value could not be parsed.
    CausalAttn(Option<CausalAttn>),
    /// `where C: A`.
    Production(Production),
    /// `repeat … until …`.
    Repeat(Repeat),
}

impl Statement {
    /// The span of a production or a repeat block. `None` for `causal_attn`.
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
    /// The choice among several matching cells.
    pub select: Select,
    /// The comment line directly above.
    pub label: Option<Span>,
    /// The conditions, without parentheses, which have no meaning.
    pub conditions: Vec<Condition>,
    /// The assignments that could be parsed.
    pub assignments: Vec<Assignment>,
    /// The `?` in place of whole conditions, which are in `head`, and of whole assignments. In text order.
    pub holes: Vec<Span>,
    /// Whether part of it could not be parsed.
    pub broken: bool,
}

impl Production {
    /// The `?` in place of whole conditions, in text order.
    pub fn condition_holes(&self) -> impl Iterator<Item = Span> {
        self.holes.iter().copied().take_while(|hole| hole.start < self.head.end)
    }

    /// The `?` in place of whole assignments, in text order.
    pub fn assignment_holes(&self) -> impl Iterator<Item = Span> {
        self.holes.iter().copied().skip_while(|hole| hole.start < self.head.end)
    }

    /// The conditions, with the holes in place of others, in text order.
    pub fn condition_spans(&self) -> Vec<Span> {
        in_order(self.conditions.iter().map(|condition| condition.span), self.condition_holes())
    }

    /// The assignments, with the holes in place of others, in text order.
    pub fn assignment_spans(&self) -> Vec<Span> {
        in_order(self.assignments.iter().map(|assignment| assignment.span), self.assignment_holes())
    }
}

fn in_order(spans: impl Iterator<Item = Span>, holes: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.chain(holes).collect();
    spans.sort_unstable();
    spans
}

/// A repeat block as written.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// From `repeat` to the end of the `until` clause, or of the body if there is none.
    pub span: Span,
    /// The keyword `repeat`.
    pub keyword: Span,
    /// The keyword `until`.
    pub until_keyword: Option<Span>,
    /// The comment line directly above.
    pub label: Option<Span>,
    /// The statements inside.
    pub body: Vec<Statement>,
    /// The conditions of `until`. Empty for `NO_CHANGE`.
    pub until: Vec<Condition>,
    /// The `?` in place of conditions of `until`.
    pub holes: Vec<Span>,
    /// Whether its header or its `until` clause could not be parsed.
    pub broken: bool,
}

impl Repeat {
    /// The conditions of `until`, with the holes in place of others, in text order.
    pub fn until_spans(&self) -> Vec<Span> {
        in_order(self.until.iter().map(|condition| condition.span), self.holes.iter().copied())
    }
}

/// `register[cell]`, optionally with `@function`.
#[derive(Clone, Copy, Debug)]
pub struct RegisterAccess {
    /// The whole place.
    pub span: Span,
    /// The register's name, or `?`.
    pub register: Span,
    /// `n` or `N`, or `None` for `?`.
    pub cell: Option<Cell>,
    /// The `n`, `N` or `?`.
    pub cell_span: Span,
    /// The name of the function, without `@`, or `?`.
    pub function: Option<Span>,
}

/// The right side of a condition or an assignment.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A constant's name.
    Constant(Name),
    /// A register of a cell.
    Register(RegisterAccess),
    /// `?`.
    Hole(Span),
}

impl Operand {
    /// From the first character to the last, including quotes.
    pub fn span(&self) -> Span {
        match self {
            Self::Constant(name) => name.span,
            Self::Register(place) => place.span,
            Self::Hole(span) => *span,
        }
    }
}

/// One comparison as written.
#[derive(Clone, Debug)]
pub struct Condition {
    /// From the left side to the end of the right side.
    pub span: Span,
    /// The left side.
    pub left: RegisterAccess,
    /// The operator and the right side.
    pub comparison: Comparison,
}

/// The operator and the right side of a comparison.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// `==` or `!=`, or `?` for either.
    Equality {
        /// An invalid `not` before the operator.
        not: Option<Span>,
        /// The span of `==`, `!=` or `?`.
        operator: Span,
        /// Whether the operator is `!=`.
        negated: bool,
        /// The right side.
        right: Operand,
    },
    /// `in` or `not in`.
    Membership {
        /// Whether the operator is `not in`.
        negated: bool,
        /// The items of the list, which should all be constants.
        list: Vec<Operand>,
    },
}

/// `target[N] = source` as written.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// From the target to the end of the source.
    pub span: Span,
    /// The register to write. The cell should be `N`.
    pub target: RegisterAccess,
    /// The source of the value.
    pub source: Operand,
}

/// A `//@` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The whole comment.
    pub span: Span,
    /// The kind and its arguments.
    pub kind: DirectiveKind,
}

/// The kind of a directive, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `test [name] [row] "prompt" => "gold"`, or `test [name] [row] json "FILE" => "gold"`.
    Test {
        /// The name, if there is one.
        name: Option<String>,
        /// The symbols of the prompt, or its file.
        prompt: TestPrompt,
        /// The expected continuation or row.
        gold: String,
        /// Whether a row is expected.
        row: bool,
    },
    /// `law [name] [any] [row] "prompt" => "gold"`.
    Law {
        /// The name, if there is one.
        name: Option<String>,
        /// The prompt, as written.
        prompt: String,
        /// The expected continuation or row, as written.
        gold: String,
        /// The words of both.
        law: Law,
    },
    /// `stop "."`.
    Stop(String),
    /// `max-new 64`.
    MaxNew(usize),
    /// `allow code` or `allow-file code`.
    Allow {
        /// The code of the diagnostic.
        code: Span,
        /// Whether the directive applies to the whole file.
        file: bool,
    },
    /// `input register, …`: the names.
    Input(Vec<Span>),
    /// `answer register`: the name.
    Answer(Span),
}

impl Tree {
    /// The text of a span. If it is a word with characters that only look like those of PSL, the word that was meant.
    pub fn str(&self, span: Span) -> &str {
        self.meant(span).unwrap_or_else(|| span.of(&self.text))
    }

    fn meant(&self, span: Span) -> Option<&str> {
        let found = self.meant.binary_search_by_key(&span, |(span, _)| *span).ok()?;
        self.meant.get(found).map(|(_, word)| word.as_str())
    }

    /// The runs of comments on separate, consecutive lines.
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

    /// Whether a comment is on the line below a block of comments, without code in between.
    fn directly_below(&self, block: Span, comment: Span) -> bool {
        let between = Span::new(block.end, comment.start);
        self.str(between).trim().is_empty() && line_breaks(&self.text, between.start, between.end) == 1
    }

    /// The `system` declaration, if there is one.
    pub fn system(&self) -> Option<&Declaration> {
        self.declarations.iter().find(|declaration| matches!(declaration.entries, Entries::System(_)))
    }

    /// The line ends of the text: `\n`, `\r\n` or `\r`.
    pub fn line_end(&self) -> &'static str {
        let first = self.text.find(['\n', '\r']).and_then(|at| self.text.get(at..));
        match first {
            Some(rest) if rest.starts_with("\r\n") => "\r\n",
            Some(rest) if rest.starts_with('\r') => "\r",
            _ => "\n",
        }
    }

    /// Whether a span is the `?` of a hole.
    pub fn is_hole(&self, span: Span) -> bool {
        self.str(span) == HOLE
    }

    /// The text of a name, without quotes.
    pub fn name(&self, name: Name) -> Cow<'_, str> {
        match self.meant(name.span) {
            Some(word) => Name { span: Span::from(0..word.len()), ..name }.text(word),
            None => name.text(&self.text),
        }
    }
}
