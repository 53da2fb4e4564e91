"""The GitHub workflows, checked against their schema and by zizmor."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from paths import PARGEN, PSL, ROOT

TOOLS = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
NAMES = [workflow.name for workflow in WORKFLOWS]


def schema(workflow: Path) -> subprocess.CompletedProcess:
    check = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", workflow]
    return subprocess.run(check, capture_output=True, text=True)


def zizmor(workflow: Path) -> subprocess.CompletedProcess:
    check = [TOOLS / "zizmor", "--offline", "--no-config", "--no-progress", workflow]
    return subprocess.run(check, capture_output=True, text=True)


def test_there_are_workflows_for_changes_and_for_releases():
    assert NAMES == ["ci.yml", "release.yml"]
    ci, release = (workflow.read_text() for workflow in WORKFLOWS)
    assert "run: .ci/run" in ci
    assert "scripts/package --target" in release


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=NAMES)
def test_a_workflow_follows_the_schema(workflow, tmp_path):
    checked = schema(workflow)
    assert checked.returncode == 0, checked.stdout
    broken = tmp_path / "broken.yml"
    broken.write_text(workflow.read_text().replace("runs-on:", "run-on:", 1))
    assert schema(broken).returncode != 0


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=NAMES)
def test_zizmor_reports_no_problem(workflow, tmp_path):
    checked = zizmor(workflow)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    broken = tmp_path / ".github/workflows/broken.yml"
    broken.parent.mkdir(parents=True)
    broken.write_text(re.sub(r"@\w{40} # (v\d)[\d.]*", r"@\1", workflow.read_text()))
    found = zizmor(broken)
    assert found.returncode != 0 and "unpinned-uses" in found.stdout, found.stdout + found.stderr


def test_a_release_includes_every_supported_target():
    release = (ROOT / ".github/workflows/release.yml").read_text()
    script = (ROOT / "scripts/package").read_text()
    packed = re.findall(r'^    "([\w-]+)": "[\w-]+",$', script, re.MULTILINE)
    assert re.findall(r"- \{target: ([\w-]+),", release) == packed


@pytest.fixture
def workflow() -> dict:
    """The workflow in the page about CI, with the steps for alerts at its end."""
    page = (ROOT / "docs/how-to/ci.md").read_text()
    workflow, alerts, *_ = (yaml.safe_load(block.split("```")[0]) for block in page.split("```yaml\n")[1:])
    # YAML 1.1 reads `on` as true.
    workflow["on"] = workflow.pop(True)
    workflow["jobs"]["check"]["steps"] += alerts
    return workflow


def test_the_workflow_of_the_page_follows_the_schema(workflow, tmp_path):
    file = tmp_path / "workflow.yml"
    file.write_text(yaml.safe_dump(workflow))
    checked = schema(file)
    assert checked.returncode == 0, checked.stdout


def test_the_workflow_of_the_page_runs_with_a_package(workflow, tmp_path):
    temporary, path = tmp_path / "temporary", tmp_path / "path"
    temporary.mkdir()
    (tmp_path / "programs").mkdir()
    shutil.copy(PARGEN.with_name("induction.psl"), tmp_path / "programs")
    download, *others = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    pattern = re.search(r'--pattern "(\S+)" --dir "\$RUNNER_TEMP"', download)[1]
    (archive,) = PSL.parents[1].glob(pattern)
    shutil.copy(archive, temporary)
    environment = {"PATH": os.defpath, "RUNNER_TEMP": str(temporary), "GITHUB_PATH": str(path)}
    for step in others:
        run = subprocess.run(["bash", "-ec", step], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        environment["PATH"] = os.pathsep.join([*path.read_text().splitlines(), os.defpath])
    assert '"version":"2.1.0"' in (tmp_path / "psl.sarif").read_text()
