"""The GitHub workflows, checked against their schema and by zizmor."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from command import execute
from paths import ROOT

TOOLS = Path(sys.executable).parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
NAMES = [workflow.name for workflow in WORKFLOWS]
SCHEMA = [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.github-workflows"]
ZIZMOR = [TOOLS / "zizmor", "--offline", "--no-config", "--no-progress"]


def test_there_are_workflows_for_changes_nights_and_releases():
    assert NAMES == ["ci.yml", "nightly.yml", "release.yml"]
    ci, nightly, release = (workflow.read_text() for workflow in WORKFLOWS)
    assert "run: tests/run --only ${{ matrix.part }}" in ci and "part: [rust, clients]" in ci
    assert "run: tests/run --long" in nightly
    assert "scripts/package --target" in release
    assert "run: scripts/explorer" in release.split("cargo publish")[0], "the packed crates contain the explorer's page"


def test_each_job_of_a_change_has_at_most_half_an_hour():
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert {name: job["timeout-minutes"] for name, job in jobs.items() if job["timeout-minutes"] > 30} == {}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=NAMES)
def test_a_workflow_follows_the_schema(workflow, tmp_path):
    execute(*SCHEMA, workflow)
    broken = tmp_path / "broken.yml"
    broken.write_text(workflow.read_text().replace("runs-on:", "run-on:", 1))
    execute(*SCHEMA, broken, code=1)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=NAMES)
def test_zizmor_reports_no_problem(workflow, tmp_path):
    execute(*ZIZMOR, workflow)
    broken = tmp_path / ".github/workflows/broken.yml"
    broken.parent.mkdir(parents=True)
    broken.write_text(re.sub(r"@\w{40} # (v\d)[\d.]*", r"@\1", workflow.read_text()))
    found = execute(*ZIZMOR, broken, code=None)
    assert found.returncode != 0 and "unpinned-uses" in found.stdout, found.stdout + found.stderr


def test_a_release_includes_every_supported_target():
    release = (ROOT / ".github/workflows/release.yml").read_text()
    script = (ROOT / "scripts/package").read_text()
    packed = re.findall(r'^    "([\w-]+)": "[\w-]+",$', script, re.MULTILINE)
    assert re.findall(r"- \{target: ([\w-]+),", release) == packed
    for kind in ["gz", "zip", "vsix", "whl"]:
        assert f"dist/*.{kind}\n" in release


def test_the_workflow_of_the_page_follows_the_schema_and_gives_inputs_of_the_action(tmp_path):
    page = (ROOT / "docs/how-to/ci.md").read_text()
    workflow = yaml.safe_load(page.split("```yaml\n")[1].split("```")[0])
    # YAML 1.1 reads `on` as true.
    workflow["on"] = workflow.pop(True)
    file = tmp_path / "workflow.yml"
    file.write_text(yaml.safe_dump(workflow))
    execute(*SCHEMA, file)
    given = workflow["jobs"]["check"]["steps"][-1]["with"]
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    assert set(given) <= set(inputs)
    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("| `") and line.split("`")[1] in inputs] == list(inputs)
