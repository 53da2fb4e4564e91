"""The table of docs/how-to/transformers.md: what each default of an engine does with five examples."""

import re

import pytest
from defaults import outcome
from engine import Engine
from programs import ROOT, Program

PAGE = (ROOT / "docs/how-to/transformers.md").read_text()
EXAMPLES, *ROWS = re.findall(r"^\| (.*) \|$", PAGE.split("## Defaults of engines")[1].split("\n## ")[0], re.MULTILINE)
EXAMPLES = EXAMPLES.removeprefix("| ").split(" | ")
SHOWN = {default: cells for default, *cells in (row.split(" | ") for row in ROWS)}


def test_the_table_has_each_default():
    numbers = {"float16", "bfloat16", "autocast", "int8"}
    assert SHOWN.keys() == numbers | {"no special tokens", "beams", "static cache"}
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_default_is_right_or_ends_visibly(name, tmp_path):
    program = Program(name, tmp_path)
    engine = Engine(program)
    prompts = [*program.shortest(2), *program.random_prompts(2)]
    found = {default: outcome(program, engine, default, prompts) for default in SHOWN}
    assert found == {default: cells[EXAMPLES.index(name)].strip("`") for default, cells in SHOWN.items()}
