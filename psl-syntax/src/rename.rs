//! Renames a register, a short name, a constant or the value of a constant.
//!
//! Invariant: the renamed program has the same meaning. Every name refers to the same thing, every role belongs to
//! the same register, and every constant has the same value, except for a value or short name that is itself renamed.
//! A constant without a separate value keeps its old name as its value: `A` becomes `NEW: "A"`. A rename that would
//! violate this is refused with the reason. Comments stay the same.

use std::borrow::Cow;

use logos::Logos as _;
use thiserror::Error;

use crate::{
    analysis::Analysis,
    checked::{Checked, read},
    codes::Code,
    diagnostic::{Diagnostic, Edit},
    directive::{LawVariable, law_variable},
    names::{Access, Symbol},
    program::{ConstantId, Program, RegisterId},
    span::Span,
    token::{Kind, constant_as_written, is_name, is_short_name, quote_as},
    tree::{Entries, Name},
};

/// Something that can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// The name at the requested place, without quotes.
    pub span: Span,
    /// The current name, without quotes and escapes.
    pub name: String,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Register(RegisterId),
    ShortName(RegisterId),
    Constant(ConstantId),
    /// The value of a constant, and its span.
    Value(ConstantId, Span),
    /// A variable of a law.
    Variable,
}

/// The renamable thing that a cursor at `offset` touches, if there is one.
pub fn renamable(checked: &Checked, offset: u32) -> Option<Renamable> {
    let program = &checked.analysis.program;
    if let Some(LawVariable { span, name, .. }) = law_variable(&checked.tree, offset) {
        return Some(Renamable { span, name: name.to_owned(), what: What::Variable });
    }
    if let Some(reference) = checked.analysis.names.at(offset) {
        let (name, what) = match (reference.symbol, reference.access) {
            (Symbol::Register(id), Access::ShortName) => (&program.registers[id].short, What::ShortName(id)),
            (Symbol::Register(id), _) => (&program.registers[id].name, What::Register(id)),
            (Symbol::Constant(id), _) => (&program.constants[id].name, What::Constant(id)),
        };
        return Some(Renamable { span: unquoted(checked, reference.span), name: name.clone(), what });
    }
    let (name, value) = checked.tree.declarations.iter().find_map(|declaration| match &declaration.entries {
        Entries::Constants(entries) if declaration.span.touches(offset) => {
            entries.iter().find_map(|&(name, value)| Some((name, value.filter(|value| value.span.touches(offset))?)))
        }
        _ => None,
    })?;
    let id = program.constants.iter().position(|constant| constant.span == name.span)?;
    let what = What::Value(ConstantId(id as u32), value.span);
    Some(Renamable { span: unquoted(checked, value.span), name: checked.tree.name(value).into_owned(), what })
}

/// The reason why a name cannot be changed. Lines are 1-based.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenameError {
    /// The new name has a line break.
    #[error("a name cannot contain a line break")]
    LineBreak,
    /// The new name is not one of a register.
    #[error("invalid register name `{0}`: use letters, digits and `_`, and do not start with a digit")]
    RegisterName(String),
    /// The new name is not one of a law's variable.
    #[error("invalid variable name `{0}`: use letters, digits and `_`, and do not start with a digit")]
    VariableName(String),
    /// The new name is not a short one.
    #[error("invalid short name `{0}`: start with a lower-case letter, and do not use a backquote or `@`")]
    ShortName(String),
    /// The new name is `n` or `N`.
    #[error("`{0}` is the name of a cell")]
    Cell(String),
    /// The new name of a constant is empty.
    #[error("a constant's name cannot be empty")]
    EmptyConstant,
    /// Another constant has the new value.
    #[error("constant `{constant}` already has the value `{value}`")]
    SameValue {
        /// The name of the other constant.
        constant: String,
        /// The new value.
        value: String,
    },
    /// An undeclared name would refer to the renamed thing.
    #[error("line {line} uses `{name}`, which is not declared and would refer to the renamed one")]
    Captures {
        /// The line of the undeclared name.
        line: usize,
        /// The new name.
        name: String,
    },
    /// The old short name makes the machine use the register.
    #[error("the short name `{0}` gives the register its role: declare the role in `system` first")]
    Role(String),
    /// The new name is a word of the language.
    #[error("`{name}` is a keyword (line {line})")]
    Keyword {
        /// The new name.
        name: String,
        /// A line that uses it.
        line: usize,
    },
    /// The renamed program has a further error.
    #[error("{message} (line {line})")]
    Diagnostic {
        /// The message of the error.
        message: String,
        /// The line of the error.
        line: usize,
    },
    /// The new name is that of another variable of the law.
    #[error("the law already has a variable `{0}`")]
    SecondVariable(String),
    /// The new name means something else already.
    #[error("the program already uses `{0}` for something else")]
    Taken(String),
    /// Two uses of the name overlap, so that the text cannot be edited.
    #[error("the name's uses overlap")]
    Overlap,
}

/// The edits that change the name, in text order. Empty if it already has that name.
///
/// # Errors
///
/// Fails if the meaning of the program would change.
pub fn rename(checked: &Checked, renamable: &Renamable, new: &str) -> Result<Vec<Edit>, RenameError> {
    if new == renamable.name {
        return Ok(Vec::new());
    }
    spelling(checked, renamable, new)?;
    unresolved(checked, renamable, new)?;
    let edits = edits(checked, renamable, new);
    let text = Edit::apply(&edits, &checked.tree.text).ok_or(RenameError::Overlap)?;
    let after = read(text);
    same_meaning(checked, &after, renamable, new)?;
    Ok(edits)
}

/// The spans of a register's long name, including quotes, in text order: all declarations, mentions, reads and
/// writes, and names before a cell in clauses that could not be parsed.
pub fn register_uses(checked: &Checked, id: RegisterId) -> Vec<Span> {
    let Checked { tree, analysis, .. } = checked;
    let register = &analysis.program.registers[id];
    let references = analysis.names.references.iter();
    let uses = references.filter(|it| it.symbol == Symbol::Register(id) && it.access != Access::ShortName);
    let mut spans: Vec<Span> = uses.map(|it| it.span).collect();
    spans.extend(tree.tokens.code.windows(2).filter_map(|pair| match pair {
        [name, cell] if name.kind == Kind::Name && cell.kind == Kind::OpenBracket => {
            (tree.str(name.span) == register.name).then_some(name.span)
        }
        _ => None,
    }));
    spans.sort_unstable();
    spans.dedup();
    spans
}

fn unquoted(checked: &Checked, span: Span) -> Span {
    let quoted = checked.tree.str(span).starts_with(['"', '\'']);
    if quoted && span.end > span.start + 1 { Span::new(span.start + 1, span.end - 1) } else { span }
}

/// Checks the spelling of the new name.
fn spelling(checked: &Checked, renamable: &Renamable, new: &str) -> Result<(), RenameError> {
    if new.contains(['\n', '\r']) {
        return Err(RenameError::LineBreak);
    }
    let cell = matches!(new, "n" | "N");
    match renamable.what {
        What::Register(_) if !is_name(new) => Err(RenameError::RegisterName(new.to_owned())),
        What::ShortName(_) if !is_short_name(new) => Err(RenameError::ShortName(new.to_owned())),
        What::Variable if !is_name(new) => Err(RenameError::VariableName(new.to_owned())),
        What::Variable => match law_variable(&checked.tree, renamable.span.start) {
            Some(law) if law.all.iter().any(|(_, name)| *name == new) => {
                Err(RenameError::SecondVariable(new.to_owned()))
            }
            _ => Ok(()),
        },
        What::Register(_) | What::Constant(_) if cell => Err(RenameError::Cell(new.to_owned())),
        What::Constant(_) if new.is_empty() => Err(RenameError::EmptyConstant),
        What::Value(..) => match checked.analysis.program.constants.iter().find(|constant| constant.value == new) {
            Some(other) => Err(RenameError::SameValue { constant: other.name.clone(), value: new.to_owned() }),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

/// Checks that no unresolved name, in an unfinished clause, would refer to the renamed thing.
fn unresolved(checked: &Checked, renamable: &Renamable, new: &str) -> Result<(), RenameError> {
    let Checked { tree, analysis, .. } = checked;
    let code = &tree.tokens.code;
    let kind = |at: Option<usize>| at.and_then(|at| code.get(at)).map(|token| token.kind);
    let captured = code.iter().zip(0_usize..).find(|&(token, at)| {
        let has_cell = kind(at.checked_add(1)) == Some(Kind::OpenBracket);
        let could_refer = match renamable.what {
            What::Register(_) => has_cell,
            What::Constant(_) => !has_cell && kind(at.checked_sub(1)) != Some(Kind::At),
            What::ShortName(_) | What::Value(..) | What::Variable => false,
        };
        could_refer
            && matches!(token.kind, Kind::Name | Kind::String | Kind::Number)
            && (Name { span: token.span, quoted: token.kind == Kind::String }).text(&tree.text) == new
            && analysis.names.within(token.span).is_empty()
            && !tree.declarations.iter().any(|declaration| declaration.span.touches(token.span.start))
    });
    captured.map_or(Ok(()), |(token, _)| {
        let line = tree.text.line_index().line(token.span.start) + 1;
        Err(RenameError::Captures { line, name: new.to_owned() })
    })
}

fn edits(checked: &Checked, renamable: &Renamable, new: &str) -> Vec<Edit> {
    let tree = &checked.tree;
    // Quotes stay. A name without quotes gets them only if it needs them.
    let like = |old: Span| match tree.str(old).chars().next() {
        Some(quote @ ('"' | '\'')) => Cow::Owned(quote_as(quote, new)),
        _ => Cow::Borrowed(new),
    };
    let plain = |text: Cow<'_, str>| if text == new { constant_as_written(new) } else { text.into_owned() };
    let references = checked.analysis.names.references.iter();
    let uses = |symbol: Symbol, short: bool| {
        let of_it = move |access| (access == Access::ShortName) == short;
        references.clone().filter(move |it| it.symbol == symbol && of_it(it.access))
    };
    match renamable.what {
        What::Register(id) => {
            register_uses(checked, id).into_iter().map(|span| Edit { span, text: like(span).into_owned() }).collect()
        }
        What::ShortName(id) => uses(Symbol::Register(id), true)
            .map(|reference| {
                let text = like(reference.span);
                let text = if text == new && !is_name(new) { quote_as('\'', new) } else { text.into_owned() };
                Edit { span: reference.span, text }
            })
            .collect(),
        What::Constant(id) => uses(Symbol::Constant(id), false)
            .map(|reference| {
                let mut text = plain(like(reference.span));
                if reference.access == Access::Declaration && !has_value(checked, reference.span) {
                    let old = tree.str(reference.span);
                    let old = if is_name(old) { quote_as('"', old) } else { old.to_owned() };
                    text = format!("{text}: {old}");
                }
                Edit { span: reference.span, text }
            })
            .collect(),
        What::Variable => {
            let variable = law_variable(tree, renamable.span.start);
            let edit = |span| Edit { span, text: new.to_owned() };
            variable.iter().flat_map(LawVariable::uses).map(edit).collect()
        }
        What::Value(_, span) => {
            let text = like(span);
            let number = matches!(Kind::lexer(new).next(), Some(Ok(Kind::Number))) && plain(text.clone()) == new;
            vec![Edit { span, text: if text == new && !number { quote_as('"', new) } else { text.into_owned() } }]
        }
    }
}

/// Whether the constant declared there has a separate value.
fn has_value(checked: &Checked, declared: Span) -> bool {
    let code = &checked.tree.tokens.code;
    let next = code.partition_point(|token| token.span.start < declared.end);
    code.get(next).is_some_and(|token| token.kind == Kind::Colon)
}

/// Checks that the renamed program has the same meaning.
fn same_meaning(before: &Checked, after: &Checked, renamable: &Renamable, new: &str) -> Result<(), RenameError> {
    let (old, renamed) = (&before.analysis, &after.analysis);
    if old.program.roles != renamed.program.roles {
        return Err(RenameError::Role(renamable.name.clone()));
    }
    if let Some(error) = further_error(&before.diagnostics, &after.diagnostics) {
        let keyword = !matches!(Kind::lexer(new).next(), Some(Ok(Kind::Name | Kind::Number | Kind::String) | Err(())));
        let line = after.tree.text.line_index().line(error.span.start) + 1;
        return Err(if keyword && error.code == Code::Syntax {
            RenameError::Keyword { name: new.to_owned(), line }
        } else {
            RenameError::Diagnostic { message: error.message.clone(), line }
        });
    }
    let uses =
        |analysis: &Analysis| analysis.names.references.iter().map(|it| (it.symbol, it.access)).collect::<Vec<_>>();
    if uses(old) != uses(renamed) || !same_values(&old.program, &renamed.program, renamable.what) {
        return Err(RenameError::Taken(new.to_owned()));
    }
    Ok(())
}

/// The first error of a code that has more errors than before, if there is one.
fn further_error<'d>(before: &[Diagnostic], after: &'d [Diagnostic]) -> Option<&'d Diagnostic> {
    let errors = |list: &[Diagnostic], like: &Diagnostic| list.iter().filter(|it| it.code == like.code).count();
    let known = |error: &Diagnostic| before.iter().any(|old| old.code == error.code && old.message == error.message);
    let mut further = after.iter().filter(|error| error.is_error() && errors(after, error) > errors(before, error));
    further.clone().find(|error| !known(error)).or_else(|| further.next())
}

fn same_values(before: &Program, after: &Program, what: What) -> bool {
    let pairs = before.constants.iter().zip(&after.constants).zip(0..);
    before.constants.len() == after.constants.len()
        && pairs.into_iter().all(|((old, new), id)| {
            old.value == new.value || matches!(what, What::Value(renamed, _) if renamed == ConstantId(id))
        })
}
