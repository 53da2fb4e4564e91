"""The types, checked by mypy and Pyright as in users' editors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]


@pytest.fixture
def check(tmp_path):
    """Runs a program that is a module of Python outside the sources, and returns its output if it accepts the package."""
    # tests/run passes a relative path.
    path = os.environ.get("PYTHONPATH")
    environment = os.environ | ({"PYTHONPATH": os.path.abspath(path)} if path else {})

    def check(module: str, *arguments: str) -> str:
        pytest.importorskip(module.partition(".")[0])
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return check


def test_the_stubs_have_what_the_module_has(check):
    assert "no issues found" in check("mypy.stubtest", "psl")


def test_each_public_name_has_a_type(check):
    assert "Type completeness score: 100%" in check("pyright", "--verifytypes", "psl", "--ignoreexternal")


def test_the_sources_have_no_error_in_strict_mode(check):
    assert "0 errors" in check("pyright", "--project", str(PYTHON / "pyproject.toml"), "--pythonpath", sys.executable)
