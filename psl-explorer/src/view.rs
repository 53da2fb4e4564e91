//! A run with its program: values as text, registers by name, and spans as the page counts them.

use psl_program::Runner;
use psl_runtime::{
    ValueId,
    record::{RecordedRun, Row},
};
use psl_syntax::{
    Program, Span,
    program::{Production, RegisterId},
};

use crate::{
    no_answer::NoAnswer,
    positions::{LineSpan, Positions},
};

#[derive(Clone, Copy)]
pub struct View<'a> {
    pub runner: &'a Runner,
    pub text: &'a str,
    pub positions: &'a Positions,
    pub run: &'a RecordedRun,
}

impl<'a> View<'a> {
    pub fn program(&self) -> &'a Program {
        &self.runner.executable().program
    }

    /// The text of a value.
    pub fn value(&self, value: Option<ValueId>) -> Option<&'a str> {
        self.run.vocabulary().text(value?)
    }

    /// The value of each register of a cell at a time.
    pub fn state(&self, cell: usize, time: usize) -> Vec<Option<&'a str>> {
        self.run.state(cell, time).into_iter().map(|value| self.value(value)).collect()
    }

    /// The long name of a register.
    pub fn register(&self, register: RegisterId) -> &'a str {
        &self.program().registers[register].name
    }

    /// Returns a row of the run.
    ///
    /// # Errors
    ///
    /// Fails if the row is unknown.
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

    pub fn line_span(&self, span: Span) -> LineSpan {
        self.positions.line_span(span)
    }

    /// The part of a range of rows that the run has.
    pub fn rows_in(&self, (start, end): (usize, usize)) -> std::ops::Range<usize> {
        let last = self.run.rows().len();
        start.min(last)..end.clamp(start.min(last), last)
    }

    /// The part of a range of cells that the run has.
    pub fn cells_in(&self, (start, end): (usize, usize)) -> std::ops::Range<usize> {
        let past = self.run.cells() + 1;
        let start = start.clamp(1, past);
        start..end.clamp(start, past)
    }
}
