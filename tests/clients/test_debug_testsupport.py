"""`psl dap` with Microsoft's client for tests of debug adapters: each scenario of debugadapter/scenarios.js is a test here."""

import os
import re
from functools import cache
from pathlib import Path

import pytest
from command import execute
from npm import NODE, installed
from paths import PROGRAMS, PSL

pytestmark = pytest.mark.timeout(300)

HERE = Path(__file__).with_name("debugadapter")
SCENARIOS = re.findall(r"^scenario\('(.+?)'", (HERE / "scenarios.js").read_text(), re.MULTILINE)


@cache
def report() -> str:
    """The results of all scenarios."""
    environment = os.environ | {"NODE_PATH": str(installed(HERE))}
    command = [NODE, "--test-reporter=tap", HERE / "scenarios.js", PSL, PROGRAMS / "nested.psl"]
    run = execute(*command, code=None, env=environment, timeout=280)
    return run.stdout + run.stderr


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario):
    _, found, of_scenario = report().partition(f"# Subtest: {scenario}\n")
    assert found, report()
    assert of_scenario.startswith("ok "), of_scenario.partition("# Subtest:")[0]
