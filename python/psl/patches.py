"""Runs with values of other runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from .tables import frame, labels

if TYPE_CHECKING:
    from ._psl import Run


@dataclass(frozen=True)
class Patch:
    """The run of a prompt with values of another run.

    A part of the place that does not tell patches apart is `None`.
    """

    layer: int | None
    """The layer after which the values are set, 1-based."""
    label: str | None
    """The label of the layer."""
    pass_: tuple[int, ...] | None
    """The passes of the repeat blocks around the layer, outermost first, each 1-based."""
    cell: int | None
    """The cell, 1-based."""
    register: str | None
    """The long name of the register."""
    base: str | None
    """The value in the run that is patched, or `None` for null and for several values."""
    donor: str | None
    """The value of the other run, which replaces it, or `None` for null and for several values."""
    set: dict[tuple[int, tuple[int, ...], int, str], str | None]
    """All values by their places, as for `Program.run`."""
    tokens: list[str] | None
    """The symbols of the continuation, or `None` if the run fails."""
    stop: str | None
    """The reason why the continuation ended, as in `Run.stop`, or `None`."""
    score: list[str] | None
    """The symbols or the value that are compared, or `None` if the run fails."""
    changes: int | None
    """The number of words of the score that are not those of the run without the patch, or `None` if the run fails."""
    restored: bool
    """Whether the score is that of the other run, and not that of the run without the patch."""
    error: str | None
    """The reason why the run fails, or `None`."""

    @property
    def changed(self) -> bool:
        """Whether the score is not that of the run without the patch, or the run fails."""
        return self.changes != 0


@dataclass(frozen=True, eq=False)
class Patches(Sequence[Patch]):
    """The patches at all places where two runs differ, in the order of the rows, then of the cells and registers."""

    base: Run
    """The recorded run that is patched."""
    donor: Run
    """The recorded run with the other values."""
    places: int
    """The number of all places: rows, cells and registers that were compared."""
    rows: list[tuple[int, tuple[int, ...]]]
    """The layers and passes that were compared, in program order."""
    cells: list[int]
    """The cells of the base run that were compared."""
    by: tuple[str, ...]
    """The parts of a place that tell patches apart."""
    patches: list[Patch]
    """The patches."""

    def __len__(self) -> int:
        return len(self.patches)

    @overload
    def __getitem__(self, index: int) -> Patch: ...
    @overload
    def __getitem__(self, index: slice) -> list[Patch]: ...
    def __getitem__(self, index: int | slice) -> Patch | list[Patch]:
        return self.patches[index]

    def __repr__(self) -> str:
        differ = sum(len(patch.set) for patch in self.patches)
        changed = sum(patch.changed for patch in self.patches)
        return f"<psl.Patches, {differ} of {self.places} places differ, {changed} of {len(self)} patches change the score>"

    def to_pandas(self) -> Any:
        """Returns a `pandas.DataFrame` with a row for each patch. Raises `ModuleNotFoundError` if pandas is not installed."""
        names = [*(each.name for each in fields(Patch) if each.name != "set"), "changed"]
        return frame({name.rstrip("_"): [getattr(patch, name) for patch in self] for name in names})

    def to_xarray(self) -> Any:
        """Returns an `xarray.Dataset` of `patched`, `changes` and `restored` by the parts that tell patches apart.

        With `pass`, the dimension of the layers is `row`, with coordinates `layer`, `label` and `pass`. `changes` is -1 for
        a run that fails.

        Raises `ModuleNotFoundError` if xarray is not installed.
        """
        import numpy

        xarray: Any = import_module("xarray")
        run = self.base
        has_passes = "pass" in self.by
        rows: Any = self.rows if has_passes else [(layer, None) for layer in sorted({layer for layer, _ in self.rows})]
        axes: dict[str, list[Any]] = {"layer": list(rows), "cell": self.cells, "register": list(run.registers)}
        chosen = {name: axis for name, axis in axes.items() if name in self.by}
        shape = [len(axis) for axis in chosen.values()]
        found = {name: numpy.zeros(shape, kind) for name, kind in (("patched", bool), ("changes", numpy.int32), ("restored", bool))}
        indices = {name: {value: index for index, value in enumerate(axis)} for name, axis in chosen.items()}
        for patch in self:
            place = {"layer": (patch.layer, patch.pass_), "cell": patch.cell, "register": patch.register}
            index = tuple(indices[name][place[name]] for name in chosen)
            found["patched"][index] = True
            found["changes"][index] = -1 if patch.changes is None else patch.changes
            found["restored"][index] = patch.restored
        names = {name: "row" if name == "layer" and has_passes else name for name in chosen}
        coords: dict[str, Any] = {name: axis for name, axis in chosen.items() if name != "layer"}
        if "layer" in chosen:
            layers = [layer for layer, _ in chosen["layer"]]
            coords["layer"] = (names["layer"], layers)
            coords["label"] = (names["layer"], labels(run)[layers])
        if has_passes:
            coords["pass"] = ("row", [".".join(map(str, passes)) for _, passes in chosen["layer"]])
        return xarray.Dataset({name: (tuple(names.values()), array) for name, array in found.items()}, coords=coords)


@dataclass(frozen=True)
class MinimalPatch:
    """A set of values that carries the difference between two runs after a layer."""

    layer: int
    """The layer after which the values are set, 1-based."""
    label: str | None
    """The label of the layer, or `None`."""
    pass_: tuple[int, ...]
    """The passes of the repeat blocks around the layer, outermost first, each 1-based."""
    differing: int
    """The number of all places with different values there."""
    set: dict[tuple[int, tuple[int, ...], int, str], str | None] | None
    """The values by their places, as for `Program.run`, or `None` if not even all places carry the difference."""
