"""Runs as records: rows of layers and passes, states at any time, and the first difference of two."""

from machine import Machine
from programs import Causal, Production


class Record(Machine):
    """A run with its rows in program order: layers in passes of blocks."""

    def __init__(self, program, *arguments, **options):
        super().__init__(program, *arguments, **options)
        self.places = {}
        self.number(program.statements, ())
        self.rows = sorted({(update.layer, update.path) for update in self.updates}, key=self.order)
        self.by_place = {(*row, update.cell): update for update in self.updates for row in [(update.layer, update.path)]}

    def number(self, statements, around):
        for index, statement in enumerate(statements):
            if isinstance(statement, Production):
                self.places[statement.number] = (*around, index)
            elif not isinstance(statement, Causal):
                self.number(statement.body, (*around, index))

    def order(self, row):
        """Where a row comes in a step: an index among statements, a pass, an index among those of the block, and so on."""
        layer, path = row
        indices = self.places[layer]
        return [number for pair in zip(indices, path) for number in pair] + [indices[-1]]

    def resting(self):
        """The rows that each cell lacks."""
        for cell, _ in enumerate(self.cells, 1):
            yield [index for index, row in enumerate(self.rows) if (*row, cell) not in self.by_place]

    def state(self, cell, time):
        """The registers of a cell after the first rows."""
        state = dict(self.cells[cell - 1].start)
        for row in self.rows[:time]:
            if update := self.by_place.get((*row, cell)):
                state |= update.written
        return state


def difference(first, second):
    """Where two runs start differently, and their first update that differs."""
    lengths = [first.prompt_cells, second.prompt_cells]
    short = min(lengths)
    starts = [cell for cell in range(1, short + 1) if first.cells[cell - 1].start != second.cells[cell - 1].start]
    start = starts[0] if starts else short + 1 if lengths[0] != lengths[1] else None
    rows = sorted({*first.rows, *second.rows}, key=first.order)
    order = [(row, cell) for row in rows for cell in range(1, short + 1)]
    if lengths[0] == lengths[1]:
        generated = range(short + 1, max(len(first.cells), len(second.cells)) + 1)
        order += [(row, cell) for cell in generated for row in rows]
    for row, cell in order:
        updates = [run.by_place.get((*row, cell)) for run in [first, second]]
        told = [update and (update.attends, update.written) for update in updates]
        if told[0] != told[1]:
            return start, (row, cell, updates)
    return start, None
