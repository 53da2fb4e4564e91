"""`psl run` on a terminal asks for prompts."""

import re

import pytest
from command import psl
from paths import PSL
from terminal import Terminal

PROGRAM = """//@ test json "cells.json" => "A"
//@ test "b a" => "a ."
//@ max-new 1
registers: {symbol: 's', position: 'p'}
constants: {A}
where symbol[N] == A:
    symbol[N] = A
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.psl").write_text(PROGRAM)
    (tmp_path / "untested.psl").write_text(PROGRAM.split("\n", 3)[3])
    return tmp_path


@pytest.mark.parametrize("program, example", [("a.psl", "For example: b a\n"), ("untested.psl", "")])
def test_a_terminal_is_asked(folder, program, example):
    with Terminal(folder, PSL, "run", program, "--max-new", "1") as terminal:
        terminal.read_up_to("> ")
        terminal.type("x y\n")
        terminal.read_up_to("> ")
        terminal.type("\x04")
        # Without the sequences that move the cursor.
        lines = re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\r", "", terminal.left())
        assert terminal.process.wait(timeout=60) == 0
    asked = f"Type a prompt, symbols separated by spaces, and press Enter; Ctrl-D ends.\n{example}> x y\ny\n"
    assert lines.startswith(asked) and lines.endswith("> \n"), repr(lines)


def test_the_line_is_edited(folder):
    with Terminal(folder, PSL, "run", "untested.psl", "--max-new", "1", "--format", "json") as terminal:
        terminal.read_up_to("> ")
        for keys in ["x y", "\x1b[Dz \x1b[C\x7fw", "\n"]:
            terminal.type(keys)
        terminal.read_up_to('(?s)"prompt":"x z w".*> ')
        # The earlier prompt, with one more symbol.
        terminal.type("\x1b[A v\n")
        terminal.read_up_to('(?s)"prompt":"x z w v".*> ')
        # A line that is discarded.
        terminal.type("gone")
        terminal.read_up_to("gone")
        terminal.type("\x03")
        terminal.read_up_to("> ")
        terminal.type("kept\n")
        terminal.read_up_to('(?s)"prompt":"kept".*> ')
        terminal.type("\x04")
        terminal.read_all()
        assert terminal.process.wait(timeout=60) == 0
        assert "ESC" not in terminal.written and "gone" not in re.findall('"prompt":"(.*?)"', terminal.written)


def test_a_file_gets_the_continuations_alone(folder):
    with open(folder / "out", "wb") as out, Terminal(folder, PSL, "run", "untested.psl", "--max-new", "1", stdout=out) as terminal:
        terminal.type("x y\nz\n\x04")
        assert terminal.process.wait(timeout=60) == 0
    assert (folder / "out").read_text() == "y\nz\n"


def test_a_pipe_is_not_asked(folder):
    done = psl("run", "a.psl", "--max-new", "1", cwd=folder, input="x y\n")
    assert done.stdout == "y\n"
    assert ">" not in done.stderr and "prompt" not in done.stderr
