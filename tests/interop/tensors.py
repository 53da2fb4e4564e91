"""The weights of a program as the paper's table (72) has them, from the data of `programs.py`."""

import numpy as np
from programs import CONSTANTS, FUNCTIONS, CellRegister, Condition, Constant, binds


class Slots:
    """The instructions for query and key, by slot: a slot is a register's short name, with backquotes if it is primed."""

    def __init__(self, program, conditions):
        self.short, self.q, self.k = program.registers, {}, {}
        position = program.roles["position"]
        for condition in conditions:
            self.add(condition)
        if not binds(conditions):
            # Cell N is compared with itself.
            own = CellRegister(position, "N")
            self.add(Condition(own, "==", own))

    def add(self, condition):
        left, is_at_n = condition.left, condition.left.cell == "n"
        held, tested = ("==", self.sources(left)), (condition.operator, self.sources(condition.right))
        q, k = (tested, held) if is_at_n else (held, tested)
        slot = self.short[left.register] + ("`" if is_at_n else "")
        while slot in self.q:
            if (self.q[slot], self.k[slot]) == (q, k):
                return
            slot += "`"
        self.q[slot], self.k[slot] = q, k

    @staticmethod
    def sources(right):
        """What is compared with, without the cell: the attribute has it."""
        if isinstance(right, tuple):
            return tuple(dict.fromkeys(right))
        return (right if isinstance(right, Constant) else CellRegister(right.register, "", right.function),)


class Tensors:
    """Matrices and biases for a vocabulary, whose first `positions` decimals are positions."""

    def __init__(self, program, values, positions, registers):
        self.program, self.values, self.registers = program, list(values), list(registers)
        self.index = {value: index for index, value in enumerate(self.values)}
        self.dimension, self.positions = len(self.values), positions

    @property
    def size(self):
        return self.dimension * len(self.registers)

    def at(self, slot):
        first = self.registers.index(slot) * self.dimension
        return slice(first, first + self.dimension)

    def map(self, instructions):
        """W and b of one attribute, for the rows of i W + b."""
        matrix, bias = np.zeros((self.size, self.size), np.float32), np.zeros(self.size, np.float32)
        for slot, (operator, sources) in instructions.items():
            sign = 1 if operator in ["==", "in"] else -1
            target = self.at(slot)
            if sign < 0:
                bias[target] = 1
            for source in sources:
                if isinstance(source, Constant):
                    bias[target][self.index[source.value]] = 1 if sign > 0 else 0
                else:
                    matrix[self.at(self.program.registers[source.register]), target] += sign * self.moved(source.function)
        return matrix, bias

    def moved(self, function):
        if function is None:
            return np.eye(self.dimension, dtype=np.float32)
        shift = np.zeros((self.dimension, self.dimension), np.float32)
        for position in range(self.positions):
            to = position + FUNCTIONS[function]
            if 0 <= to < self.positions:
                shift[self.index[str(position)], self.index[str(to)]] = 1
        return shift

    def instructions(self, production):
        """The instructions of query, key and value."""
        slots = Slots(self.program, production.conditions)
        to = {self.program.registers[to]: ("==", Slots.sources(source)) for to, source in production.assignments.items()}
        return {"q": slots.q, "k": slots.k, "v": to}

    def layer(self, production):
        """W and b of query, key and value."""
        return {letter: self.map(instructions) for letter, instructions in self.instructions(production).items()}

    def until(self, conditions):
        """W and b of query and key."""
        slots = Slots(self.program, conditions)
        return {"q": self.map(slots.q), "k": self.map(slots.k)}


def vocabulary(prompt, last_position):
    """The values of a run."""
    positions = range(last_position + 1)
    return {*CONSTANTS.values(), "EOP", *map(str, positions), *prompt}
