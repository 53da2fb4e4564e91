"""psl in automation: SARIF for code scanning, and hooks for pre-commit."""

import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from command import execute, psl, with_psl
from jsonschema import Draft7Validator
from paths import PARGEN, ROOT

SOUND = PARGEN.read_text()


@pytest.fixture(scope="module")
def schema() -> dict:
    """The schema of SARIF 2.1.0, from the crate that contains it."""
    packages = json.loads(execute("cargo", "metadata", "--format-version", "1", "--locked", cwd=ROOT).stdout)["packages"]
    manifest = next(package["manifest_path"] for package in packages if package["name"] == "serde-sarif")
    return json.loads(Path(manifest).with_name("src").joinpath("schema.json").read_text())


def broken(tmp_path: Path) -> Path:
    """A folder of programs whose diagnostics have several places, fixes, or text outside ASCII."""
    (tmp_path / "a b é.psl").write_text("//@ allow syntax\n//@ tset\n" + SOUND.replace("region", "regoin", 1))
    (tmp_path / "not-utf8.psl").write_bytes(b"# \xff")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "empty.psl").write_text("")
    (tmp_path / "sub" / "twice.psl").write_text("registers: {symbol: 's', symbol: 's'}\nwhere symbol[N] not == 😀:")
    return tmp_path


def test_sarif_is_valid(schema, tmp_path):
    folder = broken(tmp_path)
    validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
    for paths in [["."], [folder], ["-"], [PARGEN]]:
        log = json.loads(psl("check", "--format", "sarif", *paths, code=None, cwd=folder).stdout)
        assert [error.message for error in validator.iter_errors(log)] == []
        rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
        assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in log["runs"][0]["results"])
    log["runs"][0]["results"].append({"level": "bad"})
    assert list(validator.iter_errors(log)) != [], "the schema refuses an invalid log"


def in_repository(tmp_path: Path) -> tuple[Path, Path]:
    """The root of a repository, and a folder below it with programs that have diagnostics."""
    folder = tmp_path / "deep" / "my é,1%"
    folder.mkdir(parents=True)
    execute("git", "init", "-q", cwd=tmp_path)
    return tmp_path, broken(folder)


@pytest.mark.parametrize("workspace", [True, False])
@pytest.mark.parametrize("paths", [["."], ["sub", "a b é.psl"], []])
def test_reports_point_into_the_repository(schema, tmp_path, workspace, paths):
    root, folder = in_repository(tmp_path)
    environment = os.environ | {"GITHUB_WORKSPACE": str(root) if workspace else ""}

    def report(format: str) -> str:
        return psl("check", "--format", format, *paths, code=None, cwd=folder, env=environment).stdout

    # The same places with the lines that they have in the files.
    found = [json.loads(line) for line in report("json").splitlines()]
    places = [(folder / each["file"], each["start"]["line"], each["start"]["column"]) for each in found]
    log = json.loads(report("sarif"))
    assert [error.message for error in Draft7Validator(schema).iter_errors(log)] == []
    for result, (file, line, column) in zip(log["runs"][0]["results"], places, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert urljoin(root.as_uri() + "/", place["artifactLocation"]["uri"]) == file.as_uri()
        assert (place["region"]["startLine"], place["region"]["startColumn"]) == (line, column)
    commands = [re.fullmatch(r"::(?:error|warning|notice) ([^:]*)::(.*)", line) for line in report("github").splitlines()]
    for command, (file, line, column) in zip(commands, places, strict=True):
        properties = dict(pair.split("=", 1) for pair in command[1].split(","))
        assert root / unquote(properties["file"]) == file and file.exists()
        assert (int(properties["line"]), int(properties["col"])) == (line, column)


def test_the_hooks_run_under_pre_commit(tmp_path):
    hooks, work = tmp_path / "hooks", tmp_path / "work"
    environment = os.environ | {"PATH": with_psl(), "PRE_COMMIT_HOME": str(tmp_path / "home")}

    def repository(folder: Path, files: dict[str, str]):
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        for command in [
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a"],
        ]:
            execute("git", *command, cwd=folder)

    def hook(name: str, code: int) -> str:
        command = [sys.executable, "-m", "pre_commit", "try-repo", hooks, name, "--all-files"]
        return execute(*command, code=code, cwd=work, env=environment).stdout

    repository(hooks, {".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text()})
    repository(work, {"sound.psl": SOUND, "broken.txt": "where"})
    hook("psl-fmt", code=0)
    (work / "sound.psl").write_text(SOUND.replace(" == ", "=="))
    assert "files were modified by this hook" in hook("psl-fmt", code=1)
    assert (work / "sound.psl").read_text() == SOUND
    assert "Passed" in hook("psl-check", code=0)
    (work / "broken.psl").write_text("where")
    execute("git", "add", "-A", cwd=work)
    assert "broken.psl:1:1" in hook("psl-check", code=1)
