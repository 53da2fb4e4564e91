"""A GPT-2 in NumPy that reads only the standard files of a checkpoint completes prompts like psl."""

import json

import pytest
from gpt2 import Gpt2
from psl import ROOT, psl

INDUCTION = ROOT / "examples/induction.psl"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("induction")
    compiled = psl("compile", INDUCTION, "--emit", "hf", "-o", folder)
    assert compiled.returncode == 0, compiled.stderr
    (folder / "psl.json").unlink()
    return Gpt2(folder)


def test_it_passes_the_tests_of_the_program(model):
    tests = [json.loads(line) for line in psl("test", INDUCTION, "--format", "json").stdout.splitlines() if line.startswith("{")]
    assert [model.complete(test["prompt"]) for test in tests] == ["two three .", "y .", ".", "b ."]
    assert [test["gold"] for test in tests] == ["two three .", "y .", ".", "b ."]


def test_it_stops_after_the_longest_continuation(model):
    expected = psl("run", INDUCTION, "--prompt", "one", "--max-new", 16).stdout.strip()
    assert model.complete("one") == expected == " ".join(["one"] * 16)


@pytest.mark.parametrize("prompt, end", [("one nine", "[unknown-symbol]"), ("one " * 17, "[prompt-too-long]"), ("", "[empty-prompt]")])
def test_it_ends_visibly(model, prompt, end):
    assert model.complete(prompt) == end
