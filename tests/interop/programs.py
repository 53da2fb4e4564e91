"""Random programs: as data for the machine and the weights of this folder, and as text for psl."""

from dataclasses import dataclass, field
from random import Random
from typing import Optional, Union

SYMBOLS = ["A", "A", "B", "B", "C", "D", "2", "02", "EOP", "."]
#: Values by name. One of two words generates two words of a continuation.
CONSTANTS = {"A": "A", "B": "B", "C": "C", "DOT": ".", "ONE": "1", "TWO": "2", "PAIR": "A B"}
FUNCTIONS = {"pos_increment": 1, "pos_decrement": -1}


@dataclass(frozen=True)
class Constant:
    name: str

    def __str__(self):
        return self.name

    @property
    def value(self):
        return CONSTANTS[self.name]


@dataclass(frozen=True)
class CellRegister:
    """A register of the cell `n` or `N`, with a function or none."""

    register: str
    cell: str
    function: Optional[str] = None

    def __str__(self):
        return f"{self.register}[{self.cell}]" + (f"@{self.function}" if self.function else "")


@dataclass(frozen=True)
class Condition:
    left: CellRegister
    #: ==, !=, in or not in
    operator: str
    #: A tuple of constants for the last two.
    right: Union[Constant, CellRegister, tuple]

    def __str__(self):
        right = f"[{', '.join(map(str, self.right))}]" if isinstance(self.right, tuple) else self.right
        return f"{self.left} {self.operator} {right}"

    @property
    def registers(self):
        return [side for side in [self.left, self.right] if isinstance(side, CellRegister)]


def binds(conditions):
    """Whether conditions are about a cell n."""
    return any(register.cell == "n" for condition in conditions for register in condition.registers)


@dataclass
class Production:
    keyword: str
    conditions: list
    #: Sources by register.
    assignments: dict
    #: true, false, reverse, or None before the first `causal_attn`
    causal: Optional[str] = None
    number: int = 0


@dataclass
class Repeat:
    body: list
    #: None for NO_CHANGE.
    until: Optional[list]
    number: int = 0


@dataclass
class Causal:
    value: str


@dataclass
class Program:
    #: Short names by long name.
    registers: dict
    #: Registers by role.
    roles: dict
    #: Whether the text leaves out `system`.
    has_usual_roles: bool
    statements: list
    productions: list = field(default_factory=list)
    blocks: list = field(default_factory=list)

    def __post_init__(self):
        """Numbers productions and blocks, and settles what each production sees."""
        causal = None

        def visit(statements):
            nonlocal causal
            for statement in statements:
                if isinstance(statement, Causal):
                    causal = statement.value
                elif isinstance(statement, Production):
                    self.productions.append(statement)
                    statement.number, statement.causal = len(self.productions), causal
                else:
                    self.blocks.append(statement)
                    statement.number = len(self.blocks)
                    visit(statement.body)

        visit(self.statements)

    def text(self, *directives):
        registers = ", ".join(f"{long}: '{short}'" for long, short in self.registers.items())
        constants = ", ".join(f"{name}: '{value}'" for name, value in CONSTANTS.items())
        lines = [*directives, f"registers: {{{registers}}}", f"constants: {{{constants}}}"]
        if not self.has_usual_roles:
            lines.append(f"system: {{{', '.join(f'{role}: {register}' for role, register in self.roles.items())}}}")

        def visit(statements, indent):
            for statement in statements:
                if isinstance(statement, Causal):
                    lines.append(f"{indent}causal_attn: {statement.value}")
                elif isinstance(statement, Production):
                    lines.append(f"{indent}{statement.keyword} {' and '.join(map(str, statement.conditions))}:")
                    lines.extend(f"{indent}    {to}[N] = {source}" for to, source in statement.assignments.items())
                else:
                    lines.append(f"{indent}repeat:")
                    visit(statement.body, indent + "    ")
                    until = "NO_CHANGE" if statement.until is None else " and ".join(map(str, statement.until))
                    lines.append(f"{indent}until {until}")

        visit(self.statements, "")
        return "\n".join(lines) + "\n"


class Generator:
    """Makes one program. Most choices are uneven, so that productions fire, blocks take passes and symbols differ."""

    def __init__(self, random: Random):
        self.random = random
        shorts = {"symbol": "s", "position": "p", "parse": "a", "eop": "z"}
        if self.chance(0.2):
            del shorts[self.choice(["parse", "eop"])]
        self.roles = {role: role for role in shorts}
        #: The registers that a program is about.
        self.own = ["mark", "seen", "kind", "last"][: random.randint(1, 3)]
        self.registers = shorts | dict(zip(self.own, "mnkl"))
        self.has_usual_roles = self.chance(0.6)
        self.roles["output"] = "symbol" if self.has_usual_roles else self.choice([*self.registers])
        self.output = self.roles["output"]
        #: The registers that hold something in some cell.
        self.held = ["symbol", "symbol", "symbol", "position"]

    def chance(self, probability):
        return self.random.random() < probability

    def choice(self, list):
        return self.random.choice(list)

    def program(self):
        statements = self.statements(self.random.randint(2, 5), 0)
        return Program(self.registers, self.roles, self.has_usual_roles, statements)

    def statements(self, count, depth):
        statements = []
        for _ in range(count):
            if self.chance(0.12):
                statements.append(Causal(self.choice(["true", "false", "reverse"])))
            if depth < 2 and self.chance(0.3):
                body = self.statements(self.random.randint(1, 3), depth + 1)
                statements.append(Repeat(body, self.conditions(1) if self.chance(0.35) else None))
            else:
                statements.append(self.production())
        return statements

    def production(self):
        keyword = self.choice(["where", "where_lm", "where_rm", "where_rm"])
        conditions = self.conditions(self.choice([1, 1, 1, 2, 2, 3]))
        cell = "n" if binds(conditions) else "N"
        choices = [self.output, self.output, "symbol", *self.own, *self.own, *self.registers]
        targets = sorted({self.choice(choices) for _ in range(self.choice([1, 1, 2, 3]))} - {"position"} or {"symbol"})
        if self.chance(0.3):
            # Values that go round make symbols that differ, and blocks that never stop.
            targets = sorted({*targets, "symbol", self.choice(self.own)})
            assignments = {to: CellRegister(of, cell) for to, of in zip(targets, targets[1:] + targets[:1])}
        else:
            assignments = {target: self.source(cell) for target in targets}
        self.held += targets
        return Production(keyword, conditions, assignments)

    def register(self):
        return self.choice(self.held if self.chance(0.9) else [*self.registers])

    def source(self, cell):
        if self.chance(0.45):
            return self.constant()
        register = self.register()
        return CellRegister(register, cell, self.function(0.5 if register == "position" else 0.1))

    def function(self, probability):
        return self.choice([*FUNCTIONS]) if self.chance(probability) else None

    def constant(self):
        return Constant(self.choice(["A", "A", "B", "B", "C", "ONE", "TWO", "DOT", "PAIR"]))

    def conditions(self, count):
        binds_n = self.chance(0.6)
        while True:
            conditions = [self.condition(binds_n) for _ in range(count)]
            if binds(conditions) == binds_n:
                return conditions

    def condition(self, binds_n):
        if binds_n and self.chance(0.35):
            at_neighbor = CellRegister("position", "N", self.choice([None, "pos_decrement", "pos_increment", "pos_increment"]))
            return Condition(CellRegister("position", "n"), "==", at_neighbor)
        left = CellRegister(self.register(), self.choice("nN") if binds_n else "N")
        kind = self.random.random()
        if kind < 0.55:
            return Condition(left, self.choice(["==", "!=", "!="]), self.constant())
        if kind < 0.7:
            list = tuple(self.constant() for _ in range(self.random.randint(1, 3)))
            return Condition(left, self.choice(["in", "not in"]), list)
        # Where a production is about n, QKVL compares cells with each other only.
        cell = {"n": "N", "N": "n"}[left.cell] if binds_n else "N"
        same = left.register if self.chance(0.4) else self.register()
        return Condition(left, self.choice(["==", "!=", "!="]), CellRegister(same, cell, self.function(0.15)))


@dataclass
class Case:
    """A program with a prompt, and the length of its continuation."""

    seed: int
    program: Program
    prompt: list
    max_new: int

    @classmethod
    def of(cls, seed):
        random = Random(f"case {seed}")
        program = Generator(random).program()
        prompt = [random.choice(SYMBOLS) for _ in range(random.randint(1, 6))]
        return cls(seed, program, prompt, random.randint(1, 8))

    def random(self, purpose):
        """Further choices for one purpose."""
        return Random(f"{purpose} {self.seed}")


def other_prompt(random, prompt):
    """The prompt, or one that differs in a symbol or in its length."""
    kind, index = random.random(), random.randrange(len(prompt))
    if kind < 0.2:
        return prompt
    if kind < 0.8:
        return [*prompt[:index], random.choice(SYMBOLS), *prompt[index + 1 :]]
    return [*prompt, random.choice(SYMBOLS)] if kind < 0.9 else prompt[: index + 1]
