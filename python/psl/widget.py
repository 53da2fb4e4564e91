"""The explorer's page of a recorded run as a widget. Importing it needs anywidget."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from typing import Any

import anywidget
import traitlets

from ._psl import Run, explorer_page
from .html import frame


class Explorer(anywidget.AnyWidget):
    """The explorer's page of a recorded run. Its traits follow the place that is selected in the page, and set it.

    While the page shows another run, for example that of another prompt, `cell`, `row` and `layer` are `None`.
    """

    _esm = Path(__file__).with_name("explorer.js")

    frame = traitlets.Unicode(read_only=True).tag(sync=True)
    """The name of the page's frame, which marks its messages."""
    cell = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The selected cell, 1-based."""
    row = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The row of `Run.states`: 0 is the start, and each further row is a layer in a pass."""
    layer = traitlets.Int(None, allow_none=True)
    """The layer of the row, 1-based, or 0 for the start. If the selected pass lacks it, setting it selects its first pass."""
    pass_ = traitlets.Tuple(read_only=True)
    """The passes of the repeat blocks around the layer. Set `row` to `run.index(layer, pass_)[0]` for a certain pass."""

    def __init__(self, run: Run) -> None:
        self._page = explorer_page(run)
        self._cells = run.ran.shape[1]
        self._places: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        self._places += [(layer, tuple(passes)) for layer, passes in run.rows]
        super().__init__()

    @traitlets.default("frame")
    def _new_frame(self) -> str:
        return f"psl-{token_hex(8)}"

    @traitlets.validate("cell")
    def _existing_cell(self, proposal: Any) -> int | None:
        cell: int | None = proposal.value
        if cell is not None and not 1 <= cell <= self._cells:
            raise traitlets.TraitError(f"cell {cell} is out of range: the run has {self._cells} cells")
        return cell

    @traitlets.validate("row")
    def _existing_row(self, proposal: Any) -> int | None:
        row: int | None = proposal.value
        if row is not None and not 0 <= row < len(self._places):
            raise traitlets.TraitError(f"row {row} is out of range: the last row is {len(self._places) - 1}")
        return row

    @traitlets.validate("layer")
    def _existing_layer(self, proposal: Any) -> int | None:
        layer: int | None = proposal.value
        if layer is not None and all(layer != other for other, _ in self._places):
            raise traitlets.TraitError(f"the run has no layer {layer}")
        return layer

    @traitlets.observe("cell")
    def _complete_row(self, _: Any) -> None:
        if self.cell is not None and self.row is None:
            self.row = len(self._places) - 1

    @traitlets.observe("row")
    def _follow_row(self, _: Any) -> None:
        layer, passes = (None, ()) if self.row is None else self._places[self.row]
        self.set_trait("pass_", passes)
        self.layer = layer
        if self.row is not None and self.cell is None:
            self.cell = 1

    @traitlets.observe("layer")
    def _follow_layer(self, _: Any) -> None:
        if self.layer is None or self.row is not None and self._places[self.row][0] == self.layer:
            return
        rows = [row for row, (layer, _) in enumerate(self._places) if layer == self.layer]
        self.row = next((row for row in rows if self._places[row][1] == self.pass_), rows[0])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        # The page itself is the output, so that it is also shown where nothing runs: in a saved notebook and by nbconvert.
        return {"text/plain": repr(self), "text/html": frame(self._page, self.frame)}

    def __repr__(self) -> str:
        return f"<psl explorer: cell {self.cell}, layer {self.layer}>"
