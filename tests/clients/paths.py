"""The paths of the binary and of the program for the tests."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The binary built by scripts/package, unless `PSL` names another.
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "dist/psl")).resolve()
PARGEN = ROOT / "examples/pargen.psl"
