"""Names of layers, registers and cells: one rule wherever a layer is taken."""

import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
SWAP = "Q B V D E A D E V B . Q F G H V K L A"
TWICE = psl.Program(
    """registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, C}
# twice: before
where symbol[N] == A:
    mark[N] = B
repeat:
    # twice after
    where mark[N] == B:
        mark[N] = C
until NO_CHANGE
where mark[N] == C:
    symbol[N] = mark[N]
"""
)


def test_a_layer_has_its_place_in_the_text():
    layer = PARGEN.layers["P3a"]
    assert (layer.number, layer.name, layer.block, layer.passes) == (9, "P3a", None, 0)
    assert layer.label == "P3a: start the answer of the example at the A in XQ"
    assert PARGEN.text.splitlines()[layer.line - 1] == layer.text.splitlines()[0]
    assert (TWICE.layers[2].label, TWICE.layers[2].block, TWICE.layers[2].passes) == ("twice after", 1, 1)
    assert (TWICE.layers[3].label, TWICE.layers[3].name) == (None, "3")


def test_a_label_is_found_whole_or_by_its_first_word():
    for layer in PARGEN.layers:
        assert PARGEN.layers[layer.number] == layer
        if layer.label is not None:
            assert PARGEN.layers[layer.label].number == layer.number
    # The production, and not the block with the same word.
    assert PARGEN.layers["P2a"].text.startswith("where prev_region[N] == XQ")
    assert TWICE.layers["twice after"].number == 2


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        (0, IndexError, "the first number is 1"),
        (4, IndexError, "layer 4 is out of range: the program has 3 layers"),
        ("twise", ValueError, "did you mean `twice`"),
        ("mark", ValueError, "name one by its number, from 1 to 3, or by its label"),
        ("twice", ValueError, r"2 layers are called `twice`: layer 1 \(line 4\), layer 2 \(line 8\)"),
        (1.5, TypeError, "found float"),
    ],
)
def test_a_layer_that_is_not_there_is_refused(name, error, message):
    run = TWICE.run("A", record=True)
    for take in (
        lambda: TWICE.layers[name],
        lambda: TWICE.edit(name, ""),
        lambda: run.layer(name),
        lambda: run.why(name),
        lambda: TWICE.run("A", set={(name, 1, "mark"): "B"}) if name else TWICE.layers[name],
    ):
        with pytest.raises(error, match=message):
            take()


def test_the_same_names_ablate():
    text = PARGEN.run(SWAP, ablate=9).text
    assert PARGEN.run(SWAP, ablate="P3a").text == text != PARGEN.run(SWAP).text
    assert PARGEN.run(SWAP, ablate=["P3a", 30]).text == PARGEN.run(SWAP, ablate="P3a,30").text
    [evaluation] = [PARGEN.eval([psl.Line(SWAP, text)], ablate="P3a")]
    assert evaluation.ablated == (9,) and evaluation.correct == 1


def test_registers_and_constants_are_those_of_the_program():
    region = next(register for register in PARGEN.registers if register.name == "region")
    assert (region.short, region.roles, region.domain) == ("r", [], "XQ, XA, CQ, CA, R_INIT or null")
    assert [register.roles for register in PARGEN.registers][:2] == [["symbol", "output"], ["position"]]
    assert TWICE.constants == {"A": "A", "B": "B", "C": "C"}


def test_the_graph_has_what_is_read_and_written():
    assert (1, 2, {"register": "mark"}) in TWICE.graph() and (2, 3, {"register": "mark"}) in TWICE.graph()
    # A layer of a block reads what it wrote in the pass before.
    assert (2, 2, {"register": "mark"}) in TWICE.graph()


def test_the_graph_of_pargen_leads_to_its_last_layer():
    reached, edges = {31}, PARGEN.graph()
    while more := {writer for writer, reader, _ in edges if reader in reached} - reached:
        reached |= more
    assert reached == set(range(1, 32))


def test_a_run_has_its_prompt_its_cells_and_their_states():
    run = PARGEN.run(SWAP, record=True)
    assert run.prompt == SWAP and run.program == PARGEN
    assert [cell["symbol"] for cell in run.cells] == [*SWAP.split()[:-1], *run.tokens]
    assert run["region", 9] == run["r", 9] == run.cells[8]["region"]
    row, cell = run.index("P3a", cell=9)
    for index, register in enumerate(run.registers):
        value = run.states[row, cell, index]
        assert run.state("P3a", 9)[register] == (None if value < 0 else run.values[value])
    assert run.state(0, 9)["region"] is None
    with pytest.raises(IndexError, match="cell 99"):
        run["region", 99]
    with pytest.raises(ValueError, match="did you mean `region`"):
        run["regon", 9]


def test_attention_is_that_of_why():
    run = PARGEN.run(SWAP, record=True)
    assert run.attends.shape == run.ran.shape and (run.attends[0] == -1).all()
    for row, (layer, passes) in enumerate(run.rows, start=1):
        for cell in range(1, run.attends.shape[1] + 1):
            source = run.attends[row, cell - 1] + 1
            found = run.why(layer, passes, cell).attends if run.ran[row, cell - 1] else None
            assert (source or None) == found


def test_a_layer_of_a_run_has_its_passes():
    run = TWICE.run("A", record=True)
    layer = run.layer("twice after")
    assert (layer.number, layer.passes) == (2, [(1,), (2,)])
    assert layer.states.shape == (2, *run.states.shape[1:]) and layer.attends.shape == layer.ran.shape
    assert [run.rows[row - 1] for row in layer.rows] == [(2, [1]), (2, [2])]
