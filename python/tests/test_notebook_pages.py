"""The notebooks are small, have outputs, and are pages of the book. tests_long runs them."""

import importlib.util
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("build", Path(__file__).parents[1] / "notebooks/build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)


@pytest.mark.parametrize("path", build.NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_a_page_of_the_book(path):
    notebook = build.read(path)
    assert (build.PAGES / f"{path.stem}.md").read_text() == build.page(notebook), "run python/notebooks/build.py"
    outputs = [output for cell in notebook["cells"] if cell["cell_type"] == "code" for output in cell["outputs"]]
    assert all(output["output_type"] in ("stream", "execute_result", "display_data") for output in outputs)
    assert len(outputs) > 10 and path.stat().st_size < 100_000


def test_there_are_two_notebooks():
    assert [path.stem for path in build.NOTEBOOKS] == ["induction-head", "twenty-minutes"]
