//! Programs as text in random layout: with any white space and comments between tokens, and in every equivalent
//! spelling.

use psl_syntax::program::{
    Assignment, CausalAttn, Cell, CellRegister, Comparison, Condition, Operand, Production, Program, Repeat, Select,
    Statement, Until,
};

use super::random::Random;

const LINE_ENDS: [&str; 3] = ["\n", "\r\n", "\r"];
const COMMENTS: [&str; 12] = [
    "#",
    "# a label",
    "// another\t ",
    "#@ allow non-causal",
    "#@ allow unknown-directive",
    "//@ allow unused-allow",
    "//@ allow never-read: as it is",
    "#@",
    "//é\u{a0}",
    "# x[N] = A",
    "#@@ // \"",
    "# # until NO_CHANGE  ",
];

/// The text of a program.
pub fn scattered(random: &mut Random, program: &Program) -> String {
    let mut writer = Writer { program, random, tokens: Vec::new(), open: 0, suffix: String::new() };
    writer.suffix = "_".repeat(writer.random.choose(&[0, 0, 1, 20, 40]));
    writer.program();
    let Writer { tokens, .. } = writer;
    scatter(random, &tokens)
}

/// Puts white space and comments between tokens.
fn scatter(random: &mut Random, tokens: &[String]) -> String {
    let wild = random.percent(70);
    let comments = random.choose(&[0, 2, 5, 40]);
    let mut text = random.choose(&["", "", "\u{feff}"]).to_owned();
    let mut before = "";
    for token in tokens.iter().map(String::as_str).chain([""]) {
        let starts = ["where", "repeat", "until", "causal_attn", "registers", "constants", "system", "watch", ""];
        let statement =
            starts.iter().any(|&word| if word.is_empty() { token.is_empty() } else { token.starts_with(word) });
        let mut separated = false;
        let lines = if statement { random.choose(&[0, 1, 1, 1, 2, 3]) } else { u64::from(wild && random.percent(20)) };
        for _ in 0..lines {
            text.push_str(random.choose(&LINE_ENDS));
            separated = true;
            text.push_str(random.choose(&["", "", "    ", "        ", "\t", "  "]));
        }
        while random.percent(if statement { 10 * comments.min(6) } else { comments }) {
            text.push_str(random.choose(&["", "", " ", "\t "]));
            text.push_str(random.choose(&COMMENTS));
            text.push_str(random.choose(&LINE_ENDS));
            if random.percent(20) {
                text.push_str(random.choose(&LINE_ENDS));
            }
            text.push_str(random.choose(&["", "", "    ", "        ", "\t", "  "]));
            separated = true;
        }
        if wild && random.percent(30) {
            text.push_str(random.choose(&[" ", "\t", "  ", "\u{b}", "\u{c}", " \r\n"]));
            separated = true;
        }
        let word = |char: char| char.is_ascii_alphanumeric() || "_-.".contains(char);
        if !separated && before.ends_with(word) && token.starts_with(word) {
            text.push(' ');
        }
        text.push_str(token);
        before = token;
    }
    text
}

struct Writer<'a> {
    program: &'a Program,
    random: &'a mut Random,
    tokens: Vec<String>,
    /// The number of open parentheses.
    open: usize,
    /// The end of every long name.
    suffix: String,
}

impl Writer<'_> {
    fn push(&mut self, token: &str) {
        self.tokens.push(token.to_owned());
    }

    fn all(&mut self, tokens: &[&str]) {
        for token in tokens {
            self.push(token);
        }
    }

    fn perhaps(&mut self, token: &str) {
        if self.random.percent(50) {
            self.push(token);
        }
    }

    fn quoted(&mut self, text: &str) {
        let quote = self.random.choose(&['\'', '"']);
        self.tokens.push(format!("{quote}{text}{quote}"));
    }

    fn name_or_quoted(&mut self, text: &str) {
        let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if plain && self.random.percent(70) { self.push(text) } else { self.quoted(text) }
    }

    fn register_name(&self, index: usize) -> String {
        format!("{}{}", self.program.registers.as_slice()[index].name, self.suffix)
    }

    fn constant_name(&self, index: usize) -> String {
        let name = &self.program.constants.as_slice()[index].name;
        if name.starts_with(|char: char| char.is_ascii_digit()) {
            name.clone()
        } else {
            format!("{name}{}", self.suffix)
        }
    }

    fn program(&mut self) {
        self.declare("registers", "{", "}", self.program.registers.len(), |writer, index| {
            writer.name_or_quoted(&writer.register_name(index));
            writer.push(":");
            let short = writer.program.registers.as_slice()[index].short.clone();
            writer.name_or_quoted(&short);
        });
        self.declare("constants", "{", "}", self.program.constants.len(), |writer, index| {
            writer.name_or_quoted(&writer.constant_name(index));
            writer.push(":");
            let value = writer.program.constants.as_slice()[index].value.clone();
            writer.quoted(&value);
        });
        let roles: Vec<_> =
            self.program.roles.iter().filter_map(|(name, register)| Some((name, register?.0 as usize))).collect();
        self.declare("system", "{", "}", roles.len(), |writer, index| {
            let (role, register) = roles[index];
            let register = writer.register_name(register);
            writer.all(&[role, ":", &register]);
        });
        let watched = self.random.below(4) as usize;
        self.declare("watch", "[", "]", watched, |writer, index| {
            let register = writer.register_name(index);
            writer.push(&register);
        });
        for statement in &self.program.statements {
            self.statement(statement);
        }
    }

    fn declare(&mut self, keyword: &str, open: &str, close: &str, count: usize, entry: impl Fn(&mut Self, usize)) {
        self.push(keyword);
        self.perhaps(":");
        self.push(open);
        self.list(count, entry);
        self.push(close);
    }

    fn list(&mut self, count: usize, entry: impl Fn(&mut Self, usize)) {
        for index in 0..count {
            entry(self, index);
            if index + 1 < count {
                self.push(",");
            } else {
                self.perhaps(",");
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Production(production) => self.production(production),
            Statement::Repeat(Repeat { body, until, .. }) => {
                self.push("repeat");
                self.perhaps(":");
                for statement in body {
                    self.statement(statement);
                }
                self.push("until");
                match until {
                    Until::NoChange => self.push("NO_CHANGE"),
                    Until::Conditions(conditions) => self.conditions(conditions),
                }
            }
        }
    }

    fn production(&mut self, production: &Production) {
        if let Some(causal_attn) = production.causal_attn {
            let value = match causal_attn {
                CausalAttn::True => "TRUE",
                CausalAttn::False => "false",
                CausalAttn::Reverse => "reverse",
            };
            self.all(&["causal_attn", ":", value]);
        }
        let keyword = match production.select {
            Select::Leftmost => self.random.choose(&["where", "where_lm"]),
            Select::Rightmost => "where_rm",
        };
        self.push(keyword);
        self.conditions(&production.conditions);
        self.push(":");
        for Assignment { target, source, .. } in &production.assignments {
            self.place(CellRegister { register: *target, cell: Cell::Updated });
            self.push("=");
            self.operand(source);
        }
    }

    fn conditions(&mut self, conditions: &[Condition]) {
        for (index, condition) in conditions.iter().enumerate() {
            if index > 0 {
                self.push("and");
            }
            while self.random.percent(20) {
                self.push("(");
                self.open += 1;
            }
            self.condition(condition);
            while self.open > 0 && (index + 1 == conditions.len() || self.random.percent(50)) {
                self.push(")");
                self.open -= 1;
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.place(condition.left);
        let (operator, list) = match &condition.comparison {
            Comparison::Is(right) | Comparison::IsNot(right) => {
                self.push(if matches!(condition.comparison, Comparison::Is(_)) { "==" } else { "!=" });
                return self.operand(right);
            }
            Comparison::In(list) => (&["in", "["][..], list),
            Comparison::NotIn(list) => (&["not", "in", "["][..], list),
        };
        self.all(operator);
        self.list(list.len(), |writer, index| {
            let name = writer.constant_name(list[index].0 as usize);
            writer.name_or_quoted(&name);
        });
        self.push("]");
    }

    fn place(&mut self, place: CellRegister) {
        let name = self.register_name(place.register.0 as usize);
        let cell = if place.cell == Cell::Source { "n" } else { "N" };
        self.all(&[&name, "[", cell, "]"]);
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Constant(id) => {
                let name = self.constant_name(id.0 as usize);
                self.name_or_quoted(&name);
            }
            Operand::Register(place, function) => {
                self.place(*place);
                if let Some(function) = function {
                    self.all(&["@", function.as_str()]);
                }
            }
        }
    }
}
