"""The command `psl` as a module: `python -m psl check FILE`."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path


def command() -> str | None:
    """Returns the path of the command that was installed with the package, or `None` if there is none."""
    try:
        installed = files("psl-lang") or []
    except PackageNotFoundError:
        return None
    commands = (Path(file.locate()) for file in installed if file.stem == "psl" and file.parent.name in ("bin", "Scripts"))
    return next(map(str, commands), None)


def main() -> None:
    """Runs the command with the arguments of this process, and ends with its exit code."""
    psl = command()
    if psl is None:
        sys.exit("error: the command psl is not installed with this package\n  help: install the wheel of psl-lang")
    if sys.platform == "win32":
        sys.exit(subprocess.call([psl, *sys.argv[1:]]))
    os.execv(psl, [psl, *sys.argv[1:]])


if __name__ == "__main__":
    main()
