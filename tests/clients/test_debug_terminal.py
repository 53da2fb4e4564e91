"""`psl debug` in a terminal: the Tab key completes commands and the names of the program."""

import re

import pytest
from paths import PARGEN, PSL
from terminal import Terminal

# An empty line with the cursor after the prompt.
PROMPT = re.escape("(psl) \r\x1b[6C")


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
    with Terminal(None, PSL, "debug", PARGEN) as terminal:
        terminal.read_up_to(PROMPT)
        terminal.type(f"{typed}\t{rest}\r")
        screen = terminal.read_up_to(f"(?s)(.*?){PROMPT}")[1]
        terminal.type("quit\r")
        terminal.read_all()
    assert f"{line}\r" in screen
    assert "error" not in screen
