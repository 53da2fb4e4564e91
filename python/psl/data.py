"""The answers of programs and runs, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import int32
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Diagnostic:
    """A report about a place in a program, as of `psl check`."""

    line: int
    """The line, 1-based."""
    column: int
    """The column in characters, 1-based."""
    end_line: int
    """The line of the end, 1-based."""
    end_column: int
    """The column after the end, 1-based."""
    severity: str
    """`error`, `warning`, `info` or `hint`."""
    code: str
    """The code: `psl explain CODE` shows its page."""
    message: str
    """The problem, in one clause."""
    help: str | None
    """Advice on what to do."""

    def __str__(self) -> str:
        report = f"{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"
        return f"{report}\n  help: {self.help}" if self.help else report


class Diagnostics(list[Diagnostic]):
    """A list of diagnostics, which Jupyter shows as a table."""

    def _repr_html_(self) -> str:
        from .html import diagnostics

        return diagnostics(self)


@dataclass(frozen=True)
class TestResult:
    """The outcome of a `//@ test` line, as of `psl test`."""

    __test__ = False

    name: str | None
    """The name, or `None` for a test without one."""
    line: int
    """The line of the test, 1-based."""
    expected: str
    """The expected continuation."""
    got: str | None
    """The continuation, or `None` if the run failed."""
    passed: bool
    """Whether the two are equal."""
    message: str
    """The difference, or the reason why the run failed. Empty if the test passes."""


class TestResults(list[TestResult]):
    """A list of results, which Jupyter shows as a table."""

    __test__ = False

    def _repr_html_(self) -> str:
        from .html import results

        return results(self)


@dataclass(frozen=True, eq=False)
class Changes:
    """The changes of a recorded run as columns, in the order of the rows, then of the cells and registers.

    All columns are arrays of int32 of shape [changes], except `pass_`.
    """

    row: NDArray[int32]
    """The row of `Run.states` with the new value, from 1. The row before has the old one."""
    layer: NDArray[int32]
    """The layer, 1-based."""
    pass_: NDArray[int32]
    """The passes of the enclosing repeat blocks, outermost first, each 1-based: [changes, depth], padded with 0."""
    cell: NDArray[int32]
    """The cell, 1-based."""
    register: NDArray[int32]
    """The index of the register in `Run.registers`."""
    before: NDArray[int32]
    """The index of the old value in `Run.values`, or -1 for null."""
    after: NDArray[int32]
    """The index of the new value in `Run.values`."""


@dataclass(frozen=True)
class Condition:
    """A condition of a production, tested for a cell `N` and a cell `n`."""

    text: str
    """The condition, as written."""
    left: str | None
    """The value on its left side, or `None` for null."""
    holds: bool
    """Whether it holds."""


@dataclass(frozen=True)
class Why:
    """The reason why a layer attended to a cell, or did not."""

    attends: int | None
    """The cell attended to, 1-based, or `None` if the layer did not fire."""
    matches: list[int]
    """The cells that meet all conditions, 1-based."""
    source: int
    """The cell `n` of the conditions below, 1-based."""
    visible: bool
    """Whether the layer can attend to `n`."""
    conditions: list[Condition]
    """The conditions in the order of the program. Empty if `n` does not exist at this row."""


@dataclass(frozen=True)
class Link:
    """A step on the way of a value."""

    register: str
    """The long name of the register."""
    cell: int
    """The cell, 1-based."""
    row: int
    """The row of `Run.states` at which the register has the value."""
    value: str | None
    """The value, or `None` for null."""
    kind: str
    """`assigned` or `moved` from the next link, `copied` from the cell before, or the origin: `constant`, `prompt`, `machine` or
    `null`."""
    written: int | None
    """The first row of `Run.states` with the value, or `None` if the cell started with it."""
    layer: int | None
    """The layer that wrote it, 1-based, or `None`."""
