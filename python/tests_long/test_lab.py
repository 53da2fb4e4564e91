"""Programs, runs and the explorer in JupyterLab."""

import os
import re
import time
from pathlib import Path

import pytest
from lab import EXAMPLES, Notebook, shut_down_kernels
from playwright.sync_api import FrameLocator, expect

pytest_plugins = ["lab_fixtures"]

LOAD = f"import psl\n%load_ext psl\np = psl.load({str(EXAMPLES / 'induction.psl')!r})"
RUN = "run = p.run('one two three . one', record=True)\ne = psl.explore(run)\ne"
COPY = """%%psl copy
//@ max-new 1
//@ test "A" => "A"
//@ test good "A" => "B"
registers: {symbol: 's', position: 'p', spare: 'x'}
constants: {A, B}
where symbol[N] == A:
    symbol[N] = B"""


def explorer(notebook: Notebook, index: int) -> FrameLocator:
    """The page in the output of a cell, once its run is there."""
    notebook.output(index).first.wait_for()
    frame = notebook.output(index).frame_locator("iframe[title='PSL explorer']")
    frame.locator("#grid .g-cell").first.wait_for()
    return frame


def title(frame: FrameLocator, pattern: str):
    expect(frame.locator("#why-title")).to_have_text(re.compile(pattern))


def place(notebook: Notebook, index: int) -> str:
    """The place as the kernel knows it."""
    notebook.type_and_run(index, "print(e.cell, e.row, e.layer, e.pass_)")
    return notebook.output(index).inner_text().strip()


def picture(notebook: Notebook, name: str):
    """Saves a screenshot if `LAB_SCREENSHOTS` names a folder."""
    if folder := os.environ.get("LAB_SCREENSHOTS"):
        notebook.page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_programs_runs_and_the_explorer_have_the_colors_of_the_theme(opened, theme):
    notebook = opened(LOAD, COPY, "copy", "p.test()", "run = p.run('one two one', record=True)\nrun", RUN, theme=theme)
    notebook.page.set_viewport_size({"width": 1280, "height": 2600})
    notebook.run_all()
    expect(notebook.output(1)).to_contain_text("1 passed, 1 failed")
    expect(notebook.output(1)).to_contain_text("register spare is never used")
    expect(notebook.output(2).locator(".psl-keyword").first).to_have_text("registers")
    expect(notebook.output(3).locator(".psl-good")).to_have_count(5)
    expect(notebook.output(4)).to_contain_text("prev_symbol")
    page = explorer(notebook, 5)
    scheme = "dark" if theme == "JupyterLab Dark" else "light"
    expect(page.locator("html")).to_have_attribute("style", f"color-scheme: {scheme};")
    # The colors of the output are those of the editor beside it.
    color = "element => getComputedStyle(element).color"
    string = notebook.cell(1).locator(".cm-content span", has_text="'s'").first.evaluate(color)
    assert notebook.output(2).locator(".psl-string", has_text="'s'").evaluate(color) == string
    assert [url for url in notebook.requests if not url.startswith(("http://localhost", "data:", "blob:"))] == []
    picture(notebook, f"outputs_{scheme}")


def test_the_place_goes_both_ways(opened, record_property):
    notebook = opened(LOAD, RUN, "", "")
    notebook.run_all()
    started = time.monotonic()
    page = explorer(notebook, 1)
    record_property("measured", f"the explorer is there {time.monotonic() - started:.1f} s after its cell has run")
    title(page, "^Cell 5.*layer 3")
    assert place(notebook, 2) == "5 3 3 ()"
    notebook.type_and_run(3, "e.cell = 3\ne.layer = 1")
    title(page, "^Cell 3.*layer 1")
    page.locator('[role="gridcell"]').first.click()
    title(page, "^Cell 1.*layer 1")
    assert place(notebook, 2) == "1 1 1 ()"
    notebook.type_and_run(3, "e.cell = 70")
    expect(notebook.output(3)).to_contain_text("cell 70 is out of range: the run has 7 cells")


def test_the_explorer_leaves_the_focus_where_it_is(opened):
    notebook = opened(LOAD, RUN, "")
    notebook.run_all()
    explorer(notebook, 1)
    notebook.cell(1).locator(".cm-content").click()
    notebook.page.keyboard.press("Shift+Enter")
    notebook.page.keyboard.press("Enter")
    for _ in range(20):
        notebook.page.keyboard.type("a")
        notebook.page.wait_for_timeout(100)
    explorer(notebook, 1)
    notebook.page.keyboard.type("b")
    expect(notebook.cell(2).locator(".cm-content")).to_have_text("a" * 20 + "b")


def test_a_place_that_the_kernel_has_set_before_is_shown(opened):
    notebook = opened(LOAD, RUN.removesuffix("\ne") + "\ne.cell = 2\ne.row = 1", "e")
    notebook.run_all()
    title(explorer(notebook, 2), "^Cell 2.*layer 1")


def test_another_prompt_has_no_place_in_the_run(opened):
    notebook = opened(LOAD, RUN, "")
    notebook.run_all()
    page = explorer(notebook, 1)
    title(page, "^Cell 5")
    page.locator("#prompt").fill("a b a")
    page.locator("#prompt").press("Enter")
    title(page, "^Cell 3")
    assert place(notebook, 2) == "None None None ()"
    page.locator("#prompt").fill("one two three . one")
    page.locator("#prompt").press("Enter")
    title(page, "^Cell 5")


def test_passes_of_a_repeat_block_and_ablated_layers(opened):
    load = f"import psl\np = psl.load({str(EXAMPLES / 'parity.psl')!r})\nrun = p.run('1 0 1', record=True, ablate=[4], max_new=2)"
    notebook = opened(load, "e = psl.explore(run)\ne", "", "")
    notebook.run_all()
    page = explorer(notebook, 1)
    notebook.type_and_run(3, "e.row = run.index(3, 2, 3)[0]\ne.cell = 3")
    title(page, "^Cell 3.*layer 3, pass 2")
    assert place(notebook, 2).endswith(" 3 (2,)")
    notebook.type_and_run(3, "print(run.text)")
    continuation = notebook.output(3).inner_text().split()
    expect(page.locator(".outcome button.symbol")).to_have_text(continuation)
    assert len(continuation) == 2


def test_errors_of_the_magic_are_drawn_without_a_traceback(opened):
    notebook = opened(LOAD, COPY.replace("symbol[N] = B", "symbl[N] = B"), "")
    notebook.run_all()
    expect(notebook.output(1)).to_contain_text("copy does not compile")
    expect(notebook.output(1)).to_contain_text("unknown register `symbl`")
    assert "Traceback" not in notebook.output(1).inner_text()
    picture(notebook, "error")
    notebook.type_and_run(2, "%%psl a b\nwhere")
    expect(notebook.output(2)).to_contain_text("`%%psl` takes the name of the program")


@pytest.mark.parametrize(
    ("text", "names"),
    [('p.test("', ["again", "double", "latest", "next", "repeat"]), ("run.where_from('p", ["parse", "position", "prev_symbol"])],
)
def test_names_of_tests_and_registers_are_completed(opened, text, names):
    notebook = opened(LOAD, RUN.removesuffix("\ne"), "")
    notebook.run_all()
    notebook.cell(2).locator(".cm-content").click()
    notebook.page.keyboard.type(text)
    notebook.cell(2).locator(".jp-mod-completer-enabled").wait_for()
    notebook.page.keyboard.press("Tab")
    expect(notebook.page.locator(".jp-Completer-item code.jp-Completer-match")).to_have_text(names)
    picture(notebook, f"completion_{names[0]}")


def test_a_saved_notebook_shows_the_explorer_again(opened, jupyter):
    notebook = opened(LOAD, RUN)
    notebook.run_all()
    explorer(notebook, 1)
    notebook.save()
    shut_down_kernels(jupyter[1])
    again = opened()
    title(explorer(again, 1), "^Cell 5")


def test_a_notebook_of_somebody_else_says_that_it_is_not_trusted(opened, file):
    notebook = opened(LOAD, RUN)
    notebook.run_all()
    explorer(notebook, 1)
    notebook.save()
    notebook.close()
    # Another content has no signature.
    file.write_text(file.read_text().replace("import psl\\n", "import psl \\n"))
    again = opened()
    expect(again.output(1)).to_contain_text("The explorer is here if the notebook is trusted.")
    expect(again.output(1).locator("iframe")).to_have_count(0)
