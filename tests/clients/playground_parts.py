"""The parts of the playground's page without the page, in Chromium."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

from paths import ROOT
from playground import served

PROBE = Path(__file__).with_name("playground_probe")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>probe</title>
<div id="target" style="width: 300px; height: 200px"></div><script src="probe.js"></script></html>"""


def bundled(source: Path, out: Path, form: str):
    """Bundles a script with the packages of the page."""
    command = [ROOT / "web/node_modules/.bin/esbuild", source, "--bundle", f"--format={form}", f"--outfile={out}", "--log-level=error"]
    # The probe is outside the package.
    subprocess.run([*command, f"--alias:@preact/signals={ROOT / 'web/node_modules/@preact/signals'}"], check=True, cwd=ROOT / "web")


@contextmanager
def probe(folder: Path):
    """Serves a page with the parts as `probe`."""
    bundled(PROBE / "probe.ts", folder / "probe.js", "iife")
    (folder / "index.html").write_text(PAGE)
    with served(folder) as address:
        yield address
