"""A NumPy program that only implements docs/weights.md runs weights like psl."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dat import Dat
from psl import ROOT, output, weights

GOLDEN = sorted((ROOT / "tests/golden/states").glob("*.json"))


@pytest.mark.parametrize("layout", [[], ["--sparse"]], ids=["dense", "sparse"])
@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_final_states(golden, layout, tmp_path):
    expected = json.loads(golden.read_text())
    program = golden.parents[1] / expected["program"]
    assert expected["runs"]
    for run in expected["runs"]:
        prompt, max_new = run["prompt"], run["max_new"]
        file = weights(tmp_path, program, prompt.split(), max_new, *layout)
        dat = Dat(file)
        found = dat.run(prompt.split(), max_new)
        long = {short: name for name, short in dat.info["register_map"].items()}
        states = [{long[name]: value for name, value in state.items()} for state in found["states"]]
        assert (found["continuation"], states) == (run["continuation"], run["states"]), prompt
        for source in [program, file]:
            ours = json.loads(output("run", source, "--format", "json", "--prompt", prompt, "--max-new", max_new))
            assert ours["continuation"].split() == [symbol or "∅" for symbol in found["continuation"]], prompt


def test_all_golden_programs_are_present():
    assert len(GOLDEN) == 16


def test_pargen_answers(tmp_path):
    prompt = "Q B V D E A D E V B . Q F G H V K L A"
    file = weights(tmp_path, ROOT / "examples/pargen.psl", prompt.split(), 16, "--sparse")
    dat = [sys.executable, Path(__file__).with_name("dat.py"), file, prompt, "16"]
    run = subprocess.run(dat, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["continuation"] == "K L V F G H .".split()
