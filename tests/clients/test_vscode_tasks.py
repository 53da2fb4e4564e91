"""The problem matchers of the Visual Studio Code extension read the output of `psl check --format short` and `psl test`."""

import json
import re

import pytest
from command import psl
from paths import ROOT

MANIFEST = json.loads((ROOT / "editors/vscode/package.json").read_text())
MATCHERS = {matcher["name"]: matcher["pattern"] for matcher in MANIFEST["contributes"]["problemMatchers"]}

PROGRAM = """//@ test "a b . a" => "c ."
registers: {symbol: "s", position: "p", previous: "s*", unused: "u"}
where position[n] == position[N]@pos_decrement:
    previous[N] = symbol[n]
where_rm previous[n] == symbol[N]:
    symbol[N] = symbol[n]
"""
LEVELS = '[severity]\nunused-register = "hint"\nnon-causal = "info"\n'


def found(matcher: str, line: str) -> dict | None:
    """The groups of a matcher in a line, by name."""
    pattern = MATCHERS[matcher]
    match = re.search(pattern["regexp"], line)
    return match and {name: match[group] for name, group in pattern.items() if name != "regexp"}


def printed(folder, *arguments: str) -> list[str]:
    return psl(*arguments, code=None, cwd=folder).stdout.splitlines()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "psl.toml").write_text(LEVELS)
    below = tmp_path / "a b: 1:2 [c]"
    below.mkdir()
    (below / "x y.psl").write_text(PROGRAM)
    (below / "broken.psl").write_text(PROGRAM.replace("= symbol[n]", "= symbl[n]"))
    return tmp_path


def test_the_output_of_check_is_matched(folder):
    short = printed(folder, "check", "--format", "short")
    expected = [json.loads(line) for line in printed(folder, "check", "--format", "json")]
    read = [found("psl", line) for line in short]
    assert [(it["file"], int(it["line"]), int(it["column"]), it["severity"], it["code"]) for it in read] == [
        (it["file"], it["start"]["line"], it["start"]["column"], it["severity"], it["code"]) for it in expected
    ]
    assert all(it["message"].startswith(other["message"].splitlines()[0]) for it, other in zip(read, expected, strict=True))
    assert {it["severity"] for it in read} == {"error", "warning", "info", "hint"}


def test_only_failing_tests_are_matched(folder):
    read = [found("psl-test", line) for line in printed(folder, "test")]
    [failure] = [it for it in read if it]
    assert failure["file"] == "a b: 1:2 [c]/x y.psl"
    assert (failure["line"], failure["column"]) == ("1", "1")
    assert "symbol 1 is `b`, not `c`" in failure["message"]


@pytest.mark.parametrize("path", [r"C:\programs\a b.psl", r"\\server\share\a.psl", "../a.psl"])
def test_paths_of_other_systems_are_matched(path):
    line = f"{path}:3:14: warning[non-causal]: why: a[b]: c"
    expected = {"file": path, "line": "3", "column": "14", "severity": "warning", "code": "non-causal", "message": "why: a[b]: c"}
    assert found("psl", line) == expected
    assert found("psl-test", f"FAILED {path}:1:1: test swap: expected")["file"] == path


def test_other_lines_are_not_matched():
    for line in ["3 files checked: 0 errors, 2 warnings", "psl.toml:1:1: no", "0 passed, 2 failed"]:
        assert found("psl", line) is None and found("psl-test", line) is None
