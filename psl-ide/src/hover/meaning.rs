//! The meaning of a production as a sentence.

use psl_syntax::program::{
    CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production, Program,
    RegisterId, Select,
};

use crate::markdown::code;

/// Returns the effect of a production as a sentence, such as "Each cell `N` whose `mark` is `A` sets its `symbol` to
/// `B`."
pub fn meaning(program: &Program, production: &Production) -> String {
    let words = Words(program);
    let about = |cell: Cell| {
        let about_n = production.conditions.iter().filter(|it| it.mentions_n() == (cell == Cell::Source));
        let conditions: Vec<String> = about_n.map(|condition| words.condition(condition, cell)).collect();
        if conditions.is_empty() { String::new() } else { format!(" whose {}", conditions.join(" and whose ")) }
    };
    let assignments: Vec<String> = production
        .assignments
        .iter()
        .map(|it| format!("its {} to {}", words.register(it.target), words.operand(&it.source, Cell::Updated)))
        .collect();
    let sets = format!("sets {}", listed(&assignments, "and"));
    let updated = format!("Each cell `N`{}", about(Cell::Updated));
    if !production.binds_n() {
        return format!("{updated} {sets}.");
    }
    let which = match production.select {
        Select::Leftmost => "leftmost",
        Select::Rightmost => "rightmost",
    };
    let side = match production.causal_attn {
        Some(CausalAttn::True) => ", up to itself,",
        Some(CausalAttn::Reverse) => ", from itself on,",
        Some(CausalAttn::False) | None => "",
    };
    format!("{updated} attends to the {which} cell `n`{side}{}, and {sets}.", about(Cell::Source))
}

struct Words<'p>(&'p Program);

impl Words<'_> {
    /// A condition about a cell, to follow "whose".
    fn condition(&self, condition: &Condition, cell: Cell) -> String {
        let left = Operand::Register(condition.left, None);
        match &condition.comparison {
            Comparison::In(list) => format!("{} is {}", self.own(&left), listed(&self.constants(list), "or")),
            Comparison::NotIn(list) => format!("{} is not {}", self.own(&left), listed(&self.constants(list), "or")),
            Comparison::Is(right) => self.compared(&left, right, cell, ["is", "equals"]),
            Comparison::IsNot(right) => self.compared(&left, right, cell, ["is not", "differs from"]),
        }
    }

    fn compared(&self, left: &Operand, right: &Operand, cell: Cell, [is, equals]: [&str; 2]) -> String {
        match right.register() {
            None => format!("{} {is} {}", self.own(left), self.operand(right, cell)),
            // The sentence is about `n`, which is on the right.
            Some(_) if left.register().is_some_and(|left| left.cell != cell) => {
                format!("{} {equals} {}", self.own(right), self.operand(left, cell))
            }
            Some(_) => format!("{} {equals} {}", self.own(left), self.operand(right, cell)),
        }
    }

    /// An operand of the cell that the sentence is about, after "whose".
    fn own(&self, operand: &Operand) -> String {
        match operand {
            Operand::Constant(id) => self.constant(*id),
            Operand::Register(CellRegister { register, .. }, function) => {
                format!("{}{}", self.register(*register), moved(*function))
            }
        }
    }

    /// An operand of any cell, in a sentence about `cell`.
    fn operand(&self, operand: &Operand, cell: Cell) -> String {
        match operand {
            Operand::Constant(id) => self.constant(*id),
            Operand::Register(place, function) => {
                let name = self.register(place.register);
                let place = match place.cell {
                    own if own == cell => format!("its {name}"),
                    Cell::Source => format!("the {name} of `n`"),
                    Cell::Updated => format!("the {name} of `N`"),
                };
                format!("{place}{}", moved(*function))
            }
        }
    }

    fn register(&self, id: RegisterId) -> String {
        code(&self.0.registers[id].name)
    }

    fn constant(&self, id: ConstantId) -> String {
        code(&self.0.constants[id].name)
    }

    fn constants(&self, list: &[ConstantId]) -> Vec<String> {
        list.iter().map(|id| self.constant(*id)).collect()
    }
}

const fn moved(function: Option<Function>) -> &'static str {
    match function {
        None => "",
        Some(Function::PosIncrement) => " plus 1",
        Some(Function::PosDecrement) => " minus 1",
    }
}

/// Joins parts as `a, b and c`.
fn listed(parts: &[String], last: &str) -> String {
    match parts {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    fn check(production: &str, expected: &str) {
        let file = file(&format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm', side: 'd'}}\nconstants: {{A, B, C}}\n{production}\n"
        ));
        let program = file.program();
        let found: Vec<String> = program.productions().into_iter().map(|it| meaning(program, it)).collect();
        assert_eq!(found, [expected], "{production}");
    }

    #[test]
    fn a_cell_that_attends_to_itself() {
        check("where symbol[N] == A: mark[N] = B", "Each cell `N` whose `symbol` is `A` sets its `mark` to `B`.");
        check(
            "where symbol[N] in [A, B, C] and mark[N] != A:\n    mark[N] = symbol[N]\n    side[N] = A",
            "Each cell `N` whose `symbol` is `A`, `B` or `C` and whose `mark` is not `A` sets its `mark` to its `symbol` and its \
             `side` to `A`.",
        );
        check(
            "where mark[N] != side[N]: mark[N] = side[N]",
            "Each cell `N` whose `mark` differs from its `side` sets its `mark` to its `side`.",
        );
    }

    #[test]
    fn a_cell_that_attends_to_another() {
        check(
            "where position[n] == position[N]@pos_decrement: mark[N] = symbol[n]",
            "Each cell `N` attends to the leftmost cell `n` whose `position` equals the `position` of `N` minus 1, and sets its \
             `mark` to the `symbol` of `n`.",
        );
        check(
            "where_rm symbol[n] not in [A, B] and side[N] == C: mark[N] = mark[n]",
            "Each cell `N` whose `side` is `C` attends to the rightmost cell `n` whose `symbol` is not `A` or `B`, and sets its \
             `mark` to the `mark` of `n`.",
        );
        check(
            "where position[N] == position[n]@pos_increment and symbol[n] == mark[N]: mark[N] = symbol[N]",
            "Each cell `N` attends to the leftmost cell `n` whose `position` plus 1 equals the `position` of `N` and whose \
             `symbol` equals the `mark` of `N`, and sets its `mark` to its `symbol`.",
        );
        check(
            "causal_attn: true\nwhere symbol[n] == A: mark[N] = A",
            "Each cell `N` attends to the leftmost cell `n`, up to itself, whose `symbol` is `A`, and sets its `mark` to `A`.",
        );
    }
}
