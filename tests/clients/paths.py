"""The paths of the binary and of the programs for the tests."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The binary built by scripts/package, unless `PSL` names another.
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "dist/psl")).resolve()
EXAMPLES = sorted((ROOT / "examples").glob("*.psl"))
PARGEN = ROOT / "examples/pargen.psl"
INDUCTION = ROOT / "examples/induction.psl"
SORT = ROOT / "examples/sort.psl"
# A program with nested repeat blocks.
SUBLEQ = ROOT / "examples/subleq.psl"
PROGRAMS = ROOT / "tests/clients/programs"
