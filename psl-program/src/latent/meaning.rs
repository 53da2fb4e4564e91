//! The meaning of a code in words.

use psl_syntax::program::{
    Assignment, Cell, CellRegister, ConstantId, Function, Operand, Production, Program, RegisterId,
};

/// Returns the effect of a code, from the productions that it selects, such as
/// `copies region from n to prev_region, sets mark to A`.
pub fn meaning<'p>(program: &Program, selected: impl IntoIterator<Item = &'p Production>) -> String {
    let assignments = selected.into_iter().flat_map(|production| &production.assignments);
    assignments.map(|assignment| effect(program, assignment)).collect::<Vec<_>>().join(", ")
}

fn effect(program: &Program, Assignment { target, source, .. }: &Assignment) -> String {
    let written = register(program, *target);
    match source {
        Operand::Constant(id) => format!("sets {written} to {}", constant(program, *id)),
        Operand::Register(CellRegister { register: read, cell }, function) => {
            let copies = format!("copies {}{}", register(program, *read), moved(*function));
            // A production that does not bind n attends to N.
            let from = if *cell == Cell::Source { " from n" } else { "" };
            if read == target { format!("{copies}{from}") } else { format!("{copies}{from} to {written}") }
        }
    }
}

fn register(program: &Program, id: RegisterId) -> &str {
    &program.registers[id].name
}

fn constant(program: &Program, id: ConstantId) -> &str {
    &program.constants[id].name
}

const fn moved(function: Option<Function>) -> &'static str {
    match function {
        None => "",
        Some(Function::PosIncrement) => " plus 1",
        Some(Function::PosDecrement) => " minus 1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    fn check(productions: &str, expected: &str) {
        let file = file(&format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm', side: 'd', link: 'l'}}\nconstants: {{A, SPACE: ' '}}\n\
             {productions}\n"
        ));
        let program = file.program();
        assert_eq!(meaning(program, program.productions()), expected, "{productions}");
    }

    #[test]
    fn each_assignment_has_its_words() {
        check(
            "where symbol[n] == A:\n    mark[N] = side[n]\n    symbol[N] = symbol[n]\n    side[N] = SPACE",
            "copies side from n to mark, copies symbol from n, sets side to SPACE",
        );
        check(
            "where symbol[n] == A:\n    link[N] = position[n]@pos_increment\n    mark[N] = position[n]@pos_decrement",
            "copies position plus 1 from n to link, copies position minus 1 from n to mark",
        );
        check("where symbol[N] == A:\n    link[N] = link[N]@pos_increment", "copies link plus 1");
        check("where symbol[N] == A:\n    mark[N] = side[N]", "copies side to mark");
    }

    #[test]
    fn a_code_of_several_heads_has_their_words_in_turn() {
        check(
            "where symbol[n] == A:\n    mark[N] = symbol[n]\nwhere symbol[n] == A:\n    side[N] = A",
            "copies symbol from n to mark, sets side to A",
        );
    }
}
