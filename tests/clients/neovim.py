"""Neovim: the version from requirements.txt and the older one of the system, each with a separate home folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import PSL, ROOT

NEW = Path(sys.executable).with_name("nvim")
OLD = Path("/usr/bin/nvim")

needs_old = pytest.mark.skipif(not OLD.exists(), reason="an older Neovim is missing: apt-get install neovim")
both = pytest.mark.parametrize("nvim", [NEW, pytest.param(OLD, marks=needs_old)], ids=["new", "old"])


def with_psl() -> str:
    """A PATH that contains the binary."""
    assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
    return f"{PSL.parent}{os.pathsep}{os.environ['PATH']}"


def home_with_plugin(home: Path) -> Path:
    """Installs only this plugin in a home folder."""
    packages = home / ".local/share/nvim/site/pack/psl/start"
    packages.mkdir(parents=True, exist_ok=True)
    (packages / "psl").symlink_to(ROOT / "editors/nvim")
    return home


def neovim(nvim: Path, home: Path, program: Path, *arguments, path=os.defpath, **environment):
    """Opens a copy of a program in the home folder."""
    copy = shutil.copy(program, home) if program.parent != home else program
    command = [nvim, "--headless", "-i", "NONE", "-n", copy, *arguments]
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"} | environment
    return subprocess.run(
        command, env=environment, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=280
    )
