//! The tokens of a model.
//!
//! Users write symbols separated by white space, so that no prompt can contain a token whose text has a space.

use indexmap::IndexMap;
use psl_syntax::index::at;

use super::{
    encodings::ValueEncoding,
    ends::{End, LAST},
    layout::{Kind, Layout},
    plan::Plan,
    refusal::{Refusal, Why},
    source::Source,
};
use crate::vocabulary::Vocabulary;

/// The symbol of a cell whose output is null.
const NULL: &str = "∅";

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    pub text: String,
    pub role: Role,
    /// The components that are 1, without those of its place.
    pub components: Vec<usize>,
}

/// The purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A token of prompts: the start, a separator, or a symbol.
    Prompt(Kind),
    /// The value of a register of a generated cell, by the index of the register in [`Plan::cell`] and of the value.
    Cell { index: usize, value: usize },
    /// A reason to end the continuation.
    End(End),
}

/// The tokens, by their number: those with a text that a tokenizer looks up, then those that decoders leave out.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub list: Vec<Token>,
    /// The number of the first token that decoders leave out.
    pub special: usize,
    pub start: usize,
    pub pad: usize,
    pub unknown: usize,
}

impl Tokens {
    /// The tokens of a model.
    ///
    /// # Errors
    ///
    /// Fails if there are no symbols, or if two tokens have the same text.
    pub fn new(
        source: &Source<'_>,
        plan: &Plan<'_>,
        encodings: &[ValueEncoding],
        layout: &Layout,
    ) -> Result<Self, Refusal> {
        let refuse = |why| Err(Refusal { layer: None, why });
        if source.symbols.is_empty() {
            return refuse(Why::NoSymbols);
        }
        let of = Tokenizing { source, plan, encodings, layout };
        let end = |end: End| of.ending(&format!(" {}", end.text()), Role::End(end), end);
        // The token 0 is the greatest where logits are not numbers.
        let (first, others) = (End::Float32Needed, End::ALL.into_iter().filter(|end| *end != End::Float32Needed));
        let mut visible = vec![end(first)];
        let unknown = visible.len();
        visible.push(of.ending("<unk>", Role::Prompt(Kind::Prompt), End::UnknownSymbol));
        visible.push(of.ending(&LAST.to_string(), Role::Prompt(Kind::Prompt), End::EmptyPrompt));
        for &symbol in &source.symbols {
            let text = source.vocabulary.show(Some(symbol));
            if text.contains(LAST) {
                return refuse(Why::Symbol { text: text.to_owned() });
            }
            visible.push(of.symbol(text, text, false));
            visible.push(of.symbol(&format!("{text}{LAST}"), text, true));
        }
        visible.extend(of.values(0, |value| format!(" {}", value.unwrap_or(NULL))));
        visible.extend(others.map(end));
        let special = visible.len();
        let separators = (0..=plan.copies).filter(|_| plan.copies > 0).map(|copy| of.separator(copy));
        let states = (1..plan.cell.len()).flat_map(|index| {
            let short = plan.cell.get(index).and_then(|register| source.registers.short.get(*register));
            let short = short.map_or("", String::as_str);
            of.values(index, move |value| format!(" <{short}={}>", value.unwrap_or_default()))
        });
        let hidden = [of.start("<bos>"), of.start("<pad>")].into_iter().chain(separators).chain(states);
        let list: Vec<Token> = visible.into_iter().chain(hidden).collect();
        let mut texts = IndexMap::new();
        for (number, token) in list.iter().enumerate() {
            if texts.insert(token.text.as_str(), number).is_some() {
                return refuse(Why::SameText { text: token.text.clone() });
            }
        }
        Ok(Self { special, start: special, pad: special + 1, unknown, list })
    }

    /// The text of the separator before a copy of the prompt.
    pub fn separator(copy: usize) -> String {
        format!("<c{copy}>")
    }
}

struct Tokenizing<'a> {
    source: &'a Source<'a>,
    plan: &'a Plan<'a>,
    encodings: &'a [ValueEncoding],
    layout: &'a Layout,
}

/// The blocks of a token that differ from those of an empty token.
struct Parts {
    kind: Kind,
    copy: usize,
    end: usize,
    /// Registers with the index of their value.
    registers: Vec<(usize, usize)>,
}

impl Tokenizing<'_> {
    fn token(&self, text: &str, role: Role, parts: &Parts) -> Token {
        let layout = self.layout;
        let mut registers: Vec<Vec<usize>> =
            (0..layout.registers.len()).map(|register| layout.null(register)).collect();
        for &(register, value) in &parts.registers {
            let encoding = self.encodings.get(register).and_then(|encoding| encoding.of.get(value));
            if let (Some(encoding), Some(slot)) = (encoding, registers.get_mut(register)) {
                *slot = layout.value(register, encoding);
            }
        }
        // With one copy of the prompt, the place in the sequence sets these.
        let places = layout.places.iter().filter(|_| self.plan.copies > 0);
        let free = layout.saved.iter().flatten().flatten().chain(places).map(|part| part.last());
        let own = [layout.kind(parts.kind), parts.copy, parts.end];
        let components = registers.into_iter().flatten().chain(free).chain(own).collect();
        Token { text: text.to_owned(), role, components }
    }

    fn empty(&self, kind: Kind) -> Parts {
        Parts { kind, copy: self.layout.copies.last(), end: self.layout.no_end(), registers: Vec::new() }
    }

    fn start(&self, text: &str) -> Token {
        self.token(text, Role::Prompt(Kind::Start), &self.empty(Kind::Start))
    }

    fn ending(&self, text: &str, role: Role, end: End) -> Token {
        self.token(
            text,
            role,
            &Parts { end: self.layout.end(end), copy: self.first_copy(), ..self.empty(Kind::Prompt) },
        )
    }

    fn separator(&self, copy: usize) -> Token {
        let parts = Parts { copy: self.layout.copy(copy), ..self.empty(Kind::Separator) };
        self.token(&Tokens::separator(copy), Role::Prompt(Kind::Separator), &parts)
    }

    /// The copy of symbols: with several, they learn it from the separator.
    fn first_copy(&self) -> usize {
        if self.plan.copies == 0 { self.layout.copy(0) } else { self.layout.copies.last() }
    }

    fn symbol(&self, text: &str, symbol: &str, is_last: bool) -> Token {
        let roles = self.source.registers.roles;
        let values = [
            (roles.symbol, Some(symbol)),
            (roles.parse, Some(Vocabulary::PARSE)),
            (roles.eop, Some(Vocabulary::EOP).filter(|_| is_last)),
        ];
        let held = values.into_iter().filter_map(|(role, text)| {
            let register = role?.0 as usize;
            let value = self.source.vocabulary.get(text?)?;
            Some((register, self.domain(register).iter().position(|other| *other == value)?))
        });
        let kind = if is_last { Kind::Last } else { Kind::Prompt };
        let parts = Parts { copy: self.first_copy(), registers: held.collect(), ..self.empty(kind) };
        self.token(text, Role::Prompt(kind), &parts)
    }

    fn domain(&self, register: usize) -> &[crate::vocabulary::ValueId] {
        at(&self.source.domains, register)
    }

    /// The tokens of a register of generated cells: its values, and null, which a position never is.
    fn values(&self, index: usize, text: impl Fn(Option<&str>) -> String) -> Vec<Token> {
        let register = *at(&self.plan.cell, index);
        let domain = self.domain(register);
        let count = domain.len() + usize::from(self.plan.position != Some(register) || index == 0);
        let is_last = index + 1 == self.plan.cell.len();
        let constants = self.plan.constant.iter().enumerate().filter(|_| is_last);
        let constants: Vec<_> = constants.filter_map(|(register, value)| Some((register, (*value)?))).collect();
        let copy = if is_last { self.layout.generated() } else { self.layout.copies.last() };
        let token = |value: usize| {
            let name = domain.get(value).and_then(|value| self.source.vocabulary.text(*value));
            let registers = [constants.as_slice(), &[(register, value)]].concat();
            let parts = Parts { copy, registers, ..self.empty(Kind::Cell(index)) };
            self.token(&text(name), Role::Cell { index, value }, &parts)
        };
        (0..count).map(token).collect()
    }
}
