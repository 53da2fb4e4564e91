from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import NDArray

from .batch import Runs
from .data import (
    Changes,
    Diagnostics,
    Difference,
    Evaluation,
    Imported,
    LayerRun,
    Layers,
    Line,
    Link,
    Proof,
    Register,
    Search,
    TestResults,
    Turing,
    TuringRun,
    Weights,
    Why,
    WhyNot,
)
from .patches import MinimalPatch, Patches

__all__ = [
    "Program",
    "Run",
    "check",
    "check_nfe",
    "check_tgt",
    "explain",
    "explorer_page",
    "fill",
    "fix",
    "fmt",
    "import_",
    "layer_number",
    "load",
    "merged_rows",
    "nfe",
    "pieces",
    "restore",
    "restore_run",
    "run_turing",
    "static_diagnostics",
    "test_names",
    "tgt",
    "turing",
]

_Line = Line | tuple[str, str] | tuple[str, str, Any]
_Data = str | PathLike[str] | Iterable[_Line]
_Prompt = str | Sequence[str] | Sequence[dict[str, str]]
_Layer = int | str
_Pass = int | Sequence[int]
_Set = dict[tuple[_Layer, int, str], str | None] | dict[tuple[_Layer, _Pass | None, int, str], str | None]
_Place = tuple[int, list[int] | None, int, str]

def check(text: str) -> Diagnostics: ...
def check_nfe(lines: Iterable[_Line], depth: int | None = None) -> list[str | None]: ...
def check_tgt(lines: Iterable[_Line], split: str, *, shots: int = 1, words: str = "rlw") -> list[str | None]: ...
def explain(word: str | None = None) -> str: ...
def explorer_page(run: Run) -> str: ...
def fill(text: str, *, data: _Data | None = None, seconds: int = 60, limit: int = 1000) -> Search: ...
def fix(text: str) -> str: ...
def fmt(text: str) -> str: ...
def import_(program: str, examples: str | None = None) -> Imported: ...
def layer_number(program: Program, layer: _Layer) -> int: ...
def merged_rows(runs: list[Run]) -> list[tuple[int, list[int]]]: ...
def pieces(program: Program) -> list[tuple[str, str | None]]: ...
def static_diagnostics(program: Program) -> Diagnostics: ...
def test_names(program: Program) -> list[str]: ...
def load(path: str | PathLike[str]) -> Program: ...
def nfe(depth: int = 2, count: int = 100, *, seed: int = 0) -> list[Line]: ...
def restore(
    text: str,
    path: str | PathLike[str] | None,
    name: str,
    form: tuple[bytes, bool, str | None] | None = None,
) -> Program: ...
def restore_run(
    tokens: list[str],
    stopped: str,
    recorded: tuple[
        Program, tuple[str, bool, str], tuple[int | None, str | None, int | None, list[int], list[tuple[_Place, str | None]]]
    ]
    | None = None,
) -> Run: ...
def run_turing(
    table: str,
    tape: str,
    *,
    head: int = 1,
    start: str | None = None,
    pad: int = 0,
    blank: str = "_",
    machine: str | None = None,
    max_passes: int | None = None,
) -> TuringRun: ...
def tgt(split: str, count: int = 100, *, shots: int = 1, words: str = "rlw", seed: int = 0) -> list[Line]: ...
def turing(
    table: str,
    tape: str | None = None,
    *,
    head: int = 1,
    start: str | None = None,
    pad: int = 0,
    blank: str = "_",
) -> Turing: ...
@final
class Program:
    def __new__(cls, text: str, name: str = "<text>") -> Program: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def layers(self) -> Layers: ...
    @property
    def registers(self) -> list[Register]: ...
    @property
    def constants(self) -> dict[str, str]: ...
    def graph(self) -> list[tuple[int, int, dict[str, str]]]: ...
    def check(self) -> Diagnostics: ...
    def format(self) -> str: ...
    def test(self, name: str | None = None, machine: str | None = None) -> TestResults: ...
    @overload
    def eval(  # type: ignore[overload-overlap]  # pyright: ignore[reportOverlappingOverload]
        self,
        data: _Data,
        *,
        machine: str | None = None,
        row: bool = False,
        ablate: Literal["each"],
        max_passes: int | None = None,
        limit: int | None = None,
        heads: bool | int | None = None,
    ) -> list[Evaluation]: ...
    @overload
    def eval(
        self,
        data: _Data,
        *,
        machine: str | None = None,
        row: bool = False,
        ablate: str | int | Iterable[_Layer] | None = None,
        max_passes: int | None = None,
        limit: int | None = None,
        heads: bool | int | None = None,
    ) -> Evaluation: ...
    @overload
    def compile(self, emit: Literal["qkvl", "psl"] = "qkvl", *, heads: bool | int | None = None) -> str: ...
    @overload
    def compile(
        self,
        emit: Literal["weights"],
        *,
        vocabulary: Iterable[str] | None = None,
        positions: int | None = None,
        sparse: bool = False,
        heads: bool | int | None = None,
    ) -> bytes: ...
    def weights(
        self, *, vocabulary: Iterable[str] | None = None, positions: int | None = None, dense: bool = False
    ) -> Weights: ...
    def save_hf(
        self,
        directory: str | PathLike[str],
        *,
        vocabulary: Iterable[str] | None = None,
        max_prompt: int | None = None,
        max_new: int | None = None,
        passes: int | None = None,
        dtype: str = "float32",
        force: bool = False,
    ) -> None: ...
    def qkvl(self) -> dict[str, Any]: ...
    def run(
        self,
        prompt: _Prompt,
        *,
        record: bool = False,
        machine: str | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        recompute: bool = False,
        row: bool = False,
        ablate: str | int | Iterable[_Layer] | None = None,
        embedding: str | None = None,
        seed: int = 0,
        verify: bool = False,
        set: _Set | None = None,
        heads: bool | int | None = None,
    ) -> Run: ...
    def run_many(
        self,
        prompts: Iterable[_Prompt],
        *,
        record: bool = False,
        machine: str | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        recompute: bool = False,
        row: bool = False,
        ablate: str | int | Iterable[_Layer] | None = None,
        embedding: str | None = None,
        seed: int = 0,
        verify: bool = False,
        heads: bool | int | None = None,
    ) -> Runs: ...
    def patch(
        self,
        base: _Prompt,
        donor: _Prompt,
        *,
        by: str | Iterable[str] | None = None,
        score: str = "continuation",
        noising: bool = False,
        generated: bool = False,
        align: str | dict[int, int] | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        ablate: str | int | Iterable[_Layer] | None = None,
    ) -> Patches: ...
    def minimal_patches(
        self,
        base: _Prompt,
        donor: _Prompt,
        *,
        score: str = "continuation",
        noising: bool = False,
        generated: bool = False,
        align: str | dict[int, int] | None = None,
        max_new: int | None = None,
        stop: str | None = None,
        max_passes: int | None = None,
        ablate: str | int | Iterable[_Layer] | None = None,
    ) -> list[MinimalPatch]: ...
    def schedule(self, max_heads: int | None = None) -> dict[str, Any]: ...
    def latent(
        self, prompt: _Prompt, *, layers: str | None = None, max_heads: int | None = None
    ) -> dict[str, Any]: ...
    def prove(
        self,
        that: Literal["answers", "terminates", "causal", "copies", "machines"]
        | Callable[[list[str]], Sequence[str | None]]
        | None = None,
        *,
        against: Program | None = None,
        states: bool = False,
        up_to: int | None = None,
        like: Sequence[str] | None = None,
        like_any: bool = False,
        max_new: int | None = None,
        alphabet: Sequence[str] | None = None,
        allow_symbols: Sequence[str] | None = None,
        numbers: bool = False,
        heads: bool | int | None = None,
    ) -> Proof: ...
    def repair(self, *, data: _Data | None = None, seconds: int = 60, limit: int = 1000) -> Search: ...
    def edit(self, layer: _Layer, production: str) -> Program: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Program: ...
    def __deepcopy__(self, _memo: Any, /) -> Program: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Run:
    @property
    def text(self) -> str: ...
    @property
    def tokens(self) -> list[str]: ...
    @property
    def stop(self) -> str: ...
    @property
    def unreached(self) -> list[_Place]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def program(self) -> Program: ...
    @property
    def prompt(self) -> str: ...
    @property
    def cells(self) -> list[dict[str, str | None]]: ...
    def state(self, layer: _Layer, cell: int, pass_: _Pass | None = None) -> dict[str, str | None]: ...
    def __getitem__(self, place: tuple[str, int], /) -> str | None: ...
    def layer(self, layer: _Layer) -> LayerRun: ...
    @property
    def registers(self) -> tuple[str, ...]: ...
    @property
    def values(self) -> tuple[str, ...]: ...
    @property
    def rows(self) -> list[tuple[int, list[int]]]: ...
    @property
    def states(self) -> NDArray[np.int32]: ...
    @property
    def ran(self) -> NDArray[np.bool_]: ...
    @property
    def attends(self) -> NDArray[np.int32]: ...
    @property
    def changes(self) -> Changes: ...
    def index(self, layer: _Layer, pass_: _Pass = (), cell: int = 1) -> tuple[int, int]: ...
    def why(
        self, layer: _Layer, pass_: _Pass = (), cell: int = 1, source: int | None = None
    ) -> Why: ...
    def why_not(
        self, layer: _Layer, pass_: _Pass = (), cell: int = 1, *, source: int
    ) -> WhyNot: ...
    def trace_diff(self, other: Run) -> Difference | None: ...
    def to_pandas(self) -> Any: ...
    def to_xarray(self) -> Any: ...
    def where_from(self, register: str, cell: int, row: int | None = None) -> list[Link]: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Run: ...
    def __deepcopy__(self, _memo: Any, /) -> Run: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
