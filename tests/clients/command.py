"""Runs commands whose output is text."""

import os
import subprocess
from pathlib import Path

from paths import PSL


def execute(*command, code: int | None = 0, **options) -> subprocess.CompletedProcess:
    """Runs a command, which must exit with this code. `None` allows any."""
    words = [str(word) for word in command]
    done = subprocess.run(words, **{"capture_output": True, "text": True} | options)
    assert code is None or done.returncode == code, f"{words[:3]}: {done.stdout}{done.stderr}"
    return done


def psl(*arguments, **options) -> subprocess.CompletedProcess:
    return execute(binary(), *arguments, **options)


def formatted(program: str) -> str:
    """The program in the layout of `psl fmt`."""
    return psl("fmt", "-", input=program).stdout


def binary() -> Path:
    assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
    return PSL


def with_psl() -> str:
    """A PATH that contains the binary."""
    return f"{binary().parent}{os.pathsep}{os.environ['PATH']}"
