"""Patching: the values of one run in another, place by place."""

from collections import Counter

import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
COPIES = "Q B V D E A B V D E . Q F G H V K L A"
SWAP = "Q B V D E A D E V B . Q F G H V K L A"


def test_the_places_of_pargen():
    patches = PARGEN.patch(COPIES, SWAP)
    assert (patches.base.text, patches.donor.text) == ("F G H V K L .", "K L V F G H .")
    assert (patches.places, len(patches)) == (25_840, 951)
    assert (sum(patch.changed for patch in patches), sum(patch.restored for patch in patches)) == (305, 0)
    # The role of the symbols moves to the fields, and from these to the indices.
    last = {}
    for patch in patches:
        # The last cell generates what its symbol is at the end.
        if patch.changed and patch.cell < 19:
            last[patch.register] = patch.layer
    assert last["symbol"] == PARGEN.layers["P5c"].number < last["type"] < last["field"] <= last["index"]


def test_a_patch_is_an_intervention():
    patches = PARGEN.patch(COPIES, SWAP)
    for patch in patches[::40]:
        run = PARGEN.run(COPIES, set={(patch.layer, patch.pass_, patch.cell, patch.register): patch.donor})
        assert (run.tokens, run.stop) == (patch.tokens, patch.stop)
        row, cell = patches.base.index(patch.layer, patch.pass_, patch.cell)
        value = patches.base.states[row, cell, patches.base.registers.index(patch.register)]
        assert patch.base == (None if value < 0 else patches.base.values[value])


def test_a_value_alone_restores_a_small_program():
    program = psl.Program(
        "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A}\n"
        "system: {symbol: symbol, position: position, output: mark}\n# copy\nwhere symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n"
    )
    patches = program.patch("A B", "A C", max_new=1)
    found = [(patch.label, patch.cell, patch.register, patch.base, patch.donor, patch.changed, patch.restored) for patch in patches]
    assert found == [("copy", 2, "symbol", "B", "C", False, False), ("copy", 2, "mark", "B", "C", True, True)]
    assert repr(patches) == "<psl.Patches, 2 of 6 places differ, 1 change the continuation>"
    assert Counter(patch.tokens[0] for patch in patches) == {"B": 1, "C": 1}


def test_equal_prompts_have_no_places_that_differ():
    patches = PARGEN.patch(SWAP, SWAP)
    assert (len(patches), patches.places, list(patches)) == (0, 25_840, [])


def test_prompts_that_do_not_align_are_refused():
    with pytest.raises(ValueError, match="the prompts have 19 cells and 1 cell: only prompts of one length"):
        PARGEN.patch(SWAP, "Q")
    with pytest.raises(psl.RunError, match="empty"):
        PARGEN.patch("", SWAP)
