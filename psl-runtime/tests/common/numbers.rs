//! Ids by the numbers that people see.

use psl_runtime::CellId;
use psl_syntax::program::ProductionId;

pub fn cell(number: usize) -> CellId {
    CellId::of_number(number).expect("a number from 1 on")
}

pub fn layer(number: usize) -> ProductionId {
    ProductionId::of_number(number).expect("a number from 1 on")
}
