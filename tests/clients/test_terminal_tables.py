"""Tables and failures on a terminal: they fit its width, and changes and mistakes are colored."""

import os
import re
import subprocess

import pytest
from paths import PSL
from terminal import Terminal

PROGRAM = """registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B}
watch: [mark]
//@ max-new 3
//@ test "A A A A A A A A A A A A A A A A A A A A" => "A A B"
# mark what stays
where symbol[N] == A:
    mark[N] = B
"""
PROMPT = " ".join(["A"] * 20)
COLOR = re.compile("\x1b\\[[0-9;]*m")


def on_terminal(folder, columns: int, *command: str, **environment: str) -> str:
    """Everything that a command writes to a terminal of this width."""
    own = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    with Terminal(folder, PSL, *command, columns=columns, stdin=subprocess.DEVNULL, environment=own | environment) as terminal:
        return terminal.read_all()


@pytest.fixture
def folder(tmp_path):
    tmp_path.joinpath("a.psl").write_text(PROGRAM)
    return tmp_path


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_a_table_fits_the_terminal(folder, columns):
    text = on_terminal(folder, columns, "run", "a.psl", "--table", "--prompt", PROMPT)
    lines = [COLOR.sub("", line) for line in text.splitlines()]
    table = lines[: lines.index("")]
    assert table[0].startswith("layer 1 · mark what stays · line 7")
    assert all(len(line) <= columns for line in table), text
    # Another cell would not fit into the first chunk.
    assert len(table[1]) > columns - 8 or columns == 100, text
    assert "\x1b[1m\x1b[32m*B\x1b[0m" in text


def test_a_failure_marks_the_wrong_symbol(folder):
    text = on_terminal(folder, 80, "test", "a.psl")
    assert "\x1b[1m\x1b[31mFAILED\x1b[0m a.psl:5:1: test 1: " in text
    lines = [COLOR.sub("", line) for line in text.splitlines()]
    got = next(line for line in lines if line.startswith("  got"))
    assert lines[lines.index(got) + 1].index("^") == got.rindex("A")


def test_colors_can_be_declined(folder):
    for command in [("run", "a.psl", "--table", "--prompt", "A"), ("test", "a.psl")]:
        assert "\x1b" in on_terminal(folder, 80, *command)
        assert "\x1b" not in on_terminal(folder, 80, *command, NO_COLOR="1")
        assert "\x1b" not in on_terminal(folder, 80, *command, "--color", "never")


def test_a_terminal_without_unicode_gets_ascii(folder):
    folder.joinpath("b.psl").write_text(PROGRAM.replace("mark[N] = B", "mark[M] = C"))
    for command in [("check", "b.psl"), ("run", "b.psl", "--prompt", "A"), ("test", "b.psl")]:
        plain = on_terminal(folder, 80, *command, LC_ALL="C", NO_COLOR="1")
        assert plain.isascii(), plain
        assert "  |" in plain and ",-[" in plain, plain
        assert "╭─[" in on_terminal(folder, 80, *command, LC_ALL="C.UTF-8", NO_COLOR="1")
