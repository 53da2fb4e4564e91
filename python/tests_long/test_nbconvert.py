"""Notebooks that run without a browser, and the static pages of nbconvert."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from lab import EXAMPLES, environment, notebook
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import HTMLExporter
from playwright.sync_api import expect

pytest_plugins = ["lab_fixtures"]

LOAD = f"import psl\n%load_ext psl\np = psl.load({str(EXAMPLES / 'pargen.psl')!r})"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs cells. Returns the notebook with its outputs."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)

    def run_cells(*cells: str) -> nbformat.NotebookNode:
        made = nbformat.read(notebook(tmp_path / "test.ipynb", *cells), as_version=4)
        return NotebookClient(made, timeout=60).execute()

    return run_cells


def test_a_static_page_shows_the_explorer_without_a_network(run, browser, tmp_path, record_property):
    done = run(LOAD, "run = p.run('Q a V b A b V a . Q c V d A', record=True)\npsl.explore(run)", "run")
    [output] = done.cells[1].outputs
    assert set(output.data) == {"text/plain", "text/html"}
    # The page is in the notebook once: the state of the widget must not have it too.
    size = len(nbformat.writes(done))
    record_property("measured", f"the notebook with the explorer of PARGEN has {size / 1000:.0f} kB")
    assert size < 850_000
    page = tmp_path / "test.html"
    page.write_text(HTMLExporter().from_notebook_node(done)[0])
    context = browser.new_context(viewport={"width": 1280, "height": 1200}, offline=True)
    opened = context.new_page()
    opened.goto(page.as_uri())
    frame = opened.frame_locator("iframe[title='PSL explorer']")
    expect(frame.locator(".outcome button.symbol")).to_have_text("d V c .".split())
    expect(frame.locator("#why-title")).to_contain_text("Cell")
    expect(opened.locator(".psl table").first).to_contain_text("region")
    if folder := os.environ.get("LAB_SCREENSHOTS"):
        opened.screenshot(path=Path(folder) / "static.png")
    context.close()


def test_an_error_of_the_magic_ends_a_notebook(run):
    with pytest.raises(CellExecutionError) as caught:
        run(LOAD, "%%psl bad\nregisters: {symbol: 's', position: 'p'}\nwhere symbl[N] == A:\n    symbol[N] = A")
    assert caught.value.ename == "ProgramError" and "unknown register `symbl`" in str(caught.value)


def test_a_name_keeps_its_program_if_the_next_one_has_errors(run):
    good = "%%psl copy\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A"
    done = run(LOAD, good, "try:\n    get_ipython().run_cell_magic('psl', 'copy', 'where')\nexcept psl.ProgramError:\n    print(copy.run('A', max_new=1).text)")
    assert done.cells[2].outputs[0].text == "A\n"


def test_the_magic_has_help_and_can_be_loaded_again(run):
    done = run(LOAD, "%reload_ext psl\nlen([m for m in get_ipython().Completer.custom_matchers if m.__name__ == 'names'])", "print(get_ipython().find_cell_magic('psl').__doc__)")
    assert done.cells[1].outputs[0].data["text/plain"] == "1"
    assert re.match("Compiles the program in the cell", done.cells[2].outputs[0].text)
