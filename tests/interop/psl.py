"""psl, and the random programs that it runs."""

import os
import subprocess
from pathlib import Path

from programs import Case

ROOT = Path(__file__).resolve().parents[2]
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "dist/psl")).resolve()


def psl(*arguments, stdin=None):
    return subprocess.run([PSL, *map(str, arguments)], capture_output=True, text=True, input=stdin)


def output(*arguments):
    """The output of a command that succeeds."""
    run = psl(*arguments)
    assert run.returncode == 0, run.stderr
    return run.stdout


def last_position(prompt, max_new):
    return max(2, len(prompt) + max_new) + 1


def weights(folder, program, prompt, max_new, *options):
    """The weights of a program for one prompt."""
    file, symbols = folder / "weights.safetensors", folder / "symbols"
    symbols.write_text(" ".join(prompt))
    size = ["--positions", last_position(prompt, max_new), "--vocabulary", symbols]
    output("compile", "--emit", "weights", *size, *options, program, "-o", file)
    return file


def cases():
    first, count = int(os.environ.get("SEED", 0)), int(os.environ.get("CASES", 40))
    return map(Case.of, range(first, first + count))


def written(folder, case, *directives):
    """The file of a case, with the seed in its name."""
    file = folder / f"{case.seed}.psl"
    file.write_text(case.program.text(*directives))
    return file
