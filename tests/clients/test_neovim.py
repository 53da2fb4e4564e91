"""A session in a real Neovim, with the plugin installed as its README says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from paths import PARGEN, PSL, ROOT

pytestmark = pytest.mark.timeout(300)

SESSION = Path(__file__).with_name("nvim_session.lua")
STEPS = re.findall(r"^step\('(.+?)',", SESSION.read_text(), re.MULTILINE)
NVIM = Path(sys.executable).with_name("nvim")


def neovim(home: Path, path: str, *arguments: str) -> subprocess.CompletedProcess:
    """Runs Neovim with a home of its own, in which it finds this plugin and nothing else."""
    packages = home / ".local/share/nvim/site/pack/psl/start"
    packages.mkdir(parents=True)
    (packages / "psl").symlink_to(ROOT / "editors/nvim")
    program = shutil.copy(PARGEN, home)
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"}
    command = [NVIM, "--headless", "-i", "NONE", "-n", program, *arguments]
    return subprocess.run(
        command, env=environment, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=280
    )


@pytest.fixture(scope="module")
def session(tmp_path_factory) -> subprocess.CompletedProcess:
    assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
    path = f"{PSL.parent}{os.pathsep}{os.environ['PATH']}"
    return neovim(tmp_path_factory.mktemp("home"), path, "-c", f"luafile {SESSION}")


@pytest.mark.parametrize("name", STEPS)
def test_session(session, name):
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


def test_the_session_says_that_all_went_well(session):
    assert session.returncode == 0


def test_a_missing_binary_is_said(tmp_path):
    run = neovim(tmp_path, str(tmp_path), "+qall!")
    assert "cannot run 'psl'" in run.stderr
