//! A run with its program: values as text, registers by name, and spans as the page counts them.

use std::ops::Range;

use psl_program::Runner;
use psl_runtime::{
    CellId, ValueId,
    record::{RecordedRun, Row, RowId, Time},
};
use psl_syntax::{
    Program, SourceText, Span,
    program::{Production, RegisterId},
};

use crate::{no_answer::NoAnswer, positions::LineSpan};

#[derive(Clone, Copy)]
pub struct View<'a> {
    pub runner: &'a Runner,
    pub text: &'a SourceText,
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
    pub fn state(&self, cell: CellId, time: Time) -> Vec<Option<&'a str>> {
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
    pub fn row(&self, row: usize) -> Result<(RowId, &'a Row), NoAnswer> {
        let id = RowId::new(row);
        Ok((id, self.run.rows().find(id).ok_or(NoAnswer::UnknownRow(row))?))
    }

    /// Returns the cell with a number.
    ///
    /// # Errors
    ///
    /// Fails if the run lacks the cell.
    pub fn cell(&self, number: usize) -> Result<CellId, NoAnswer> {
        let cell = CellId::of_number(number).filter(|cell| cell.index() < self.run.cells());
        cell.ok_or(NoAnswer::UnknownCell(number))
    }

    /// The production of a row.
    pub fn production(&self, row: RowId) -> Option<&'a Production> {
        self.program().productions().find(self.run.rows()[row].layer).copied()
    }

    /// The text of a span.
    pub fn written(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    pub fn line_span(&self, span: Span) -> LineSpan {
        LineSpan::new(self.text.line_index(), span)
    }

    /// The part of a range of rows that the run has.
    pub fn rows_in(&self, (start, end): (usize, usize)) -> Range<usize> {
        let last = self.run.rows().len();
        start.min(last)..end.clamp(start.min(last), last)
    }

    /// The part of a range of cells, by their numbers, that the run has.
    pub fn cells_in(&self, (start, end): (usize, usize)) -> Range<CellId> {
        let past = CellId::new(self.run.cells());
        let start = CellId::of_number(start).unwrap_or(CellId::new(0)).min(past);
        start..CellId::of_number(end).unwrap_or(start).clamp(start, past)
    }
}
