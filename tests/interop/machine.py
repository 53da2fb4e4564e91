"""The production system machine, as the paper has it in (33) and (34): it runs the data of `programs.py`."""

from dataclasses import dataclass, field
from itertools import count

from programs import FUNCTIONS, Causal, Constant, Production, binds

MAX_PASSES = 10_000


class Endless(Exception):
    """A repeat block that never stops."""

    def __init__(self, block, cycle):
        super().__init__(block, cycle)
        how = "a pass changes nothing, " if cycle == 1 else f"its state repeats every {cycle} passes ("
        #: The start of the message.
        self.message = f"repeat block {block} never stops: {how}"


@dataclass
class Update:
    """A layer's effect on a cell, as in a line of a trace."""

    step: int
    layer: int
    path: tuple
    cell: int
    attends: int | None
    written: dict
    state: dict


@dataclass
class Cell:
    start: dict
    state: dict
    #: The states that entered a layer, by the layer's number and the passes around it.
    entered: dict = field(default_factory=dict)
    #: The number of passes and the state after the last one, by block and the passes around it.
    passes: dict = field(default_factory=dict)
    ends: dict = field(default_factory=dict)

    def rests_at(self, blocks, path):
        """The passes at which a later cell reads this one."""
        at = ()
        for block, turn in zip(blocks, path):
            at = (*at, min(turn, self.passes[block, at]))
        return at


class Machine:
    """A run: `updates`, `continuation` (None is null), `stopped`, and `endless` if a block never stops.

    A run with an endless block continues for `updates` updates at least: how soon psl finds the cycle is its own affair.
    """

    def __init__(self, program, prompt, max_new, stop=".", recompute=False, updates=0):
        self.program, self.most = program, updates
        self.last_position = max(2, len(prompt) + max_new) + 1
        self.updates, self.continuation, self.endless, self.stopped = [], [], None, None
        self.prompt_cells, self.cells, self.step = len(prompt), [], 0
        new = [self.cell(number, symbol, number == len(prompt)) for number, symbol in enumerate(prompt, 1)]
        try:
            while True:
                if recompute:
                    new, self.cells = [Cell(cell.start, {}) for cell in self.cells] + new, []
                self.forward(new)
                self.continuation.append(self.cells[-1].state.get(program.roles["output"]))
                if self.continuation[-1] == stop or len(self.continuation) == max_new:
                    break
                start = self.cells[-1].state | {program.roles["position"]: str(len(self.cells) + 1)}
                new, self.step = [Cell(start, {})], self.step + 1
            self.stopped = "stop-symbol" if self.continuation[-1] == stop else "max-new"
        except Endless:
            pass

    def cell(self, number, symbol, is_last):
        values = {"symbol": symbol, "position": str(number), "parse": "1"} | ({"eop": "EOP"} if is_last else {})
        roles = self.program.roles
        return Cell({roles[role]: value for role, value in values.items() if role in roles}, {})

    def forward(self, new):
        self.first, self.cells = len(self.cells), self.cells + new
        for cell in new:
            cell.state = dict(cell.start)
        self.run(self.program.statements, (), ())

    def run(self, statements, blocks, path):
        for statement in statements:
            if isinstance(statement, Production):
                self.layer(statement, blocks, path)
            elif not isinstance(statement, Causal):
                self.repeat(statement, blocks, path)

    @property
    def new(self):
        return self.cells[self.first :]

    def value(self, source, at_n, at_N):
        """The value of a constant or of a register, with its function."""
        if isinstance(source, Constant):
            return source.value
        held = (at_n if source.cell == "n" else at_N).get(source.register)
        if source.function is None:
            return held
        # Positions are canonical decimals: 02 is none.
        positions = [str(position) for position in range(self.last_position + 1)]
        moved = positions.index(held) + FUNCTIONS[source.function] if held in positions else -1
        return positions[moved] if 0 <= moved < len(positions) else None

    def holds(self, condition, at_n, at_N):
        left = self.value(condition.left, at_n, at_N)
        if left is None:
            return False
        right = condition.right
        values = [self.value(item, at_n, at_N) for item in (right if isinstance(right, tuple) else [right])]
        return (left in values) == (condition.operator in ["==", "in"])

    def layer(self, production, blocks, path):
        for cell in self.new:
            cell.entered[production.number, path] = cell.state
        earlier = [cell.entered[production.number, cell.rests_at(blocks, path)] for cell in self.cells[: self.first]]
        states = earlier + [cell.state for cell in self.new]
        for N, cell in enumerate(self.new, self.first):
            visible = range(len(states)) if binds(production.conditions) else [N]
            sees = {"true": lambda n: n <= N, "reverse": lambda n: n >= N}.get(production.causal, lambda n: True)
            matches = [n for n in visible if sees(n) and self.all_hold(production.conditions, states[n], states[N])]
            written, attends = {}, None
            if matches:
                attends = matches[-1 if production.keyword == "where_rm" else 0]
                found = {to: self.value(source, states[attends], states[N]) for to, source in production.assignments.items()}
                written = {to: value for to, value in found.items() if value is not None}
            cell.state = states[N] | written
            at = None if attends is None else attends + 1
            self.updates.append(Update(self.step, production.number, path, N + 1, at, written, cell.state))

    def all_hold(self, conditions, at_n, at_N):
        return all(self.holds(condition, at_n, at_N) for condition in conditions)

    def repeat(self, repeat, blocks, path):
        block = repeat.number
        earlier = [(cell, cell.rests_at(blocks, path)) for cell in self.cells[: self.first]]
        least = max((cell.passes[block, rest] for cell, rest in earlier), default=1)
        resting = [cell.ends[block, rest] for cell, rest in earlier]
        starts = []
        for turn in count(1):
            assert turn <= MAX_PASSES, "more passes than psl allows"
            before = [cell.state for cell in self.new]
            if turn >= least:
                if before in starts and not self.endless:
                    self.endless = Endless(block, len(starts) - starts.index(before))
                if self.endless and len(self.updates) >= self.most:
                    raise self.endless
                starts.append(before)
            self.run(repeat.body, (*blocks, block), (*path, turn))
            after = [cell.state for cell in self.new]
            if turn >= least and (after == before if repeat.until is None else self.is_met(repeat.until, resting + after)):
                break
        for cell in self.new:
            cell.passes[block, path], cell.ends[block, path] = turn, cell.state

    def is_met(self, conditions, states):
        if not binds(conditions):
            return any(self.all_hold(conditions, state, state) for state in states)
        return any(self.all_hold(conditions, at_n, at_N) for at_n in states for at_N in states)
