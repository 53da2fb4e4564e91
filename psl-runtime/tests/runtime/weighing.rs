//! Table (72), instruction by instruction.

use psl_runtime::{
    Executable, Options, Vocabulary,
    qkvl::{self, Function},
    weights,
    weights::{Affine, Kind, WeightsBlock, describe},
};

use crate::common::{program, task, text};

const HEAD: &str = "registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B}
system: {symbol: symbol, position: position, output: symbol}
";

/// Checks the kinds in q, k and v of a production, and the sizes of their blocks and biases as `block/bias`. d is 7: A,
/// B, EOP and the positions 0 to 3.
fn check(production: &str, expected: &[(Kind, &str)]) {
    let executable = Executable::new(program(&format!("{HEAD}{production}")));
    let task = task(&executable, "A", &Options { max_new: Some(1), ..Options::default() });
    let info = describe(executable.qkvl().layers()[0], &task.vocabulary);
    assert_eq!(info.iter().map(|info| info.dimension).collect::<Vec<_>>(), vec![7; expected.len()]);
    let found: Vec<_> =
        info.iter().map(|info| (info.kind, format!("{}/{}", info.block_nonzero, info.bias_nonzero))).collect();
    let expected: Vec<_> = expected.iter().map(|&(kind, sizes)| (kind, sizes.to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn each_instruction_has_its_form() {
    use Kind::{Identity, ManyHot, ManyHotComplement, OneHot, OnesComplement, OnesMinus, Shift};
    let decrement = Function::PosDecrement;
    check("where symbol[n] == symbol[N]: mark[N] = A", &[(Identity, "7/0"), (Identity, "7/0"), (OneHot, "0/1")]);
    check(
        "where position[n] == position[N]@pos_decrement: mark[N] = symbol[n]",
        &[(Shift(decrement), "3/0"), (Identity, "7/0"), (Identity, "7/0")],
    );
    check("where symbol[n] != A: mark[N] = B", &[(OnesComplement, "0/6"), (Identity, "7/0"), (OneHot, "0/1")]);
    check(
        "where symbol[n] != mark[N]: mark[N] = symbol[n]",
        &[(OnesMinus(None), "7/7"), (Identity, "7/0"), (Identity, "7/0")],
    );
    check(
        "where symbol[n] != mark[N]@pos_decrement: mark[N] = symbol[n]",
        &[(OnesMinus(Some(decrement)), "3/7"), (Identity, "7/0"), (Identity, "7/0")],
    );
    check("where symbol[n] in [A, B, A]: mark[N] = A", &[(ManyHot, "0/2"), (Identity, "7/0"), (OneHot, "0/1")]);
    check(
        "where symbol[n] not in [A, B]: mark[N] = A",
        &[(ManyHotComplement, "0/5"), (Identity, "7/0"), (OneHot, "0/1")],
    );
}

/// The dense d x d block from one register to another, row by row.
fn dense(affine: &Affine, index: usize) -> Vec<Vec<f32>> {
    let matrix = &affine.weights[index].matrix;
    let rows = (0..matrix.rows()).map(|row| {
        let mut dense = vec![0.0; matrix.rows()];
        for &(column, value) in matrix.row(row) {
            dense[column as usize] = value;
        }
        dense
    });
    rows.collect()
}

#[test]
fn pos_decrement_shifts_the_positions_by_one() {
    let executable =
        Executable::new(program(&format!("{HEAD}where position[n] == position[N]@pos_decrement: mark[N] = A")));
    let task = task(&executable, "A", &Options { max_new: Some(1), ..Options::default() });
    let weights = weights(executable.qkvl(), &task.vocabulary);
    let WeightsBlock::Layer(layer) = &weights.blocks[0] else { panic!("no layer") };
    let shift = dense(&layer.matching.query, 0);
    let positions: Vec<usize> = weights.positions.iter().map(|&position| position as usize).collect();
    for (row, entries) in shift.iter().enumerate() {
        for (column, &entry) in entries.iter().enumerate() {
            let down = positions.windows(2).any(|pair| (pair[1], pair[0]) == (row, column));
            assert_eq!(entry > 0.5, down, "from component {row} to {column}");
        }
    }
    assert_eq!(weights.registers, ["s", "p", "m", "p`"]);
    assert_eq!((weights.state_registers, layer.matching.count), (3, 1));
}

#[test]
fn the_references_pargen_has_28_registers() {
    let program = qkvl::Program::from_json(&text("golden/qkvl/pargen.json")).unwrap();
    let vocabulary = Vocabulary::new(&program.constants(), &["A"], 16);
    let weights = weights(&program, &vocabulary);
    assert_eq!(program.layers().len(), 31);
    assert_eq!((weights.registers.len(), weights.state_registers), (28, 18));
}
