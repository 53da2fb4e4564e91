"""Programs, prompts, data and names with control characters, shown on a terminal."""

import contextlib
import subprocess

import pytest
from command import psl
from paths import PSL
from terminal import Terminal

# An escape sequence, the C1 control sequence introducer, a bell, a backspace, delete, and a right-to-left override.
FOREIGN = "x\x1b[2J\x9b31m\x07\x08\x7f\u202e\u2066y"
SHOWN = "x?[2J¿31m???\ufffd\ufffdy"

DECLARATIONS = "registers: {symbol: 's', position: 'p'}\n"
PROGRAM = f"""{DECLARATIONS}constants: {{Z: "{FOREIGN}", A}}
//@ stop "{FOREIGN}"
//@ test {FOREIGN} "A" => "{FOREIGN}"
//@ test "A" => "{FOREIGN}z"
# {FOREIGN}
where symbol[N] == A:
    symbol[N] = Z
"""


def on_terminal(folder, *command: str) -> str:
    """The output of a command on a terminal, including standard error. Standard input is a program."""
    with Terminal(folder, PSL, *command, stdin=subprocess.PIPE) as terminal:
        with contextlib.suppress(BrokenPipeError), terminal.process.stdin as stdin:
            stdin.write(PROGRAM.encode())
        return terminal.read_all()


def raw(text: str) -> list[str]:
    """The control characters in a text."""
    is_control = lambda char: ord(char) < 32 and char not in "\n\t" or 127 <= ord(char) < 160 or char in "\u202e\u2066"
    return sorted({hex(ord(char)) for char in text if is_control(char)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    write = lambda name, text: folder.joinpath(name).write_text(text)
    write("a.psl", PROGRAM)
    write(f"{FOREIGN}.psl", PROGRAM.replace("[N]", " [N]"))
    write("broken.psl", f'{DECLARATIONS}where symbol[N] == "{FOREIGN}" and "{FOREIGN}"[N] == A: symbol[N] = {FOREIGN}\n')
    write("not-utf8.psl", "")
    folder.joinpath("not-utf8.psl").write_bytes(b"# \x1b[2J\xff")
    write("data.tsv", f"A\t{FOREIGN}\nA\t{FOREIGN}z\nA\r{FOREIGN}\n{FOREIGN}\tB\n")
    write("cells.json", '[{"symbol": "A", "' + FOREIGN.replace("\x1b", "\\u001b").replace("\x07\x08", "") + '": 1}]')
    write("wrong.json", "{" + FOREIGN)
    write("a.jsonl", "")
    for name, value in [("one.jsonl", FOREIGN.encode("unicode_escape")), ("two.jsonl", b"A")]:
        line = b'{"step":0,"layer":1,"pass":[],"cell":1,"attends":1,"production":null,"set":{"s":"%s"},"state":{}}\n'
        folder.joinpath(name).write_bytes(line % value.replace(rb"\x", rb"\u00"))
    (folder / "settings").mkdir()
    escaped = "".join(f"\\u{ord(char):04x}" for char in FOREIGN)
    write("settings/psl.toml", f'[severity]\n"{escaped}" = "off"\n')
    write("settings/a.psl", PROGRAM)
    return folder


COMMANDS = [
    "check",
    "check --format short",
    "check --format json",
    "check --format sarif",
    "check --format github",
    "check settings/a.psl",
    "check *.psl",
    "fmt --check",
    "fmt --diff",
    "fmt --diff not-utf8.psl *.psl",
    "fmt -",
    "check --fix -",
    "compile a.psl",
    "compile a.psl --emit psl",
    "compile wrong.json",
    "compile a.psl -o none/*.psl",
    "compile a.psl -o /dev/stdout",
    "run a.psl",
    "run a.psl --prompt A",
    "run a.psl --prompt A --format json",
    "run a.psl --prompt A --trace -",
    "run a.psl --prompt A --max-passes 0 --stop *",
    "run a.psl --prompt *",
    "run broken.psl --prompt A",
    "run a.psl --prompt-json cells.json",
    "run *none --prompt A",
    "test a.psl *.psl broken.psl settings/a.psl",
    "eval a.psl data.tsv",
    "eval a.psl data.tsv --format json",
    "tgt --split test --check data.tsv",
    "trace diff one.jsonl two.jsonl",
    "trace diff one.jsonl *",
    "explain *",
    "demo",
    "* --wrong",
    "check --allow *",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_control_characters_do_not_reach_the_terminal(folder, command):
    written = on_terminal(folder, *(word.replace("*", FOREIGN) for word in command.split()))
    assert raw(written) == [], written
    assert written != ""


def test_control_characters_have_visible_replacements(folder):
    assert f"{SHOWN}\n" in on_terminal(folder, "run", "a.psl", "--prompt", "A")
    assert f"ok a.psl:4:1: {SHOWN}" in on_terminal(folder, "test", "a.psl")
    assert f"symbol 1 is `{SHOWN}`, not `{SHOWN}z`" in on_terminal(folder, "eval", "a.psl", "data.tsv")
    assert f"\n{SHOWN}.psl\n" in on_terminal(folder, "fmt", "--check")


def test_data_are_unchanged_without_a_terminal(folder):
    run = lambda *command: psl(*command, code=None, cwd=folder, text=False).stdout.decode()
    assert run("run", "a.psl", "--prompt", "A") == f"{FOREIGN}\n"
    assert FOREIGN in run("compile", "a.psl", "--emit", "psl")
    assert FOREIGN in run("fmt", "--diff")
    # Names could be commands in a log.
    assert raw(run("fmt", "--check")) == []
    assert raw(run("test", "a.psl") + run("check") + run("check", "--format", "short") + run("eval", "a.psl", "data.tsv")) == []
