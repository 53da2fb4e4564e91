"""The parts of the playground's page without the page, in Chromium."""

import os
from pathlib import Path

import pytest
from command import execute
from npm import NODE
from paths import ROOT
from playground import served

PROBE = Path(__file__).with_name("playground_probe")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>probe</title>
<div id="target" style="width: 300px; height: 200px"></div><script src="probe.js"></script></html>"""


def bundled(source: Path, out: Path, form: str):
    """Bundles a script with the packages of the page."""
    packages = ROOT / "web/node_modules"
    # The probe is outside the package.
    options = [f"--format={form}", f"--outfile={out}", "--log-level=error", f"--alias:@preact/signals={packages / '@preact/signals'}"]
    execute(packages / ".bin/esbuild", source, "--bundle", *options, cwd=ROOT / "web")


def run_tests(folder: Path, source: Path, name: str):
    """Bundles a script, and runs its tests by Node's test runner. A variable with their name has its address."""
    bundle = folder / f"{name}.mjs"
    bundled(source, bundle, "esm")
    environment = os.environ | {name.upper(): bundle.as_uri(), "COLORS": str(ROOT / "grammars/colors.toml")}
    execute(NODE, "--test", PROBE / f"{name}.test.mjs", env=environment, timeout=120)


@pytest.fixture(scope="module")
def probe(tmp_path_factory):
    """The address of a page with the parts as `probe`."""
    folder = tmp_path_factory.mktemp("probe")
    bundled(PROBE / "probe.ts", folder / "probe.js", "iife")
    (folder / "index.html").write_text(PAGE)
    with served(folder) as address:
        yield address
