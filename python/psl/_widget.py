"""The explorer's page of a recorded run as a widget."""

# pyright: basic, reportMissingImports=false
# The packages of widgets are optional, and without them nothing here has a known type.
from __future__ import annotations

from functools import cache
from os import urandom
from pathlib import Path
from typing import Any

from ._psl import Run, explorer_page
from .html import frame

__all__ = ["widget_class"]


@cache
def widget_class() -> Any:
    """The class of the widget: see `psl.Explorer`. Its module can be imported without anywidget, but this cannot be called."""
    import anywidget  # type: ignore[import-not-found,unused-ignore]
    import traitlets  # type: ignore[import-not-found,unused-ignore]

    class Widget(anywidget.AnyWidget):
        """The explorer's page of a recorded run: see `psl.Explorer`."""

        _esm: Any = Path(__file__).with_name("explorer.js")

        # The name of the page's frame, which marks its messages.
        frame = traitlets.Unicode(read_only=True).tag(sync=True)
        cell: traitlets.Int[int | None, int | None] = traitlets.Int(None, allow_none=True).tag(sync=True)
        row: traitlets.Int[int | None, int | None] = traitlets.Int(None, allow_none=True).tag(sync=True)
        layer: traitlets.Int[int | None, int | None] = traitlets.Int(None, allow_none=True)
        pass_ = traitlets.Tuple(read_only=True)

        def __init__(self, run: Run) -> None:
            self._page = explorer_page(run)
            self._cells = run.ran.shape[1]
            self._places: list[tuple[int, tuple[int, ...]]] = [(0, ())]
            self._places += [(layer, tuple(passes)) for layer, passes in run.rows]
            super().__init__()

        @traitlets.default("frame")
        def _new_frame(self) -> str:
            return f"psl-{urandom(8).hex()}"

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

        def _repr_mimebundle_(self, **_: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
            # The page itself is the output, so that it is also shown where nothing runs: in a saved notebook and by nbconvert.
            return {"text/plain": repr(self), "text/html": frame(self._page, self.frame)}, {}

        def __repr__(self) -> str:
            return f"<psl explorer: cell {self.cell}, layer {self.layer}>"

    return Widget
