"""A program in the data set of a DataLoader of PyTorch, whose workers are processes.

From PyPI, PyTorch brings 3 GB of CUDA, so the packages of these tests leave it out: `.tools/venv-long/bin/pip install torch==2.15.0`.
"""

import subprocess
import sys
from pathlib import Path

import pytest

PARGEN = Path(__file__).parents[2] / "examples/pargen.psl"
SWAP, SWAPPED = "Q B V D E A D E V B . Q F G H V K L A", "K L V F G H ."

# A worker imports the data set, so it is in a file of its own.
LOADER = f"""
import sys
from torch.utils.data import DataLoader, Dataset
import psl

class Runs(Dataset):
    def __init__(self):
        self.program = psl.load({str(PARGEN)!r})

    def __len__(self):
        return 64

    def __getitem__(self, index):
        run = self.program.run({SWAP!r}, record=True)
        many = self.program.run_many([{SWAP!r}] * 2)
        return {{"index": index, "text": run.text, "many": many[1].text, "states": run.states.copy()}}

if __name__ == "__main__":
    runs = Runs()
    here = runs[0]
    loader = DataLoader(runs, batch_size=8, num_workers=2, multiprocessing_context=sys.argv[1], timeout=60)
    batches = list(loader)
    assert [int(index) for batch in batches for index in batch["index"]] == list(range(64))
    for batch in batches:
        assert batch["text"] == batch["many"] == [here["text"]] * 8
        assert (batch["states"].numpy() == here["states"]).all()
    print(here["text"])
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_have_the_program(method, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed")
    (tmp_path / "loader.py").write_text(LOADER)
    done = subprocess.run([sys.executable, tmp_path / "loader.py", method], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, SWAPPED + "\n"), done.stderr
