"""The playground in Firefox: a fault, a run, tests, QKVL, the explorer, and a text that is kept."""

from pathlib import Path

import pytest
from command import execute
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
        run = execute(NODE, FOLDER / "playground.mjs", puppeteer, address, timeout=300)
    assert run.stdout.splitlines()[-1] == "the text is kept"
