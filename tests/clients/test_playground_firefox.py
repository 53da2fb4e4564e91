"""The playground in Firefox: a fault, a run, tests, QKVL, the explorer, and a text that is kept."""

import subprocess
from pathlib import Path

import pytest
from npm import NODE, installed
from playground import served

FOLDER = Path(__file__).with_name("firefox")

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.long,
    pytest.mark.skipif(not Path("/usr/bin/firefox-esr").exists(), reason="firefox-esr is missing: tests/run --long installs it"),
]


def test_the_page_works_in_firefox():
    puppeteer = installed(FOLDER) / "puppeteer-core/lib/esm/puppeteer/puppeteer-core.js"
    with served() as address:
        run = subprocess.run([NODE, FOLDER / "playground.mjs", puppeteer, address], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1] == "the text is kept"
