"""`psl run` on a terminal asks for prompts."""

import os
import subprocess

import pytest
from paths import PSL
from test_progress import Terminal

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
    with Terminal(folder, "run", program, "--max-new", "1") as terminal:
        terminal.read_up_to("> ")
        os.write(terminal.ours, b"x y\n")
        terminal.read_up_to("(?s)> .*> ")
        os.write(terminal.ours, b"\x04")
        terminal.read_all()
        assert terminal.process.wait(timeout=60) == 0
        lines = terminal.left()
    asked = f"Type a prompt, symbols separated by spaces, and press Enter; Ctrl-D ends.\n{example}> x y\ny\n"
    assert lines.startswith(asked) and lines.endswith("> \n"), repr(lines)


def test_a_pipe_is_not_asked(folder):
    done = subprocess.run([PSL, "run", "a.psl", "--max-new", "1"], cwd=folder, input="x y\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "y\n")
    assert ">" not in done.stderr and "prompt" not in done.stderr
