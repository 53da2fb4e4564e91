"""`psl run` on a terminal asks for prompts."""

import os
import pty
import re
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
        # Without the sequences that move the cursor.
        lines = re.sub(r"\x1b\[[?\d;]*[A-Za-z]|\r", "", terminal.left())
    asked = f"Type a prompt, symbols separated by spaces, and press Enter; Ctrl-D ends.\n{example}> x y\ny\n"
    assert lines.startswith(asked) and lines.endswith("> \n"), repr(lines)


def test_the_line_is_edited(folder):
    with Terminal(folder, "run", "untested.psl", "--max-new", "1", "--format", "json") as terminal:
        terminal.read_up_to("> ")
        for keys in [b"x y", b"\x1b[Dz \x1b[C\x7fw", b"\n"]:
            os.write(terminal.ours, keys)
        terminal.read_up_to('(?s)"prompt":"x z w".*> ')
        # The earlier prompt, with one more symbol.
        os.write(terminal.ours, b"\x1b[A v\n")
        terminal.read_up_to('(?s)"prompt":"x z w v".*> ')
        # A line that is discarded.
        os.write(terminal.ours, b"gone")
        terminal.read_up_to("gone")
        os.write(terminal.ours, b"\x03")
        terminal.read_up_to("(?s)gone.*> ")
        os.write(terminal.ours, b"kept\n")
        terminal.read_up_to('(?s)"prompt":"kept".*> ')
        os.write(terminal.ours, b"\x04")
        terminal.read_all()
        assert terminal.process.wait(timeout=60) == 0
        assert "ESC" not in terminal.written and "gone" not in re.findall('"prompt":"(.*?)"', terminal.written)


def test_a_file_gets_the_continuations_alone(folder):
    ours, theirs = pty.openpty()
    with open(folder / "out", "wb") as out:
        command = [PSL, "run", "untested.psl", "--max-new", "1"]
        process = subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=out, stderr=theirs, start_new_session=True)
    os.close(theirs)
    os.write(ours, b"x y\nz\n\x04")
    assert process.wait(timeout=60) == 0
    os.close(ours)
    assert (folder / "out").read_text() == "y\nz\n"


def test_a_pipe_is_not_asked(folder):
    done = subprocess.run([PSL, "run", "a.psl", "--max-new", "1"], cwd=folder, input="x y\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "y\n")
    assert ">" not in done.stderr and "prompt" not in done.stderr
