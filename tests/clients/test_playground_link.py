"""Links of the playground, by Node's test runner."""

import os
import subprocess

import pytest
from npm import NODE
from playground_parts import PROBE, bundled
from paths import ROOT


@pytest.mark.timeout(300)
def test_links(tmp_path):
    bundled(ROOT / "web/playground/src/share/link.ts", tmp_path / "link.mjs", "esm")
    environment = os.environ | {"LINK": (tmp_path / "link.mjs").as_uri()}
    run = subprocess.run([NODE, "--test", PROBE / "link.test.mjs"], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
