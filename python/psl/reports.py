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
    """The outcome of a `//@ test` or `//@ law` line, as of `psl test`."""

    __test__ = False

    name: str | None
    """The name, or `None` for a test without one."""
    line: int
    """The line of the test, 1-based."""
    expected: str
    """The expected continuation. For a law, that of `prompt`."""
    got: str | None
    """The continuation, or `None` if the run failed."""
    passed: bool
    """Whether the two are equal, and for a law, whether it holds."""
    message: str
    """The difference, or the reason why the run failed. Empty if the test passes."""
    kind: str
    """`test` or `law`."""
    prompt: str | None
    """The prompt: of a law, one that breaks it, or else its shortest. `None` for a structured prompt."""
    runs: int
    """The number of runs: 1 for a test."""
    holds: str | None
    """For a law that holds, the symbols for which: `holds for all symbols`. Otherwise `None`."""
    symbols: dict[str, str] | None
    """For a law that is broken, the symbols of its variables in `prompt`. Otherwise `None`."""
