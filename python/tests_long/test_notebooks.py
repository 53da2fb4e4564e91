"""The notebooks run, and have the outputs that are committed."""

import importlib.util
from pathlib import Path

import pytest
from lab import PACKAGE, environment

spec = importlib.util.spec_from_file_location("build", PACKAGE / "notebooks/build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


@pytest.mark.parametrize("path", build.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_its_outputs(path: Path, monkeypatch):
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    assert build.executed(path) == build.read(path), "run python/notebooks/build.py"
