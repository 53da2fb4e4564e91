//! Reads a condition of the debugger, with the parser and the names of the language.
//!
//! The condition becomes the head of a production after the program, with `N` for every cell, and a comparison of a
//! register with itself for `cell == 7`. So the parser of the language reads it and reports its errors. Before it, a
//! declaration has all of its values, since a condition of the debugger takes any value.

use psl_program::File;
use psl_runtime::CellId;
use psl_syntax::{
    Code, Diagnostic, Program, Span,
    program::{Cell, CellRegister, Comparison, Condition, ConstantId, Operand},
    reread,
    token::{Kind, Token, tokenize},
};

use super::{
    cell_view::NamedCell,
    condition::{Clause, Counter, DebugCondition, Listed},
    error::DebugError,
};

/// The head of the production, before the condition.
const HEAD: &str = "where ";

impl DebugCondition {
    /// Reads a condition: those of the language, with a cell's number too (`field[5] == XQ`), with any value and with
    /// null (`field[5] == ∅`), and `cell == 7`, `step == 2` and `pass == 3`, joined by `and`.
    ///
    /// # Errors
    ///
    /// Returns the first error in the condition.
    pub fn parse(file: &File, text: &str) -> Result<Self, DebugError> {
        let program = file.program();
        let register = program.registers.iter().next().map_or("symbol", |register| register.name.as_str());
        let Rewritten { text: head, values, slots } = Rewritten::new(text, program, register)?;
        let before = format!("{}\nconstants: {{{}}}\n", file.text(), values.join(", "));
        let start = before.len();
        let end = start + head.len();
        let whole = format!("{before}{head}:\n    {register}[N] = {register}[N]\n");
        let checked = reread(file.checked(), whole);
        let is_inside = |error: &&Diagnostic| (start..=end).contains(&(error.span.start as usize));
        if let Some(error) = checked.diagnostics.iter().filter(|found| found.is_error()).find(is_inside) {
            return Err(DebugError::Language { message: error.message.clone(), help: help(error) });
        }
        let program = &checked.analysis.program;
        let productions = program.productions();
        let last = productions.as_slice().last().filter(|last| last.span.start as usize == start);
        let conditions = last.map(|last| last.conditions.as_slice()).unwrap_or_default();
        let mut slots = slots.into_iter().map(|(offset, slot)| (start + offset, slot)).peekable();
        let clause = |condition: &Condition| {
            let mut within = || slots.next_if(|(offset, _)| condition.span.range().contains(offset)).map(|(_, it)| it);
            clause(program, condition.clone(), within(), within())
        };
        let clauses: Option<Vec<Clause>> = conditions.iter().map(clause).collect();
        let clauses = clauses.filter(|clauses| !clauses.is_empty());
        Ok(Self { clauses: clauses.ok_or(DebugError::NotCondition)? })
    }
}

/// The help of the language, if it does not change the program.
fn help(error: &Diagnostic) -> Option<String> {
    let has_fix = !error.fixes.is_empty();
    match error.code {
        Code::UnknownRegister if !has_fix => Some("`registers` lists the registers".to_owned()),
        Code::RegisterInList => Some("compare with it in a condition of its own".to_owned()),
        Code::FunctionOnLeft if !has_fix => None,
        _ => error.help.clone(),
    }
}

/// The condition, from the user's text on its two sides.
fn clause(program: &Program, mut condition: Condition, left: Option<Slot>, right: Option<Slot>) -> Option<Clause> {
    let equal = matches!(condition.comparison, Comparison::Is(_) | Comparison::In(_));
    let CellRegister { register, .. } = condition.left;
    let value = |id: &ConstantId| program.constants[*id].value.clone();
    let values = match &condition.comparison {
        Comparison::Is(Operand::Constant(id)) | Comparison::IsNot(Operand::Constant(id)) => {
            Some(Listed::One(value(id)))
        }
        Comparison::In(ids) | Comparison::NotIn(ids) => Some(Listed::List(ids.iter().map(value).collect())),
        _ => None,
    };
    match (left?, right, values) {
        (Slot::Counter(counter), Some(Slot::Number(number)), None) => Some(Clause::Count { counter, equal, number }),
        (Slot::Cell(cell), None, Some(values)) => Some(Clause::Values { register, cell, equal, values }),
        (Slot::Cell(cell), Some(Slot::Null), None) => Some(Clause::Null { register, cell, equal }),
        (Slot::Cell(left), Some(Slot::Cell(right)), None) => {
            if let Comparison::Is(Operand::Register(place, _)) | Comparison::IsNot(Operand::Register(place, _)) =
                &mut condition.comparison
            {
                place.cell = Cell::Source;
            }
            Some(Clause::Compare { condition, left, right })
        }
        _ => None,
    }
}

/// A text of the user that the parser sees as another text.
#[derive(Clone, Copy)]
enum Slot {
    Cell(NamedCell),
    Counter(Counter),
    Number(usize),
    Null,
}

/// A condition in the language, as the head of a production.
struct Rewritten {
    text: String,
    /// The values, as constants are declared.
    values: Vec<String>,
    /// The user's texts, by their offsets in the text, in order.
    slots: Vec<(usize, Slot)>,
}

impl Rewritten {
    fn new(condition: &str, program: &Program, register: &str) -> Result<Self, DebugError> {
        if condition.contains(['\n', '\r']) {
            return Err(DebugError::SeveralLines);
        }
        let head = format!("{HEAD}{condition}");
        let tokens = tokenize(&head);
        if !tokens.comments.is_empty() {
            return Err(DebugError::Comment);
        }
        let mut rewritten = Self { text: String::new(), values: Vec::new(), slots: Vec::new() };
        let mut copied = 0;
        for (at, token) in tokens.code.iter().enumerate() {
            let around = Around { head: &head, code: &tokens.code, at, program };
            if at > 0 {
                around.check()?;
            }
            let Span { start, end } = token.span;
            rewritten.text.push_str(head.get(copied..start as usize).unwrap_or_default());
            copied = end as usize;
            if let Some(slot) = around.slot()? {
                rewritten.slots.push((rewritten.text.len(), slot));
                match slot {
                    Slot::Cell(_) => rewritten.text.push('N'),
                    Slot::Counter(_) | Slot::Number(_) | Slot::Null => rewritten.text.extend([register, "[N]"]),
                }
            } else if let Some(value) = around.value() {
                rewritten.text.push_str(&value);
                rewritten.values.push(value);
            } else {
                rewritten.text.push_str(around.text(0));
            }
        }
        rewritten.text.push_str(head.get(copied..).unwrap_or_default());
        Ok(rewritten)
    }
}

/// A token and those around it.
struct Around<'t> {
    head: &'t str,
    code: &'t [Token],
    at: usize,
    program: &'t Program,
}

impl Around<'_> {
    fn token(&self, ahead: isize) -> Option<Token> {
        self.code.get(self.at.checked_add_signed(ahead)?).copied()
    }

    fn kind(&self, ahead: isize) -> Option<Kind> {
        self.token(ahead).map(|token| token.kind)
    }

    fn text(&self, ahead: isize) -> &str {
        self.token(ahead).map_or("", |token| token.span.of(self.head))
    }

    /// Refuses what would end the condition.
    fn check(&self) -> Result<(), DebugError> {
        let is_allowed = self.kind(0).is_some_and(|kind| {
            matches!(
                kind,
                Kind::Name
                    | Kind::String
                    | Kind::Number
                    | Kind::OpenBracket
                    | Kind::CloseBracket
                    | Kind::OpenParen
                    | Kind::CloseParen
                    | Kind::Comma
                    | Kind::Equal
                    | Kind::NotEqual
                    | Kind::At
                    | Kind::CellSource
                    | Kind::CellUpdated
                    | Kind::And
                    | Kind::Not
                    | Kind::In
            )
        });
        let text = || self.text(0).to_owned();
        match self.kind(0) {
            _ if is_allowed || self.is_null() => Ok(()),
            Some(Kind::Assign) => Err(DebugError::Assignment),
            Some(Kind::OpenString) => Err(DebugError::OpenString(text())),
            _ => Err(DebugError::NotInCondition(text())),
        }
    }

    /// The meaning of the token, if the parser must see another text.
    fn slot(&self) -> Result<Option<Slot>, DebugError> {
        match self.kind(0) {
            _ if self.is_null() => Ok(Some(Slot::Null)),
            Some(Kind::CellSource) if self.is_cell() => Ok(Some(Slot::Cell(NamedCell::Source))),
            Some(Kind::CellUpdated) if self.is_cell() => Ok(Some(Slot::Cell(NamedCell::Updated))),
            Some(Kind::Number) if self.is_cell() => match self.text(0).parse().ok().and_then(CellId::of_number) {
                Some(cell) => Ok(Some(Slot::Cell(NamedCell::Fixed(cell)))),
                None => Err(DebugError::NotCell(self.text(0).to_owned())),
            },
            Some(Kind::Number) if self.is_counted() => self.number().map(Slot::Number).map(Some),
            Some(Kind::Name) if self.is_counter(0) => Ok(Counter::from_name(self.text(0)).map(Slot::Counter)),
            _ => Ok(None),
        }
    }

    /// The token as a constant, if it is a value.
    fn value(&self) -> Option<String> {
        let text = self.text(0);
        let is_register = || self.program.registers.iter().any(|register| register.name == text);
        match self.kind(0)? {
            Kind::CellSource | Kind::CellUpdated => Some(format!("'{text}'")),
            Kind::String | Kind::Number => Some(text.to_owned()),
            // The name of a register lacks its cell, and a name after `@` is a function.
            Kind::Name
                if self.kind(1) != Some(Kind::OpenBracket) && self.kind(-1) != Some(Kind::At) && !is_register() =>
            {
                Some(text.to_owned())
            }
            _ => None,
        }
    }

    /// Whether the token is a word or sign for null, on the right of `==` or `!=`.
    fn is_null(&self) -> bool {
        let text = self.text(0);
        let is_declared = || self.program.constants.iter().any(|constant| constant.name == text);
        matches!(self.kind(-1), Some(Kind::Equal | Kind::NotEqual))
            && (text == "∅" || ["null", "none", "nil"].iter().any(|word| text.eq_ignore_ascii_case(word)))
            && !is_declared()
    }

    /// Whether the token is between the brackets of a register.
    fn is_cell(&self) -> bool {
        self.kind(-1) == Some(Kind::OpenBracket) && self.kind(-2) != Some(Kind::In)
    }

    /// Whether the token is a counter on the left of a comparison with a number.
    fn is_counter(&self, ahead: isize) -> bool {
        Counter::from_name(self.text(ahead)).is_some()
            && matches!(self.kind(ahead - 1), Some(Kind::Where | Kind::And | Kind::OpenParen))
            && matches!(self.kind(ahead + 1), Some(Kind::Equal | Kind::NotEqual))
            && self.kind(ahead + 2) == Some(Kind::Number)
    }

    /// Whether the token is the number that a counter is compared with.
    fn is_counted(&self) -> bool {
        self.is_counter(-2)
    }

    fn number(&self) -> Result<usize, DebugError> {
        let number = self.text(0);
        number.parse().map_err(|_| DebugError::NotWholeNumber(number.to_owned()))
    }
}
