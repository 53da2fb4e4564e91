"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .reports import Diagnostic


class Error(Exception):
    """A refusal, with its place and a way out if they are known."""

    line: int | None
    """The line in the program, 1-based."""
    column: int | None
    """The column in characters, 1-based."""
    code: str | None
    """The code of the diagnostic: `psl explain CODE` shows its page."""
    help: str | None
    """Advice on what to do."""

    def __init__(
        self,
        message: str,
        line: int | None = None,
        column: int | None = None,
        code: str | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message, line, column, code, help)
        self.line, self.column, self.code, self.help = line, column, code, help

    def __str__(self) -> str:
        return str(self.args[0])


class ProgramError(Error):
    """A program that does not compile. Its place, code and help are those of the first error."""

    diagnostics: list[Diagnostic]
    """The errors, in the order of the text."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]) -> None:
        first = diagnostics[0]
        super().__init__(message, first.line, first.column, first.code, first.help)
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type[ProgramError], tuple[str, list[Diagnostic]]]:
        return ProgramError, (str(self), self.diagnostics)


class RunError(Error):
    """A run that could not start or finish. Its place is that of the repeat block that causes it, if there is one."""
