"""The GitHub action, run as GitHub does: its steps in order, with the package as the release."""

import base64
import gzip
import json
import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import yaml
from command import execute
from paths import INDUCTION, PSL, ROOT

TOOLS = Path(sys.executable).parent
ACTION = ROOT / "action.yml"
STEPS = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
DEFAULTS = {name: given["default"] for name, given in yaml.safe_load(ACTION.read_text())["inputs"].items()}
REPOSITORY = "owner/tools"

# Downloads come from the folder of the package, and an upload goes to a file.
GH = """\
#!/usr/bin/env bash
echo "$*" >> "$LOG"
if [[ $1 == release ]]; then
    cp "$PACKAGE"/psl-*-x86_64-unknown-linux-gnu.tar.gz "$PACKAGE"/SHA256SUMS .
else
    [[ $* =~ sarif=@([^ ]+) ]] && cp "${BASH_REMATCH[1]}" "$UPLOADED"
fi
"""


@pytest.fixture
def job(tmp_path):
    """Runs the action on a folder of programs. Returns the exit code of each step that ran, and what was uploaded."""
    (tmp_path / "programs").mkdir()
    shutil.copy(INDUCTION, tmp_path / "programs")
    gh = tmp_path / "bin/gh"
    gh.parent.mkdir()
    gh.write_text(GH)
    gh.chmod(0o755)

    def run_steps(ref: str = "", **given: str) -> dict[str, CompletedProcess]:
        values = {f"inputs.{name}": value for name, value in (DEFAULTS | given).items()} | {
            "github.token": "token",
            "github.action_ref": ref,
            "github.action_repository || github.repository": REPOSITORY,
        }
        environment = {
            "PATH": f"{gh.parent}{os.pathsep}{os.defpath}",
            "PACKAGE": str(PSL.parents[1]),
            "LOG": str(tmp_path / "log"),
            "UPLOADED": str(tmp_path / "uploaded"),
            "RUNNER_TEMP": str(tmp_path / "temporary"),
            "RUNNER_OS": "Linux",
            "RUNNER_ARCH": "X64",
            "GITHUB_PATH": str(tmp_path / "path"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SHA": "5a1d",
            "GITHUB_REF": "refs/heads/main",
        }
        ran = {}
        for step in STEPS:
            failed = any(done.returncode for done in ran.values())
            if not wanted(step.get("if", ""), values, failed):
                continue
            own = {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text) for name, text in step["env"].items()}
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            ran[step["name"]] = execute(*command, code=None, cwd=tmp_path, env=environment | own)
            if (added := tmp_path / "path").exists():
                environment["PATH"] = os.pathsep.join([*added.read_text().splitlines(), str(gh.parent), os.defpath])
        return ran

    return run_steps


def wanted(condition: str, values: dict[str, str], failed: bool) -> bool:
    """Whether a step runs, for the conditions that the action has."""
    if condition == "":
        return not failed
    if found := re.fullmatch(r"contains\(inputs\.run, '(\w+)'\)", condition):
        return not failed and found[1] in values["inputs.run"]
    assert condition == "${{ !cancelled() && inputs.sarif == 'true' }}", condition
    return values["inputs.sarif"] == "true"


def test_the_action_follows_the_schema(tmp_path):
    check = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.github-actions"]
    execute(*check, ACTION)
    broken = tmp_path / "action.yml"
    broken.write_text(ACTION.read_text().replace("using:", "use:"))
    execute(*check, broken, code=1)


def test_zizmor_reports_no_problem():
    execute(TOOLS / "zizmor", "--offline", "--no-config", "--no-progress", ACTION)


def test_good_programs_pass_each_step(job, tmp_path):
    ran = job(programs="programs", deny="warnings")
    assert list(ran) == ["Install psl", "Check", "Format", "Test"]
    assert [(step.returncode, step.stderr) for step in ran.values() if step.returncode] == []
    assert f"release download --repo {REPOSITORY}" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("ref, version, tag", [("v0.2.0", "", "v0.2.0"), ("main", "", "--repo"), ("v0.2.0", "0.3.0", "v0.3.0")])
def test_the_version_is_that_of_the_input_or_the_tag(job, tmp_path, ref, version, tag):
    job(ref, version=version, run="")
    assert (tmp_path / "log").read_text().split()[2] == tag


def test_an_error_fails_the_check_and_is_uploaded(job, tmp_path):
    (tmp_path / "programs/broken.psl").write_text("where\n")
    ran = job(programs="programs", sarif="true")
    assert {name: step.returncode for name, step in ran.items()} == {"Install psl": 0, "Check": 1, "Upload SARIF": 0}
    assert "::error file=programs/broken.psl,line=1" in ran["Check"].stdout
    log = json.loads(gzip.decompress(base64.b64decode((tmp_path / "uploaded").read_bytes())))
    assert [result["level"] for result in log["runs"][0]["results"]][0] == "error"
    assert "--raw-field commit_sha=5a1d --raw-field ref=refs/heads/main" in (tmp_path / "log").read_text()


def test_a_program_with_another_layout_fails_the_format(job, tmp_path):
    program = tmp_path / "programs/induction.psl"
    program.write_text(program.read_text().replace(" == ", "=="))
    ran = job(programs="programs")
    assert list(ran) == ["Install psl", "Check", "Format"] and ran["Format"].returncode == 1
