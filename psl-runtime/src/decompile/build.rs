//! Builds the program that compiles to some QKVL, as data: the inverse of `crate::compile`.

use psl_syntax::{
    Span,
    program::{
        Assignment, Cell, CellRegister, Comparison, Condition, Operand, Production, ProductionId, Program, Repeat,
        Select, Statement, Until,
    },
};

use super::{
    conditions::{SlotCondition, conditions},
    error::{DecompileError, refuse},
    symbol_table::SymbolTable,
};
use crate::{
    heads::{HeadPlace, place_of},
    qkvl::{
        self, Block, Slots, Source, Term,
        words::{TOO_DEEP, nesting_help},
    },
};

/// Builds a program.
///
/// Refuses the first part that PSL cannot express. Finding errors in the program is left to `psl-syntax`.
pub(super) fn build(qkvl: &qkvl::Program) -> Result<Program, DecompileError> {
    let symbols = SymbolTable::new(qkvl)?;
    let program = symbols.declarations(qkvl)?;
    let (position, heads) = (position(qkvl), qkvl.heads());
    let mut builder = Builder { symbols, position, heads, layers: 0, repeats: 0 };
    let statements = builder.statements(&qkvl.weights, 0)?;
    Ok(Program { statements, ..program })
}

/// The position's short name.
fn position(qkvl: &qkvl::Program) -> Option<&str> {
    qkvl.system_map.get("position").map(String::as_str)
}

struct Builder<'q> {
    symbols: SymbolTable<'q>,
    position: Option<&'q str>,
    /// The places of the layers.
    heads: Vec<HeadPlace>,
    layers: usize,
    repeats: usize,
}

impl Builder<'_> {
    fn statements(&mut self, blocks: &[Block], depth: usize) -> Result<Vec<Statement>, DecompileError> {
        let statement = |block: &Block| match block {
            Block::Layer(layer) => self.production(layer).map(Statement::Production),
            Block::Repeat(repeat) => self.repeat(repeat, depth).map(Statement::Repeat),
        };
        blocks.iter().map(statement).collect()
    }

    fn production(&mut self, layer: &qkvl::Layer) -> Result<Production, DecompileError> {
        let id = ProductionId::new(self.layers);
        self.layers += 1;
        let place = place_of(id, &self.heads);
        let label = label(&place, layer.layer_comment.as_deref())?;
        let conditions = self.conditions(&layer.weights.q, &layer.weights.k, &place)?;
        if layer.weights.v.is_empty() {
            return refuse(place, "v is empty", "add an assignment, or remove the layer");
        }
        let cell = if conditions.iter().any(Condition::mentions_n) { Cell::Source } else { Cell::Updated };
        let assignment = |(target, term): (&String, &Term)| {
            let target = self.symbols.register(&place, target)?;
            Ok(Assignment { span: Span::default(), target, source: self.operand(&place, term, cell)? })
        };
        Ok(Production {
            span: Span::default(),
            head: Span::default(),
            label,
            causal_attn: layer.causal_attn,
            select: if layer.right_match { Select::Rightmost } else { Select::Leftmost },
            assignments: layer.weights.v.iter().map(assignment).collect::<Result<_, _>>()?,
            conditions,
            shares_layer: layer.shares_layer,
            sound: true,
        })
    }

    fn repeat(&mut self, repeat: &qkvl::Repeat, depth: usize) -> Result<Repeat, DecompileError> {
        self.repeats += 1;
        let place = format!("repeat block {}", self.repeats);
        if depth >= qkvl::Program::MAX_NESTING {
            return refuse(place, TOO_DEEP, nesting_help());
        }
        if repeat.weights.is_empty() {
            return refuse(place, "the body is empty", "remove the block");
        }
        let label = label(&place, repeat.layer_comment.as_deref())?;
        let body = self.statements(&repeat.weights, depth + 1)?;
        let until = match &repeat.until {
            qkvl::Until::NoChange {} => Until::NoChange,
            qkvl::Until::Conditions { q, k } => Until::Conditions(self.conditions(q, k, &place)?),
        };
        Ok(Repeat { span: Span::default(), keyword: Span::default(), label, until, body })
    }

    fn conditions(&self, q: &Slots, k: &Slots, place: &str) -> Result<Vec<Condition>, DecompileError> {
        let conditions = conditions(q, k, self.position, place)?;
        conditions.iter().map(|condition| self.condition(place, condition)).collect()
    }

    fn condition(&self, place: &str, condition: &SlotCondition<'_>) -> Result<Condition, DecompileError> {
        let &SlotCondition { register, cell, right, right_cell } = condition;
        let list = |constants: &[String]| {
            if constants.is_empty() {
                return refuse(place, format!("`{register}` is compared with an empty list"), "add a constant to it");
            }
            constants.iter().map(|constant| self.symbols.constant(place, constant)).collect()
        };
        let comparison = match right {
            Source::Is(term) => Comparison::Is(self.operand(place, term, right_cell)?),
            Source::Not(term) => Comparison::IsNot(self.operand(place, term, right_cell)?),
            Source::In(constants) => Comparison::In(list(constants)?),
            Source::NotIn(constants) => Comparison::NotIn(list(constants)?),
        };
        let left = CellRegister { register: self.symbols.register(place, register)?, cell };
        Ok(Condition { span: Span::default(), left, comparison })
    }

    fn operand(&self, place: &str, term: &Term, cell: Cell) -> Result<Operand, DecompileError> {
        Ok(match term {
            Term::Constant(value) => Operand::Constant(self.symbols.constant(place, value)?),
            Term::Register(short, function) => {
                Operand::Register(CellRegister { register: self.symbols.register(place, short)?, cell }, *function)
            }
        })
    }
}

/// A label, which must be a one-line comment. Blanks around it are part of it, but not of the comment in a text.
fn label(place: &str, label: Option<&str>) -> Result<Option<String>, DecompileError> {
    let Some(label) = label else { return Ok(None) };
    let comment = label.trim();
    let is_comment = comment.starts_with('#') || comment.starts_with("//");
    if !is_comment || comment.contains(['\r', '\n']) {
        let help = "write it on one line, and start it with `#` or `//`";
        return refuse(place, format!("the label `{}` is not a comment", label.escape_debug()), help);
    }
    Ok(Some(label.to_owned()))
}
