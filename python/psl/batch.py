"""Many runs, and their states as arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ._psl import Run, merged_rows
from .errors import Error

if TYPE_CHECKING:
    from numpy import bool_, int32
    from numpy.typing import NDArray

MAX_STATES = 4 << 30
"""Maximum size of the states of all runs, in bytes."""


class Runs(list[Run]):
    """The runs of `Program.run_many`, in the order of their prompts.

    With `record=True`, it has their states as arrays. Shorter runs are padded, and `ran` is the mask. All properties but those of a list
    raise `psl.Error` for runs without a record.
    """

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The values of all runs, to which `states` refers."""
        return tuple(dict.fromkeys(value for run in self for value in run.values))

    @cached_property
    def rows(self) -> list[tuple[int, tuple[int, ...]]]:
        """The layer and the passes of each row that some run has, in program order."""
        return [(layer, tuple(passes)) for layer, passes in merged_rows(list(self))]

    @cached_property
    def states(self) -> NDArray[int32]:
        """The registers of each cell after each row: int32 of shape [runs, rows + 1, cells, registers], row 0 is the start.

        A value is an index into `values`, and -1 is null and the padding of cells that a run lacks. A run that lacks a row, such as a
        further pass of a repeat block, keeps its values.

        Raises `psl.Error` if the array would take more than 4 GiB.
        """
        return self._arrays[0]

    @cached_property
    def ran(self) -> NDArray[bool_]:
        """Whether each cell of each run ran each row of `states`: bool of shape [runs, rows + 1, cells]. The mask of the padding."""
        return self._arrays[1]

    @cached_property
    def attends(self) -> NDArray[int32]:
        """The index of the cell that each cell attended to at each row, or -1: int32 of shape [runs, rows + 1, cells]."""
        return self._arrays[2]

    @cached_property
    def _arrays(self) -> tuple[NDArray[int32], NDArray[bool_], NDArray[int32]]:
        import numpy

        cells = max((run.ran.shape[1] for run in self), default=0)
        registers = len(self[0].registers) if self else 0
        shape = (len(self), len(self.rows) + 1, cells)
        size = 4 * shape[0] * shape[1] * shape[2] * registers
        if size > MAX_STATES:
            raise Error(f"the states {(*shape, registers)} take {size // 10**6} MB, and the limit is {MAX_STATES // 10**6} MB: take fewer runs")
        states = numpy.full((*shape, registers), -1, numpy.int32)
        ran = numpy.zeros(shape, numpy.bool_)
        attends = numpy.full(shape, -1, numpy.int32)
        index = {value: number for number, value in enumerate(self.values)}
        for number, run in enumerate(self):
            # The last entry is for null, whose index is -1.
            own = numpy.array([*(index[value] for value in run.values), -1], numpy.int32)
            rows = {(layer, tuple(passes)): row for row, (layer, passes) in enumerate(run.rows, 1)}
            # Of a row that the run lacks, the values of the last one before it.
            has = numpy.array([True, *(row in rows for row in self.rows)])
            taken = numpy.maximum.accumulate(numpy.array([0, *(rows.get(row, 0) for row in self.rows)]))
            width = run.ran.shape[1]
            states[number, :, :width] = own[run.states[taken]]
            ran[number, :, :width] = run.ran[taken] & has[:, None]
            attends[number, :, :width] = numpy.where(has[:, None], run.attends[taken], -1)
        return states, ran, attends
