"""`psl debug` in a terminal: the Tab key completes commands and the names of the program."""

import os
import pty
import subprocess

import pytest
from paths import PARGEN, PSL
from terminal import written

# An empty line with the cursor after the prompt.
PROMPT = b"(psl) \r\x1b[6C"


@pytest.mark.parametrize(
    "typed, rest, line",
    [
        ("regis", "", "registers"),
        ("print fie", "[3]", "print field"),
        ("break P2a: co", "", "break P2a: copy XQ from the left"),
        ("break P2a: copy XQ from the left if region[N] == R_I", "", "if region[N] == R_INIT"),
    ],
)
def test_tab_completes(typed, rest, line):
    ours, theirs = pty.openpty()

    def until_prompt() -> str:
        screen = b""
        while PROMPT not in screen:
            screen += os.read(ours, 65536)
        return screen.decode()

    environment = os.environ | {"NO_COLOR": "1", "TERM": "xterm"}
    with subprocess.Popen([PSL, "debug", PARGEN], stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        until_prompt()
        os.write(ours, f"{typed}\t{rest}\r".encode())
        screen = until_prompt()
        os.write(ours, b"quit\r")
        written(ours)
    assert f"{line}\r" in screen
    assert "error" not in screen
