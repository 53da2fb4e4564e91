from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from .data import Changes, Diagnostic, Link, TestResult, Why

__all__ = ["Program", "Run", "load"]

def load(path: str | PathLike[str]) -> Program: ...
@final
class Program:
    def __new__(cls, text: str, name: str = "<text>") -> Program: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    def check(self) -> list[Diagnostic]: ...
    def format(self) -> str: ...
    def test(self, name: str | None = None, machine: str | None = None) -> list[TestResult]: ...
    def qkvl(self) -> dict[str, Any]: ...
    def run(
        self,
        prompt: str | list[dict[str, str]],
        *,
        record: bool = False,
        machine: str | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        recompute: bool = False,
        ablate: str | Sequence[int] | None = None,
        embedding: str | None = None,
        seed: int = 0,
        verify: bool = False,
    ) -> Run: ...
    def run_many(
        self,
        prompts: Iterable[str | list[dict[str, str]]],
        *,
        machine: str | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        recompute: bool = False,
        ablate: str | Sequence[int] | None = None,
        embedding: str | None = None,
        seed: int = 0,
        verify: bool = False,
    ) -> list[Run]: ...

@final
class Run:
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> list[str]: ...
    @property
    def stop(self) -> str: ...
    @property
    def registers(self) -> list[str]: ...
    @property
    def values(self) -> list[str]: ...
    @property
    def rows(self) -> list[tuple[int, list[int]]]: ...
    @property
    def states(self) -> NDArray[np.int32]: ...
    @property
    def ran(self) -> NDArray[np.bool_]: ...
    @property
    def changes(self) -> Changes: ...
    def index(self, layer: int, pass_: int | Sequence[int] = (), cell: int = 1) -> tuple[int, int]: ...
    def why(
        self, layer: int, pass_: int | Sequence[int] = (), cell: int = 1, source: int | None = None
    ) -> Why: ...
    def where_from(self, register: str, cell: int, row: int | None = None) -> list[Link]: ...
