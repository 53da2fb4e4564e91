"""A session in a real Emacs with eglot, set up as the session's first lines say."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from paths import PARGEN, PSL

SESSION = Path(__file__).with_name("emacs_session.el")
STEPS = re.findall(r'^\(step "(.+?)"', SESSION.read_text(), re.MULTILINE)
EMACS = shutil.which("emacs")

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(EMACS is None, reason="Emacs is missing: apt-get install emacs-nox elpa-eglot"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory) -> subprocess.CompletedProcess:
    assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
    home = tmp_path_factory.mktemp("home")
    program = shutil.copy(PARGEN, home)
    path = f"{PSL.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"}
    command = [EMACS, "--batch", "-l", SESSION, program]
    return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=280)


@pytest.mark.parametrize("name", STEPS)
def test_session(session, name):
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


def test_the_session_says_that_all_went_well(session):
    assert session.returncode == 0
