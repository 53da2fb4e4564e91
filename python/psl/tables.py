"""Recorded runs as tables of pandas and xarray."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._psl import Run


def labels(run: Run) -> Any:
    """The label of each layer by its number, from 1. A layer without a label and the start have an empty one."""
    import numpy

    return numpy.array(["", *(layer.label or "" for layer in run.program.layers)], dtype=object)


def to_pandas(run: Run) -> Any:
    """The changes of a run as a `pandas.DataFrame`."""
    import numpy

    # pandas and xarray are optional, so that their types are not known.
    pandas: Any = import_module("pandas")
    changes = run.changes
    # The last entry stands for null, whose index is -1.
    values = numpy.array([*run.values, None], dtype=object)
    passes = [tuple(number for number in numbers if number) for numbers in changes.pass_.tolist()]
    return pandas.DataFrame(
        {
            "row": changes.row,
            "layer": changes.layer,
            "label": labels(run)[changes.layer],
            "pass": passes,
            "cell": changes.cell,
            "register": numpy.array(run.registers, dtype=object)[changes.register],
            "before": values[changes.before],
            "after": values[changes.after],
        }
    )


def to_xarray(run: Run) -> Any:
    """The states of a run as an `xarray.Dataset`."""
    xarray: Any = import_module("xarray")
    rows = run.rows
    return xarray.Dataset(
        {"states": (("row", "cell", "register"), run.states), "ran": (("row", "cell"), run.ran)},
        coords={
            "layer": ("row", [0, *(layer for layer, _ in rows)]),
            "label": ("row", labels(run)[[0, *(layer for layer, _ in rows)]]),
            "pass": ("row", ["", *(".".join(map(str, passes)) for _, passes in rows)]),
            "cell": range(1, run.states.shape[1] + 1),
            "register": list(run.registers),
        },
        attrs={"values": run.values},
    )


def frame(columns: dict[str, list[Any]]) -> Any:
    """Columns as a `pandas.DataFrame`."""
    pandas: Any = import_module("pandas")
    return pandas.DataFrame(columns)
