"""Fillings of holes, and repairs."""

import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")


def test_holes_are_filled():
    text = "//@ max-new 1\n//@ test \"A B\" => \"A\"\nregisters: {symbol: 's', position: 'p', first: 'f'}\nconstants: {'1', A, B}\n"
    text += "system: {symbol: symbol, position: position, output: first}\nwhere position[n] == ?:\n    first[N] = symbol[n]\n"
    found = psl.fill(text)
    assert "position[n] == 1" in found.found[0].text or any("position[n] == 1" in it.text for it in found.found[0].same)
    assert found.found[0].changes[0][0] == 6
    assert psl.Program(found.found[0].text).test()[0].passed
    with pytest.raises(psl.Error, match="no holes"):
        psl.fill(found.found[0].text)
    with pytest.raises(psl.ProgramError):
        psl.fill(text.replace("first[N]", "furst[N]"))
    with pytest.raises(ValueError, match="line 1"):
        psl.fill(text, data=EXAMPLES / "README.md")


def test_a_program_is_repaired():
    program = psl.load(EXAMPLES / "pargen.psl").edit("P0", "")
    broken = psl.Program(program.text)
    found = broken.repair(seconds=5)
    assert found.tried > 0
    assert all(all(it.passed for it in psl.Program(answer.text).test()) for answer in found.found)
    assert PARGEN.repair().found == []
    small = psl.Program(
        "//@ max-new 1\n//@ test \"A B\" => \"A\"\nregisters: {symbol: 's', position: 'p', first: 'f'}\nconstants: {'1', '2'}\n"
        "system: {symbol: symbol, position: position, output: first}\nwhere position[n] == 2:\n    first[N] = symbol[n]\n"
    )
    best = small.repair(data=[("C D", "C")]).found[0]
    assert best.changes[0][0] == 6 and best.data == (1, 1)
    assert "position[n] == 1" in best.text
