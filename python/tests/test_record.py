"""Recorded runs as arrays."""

import json

import numpy as np
import pytest
from command import EXAMPLES, command, needs_command

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
SWAP = "Q B V D E A D E V B . Q F G H V K L A"


def test_the_states_have_a_row_for_each_layer_and_pass():
    run = PARGEN.run(SWAP, record=True)
    states = run.states
    assert states.dtype == np.int32 and run.ran.dtype == np.bool_
    assert states.shape == (len(run.rows) + 1, 25, len(run.registers))
    assert run.ran.shape == states.shape[:2] and run.ran[0].all()
    assert run.states is states and run.values is run.values and not states.flags.writeable and not states.flags.owndata
    symbol = run.registers.index("symbol")
    assert [run.values[value] for value in states[0, :19, symbol]] == SWAP.split()
    assert states.min() == -1 and states.max() < len(run.values)


def test_the_changes_lead_from_each_row_to_the_next():
    run = PARGEN.run(SWAP, record=True)
    states, changes = run.states, run.changes
    assert (states[changes.row - 1, changes.cell - 1, changes.register] == changes.before).all()
    assert (states[changes.row, changes.cell - 1, changes.register] == changes.after).all()
    assert len(changes.row) == np.count_nonzero(np.diff(states, axis=0))
    assert run.ran[changes.row, changes.cell - 1].all()
    rows = [(layer, [number for number in passes if number]) for layer, passes in zip(changes.layer, changes.pass_)]
    assert rows == [run.rows[row - 1] for row in changes.row]


def test_indices_are_converted():
    run = PARGEN.run(SWAP, record=True)
    assert run.index(0) == (0, 0)
    row, cell = run.index(12, 1, cell=9)
    assert (run.rows[row - 1], cell) == ((12, [1]), 8)
    assert run.index(12, (1,), 9) == (row, cell)
    for arguments, message in [((99,), "layer 99 is out of range"), ((12,), "its last pass is"), ((12, 1, 0), "cell 0 is out of")]:
        with pytest.raises(IndexError, match=message):
            run.index(*arguments)


def test_a_run_without_a_record_has_no_states():
    run = PARGEN.run(SWAP)
    for name in ["states", "ran", "changes", "values", "registers", "rows"]:
        with pytest.raises(psl.Error, match="pass `record=True`"):
            getattr(run, name)


def test_a_layer_is_explained():
    run = PARGEN.run(SWAP, record=True)
    fired = run.changes
    layer, cell = int(fired.layer[0]), int(fired.cell[0])
    why = run.why(layer, cell=cell)
    assert why.attends in why.matches and why.source == why.attends and why.visible
    assert why.conditions and all(condition.holds for condition in why.conditions)
    for n in set(range(1, 20)).difference(why.matches):
        other = run.why(layer, cell=cell, source=n)
        assert not other.visible or not all(condition.holds for condition in other.conditions)
    with pytest.raises(IndexError, match="the first number is 1"):
        run.why(0)
    with pytest.raises(IndexError, match="cell 99 is out of range"):
        run.why(layer, source=99)


def test_a_cell_rests_in_passes_that_others_need():
    program = psl.Program(
        "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n"
        "where_rm symbol[n] == A and symbol[N] == B:\n    mark[N] = symbol[n]\n"
        "repeat:\n    where mark[N] == A and symbol[n] == symbol[N]:\n        mark[N] = symbol[n]\nuntil NO_CHANGE\n"
        "where position[N] == position[N]:\n    symbol[N] = B\n"
    )
    run = program.run("A A", record=True, max_new=2)
    assert run.rows == [(1, []), (2, [1]), (2, [2]), (3, [])]
    assert run.ran.tolist() == [[True] * 3, [True] * 3, [True] * 3, [False, False, True], [True] * 3]
    with pytest.raises(IndexError, match="cell 1 rests in this pass of layer 2"):
        run.why(2, 2, cell=1)
    assert run.why(2, 2, cell=3).attends is None


def test_a_value_has_an_origin():
    run = PARGEN.run(SWAP, record=True)
    links = run.where_from("symbol", 25)
    assert (links[0].register, links[0].cell, links[0].row) == ("symbol", 25, len(run.rows))
    assert (links[-1].value, links[-1].kind, links[-1].written) == (links[0].value, "prompt", None)
    for link in links:
        held = run.states[link.row, link.cell - 1, run.registers.index(link.register)]
        assert (run.values[held] if held >= 0 else None) == link.value
    with pytest.raises(ValueError, match="unknown register `symbl`; did you mean `symbol`"):
        run.where_from("symbl", 1)
    with pytest.raises(IndexError, match="row 9999 is out of range"):
        run.where_from("symbol", 1, 9999)


def test_arrays_outlive_their_run():
    states = PARGEN.run(SWAP, record=True).states
    total = states.sum()
    PARGEN.run_many([SWAP] * 10)
    assert states.sum() == total


def test_a_run_without_changes_has_empty_columns():
    program = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n"
    run = psl.Program(program).run("B C", record=True, max_new=1)
    assert run.states.shape == (2, 2, 2) and (run.states[0] == run.states[1]).all()
    assert run.changes.row.shape == (0,) and run.changes.pass_.shape == (0, 0)


def test_states_that_take_too_much_memory_are_refused():
    registers = ", ".join(f"r{index}: 'r{index}'" for index in range(600))
    program = psl.Program(
        f"registers: {{symbol: 's', position: 'p', count: 'c', {registers}}}\nconstants: {{A, '1'}}\n"
        "where symbol[N] == A:\n    count[N] = 1\n"
        "repeat:\n    where symbol[N] == A:\n        count[N] = count[N]@pos_increment\n"
        "    where symbol[N] == A:\n        symbol[N] = symbol[N]\nuntil NO_CHANGE\n"
    )
    run = program.run("A" + 999 * " B", record=True, max_new=1)
    with pytest.raises(psl.Error, match=r"the states \[\d+, 1000, 603\] take \d+ MB, and the limit is 4294 MB"):
        run.states  # noqa: B018
    assert len(run.changes.row) > 1000 and run.ran.shape[1] == 1000


@needs_command
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.psl")), ids=lambda path: path.stem)
def test_each_example_has_the_states_of_the_trace(path, tmp_path):
    program, trace = psl.load(path), tmp_path / "trace.jsonl"
    compared = 0
    for line in program.text.splitlines():
        if not line.startswith("//@ test") or line.count('"') != 4 or " json " in line:
            continue
        prompt = line.split('"')[1]
        command("run", path, "--prompt", prompt, "--trace", trace)
        run = program.run(prompt, record=True)
        for update in map(json.loads, trace.read_text().splitlines()):
            held = run.states[run.index(update["layer"], update["pass"], update["cell"])]
            named = {name: run.values[value] for name, value in zip(run.registers, held) if value >= 0}
            assert named == update["state"], (prompt, update)
            compared += 1
    assert compared
