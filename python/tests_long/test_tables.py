"""Tables of pandas, xarray and Arrow."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
SWAP = "Q B V D E A D E V B . Q F G H V K L A"


@pytest.fixture(scope="module")
def run() -> psl.Run:
    return PARGEN.run(SWAP, record=True)


def test_the_changes_are_a_frame(run):
    frame, changes = run.to_pandas(), run.changes
    assert len(frame) == len(changes.row)
    assert list(frame.columns) == ["row", "layer", "label", "pass", "cell", "register", "before", "after"]
    for line, change in enumerate(frame.head(200).itertuples()):
        before = changes.before[line]
        assert change.register == run.registers[changes.register[line]]
        assert change.before == run.values[before] if before >= 0 else pd.isna(change.before)
        assert change.after == run.values[changes.after[line]]
        assert run.rows[change.row - 1] == (change.layer, list(frame["pass"][line]))
        assert change.label == PARGEN.layers[change.layer].label
    region = frame[(frame.register == "region") & (frame.cell == 9)]
    assert region.after.iloc[-1] == run.where_from("region", cell=9)[0].value


def test_the_states_are_a_dataset(run):
    data = run.to_xarray()
    assert data.states.dims == ("row", "cell", "register") and data.ran.dims == ("row", "cell")
    assert np.array_equal(data.states, run.states) and np.array_equal(data.ran, run.ran)
    row, cell = run.index(12, 1, cell=9)
    assert data.layer[row] == 12 and data["pass"][row] == "1"
    assert data.label[row] == PARGEN.layers[12].label
    assert data.states.sel(cell=9, register="region")[row] == run.states[row, cell, run.registers.index("region")]
    assert data.attrs["values"] == run.values


def test_the_effects_of_patches_are_a_dataset():
    patches = PARGEN.patch("Q B V D E A B V D E . Q F G H V K L A", SWAP, by=("layer", "cell", "register", "pass"))
    data = patches.to_xarray()
    # The figures of `psl patch`.
    assert (int(data.patched.sum()), int((data.changes != 0).sum()), int(data.restored.sum())) == (951, 305, 0)
    assert list(data.register.values) == list(patches.base.registers)
    [row] = np.flatnonzero((data.layer == 12) & (data["pass"] == "1"))
    assert data.label[row] == PARGEN.layers[12].label


@pytest.mark.parametrize("column", [pa.array, lambda prompts: pa.chunked_array([prompts]), pd.Series], ids=str)
def test_a_column_of_prompts_is_completed(column):
    assert [run.text for run in PARGEN.run_many(column([SWAP] * 3))] == [PARGEN.run(SWAP).text] * 3
