"""Neovim with the tree-sitter parser, built by the instructions in the plugin's README."""

import json

import pytest
from colors import TABLE, shown_words
from command import execute, with_psl
from neovim import NEW, home_with_plugin, neovim
from paths import EXAMPLES, PARGEN, ROOT

SCRIPT = ROOT / "tests/clients/nvim_tree_sitter.lua"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = home_with_plugin(tmp_path_factory.mktemp("home"))
    readme = (ROOT / "editors/nvim/README.md").read_text()
    build = next(block for block in readme.split("```sh\n")[1:] if "parser/psl.so" in block).split("```")[0]
    environment = {"HOME": str(home), "PATH": with_psl()}
    execute("bash", "-ec", build, env=environment, cwd=ROOT)
    return home


def read(home, program) -> dict:
    out = home / "out.json"
    run = neovim(NEW, home, program, "-c", f"luafile {SCRIPT}", "-c", "cquit", OUT=str(out))
    assert run.returncode == 0, run.stderr
    return json.loads(out.read_text())


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda program: program.stem)
def test_highlighting_agrees_with_the_server(home, program):
    shown = read(home, program)
    assert shown["active"]
    words = shown_words(program, shown["lines"], "captures")

    def captures(word) -> set[str]:
        # The text between the words of a directive is colored differently.
        return {capture for letter, capture in zip(word.text, word.shown) if letter not in " ,"}

    assert [word for word in words if captures(word) - {TABLE[word.row]["nvim"]}] == []


def test_tree_sitter_folds_productions(home):
    lines = read(home, PARGEN)["lines"]
    inside = [line["fold"] for line in lines if line["text"].startswith("    region[N] = ")]
    assert inside and min(inside) > 0


def test_the_health_check_finds_the_parser(home):
    report = home / "report"
    neovim(NEW, home, PARGEN, "+checkhealth psl", f"+write! {report}", "+qall!", path=with_psl())
    assert "OK tree-sitter has a parser for psl" in report.read_text()
