//! A run with its program, and their names.

use psl_program::Runner;
use psl_record::{RecordedRun, Row};
use psl_runtime::ValueId;
use psl_syntax::{
    Program, Span,
    program::{Production, RegisterId},
};

use crate::{
    no_answer::NoAnswer,
    positions::{LineSpan, Positions},
};

/// A run with its program.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The compiled program.
    pub runner: &'a Runner,
    /// The text of the program.
    pub text: &'a str,
    /// The positions in the text.
    pub positions: &'a Positions,
    /// The run.
    pub run: &'a RecordedRun,
}

impl<'a> View<'a> {
    /// The program.
    pub fn program(&self) -> &'a Program {
        &self.runner.executable().program
    }

    /// The text of a value.
    pub fn value(&self, value: Option<ValueId>) -> Option<&'a str> {
        self.run.vocabulary().text(value?)
    }

    /// The texts of the registers of a cell at a time.
    pub fn state(&self, cell: usize, time: usize) -> Vec<Option<&'a str>> {
        self.run.state(cell, time).into_iter().map(|value| self.value(value)).collect()
    }

    /// The long name of a register.
    pub fn register(&self, register: RegisterId) -> &'a str {
        self.program().register(register).map_or("?", |register| &register.name)
    }

    /// A row of the run.
    ///
    /// # Errors
    ///
    /// An unknown row.
    pub fn row(&self, row: usize) -> Result<&'a Row, NoAnswer> {
        self.run.rows().get(row).ok_or(NoAnswer::UnknownRow(row))
    }

    /// Returns an error if the run lacks the cell.
    pub fn check_cell(&self, cell: usize) -> Result<(), NoAnswer> {
        let known = (1..=self.run.cells()).contains(&cell);
        if known { Ok(()) } else { Err(NoAnswer::UnknownCell(cell)) }
    }

    /// The production of a row.
    pub fn production(&self, row: usize) -> Option<&'a Production> {
        let layer = self.row(row).ok()?.layer;
        self.program().productions().get(layer.checked_sub(1)?).copied()
    }

    /// The text of a span.
    pub fn written(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// The place of a span.
    pub fn place(&self, span: Span) -> LineSpan {
        self.positions.place(span)
    }

    /// The part of a range that exists.
    pub fn rows_in(&self, (start, end): (usize, usize)) -> std::ops::Range<usize> {
        let last = self.run.rows().len();
        start.min(last)..end.clamp(start.min(last), last)
    }

    /// The part of a range of cells that exists.
    pub fn cells_in(&self, (start, end): (usize, usize)) -> std::ops::Range<usize> {
        let past = self.run.cells() + 1;
        let start = start.clamp(1, past);
        start..end.clamp(start, past)
    }
}
