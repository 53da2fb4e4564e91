"""The explorer in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from ._widget import widget_class
from .errors import Error

if TYPE_CHECKING:
    from ._psl import Run


class Explorer(Protocol):
    """A widget of anywidget that shows a recorded run. Its traits follow the place that is selected in the page, and set it.

    While the page shows another run, such as that of another prompt, `cell`, `row` and `layer` are `None`. A cell, row or layer that the
    run lacks raises `traitlets.TraitError`.
    """

    cell: int | None
    """The selected cell, 1-based."""
    row: int | None
    """The row of `Run.states`: 0 is the start, and each further row is a layer in a pass."""
    layer: int | None
    """The layer of the row, 1-based, or 0 for the start. Setting it keeps the passes if the layer ran in them, and otherwise selects
    its first pass."""

    @property
    def pass_(self) -> tuple[int, ...]:
        """The passes of the repeat blocks around the layer, outermost first, each 1-based. To select a certain pass, set `row` to the
        first index of `Run.index`."""
        ...

    def observe(self, handler: Callable[[Any], object], names: str | list[str]) -> None:
        """Calls a function after each change of these traits."""
        ...


def explore(run: Run) -> Explorer:
    """Shows the explorer of a recorded run in a notebook: the page of `psl explore`, which needs no network.

    Raises `psl.Error` if the run has no record, if anywidget is missing, or if the package was built without the page.
    """
    try:
        widget = widget_class()
    except ModuleNotFoundError as missing:
        raise Error("`psl.explore` needs anywidget: `pip install anywidget`, then restart the kernel") from missing
    return widget(run)
