"""Pairs of random programs, one of which simulates a wrong machine, with the first moment at which their runs differ.

python disagreements.py COUNT prints them for the tests of the debugger, one a line.
"""

import json
import sys
from copy import deepcopy
from itertools import count, islice

from programs import Case, CellRegister, Condition, Constant, Program
from records import Record, difference


def changed(random, program):
    """The program with another instruction in one production."""
    statements = deepcopy(program.statements)
    changed = Program(program.registers, program.roles, program.has_usual_roles, statements)
    production, kind = random.choice(changed.productions), random.random()
    if changed.blocks and kind < 0.4:
        block = random.choice(changed.blocks)
        block.until = [Condition(CellRegister("symbol", "N"), "!=", Constant("A"))] if block.until is None else None
    elif kind < 0.6:
        production.keyword = "where" if production.keyword == "where_rm" else "where_rm"
    else:
        target = random.choice([*production.assignments])
        production.assignments[target] = random.choice([Constant(name) for name in ["A", "B", "ONE"]])
    return changed


def moment(left, found):
    """The moment of the left run at the first update that differs: step, cell and place."""
    (layer, path), cell, updates = found
    step = max(cell - left.prompt_cells, 0)
    if updates[0]:
        return [step, cell, f"layer {layer} {[*path]}"]
    # The left run lacks the update: it is where the step, or the run, has ended.
    return [step, max(cell, left.prompt_cells), "Symbol"] if cell <= len(left.cells) else [None, len(left.cells), "End"]


def pairs():
    for case in map(Case.of, count()):
        random = case.random("disagreement")
        programs = [case.program, changed(random, case.program)]
        left, right = [Record(program, case.prompt, case.max_new) for program in programs]
        _, found = difference(left, right)
        # How many passes an endless block takes before it is found is not defined.
        if not ((left.endless or right.endless) and (found is None or None in found[2])):
            first = found and moment(left, found)
            texts = [program.text(f"//@ max-new {case.max_new}") for program in programs]
            yield {"seed": case.seed, "left": texts[0], "right": texts[1], "prompt": " ".join(case.prompt), "moment": first}


if __name__ == "__main__":
    for pair in islice(pairs(), int(sys.argv[1])):
        print(json.dumps(pair))
