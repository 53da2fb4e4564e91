"""Links of the playground, by Node's test runner."""

import pytest
from paths import ROOT
from playground_parts import run_tests


@pytest.mark.timeout(300)
def test_links(tmp_path):
    run_tests(tmp_path, ROOT / "web/playground/src/share/link.ts", "link")
