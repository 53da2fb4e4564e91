"""Patching: the values of one run in another, place by place."""

from collections import Counter

import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
COPIES = "Q B V D E A B V D E . Q F G H V K L A"
SWAP = "Q B V D E A D E V B . Q F G H V K L A"
EACH_PLACE = ("layer", "pass", "cell", "register")


def test_the_places_of_pargen():
    patches = PARGEN.patch(COPIES, SWAP, by=EACH_PLACE)
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
    patches = PARGEN.patch(COPIES, SWAP, by=EACH_PLACE)
    for patch in patches[::40]:
        run = PARGEN.run(COPIES, set=patch.set)
        assert (run.tokens, run.stop) == (patch.tokens, patch.stop)
        assert patch.set == {(patch.layer, patch.pass_, patch.cell, patch.register): patch.donor}
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
    assert repr(patches) == "<psl.Patches, 2 of 6 places differ, 1 of 2 patches change the score>"
    assert Counter(patch.tokens[0] for patch in patches) == {"B": 1, "C": 1}


def test_equal_prompts_have_no_places_that_differ():
    patches = PARGEN.patch(SWAP, SWAP)
    assert (len(patches), patches.places, list(patches)) == (0, 25_840, [])


def test_prompts_that_do_not_align_are_refused():
    with pytest.raises(ValueError, match="the prompts have 19 cells and 1 cell: name those that correspond, as in `align="):
        PARGEN.patch(SWAP, "Q")
    with pytest.raises(psl.RunError, match="empty"):
        PARGEN.patch("", SWAP)
    with pytest.raises(ValueError, match="cell 20 is out of range: the prompt that is patched has 19 cells"):
        PARGEN.patch(SWAP, "Q", align={20: 1})
    patches = PARGEN.patch(SWAP, "Q B", align={1: 1, 2: 2}, by="cell")
    assert {patch.cell for patch in patches} <= {1, 2}


def test_a_patch_comprises_what_it_is_not_told_apart_by():
    by_layer = PARGEN.patch(COPIES, SWAP, by="layer")
    assert [patch.layer for patch in by_layer] == list(range(1, 32))
    assert [patch.layer for patch in by_layer if not patch.restored] == [29, 30, 31]
    assert all(patch.pass_ is None and patch.cell is None and patch.register is None for patch in by_layer)
    run = PARGEN.run(COPIES, set=by_layer[4].set)
    assert (run.tokens, len(by_layer[4].set)) == (by_layer[4].tokens, 96)


def test_scores():
    by_cell = PARGEN.patch(COPIES, SWAP, by=["cell"], score="symbol 1")
    assert {patch.cell: patch.score for patch in by_cell if patch.changed} == {7: ["K"], 19: ["K"]}
    assert all(patch.changes == 1 and patch.restored for patch in by_cell if patch.changed)
    other_way = PARGEN.patch(COPIES, SWAP, by=["cell"], score="symbol 1", noising=True)
    assert {patch.cell: patch.score for patch in other_way if patch.changed} == {7: ["F"], 19: ["F"]}
    with pytest.raises(ValueError, match="unknown register `simbol`; did you mean `symbol`"):
        PARGEN.patch(COPIES, SWAP, score="simbol")
    with pytest.raises(ValueError, match="symbol 9 is out of range"):
        PARGEN.patch(COPIES, SWAP, score="symbol 9")
    with pytest.raises(ValueError, match="`row` is not a part of a place"):
        PARGEN.patch(COPIES, SWAP, by="row")


def test_generated_cells_can_be_patched():
    patches = PARGEN.patch(COPIES, SWAP, by="cell", generated=True)
    assert [patch.cell for patch in patches if patch.cell > 19] == [20, 21, 22, 23, 24, 25]
    assert patches.cells == list(range(1, 26))


def test_minimal_patches_carry_the_difference():
    sets = PARGEN.minimal_patches(COPIES, SWAP)
    assert len(sets) == 85
    assert sum(it.set is None for it in sets) == 3
    first = sets[0]
    assert (first.layer, first.label, first.pass_, first.differing) == (1, PARGEN.layers[1].label, (), 4)
    assert first.set == {(1, (), 7, "symbol"): "D", (1, (), 9, "symbol"): "V", (1, (), 10, "symbol"): "B"}
    for chosen in (sets[0], sets[60]):
        assert chosen.set
        assert PARGEN.run(COPIES, set=chosen.set).text == "K L V F G H ."
        for place in chosen.set:
            rest = {other: value for other, value in chosen.set.items() if other != place}
            assert PARGEN.run(COPIES, set=rest).text != "K L V F G H ."


def test_patches_as_arrays():
    pytest.importorskip("xarray")
    data = PARGEN.patch(COPIES, SWAP).to_xarray()
    assert dict(data.sizes) == {"layer": 31, "cell": 19, "register": 16}
    assert (int(data.patched.sum()), int((data.changes != 0).sum()), int(data.restored.sum())) == (447, 140, 0)
    assert str(data.label.sel(layer=15).item()).startswith("P5c")
    rows = PARGEN.patch(COPIES, SWAP, by=EACH_PLACE).to_xarray()
    assert dict(rows.sizes) == {"row": 85, "cell": 19, "register": 16}
    table = PARGEN.patch(COPIES, SWAP, by="layer").to_pandas()
    assert list(table.columns[:3]) == ["layer", "label", "pass"] and len(table) == 31
