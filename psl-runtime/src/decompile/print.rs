//! Prints a program, not yet formatted, and records the offset of each statement.

use std::fmt::Write as _;

use psl_syntax::{
    program::{
        Assignment, CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Operand, Production,
        ProductionId, Program, RegisterId, Repeat, Select, Statement, Until,
    },
    token::{Kind, quote, tokenize},
};

use crate::heads::{HeadPlace, place_of, places};

/// The text of a program and the offsets of its statements.
pub(super) struct Printed {
    pub(super) text: String,
    /// The offsets, ascending, of productions, blocks and `until` clauses.
    starts: Vec<(usize, String)>,
}

impl Printed {
    /// The place at an offset: a production or a block by its number, or the declarations.
    pub(super) fn place(&self, offset: u32) -> String {
        let before = self.starts.iter().rfind(|(start, _)| *start <= offset as usize);
        before.map_or_else(|| "the declarations".to_owned(), |(_, place)| place.clone())
    }
}

/// Prints a program, each production as a layer. Its names must not contain line breaks.
pub(super) fn print(program: &Program) -> Printed {
    let shares_layer = program.productions().into_iter().map(|production| production.shares_layer);
    let mut printer = Printer {
        program,
        heads: places(shares_layer),
        printed: Printed { text: declarations(program), starts: Vec::new() },
        causal_attn: None,
        layers: 0,
        repeats: 0,
    };
    printer.statements(&program.statements, 0);
    printer.printed
}

fn declarations(program: &Program) -> String {
    let joined = |entries: Vec<String>| entries.join(", ");
    let registers = program.registers.iter().map(|it| format!("{}: {}", name(&it.name), string(&it.short)));
    let constants = program.constants.iter().map(|constant| {
        let written = name(&constant.name);
        if constant.name == constant.value { written } else { format!("{written}: {}", string(&constant.value)) }
    });
    let roles = program.roles.iter().filter_map(|(role, id)| Some(format!("{role}: {}", register(program, id?))));
    let watched = program.watch.iter().map(|&id| register(program, id).to_owned());
    let lists = [
        ("registers: {", joined(registers.collect()), "}\n"),
        ("constants: {", joined(constants.collect()), "}\n"),
        ("system: {", joined(roles.collect()), "}\n"),
        ("watch: [", joined(watched.collect()), "]\n"),
    ];
    let answer = program.answer.map_or_else(String::new, |id| format!("//@ answer {}\n", register(program, id)));
    let given = lists.iter().filter(|(_, list, _)| !list.is_empty());
    [answer.as_str()].into_iter().chain(given.flat_map(|(open, list, close)| [*open, list, *close])).collect()
}

fn register(program: &Program, id: RegisterId) -> &str {
    &program.registers[id].name
}

fn constant(program: &Program, id: ConstantId) -> String {
    name(&program.constants[id].name)
}

/// A name, in quotes if needed.
fn name(text: &str) -> String {
    let tokens = tokenize(text);
    match tokens.code.as_slice() {
        [token] if token.span.of(text) == text && matches!(token.kind, Kind::Name | Kind::Number) => text.to_owned(),
        _ => string(text),
    }
}

fn string(text: &str) -> String {
    if text.contains(['\'', '\\']) { quote(text) } else { format!("'{text}'") }
}

struct Printer<'p> {
    program: &'p Program,
    /// The places of its productions.
    heads: Vec<HeadPlace>,
    printed: Printed,
    /// The setting that is in effect at the end of the text.
    causal_attn: Option<CausalAttn>,
    layers: usize,
    repeats: usize,
}

impl Printer<'_> {
    fn statements(&mut self, statements: &[Statement], depth: usize) {
        for statement in statements {
            match statement {
                Statement::Production(production) => self.production(production, depth),
                Statement::Repeat(repeat) => self.repeat(repeat, depth),
            }
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.printed.text, "{:1$}{line}", "", 4 * depth);
    }

    fn mark(&mut self, place: &str) {
        self.printed.starts.push((self.printed.text.len(), place.to_owned()));
    }

    /// Starts a statement: a blank line, then its label.
    fn start(&mut self, depth: usize, place: &str, label: Option<&str>) {
        self.printed.text.push('\n');
        self.mark(place);
        if let Some(label) = label {
            self.line(depth, label.trim());
        }
    }

    fn production(&mut self, production: &Production, depth: usize) {
        let id = ProductionId::new(self.layers);
        self.layers += 1;
        // A setting holds until the next one, and cannot be unset. `false` means the same as no setting.
        let causal_attn = production.causal_attn.or(self.causal_attn.map(|_| CausalAttn::False));
        if let Some(setting) = causal_attn.filter(|_| causal_attn != self.causal_attn) {
            self.causal_attn = causal_attn;
            self.printed.text.push('\n');
            self.line(depth, &format!("causal_attn: {}", setting.as_str()));
        }
        let place = place_of(id, &self.heads);
        self.start(depth, &place, production.label.as_deref());
        let keyword = match production.select {
            Select::Leftmost => "where",
            Select::Rightmost => "where_rm",
        };
        let conditions = self.conditions(&production.conditions);
        self.line(depth, &format!("{keyword} {conditions}:"));
        for Assignment { target, source, .. } in &production.assignments {
            let line = format!("{}[N] = {}", register(self.program, *target), self.operand(*source));
            self.line(depth + 1, &line);
        }
    }

    fn repeat(&mut self, repeat: &Repeat, depth: usize) {
        self.repeats += 1;
        let place = format!("repeat block {}", self.repeats);
        self.start(depth, &place, repeat.label.as_deref());
        self.line(depth, "repeat:");
        self.statements(&repeat.body, depth + 1);
        self.mark(&place);
        let until = match &repeat.until {
            Until::NoChange => "NO_CHANGE".to_owned(),
            Until::Conditions(conditions) => self.conditions(conditions),
        };
        self.line(depth, &format!("until {until}"));
    }

    fn conditions(&self, conditions: &[Condition]) -> String {
        let conditions: Vec<String> = conditions.iter().map(|condition| self.condition(condition)).collect();
        conditions.join(" and ")
    }

    fn condition(&self, Condition { left, comparison, .. }: &Condition) -> String {
        let list = |constants: &[ConstantId]| {
            let names: Vec<String> = constants.iter().map(|&id| constant(self.program, id)).collect();
            names.join(", ")
        };
        let left = self.place(*left);
        match comparison {
            Comparison::Is(operand) => format!("{left} == {}", self.operand(*operand)),
            Comparison::IsNot(operand) => format!("{left} != {}", self.operand(*operand)),
            Comparison::In(constants) => format!("{left} in [{}]", list(constants)),
            Comparison::NotIn(constants) => format!("{left} not in [{}]", list(constants)),
        }
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(id) => constant(self.program, id),
            Operand::Register(place, None) => self.place(place),
            Operand::Register(place, Some(function)) => format!("{}@{}", self.place(place), function.as_str()),
        }
    }

    fn place(&self, CellRegister { register: id, cell }: CellRegister) -> String {
        let cell = match cell {
            Cell::Source => "n",
            Cell::Updated => "N",
        };
        format!("{}[{cell}]", register(self.program, id))
    }
}
