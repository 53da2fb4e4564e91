"""The pages of docs as a site, built by mdBook."""

import re
from pathlib import Path

import pytest
from command import execute
from paths import ROOT

DOCS = ROOT / "docs"
MDBOOK = ROOT / ".tools/bin/mdbook"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    if not MDBOOK.exists():
        pytest.skip("mdBook is missing: tests/run installs it")
    site = tmp_path_factory.mktemp("book") / "a site"
    build = execute(ROOT / "scripts/book", site)
    assert not re.search(r"\b(WARN|ERROR)\b", build.stdout + build.stderr), build.stdout + build.stderr
    return site
