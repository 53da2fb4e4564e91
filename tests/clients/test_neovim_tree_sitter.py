"""Neovim with the tree-sitter parser, built by the instructions in the plugin's README."""

import json
import subprocess

import pytest
from colors import TABLE, colored
from neovim import NEW, home_with_plugin, neovim, with_psl
from paths import ROOT

pytestmark = pytest.mark.timeout(120)

SCRIPT = ROOT / "tests/clients/nvim_tree_sitter.lua"
PROGRAMS = sorted((ROOT / "examples").glob("*.psl"))


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = home_with_plugin(tmp_path_factory.mktemp("home"))
    readme = (ROOT / "editors/nvim/README.md").read_text()
    build = next(block for block in readme.split("```sh\n")[1:] if "parser/psl.so" in block).split("```")[0]
    environment = {"HOME": str(home), "PATH": with_psl()}
    subprocess.run(["bash", "-ec", build], env=environment, cwd=ROOT, check=True)
    return home


def read(home, program) -> dict:
    out = home / "out.json"
    run = neovim(NEW, home, program, "-c", f"luafile {SCRIPT}", "-c", "cquit", OUT=str(out))
    assert run.returncode == 0, run.stderr
    return json.loads(out.read_text())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_highlighting_agrees_with_the_server(home, program):
    shown = read(home, program)
    assert shown["active"]
    wrong, seen = [], set()
    for line, column, length, row in colored(program):
        text, captures = (shown["lines"][line][what][column : column + length] for what in ["text", "captures"])
        # The text between the words of a directive is colored differently.
        captures = {capture for letter, capture in zip(text, captures) if letter not in " ,"}
        seen.add(row)
        if captures - {TABLE[row]["nvim"]}:
            wrong.append(f"{line + 1}: {text!r} is {row}, and captured as {captures}")
    assert not wrong, "\n".join(wrong)
    assert len(seen) > 10


def test_tree_sitter_folds_productions(home):
    lines = read(home, ROOT / "examples/pargen.psl")["lines"]
    inside = [line["fold"] for line in lines if line["text"].startswith("    region[N] = ")]
    assert inside and min(inside) > 0


def test_the_health_check_finds_the_parser(home):
    report = home / "report"
    neovim(NEW, home, PROGRAMS[0], "+checkhealth psl", f"+write! {report}", "+qall!", path=with_psl())
    assert "OK tree-sitter has a parser for psl" in report.read_text()
