"""The answers of programs and runs, as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from . import html
from ._psl import layer_number
from .errors import Error
from .reports import Diagnostic, TestResult

if TYPE_CHECKING:
    from numpy import bool_, float32, int32, int64
    from numpy.typing import NDArray

    from ._psl import Program, Run

MAX_DENSE = 4 << 30
"""Maximum size of a dense matrix, in bytes."""


class Diagnostics(list[Diagnostic]):
    """A list of diagnostics, which Jupyter shows as a table."""

    def _repr_html_(self) -> str:
        return html.diagnostics(self)


class TestResults(list[TestResult]):
    """A list of results, which Jupyter shows as a table."""

    __test__ = False

    def _repr_html_(self) -> str:
        return html.results(self)


@dataclass(frozen=True)
class Layer:
    """A layer of a program: a production."""

    number: int
    """The number, 1-based."""
    label: str | None
    """The comment line above the production, without its mark, or `None`."""
    line: int
    """The line of `where` in `Program.text`, 1-based."""
    text: str
    """The production, as written."""
    block: int | None
    """The number of the innermost repeat block around it, in the order in which blocks open, 1-based, or `None`."""
    passes: int
    """The number of repeat blocks around it, and so of the passes that name a row of it."""

    @property
    def name(self) -> str:
        """The start of the label up to a colon or a space, or the number if there is no label."""
        return str(self.number) if self.label is None else self.label.replace(":", " ", 1).split(" ", 1)[0]


class Layers(Sequence[Layer]):
    """The layers of a program. `layers[30]` is that with the number 30, and `layers["P3a"]` that with a label.

    A label is found whole, or by its start up to a colon or a space. `IndexError` if the program lacks the number, and `ValueError` if
    no layer or several have the label.
    """

    def __init__(self, program: Program, layers: list[Layer]) -> None:
        self._program = program
        self._layers = layers

    def __len__(self) -> int:
        return len(self._layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._layers)

    @overload
    def __getitem__(self, name: int | str) -> Layer: ...
    @overload
    def __getitem__(self, name: slice) -> list[Layer]: ...
    def __getitem__(self, name: int | str | slice) -> Layer | list[Layer]:
        if isinstance(name, slice):
            raise TypeError("layers have numbers and labels: take a part of `list(layers)`, which counts from 0")
        return self._layers[layer_number(self._program, name) - 1]

    def __repr__(self) -> str:
        return f"<psl.Layers, {len(self)} of {self._program.name}>"


@dataclass(frozen=True)
class Register:
    """A register of a program."""

    name: str
    """The long name."""
    short: str
    """The short name."""
    roles: list[str]
    """The roles: `symbol`, `position`, `output`, `parse` and `eop`, or none."""
    domain: str | None
    """The values that it can have before some layer, in words, or `None` if no layer mentions it."""


@dataclass(frozen=True, eq=False)
class LayerRun:
    """What a layer did in a recorded run, in each of its passes."""

    run: Run
    """The run."""
    number: int
    """The number of the layer, 1-based."""
    label: str | None
    """The label, or `None`."""
    rows: list[int]
    """The rows of `Run.states` after the layer, one for each pass."""
    passes: list[tuple[int, ...]]
    """The passes of the repeat blocks around the layer, outermost first, each 1-based, for each row."""

    @property
    def states(self) -> NDArray[int32]:
        """The registers of each cell after the layer: int32 of shape [passes, cells, registers], as in `Run.states`."""
        return self.run.states[self.rows]

    @property
    def attends(self) -> NDArray[int32]:
        """The index of the cell that each cell attended to, or -1: int32 of shape [passes, cells], as in `Run.attends`."""
        return self.run.attends[self.rows]

    @property
    def ran(self) -> NDArray[bool_]:
        """Whether each cell ran the layer: bool of shape [passes, cells], as in `Run.ran`."""
        return self.run.ran[self.rows]


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
    right: str | list[str] | None
    """The value on its right side, or the values of its list."""
    holds: bool
    """Whether it holds."""


@dataclass(frozen=True)
class Why:
    """The reason why a layer attended to a cell, or did not."""

    cell: int
    """The cell `N` that ran the layer, 1-based."""
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

    def why_not(self) -> WhyNot:
        """Returns the reason why the cell did not attend to `source`."""
        failed = next((condition for condition in self.conditions if not condition.holds), None)
        if self.attends == self.source:
            reason = "attends"
        elif not self.visible:
            reason = "hidden"
        elif failed is not None:
            reason = "condition"
        else:
            reason = "other"
        return WhyNot(self.cell, self.source, reason, failed if reason == "condition" else None, self.attends)


@dataclass(frozen=True)
class WhyNot:
    """The reason why a layer did not attend to a cell."""

    cell: int
    """The cell `N` that ran the layer, 1-based."""
    source: int
    """The cell `n` asked about, 1-based."""
    reason: str
    """`condition` if a condition does not hold, `other` if another match is further left, or right, `hidden` if the layer
    cannot attend to the cell, and `attends` if it did attend to it."""
    condition: Condition | None
    """The first condition that does not hold, for the reason `condition`."""
    attends: int | None
    """The cell attended to, 1-based, or `None` if the layer did not fire."""

    def __str__(self) -> str:
        if self.reason == "attends":
            return f"cell {self.cell} attends to cell {self.source}"
        if self.reason == "hidden":
            return f"cell {self.cell} cannot attend to cell {self.source} in this layer"
        if self.condition is None:
            return f"cell {self.source} matches, but cell {self.attends} comes first and wins"
        sides = [self.condition.left, self.condition.right]
        left, right = ("null" if side is None else side if isinstance(side, str) else ", ".join(side) for side in sides)
        text = f"{self.condition.text} does not hold, with {left} on the left and {right} on the right"
        return f"cell {self.source} does not match: {text}"


@dataclass(frozen=True)
class Link:
    """A step on the path of a value."""

    register: str
    """The long name of the register."""
    cell: int
    """The cell, 1-based."""
    row: int
    """The row of `Run.states` at which the register has the value."""
    value: str | None
    """The value, or `None` for null."""
    kind: str
    """`assigned` or `moved` from the next link, `copied` from the cell before, or the origin: `constant`, `prompt`, `machine`, `changed` by
    `Program.run(set=…)`, or `null`."""
    written: int | None
    """The first row of `Run.states` with the value, or `None` if the cell started with it."""
    layer: int | None
    """The layer that wrote it, 1-based, or `None`."""


@dataclass(frozen=True)
class Difference:
    """The first difference between two runs."""

    start: int | None
    """The first cell of the prompt that starts differently, 1-based, or that only one prompt has; otherwise `None`."""
    cell: int | None
    """The cell of the first update that differs, 1-based, or `None` if no update does."""
    row: int | None
    """The row of `states` of the first run with that update, or `None` if the run lacks it."""
    other_row: int | None
    """The row of `states` of the other run."""
    kind: str | None
    """`attends` if the cell attends to another cell, `writes` if it sets other values, and `missing` if one run lacks the update."""


@dataclass(frozen=True, eq=False)
class SparseMatrix:
    """The nonzero entries of a matrix, row by row."""

    shape: tuple[int, int]
    """The numbers of rows and columns."""
    rows: NDArray[int64]
    """The row of each entry: [entries]."""
    columns: NDArray[int64]
    """The column of each entry: [entries]."""
    values: NDArray[float32]
    """The entries: [entries]."""

    # NumPy leaves `vector @ matrix` to `__rmatmul__`.
    __array_ufunc__ = None

    def toarray(self) -> NDArray[float32]:
        """Returns the matrix with its zeros: float32 of shape `shape`.

        Raises `psl.Error` if it would take more than 4 GiB.
        """
        import numpy

        size = 4 * self.shape[0] * self.shape[1]
        if size > MAX_DENSE:
            raise Error(f"the dense matrix {self.shape} takes {size // 10**6} MB, and the limit is {MAX_DENSE // 10**6} MB")
        dense = numpy.zeros(self.shape, numpy.float32)
        numpy.add.at(dense, (self.rows, self.columns), self.values)
        return dense

    def __rmatmul__(self, left: Any) -> NDArray[float32]:
        """Multiplies rows of vectors, of shape [..., rows], with the matrix: [..., columns].

        Raises `ValueError` for vectors of another length.
        """
        import numpy

        left = numpy.asarray(left)
        if left.shape[-1:] != self.shape[:1]:
            raise ValueError(f"the last axis of {left.shape} is not {self.shape[0]} long, as the rows of the matrix")
        vectors: Any = left.reshape(-1, self.shape[0])
        product: Any = numpy.zeros((len(vectors), self.shape[1]), numpy.float32)
        numpy.add.at(product.T, self.columns, (vectors[:, self.rows] * self.values).T)
        return product.reshape(*left.shape[:-1], self.shape[1])


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of a program's transformer. Vectors are rows: q = i W_q + b_q."""

    tensors: dict[str, NDArray[float32] | SparseMatrix]
    """The tensors by the names of `psl compile --emit weights`, such as `layers.1.W_q`, [R d, R d], and `layers.1.b_q`, [R d]."""
    document: dict[str, Any]
    """What is not a number: the `psl` entry of a file's metadata, with the vocabulary, the registers and the blocks."""

    @property
    def values(self) -> list[str]:
        """The d values of the vocabulary, in the order of the components of a register."""
        return list(self.document["vocabulary"])

    @property
    def registers(self) -> list[str]:
        """The short names of the R registers, block by block. The first ones hold state, the primed ones follow."""
        return list(self.document["registers"])

    @property
    def labels(self) -> list[tuple[str, str]]:
        """The register and the value of each of the R d components."""
        return [(register, value) for register in self.registers for value in self.values]

    def component(self, register: str, value: str) -> int:
        """Returns the index of the component of a register, by its short name, and a value.

        Raises `ValueError` for an unknown register or value.
        """
        return self.registers.index(register) * len(self.values) + self.values.index(value)

    def __getitem__(self, name: str) -> NDArray[float32] | SparseMatrix:
        return self.tensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)


@dataclass(frozen=True)
class Line:
    """A line of task data."""

    prompt: str
    """The prompt, symbols separated by spaces."""
    gold: str
    """The expected continuation."""
    info: Any = None
    """Facts about the line, in the form that `json.loads` returns."""


@dataclass(frozen=True)
class ScoredLine:
    """A line of task data with the continuation of its prompt."""

    line: int
    """The number of the line, 1-based."""
    prompt: str
    """The prompt, or the whole line if it is malformed."""
    gold: str | None
    """The expected continuation, or `None` if the line is malformed."""
    got: str | None
    """The continuation, or `None` if there is none."""
    correct: bool
    """Whether the two are equal."""
    info: Any
    """The info of the line, in the form that `json.loads` returns, or `None`."""
    error: str | None
    """The reason why there is no continuation."""
    right_tokens: int = 0
    """The number of symbols of the gold that the continuation has in the same place."""


@dataclass(frozen=True)
class Evaluation:
    """The score of a program on lines of task data, as of `psl eval`."""

    lines: list[ScoredLine]
    """All lines, in their order."""
    ablated: tuple[int, ...] = ()
    """The layers that wrote nothing, 1-based."""

    def __repr__(self) -> str:
        figures = f"correct={self.correct}, total={self.total}, malformed={self.malformed}, accuracy={self.accuracy:.4f}"
        return f"Evaluation({figures}" + (f", ablated={self.ablated})" if self.ablated else ")")

    @property
    def total(self) -> int:
        """The number of lines."""
        return len(self.lines)

    @property
    def correct(self) -> int:
        """The number of lines whose continuation is the gold."""
        return sum(line.correct for line in self.lines)

    @property
    def malformed(self) -> int:
        """The number of lines that are malformed. They are not correct."""
        return sum(line.gold is None for line in self.lines)

    @property
    def accuracy(self) -> float:
        """The share of correct lines, 0 to 1. 0 without lines."""
        return self.correct / max(self.total, 1)

    @property
    def token_accuracy(self) -> float:
        """The share of the symbols of all golds that the continuations have in the same place, 0 to 1."""
        tokens = sum(len((line.gold or "").split()) for line in self.lines)
        return sum(line.right_tokens for line in self.lines) / max(tokens, 1)

    @property
    def failures(self) -> list[ScoredLine]:
        """The lines that are not correct."""
        return [line for line in self.lines if not line.correct]


@dataclass(frozen=True)
class Found:
    """A result of `psl.fill` or `Program.repair`."""

    text: str = field(repr=False)
    """The changed text."""
    changes: list[tuple[int, str]]
    """The line of each change, 1-based, with the part in the hole or a sentence."""
    warnings: list[str]
    """The warnings that the text before did not have."""
    data: tuple[int, int] | None
    """The number of right lines of `data` and of all, for a repair with data."""
    same: list[Found] = field(repr=False)
    """Others that do the same on all prompts that were tried."""


@dataclass(frozen=True)
class Search:
    """The results of a search."""

    found: list[Found]
    """The results, best first."""
    differ: tuple[str, list[tuple[str | None, list[int]]]] | None
    """A prompt on which results differ, and its continuations, each with the indices of the results that give it. `None` if no such
    prompt was found."""
    compared_on: str | None
    """The prompts on which results that do the same were compared, in words. `None` if none were compared."""
    tried: int
    """The number of programs that were tried."""
    cut_off: bool
    """Whether the search ended before it tried all."""


@dataclass(frozen=True)
class Counterexample:
    """A prompt that refutes a claim."""

    prompt: str
    """The prompt, symbols separated by spaces."""
    continuation: str | None
    """The continuation, or `None` for a run that fails."""
    expected: str | None
    """The continuation of the function or of the other program, or `None` for a claim and for a run that fails."""
    why: str
    """The reason, as a clause."""


@dataclass(frozen=True)
class Proof:
    """The result of `Program.prove`."""

    claim: str
    """The claim, `function` or `against`."""
    holds: bool
    """Whether the claim holds for all prompts that were asked about, whatever their symbols."""
    up_to: int | None
    """The claim holds for all prompts of at most this many symbols. `None` for prompts like patterns."""
    tests: str | None
    """The prompts of tests for which it holds, too, in words. `None` without another program."""
    prompts: int
    """The number of prompts that were run."""
    without_numbers_to: int | None
    """The last of the numbers from 0 that the prompts do not have. `None` if they may have any number."""
    counterexample: Counterexample | None
    """A shortest prompt that refutes the claim, if there is one."""


@dataclass(frozen=True)
class Turing:
    """A Turing machine as a program."""

    program: Program
    """The program."""
    prompt: list[dict[str, str]] | None
    """The prompt of the tape, a dictionary for each cell, or `None` without a tape."""
    changes: list[str]
    """The names and symbols that differ from those of the table, each with the reason."""


@dataclass(frozen=True)
class TuringRun:
    """A run of a Turing machine."""

    tape: str
    """The final tape, symbols separated by spaces."""
    state: str
    """The final state."""
    left: str | None
    """`left` or `right` if the head left the tape there, or `None` if the machine halted."""
    steps: list[tuple[str, str]] = field(repr=False)
    """The state and the tape before the first step and after each one, with `^` before the square of the head."""


@dataclass(frozen=True)
class Imported:
    """A program of the reference implementation as PSL."""

    text: str
    """The program with its tests."""
    notes: list[str]
    """What differs from the examples, each with its place there."""
