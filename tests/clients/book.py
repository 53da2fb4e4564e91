"""The pages of docs as a site, built by mdBook and shown in Chromium."""

import re
import subprocess
from pathlib import Path

import pytest
from explorer import chromium
from paths import ROOT
from workbench import CHROMIUM

DOCS = ROOT / "docs"
MDBOOK = ROOT / ".tools/bin/mdbook"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    if not MDBOOK.exists():
        pytest.skip("mdBook is missing: tests/run installs it")
    site = tmp_path_factory.mktemp("book") / "a site"
    build = subprocess.run([ROOT / "scripts/book", site], capture_output=True, text=True)
    assert build.returncode == 0, build.stderr
    assert not re.search(r"\b(WARN|ERROR)\b", build.stdout + build.stderr), build.stdout + build.stderr
    return site


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM.exists():
        pytest.skip("Chromium is missing: apt-get install chromium")
    with chromium() as browser:
        yield browser
