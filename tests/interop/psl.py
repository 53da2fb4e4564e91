"""psl, and the random programs that it runs."""

import os
import subprocess
from pathlib import Path

from programs import Case

ROOT = Path(__file__).resolve().parents[2]
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "dist/psl")).resolve()


def psl(*arguments, stdin=None):
    return subprocess.run([PSL, *map(str, arguments)], capture_output=True, text=True, input=stdin)


def cases():
    first, count = int(os.environ.get("SEED", 0)), int(os.environ.get("CASES", 40))
    return map(Case.of, range(first, first + count))


def written(folder, case, *directives):
    """The file of a case."""
    file = folder / "program.psl"
    file.write_text(case.program.text(*directives))
    return file
