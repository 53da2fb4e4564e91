"""Neovim: the version from requirements.txt and the older one of the system, each with a separate home folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import execute
from paths import ROOT

NEW = Path(sys.executable).with_name("nvim")
OLD = Path("/usr/bin/nvim")

needs_old = pytest.mark.skipif(not OLD.exists(), reason="an older Neovim is missing: apt-get install neovim")
both = pytest.mark.parametrize("nvim", [NEW, pytest.param(OLD, marks=needs_old)], ids=["new", "old"])


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
    return execute(*command, code=None, env=environment, cwd=home, stdin=subprocess.DEVNULL, timeout=280)
