"""Many runs as arrays."""

import numpy as np
import pytest
from command import EXAMPLES

import psl

COUNT = psl.load(EXAMPLES / "histogram.psl")
PROMPTS = ["a b a", "b", "a a a a b"]


def test_the_states_of_many_runs_are_padded():
    runs = COUNT.run_many(PROMPTS, record=True)
    assert [run.text for run in runs] == [COUNT.run(prompt).text for prompt in PROMPTS]
    cells = max(run.states.shape[1] for run in runs)
    assert runs.states.shape == (3, len(runs.rows) + 1, cells, len(runs[0].registers))
    assert (runs.ran.shape, runs.attends.shape) == (runs.states.shape[:3], runs.states.shape[:3])
    # A longer prompt takes more passes.
    assert len(runs.rows) == max(len(run.rows) for run in runs) > min(len(run.rows) for run in runs)
    for number, run in enumerate(runs):
        own = {(layer, tuple(passes)): row for row, (layer, passes) in enumerate(run.rows, 1)}
        width = run.states.shape[1]
        for row, key in enumerate([None, *runs.rows]):
            if key is not None and key not in own:
                assert not runs.ran[number, row].any() and (runs.attends[number, row] == -1).all()
                assert (runs.states[number, row] == runs.states[number, row - 1]).all()
                continue
            at = 0 if key is None else own[key]
            assert (runs.ran[number, row, :width] == run.ran[at]).all()
            assert (runs.attends[number, row, :width] == run.attends[at]).all()
            found = [[runs.values[value] if value >= 0 else None for value in cell] for cell in runs.states[number, row, :width]]
            assert found == [[run.values[value] if value >= 0 else None for value in cell] for cell in run.states[at]]
        assert not runs.ran[number, :, width:].any() and (runs.states[number, :, width:] == -1).all()


def test_runs_without_a_record_have_no_arrays():
    runs = COUNT.run_many(PROMPTS)
    assert isinstance(runs, list) and len(runs) == 3
    with pytest.raises(psl.Error, match="no record"):
        runs.states
    empty = COUNT.run_many([], record=True)
    assert (empty.states.shape, empty.rows, empty.values) == ((0, 1, 0, 0), [], ())


def test_a_shared_vocabulary_compares_runs():
    runs = COUNT.run_many(["a b", "b a"], record=True)
    symbol = list(runs[0].registers).index("symbol")
    first, second = (runs.states[number, 0, :2, symbol] for number in (0, 1))
    assert np.array_equal(first, second[::-1])
