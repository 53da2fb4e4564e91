//! The parse in a program's registers, as in section 5.2 of the paper: a tree (35), and tables (36), (39), (44).
//!
//! The pictures exist for programs with registers named `region` and `field`. In the last cell of the prompt and in
//! each generated cell, such a program replaces the symbol with the next one. The pictures show these cells before
//! that.

mod generation;
mod generation_table;
mod parse_registers;
mod parse_table;
mod parse_tables;
mod parse_tree;

pub use parse_table::ParseTable;
pub use parse_tables::parse_tables;
pub use parse_tree::{ParseNode, parse_tree};

#[cfg(test)]
#[allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use psl_program::Progress;
    use psl_runtime::{
        MachineKind, Options,
        record::{RecordedRun, Time},
    };
    use psl_syntax::Program;

    use super::{parse_table::ParseCell, *};
    use crate::fixture::file;

    /// The prompt of (27a).
    const PROMPT: &str = "Q B C V D E A D E V B C Q F G V J K L A";

    const PASSIVE: &str = "Q x V y A y Was V By x . Q u V w A";

    /// (36), with the cells generated after it.
    const PARSE: &str = r"Parse
region   XQ   XQ   XQ   XQ   XQ   XQ   XA   XA   XA   XA   XA   XA   CQ   CQ   CQ   CQ   CQ   CQ   CQ   CA   CA   CA   CA   CA   CA
field    FQ   2    2    4    5    5    FA   5    5    4    2    2    FQ   2    2    4    5    5    5    FA   5    5    5    4    2
symbol   Q    B    C    V    D    E    A    D    E    V    B    C    Q    F    G    V    J    K    L    A    J    K    L    V    F
position 1    2    3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18   19   20   21   22   23   24   25
index    0    0    1    0    0    1    0    0    1    0    0    1    0    0    1    0    0    1    1    0    0    1    1    0    0";

    /// (39).
    const CONTFIELD: &str = r"Cell 21 generates `K`: G1: continue the current field as in CQ
region   XQ   XQ   XQ   XQ   XQ   XQ   XA   XA   XA   XA   XA   XA   CQ   CQ   CQ   CQ   CQ   [CQ] CQ   CA   CA   [CA]
field    FQ   2    2    4    5    5    FA   5    5    4    2    2    FQ   2    2    4    [5]  [5]  5    FA   [5]  [5]
symbol   Q    B    C    V    D    E    A    D    E    V    B    C    Q    F    G    V    [J]  [K]  L    A    [J]  [K]
position 1    2    3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18   19   20   21   22
index    0    0    1    0    0    1    0    0    1    0    0    1    0    0    1    0    0    [1]  1    0    0    [1]
         -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    n1   n    -    -    N    -";

    /// (44).
    const NEXTFIELD: &str = r"Cell 23 generates `V`: G2: otherwise find the next field in XA; G3: start it with its first symbol in CQ
region   XQ   XQ   XQ   XQ   XQ   XQ   XA   XA   [XA] [XA] XA   XA   CQ   CQ   CQ   [CQ] CQ   CQ   CQ   CA   CA   CA   CA   [CA]
field    FQ   2    2    4    5    5    FA   5    [5]  [4]  2    2    FQ   2    2    [4]  5    5    5    FA   5    5    [5]  [4]
symbol   Q    B    C    V    D    E    A    D    E    V    B    C    Q    F    G    [V]  J    K    L    A    J    K    L    [V]
position 1    2    3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18   19   20   21   22   23   24
index    0    0    1    0    0    1    0    0    1    [0]  0    1    0    0    1    [0]  0    1    1    0    0    1    1    [0]
         -    -    -    -    -    -    -    -    n1   n2   -    -    -    -    -    n    -    -    -    -    -    -    N    -";

    /// `Was` occurs only in the answer of the example.
    const DELIMITER: &str = r"Cell 17 generates `Was`: G2: otherwise find the next field in XA; G3': or, if CQ does not have this field, with its first symbol in XA
region   XQ   XQ   XQ   XQ   XA   [XA] [XA] XA   XA   XA   XA   CQ   CQ   CQ   CQ   CA   CA   [CA]
field    FQ   2    3    4    FA   [4]  [7]  3    9    2    11   FQ   2    3    4    FA   [4]  [7]
symbol   Q    x    V    y    A    y    [Was] V    By   x    .    Q    u    V    w    A    w    [Was]
position 1    2    3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18
index    0    0    0    0    0    0    [0]  0    0    0    0    0    0    0    0    0    0    [0]
         -    -    -    -    -    n1   n    -    -    -    -    -    -    -    -    -    N    -";

    /// Runs PARGEN on a prompt, for up to 6 symbols.
    fn pargen<T>(prompt: &str, show: impl FnOnce(&Program, &RecordedRun) -> T) -> T {
        let file = file(include_str!("../../examples/pargen.psl"));
        let runner = file.runner().expect("it compiles");
        let options = runner.options(&Options { max_new: Some(6), ..Options::default() });
        let task = runner.task_with(prompt, &options).expect("a task");
        let run = runner.record(task, MachineKind::Psm, &Progress::default());
        show(&runner.executable().program, &run)
    }

    /// The rows of a table, with marked entries in brackets.
    fn draw(table: &ParseTable) -> String {
        let mut lines = vec![table.title.clone()];
        for row in &table.rows {
            let entry = |cell: &ParseCell| {
                let value = cell.value.as_deref().unwrap_or("-");
                if cell.marked { format!("[{value}]") } else { value.to_owned() }
            };
            let cells: Vec<String> = row.cells.iter().map(|cell| format!("{:4}", entry(cell))).collect();
            lines.push(format!("{:9}{}", row.register, cells.join(" ")).trim_end().to_owned());
        }
        lines.join("\n")
    }

    fn draw_tree(node: &ParseNode) -> String {
        let children: Vec<String> = node.children.iter().map(draw_tree).collect();
        if children.is_empty() { node.label.clone() } else { format!("{}({})", node.label, children.join(" ")) }
    }

    /// The tables for a cell, with the parse at the last time.
    fn tables(prompt: &str, cell: Option<usize>) -> Vec<String> {
        pargen(prompt, |program, run| {
            let tables = parse_tables(program, run, run.end(), cell);
            tables.iter().map(draw).collect()
        })
    }

    /// The paper names the fields of its prompt F1, FV and F2. PARGEN names a field by the position where it starts: 2,
    /// 4 and 5.
    #[test]
    fn the_tree_of_the_paper() {
        let [start, end] = pargen(PROMPT, |program, run| {
            [Time::START, run.end()].map(|time| draw_tree(&parse_tree(program, run, time).expect("a tree")))
        });
        assert_eq!(
            end,
            "S(XQ(FQ(Q) 2(B C) 4(V) 5(D E)) XA(FA(A) 5(D E) 4(V) 2(B C)) CQ(FQ(Q) 2(F G) 4(V) 5(J K L)) \
             CA(FA(A) 5(J K L) 4(V) 2(F)))"
        );
        assert_eq!(start, "S(Q B C V D E A D E V B C Q F G V J K L A CA(5(J K L) 4(V) 2(F)))");
    }

    #[test]
    fn each_node_of_a_tree_consists_of_its_children() {
        fn check(node: &ParseNode) {
            let mut next = node.first;
            for child in &node.children {
                assert_eq!(child.first, next, "{node:?}");
                next = child.last + 1;
                check(child);
            }
            let is_symbol = node.children.is_empty() && node.first == node.last;
            assert!(is_symbol || next == node.last + 1, "{node:?}");
        }
        pargen(PROMPT, |program, run| {
            for time in 0..=run.rows().len() {
                let tree = parse_tree(program, run, Time::new(time)).expect("a tree");
                assert_eq!((tree.first, tree.last), (1, run.cells()), "time {time}");
                check(&tree);
            }
        });
    }

    #[test]
    fn the_tables_of_the_paper() {
        assert_eq!(tables(PROMPT, Some(21)), [PARSE, CONTFIELD]);
        assert_eq!(tables(PROMPT, Some(23)), [PARSE, NEXTFIELD]);
    }

    #[test]
    fn a_delimiter_of_the_answer_comes_from_the_example() {
        assert_eq!(tables(PASSIVE, Some(17))[1], DELIMITER);
    }

    #[test]
    fn without_a_cell_each_combination_of_layers_has_one_table() {
        let titles = pargen(PASSIVE, |program, run| {
            let tables = parse_tables(program, run, Time::START, None);
            tables.into_iter().map(|table| table.title).collect::<Vec<_>>()
        });
        assert_eq!(
            titles,
            [
                "Parse",
                "Cell 16 generates `w`: G2: otherwise find the next field in XA; G3: start it with its first symbol in CQ",
                "Cell 17 generates `Was`: G2: otherwise find the next field in XA; G3': or, if CQ does not have this \
                 field, with its first symbol in XA",
            ]
        );
    }

    #[test]
    fn a_cell_that_generates_no_symbol_has_no_table() {
        for cell in [0, 1, 19, 1000] {
            assert_eq!(tables(PROMPT, Some(cell)).len(), 1, "cell {cell}");
        }
    }

    #[test]
    fn a_program_without_these_registers_has_no_pictures() {
        let file = file(include_str!("../../examples/induction.psl"));
        let runner = file.runner().expect("it compiles");
        let run = runner.record(runner.task("a b a").expect("a task"), MachineKind::Psm, &Progress::default());
        let program = &runner.executable().program;
        assert_eq!(parse_tree(program, &run, Time::START), None);
        assert_eq!(parse_tables(program, &run, Time::START, None), []);
    }
}
