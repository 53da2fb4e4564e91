"""A diagnostic and the result of a test, as data."""

from __future__ import annotations

from dataclasses import dataclass, field


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
    report: str = field(repr=False, compare=False)
    """The report as `psl check` draws it, with the lines of the program."""

    def __str__(self) -> str:
        return self.report


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
