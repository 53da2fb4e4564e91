"""The command `psl`, for tests that compare the package with it."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
needs_command = pytest.mark.skipif("PSL" not in os.environ, reason="PSL names no binary of psl")


def ended(*arguments):
    """A command that has ended."""
    return subprocess.run([os.environ["PSL"], *map(str, arguments)], capture_output=True, text=True)


def command(*arguments, status=0):
    """The standard output of a command that ends with a status."""
    run = ended(*arguments)
    assert run.returncode == status, run.stderr
    return run.stdout
