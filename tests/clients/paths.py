"""Where the tests find the binary and the program that they open."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PSL = Path(os.environ.get("PSL", ROOT / "target/release/psl")).resolve()
PARGEN = ROOT / "tests/programs/pargen.psl"
