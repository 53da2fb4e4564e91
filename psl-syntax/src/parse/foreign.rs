//! Phrases of other languages, translated into PSL's tokens.
//!
//! A text with a syntax error is parsed again as its author may have intended it: each phrase of another language is
//! reported together with its PSL, and replaced by that. So it is the only error, and the code around it is checked as
//! usual.
//!
//! Invariant: nothing is reported in a valid program. The translation takes linear time in the length of the text.

mod assignments;
mod comments;
mod conditions;
mod lists;
mod phrase_cursor;
mod statements;
mod values;

use std::collections::HashSet;

use phrase_cursor::{Part, PhraseCursor, Registers, Rewrite, Rule};

use crate::{
    diagnostic::Diagnostic,
    token::{Kind, Token},
};

/// The rules of each family. The first one that applies to a token wins.
const RULES: [&[Rule]; 6] =
    [comments::RULES, statements::RULES, lists::RULES, values::RULES, conditions::RULES, assignments::RULES];

/// A text in PSL's tokens, whose spans are those of the phrases they replace.
pub struct Translation {
    /// The tokens without comments.
    pub code: Vec<Token>,
    /// A report of each replaced phrase, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Translates the phrases of other languages in a text, or returns `None` if there are none.
pub fn translate(text: &str, code: &[Token]) -> Option<Translation> {
    let registers = Registers::declared(text, code);
    let count = |word: &str| code.iter().filter(|token| token.span.of(text).eq_ignore_ascii_case(word)).count();
    let open_block = count("repeat") > count("until");
    let mut translator = Translator {
        part: Part::Outside,
        said_or: false,
        removed: HashSet::new(),
        out: Vec::with_capacity(code.len()),
        diagnostics: Vec::new(),
    };
    let mut at = 0;
    while let Some(&token) = code.get(at) {
        let cursor = PhraseCursor {
            text,
            code,
            at,
            part: translator.part,
            last: translator.out.last().copied(),
            registers: &registers,
            said_or: translator.said_or,
            open_block,
        };
        if translator.removed.remove(&at) {
            at += 1;
        } else if let Some(rewrite) = RULES.iter().copied().flatten().find_map(|rule| rule(&cursor)) {
            at += rewrite.length.max(1);
            translator.apply(rewrite);
        } else {
            translator.push(token, cursor.starts_assignment());
            at += 1;
        }
    }
    let Translator { out: code, diagnostics, .. } = translator;
    (!diagnostics.is_empty()).then_some(Translation { code, diagnostics })
}

struct Translator {
    part: Part,
    /// Whether an `or` was reported in these conditions.
    said_or: bool,
    /// The indices of closing brackets whose opening one was replaced.
    removed: HashSet<usize>,
    out: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Translator {
    fn apply(&mut self, rewrite: Rewrite) {
        self.said_or |= rewrite.says_or;
        self.removed.extend(rewrite.closing);
        self.diagnostics.extend(rewrite.diagnostic);
        for token in rewrite.replacement {
            self.push(token, false);
        }
    }

    fn push(&mut self, token: Token, starts_assignment: bool) {
        let part = match token.kind {
            Kind::Registers | Kind::Constants | Kind::System | Kind::Watch => Part::Declaration,
            Kind::Where | Kind::WhereLm | Kind::WhereRm => Part::Head,
            Kind::Until => Part::Until,
            Kind::Repeat | Kind::CausalAttn => Part::Outside,
            Kind::Colon if self.part == Part::Head => Part::Body,
            // A missing colon.
            _ if self.part == Part::Head && starts_assignment => Part::Body,
            // A declaration with a wrong keyword.
            Kind::OpenBrace if self.part == Part::Outside => Part::Declaration,
            Kind::CloseBrace | Kind::CloseBracket if self.part == Part::Declaration => Part::Outside,
            _ => self.part,
        };
        self.said_or &= part == self.part;
        self.part = part;
        self.out.push(token);
    }
}
