"""Sessions in Emacs with psl-mode: with eglot, with lsp-mode, and with the debugger of dap-mode."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from paths import PARGEN, PSL, ROOT

EMACS = shutil.which("emacs")
SESSIONS = {client: Path(__file__).with_name(f"emacs_{client}_session.el") for client in ["eglot", "lsp", "dap"]}
PACKAGES = "elpa-eglot elpa-lsp-mode elpa-dap-mode"
STEPS = [
    (client, name)
    for client, session in SESSIONS.items()
    for name in re.findall(r'^\(step "(.+?)"', session.read_text(), re.MULTILINE)
]

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(EMACS is None, reason=f"Emacs is missing: apt-get install emacs-nox {PACKAGES}"),
]


@cache
def run(client: str) -> subprocess.CompletedProcess:
    assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
    with TemporaryDirectory() as home:
        program = shutil.copy(PARGEN, home)
        path = f"{PSL.parent}{os.pathsep}{os.environ['PATH']}"
        environment = {"HOME": home, "PATH": path, "LANG": "C.UTF-8"}
        mode = ["-L", ROOT / "editors/emacs", "-l", "psl-mode"]
        command = [EMACS, "--batch", *mode, "-l", SESSIONS[client], program]
        return subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, timeout=280)


@pytest.mark.parametrize(("client", "name"), STEPS)
def test_session(client, name):
    session = run(client)
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


@pytest.mark.parametrize("client", SESSIONS)
def test_the_session_succeeds(client):
    assert run(client).returncode == 0
