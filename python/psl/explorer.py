"""The explorer in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import Error

if TYPE_CHECKING:
    from ._psl import Run
    from .widget import Explorer


def explore(run: Run) -> Explorer:
    """Shows the explorer of a recorded run in a notebook: the page of `psl explore`, which needs no network.

    The traits `cell`, `row` and `layer` of the result follow the place that is selected in the page. Setting one of them
    selects a place.

    Raises `psl.Error` if the run has no record, if anywidget is missing, or if the package was built without the page.
    """
    try:
        from .widget import Explorer
    except ModuleNotFoundError as missing:
        if missing.name not in ("anywidget", "traitlets"):
            raise
        raise Error("`psl.explore` needs anywidget: `pip install anywidget`, then restart the kernel") from missing
    return Explorer(run)
