"""Schedules, their latent codes, and runs with several heads in a layer."""

import json

import pytest
from command import EXAMPLES, command, needs_command

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
SWAP = "Q B V D E A D E V B . Q F G H V K L A"


@needs_command
def test_schedules_and_codes_are_those_of_the_command_line():
    file = EXAMPLES / "pargen.psl"
    assert PARGEN.schedule() == json.loads(command("schedule", file, "--format", "json"))
    assert PARGEN.schedule(2) == json.loads(command("schedule", file, "--max-heads", 2, "--format", "json"))
    shown = command("latent", file, "--prompt", SWAP, "--layer", "P3a,2", "--format", "json")
    assert PARGEN.latent(SWAP, layers="P3a,2") == json.loads(shown)
    with pytest.raises(ValueError, match="no layer is called `P99`"):
        PARGEN.latent(SWAP, layers="P99")
    with pytest.raises(ValueError, match="`max_heads` is at least 1"):
        PARGEN.schedule(0)
    with pytest.raises(psl.RunError, match="empty"):
        PARGEN.latent("")


@needs_command
def test_heads_are_those_of_the_command_line():
    file = EXAMPLES / "pargen.psl"
    assert PARGEN.run(SWAP, heads=True, verify=True).text == PARGEN.run(SWAP).text == "K L V F G H ."
    assert [run.text for run in PARGEN.run_many([SWAP], heads=2)] == ["K L V F G H ."]
    assert PARGEN.eval([(SWAP, "K L V F G H .")], heads=True).accuracy == 1
    qkvl = command("compile", file, "--heads", "--max-heads", 2)
    assert json.loads(PARGEN.compile(heads=2)) == json.loads(qkvl) != json.loads(PARGEN.compile())
    assert PARGEN.compile("psl", heads=True) == command("compile", file, "--heads", "--emit", "psl")
    # Layer 8 of the schedule is not layer 8 of the program.
    by_schedule = command("run", file, "--prompt", SWAP, "--heads", "--ablate", 8).strip()
    assert PARGEN.run(SWAP, heads=True, ablate=8).text == by_schedule
    for wrong in ({"record": True}, {"set": {(1, 1, "symbol"): "X"}}):
        with pytest.raises(ValueError, match="`heads` runs without"):
            PARGEN.run(SWAP, heads=True, **wrong)
    with pytest.raises(ValueError, match="`heads` is at least 1"):
        PARGEN.run(SWAP, heads=0)
