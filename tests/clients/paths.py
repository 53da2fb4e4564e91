"""Where the tests find the binary and the program that they open."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The one that scripts/package left, unless the environment names another.
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "dist/psl")).resolve()
PARGEN = ROOT / "tests/programs/pargen.psl"
