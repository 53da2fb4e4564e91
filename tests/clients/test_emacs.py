"""Sessions in Emacs with psl-mode: with eglot, with lsp-mode, and with the debugger of dap-mode."""

import re
import shutil
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

import pytest
from command import execute, with_psl
from paths import PARGEN, ROOT

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
def run(client: str) -> CompletedProcess:
    with TemporaryDirectory() as home:
        program = shutil.copy(PARGEN, home)
        environment = {"HOME": home, "PATH": with_psl(), "LANG": "C.UTF-8"}
        mode = ["-L", ROOT / "editors/emacs", "-l", "psl-mode"]
        return execute(EMACS, "--batch", *mode, "-l", SESSIONS[client], program, code=None, env=environment, cwd=home, timeout=280)


@pytest.mark.parametrize(("client", "name"), STEPS)
def test_session(client, name):
    session = run(client)
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


@pytest.mark.parametrize("client", SESSIONS)
def test_the_session_succeeds(client):
    assert run(client).returncode == 0
