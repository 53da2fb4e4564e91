"""The debugger in the explorer: the commands of `psl debug`, at the place that the page shows."""

import gzip
import re
from base64 import b64encode
from pathlib import Path

import pytest
from explorer import explore
from explorer_page import ExplorerPage
from paths import PARGEN
from playground import FOLDER
from playwright.sync_api import Locator, expect

LARGE = {"viewport": {"width": 1600, "height": 1200}}
# Two layers in a block that takes two passes.
NESTED = """//@ max-new 1
registers: {symbol: 's', position: 'p', mark: 'm', count: 'c'}
constants: {OFF, ON}
watch: [mark]

# start
where symbol[N] == symbol[N]:
    mark[N] = OFF

repeat:
    # turn on
    where mark[N] == OFF:
        mark[N] = ON
    # count
    where mark[N] == ON:
        count[N] = symbol[N]
until NO_CHANGE
"""


def page_of(folder: Path, program: Path, *arguments: str) -> Path:
    """Writes the page of a program with the playground's module, which has the debugger."""
    page = explore(folder, program, *arguments)
    module = b64encode(gzip.compress((FOLDER / "psl.wasm").read_bytes(), 1)).decode()
    text, count = re.subn(r'(id="psl-module">)[^<]*', lambda found: found[1] + module, page.read_text())
    assert count == 1
    page.write_text(text)
    return page


@pytest.fixture
def nested(opened, written) -> ExplorerPage:
    explorer = opened(written(NESTED), "--prompt", "A B", **LARGE)
    explorer.panel("Debugger")
    return explorer


def command(explorer: ExplorerPage) -> Locator:
    return explorer.details.get_by_role("textbox", name="Command", exact=True)


def enter(explorer: ExplorerPage, *lines: str):
    """Enters commands, each after the answer to the one before."""
    for line in lines:
        count = typed(explorer).count()
        command(explorer).fill(line)
        command(explorer).press("Enter")
        expect(typed(explorer)).to_have_count(count + 1)


def typed(explorer: ExplorerPage) -> Locator:
    return explorer.details.get_by_role("log").locator(".typed")


def answer(explorer: ExplorerPage) -> list[str]:
    """The lines of the last answer."""
    return explorer.details.get_by_role("log").locator(":scope > div").last.locator(".line").all_text_contents()[1:]


def is_at(explorer: ExplorerPage, place: str):
    """Expects a place of the debugger."""
    expect(explorer.details.get_by_role("group", name="Place").locator(".line").first).to_have_text(place)


def is_selected(explorer: ExplorerPage, layer: int, cell: int):
    """Expects a selection in the grid."""
    selected = explorer.grid.locator('[role="gridcell"][aria-selected="true"]')
    expect(selected).to_have_attribute("aria-colindex", str(cell + 1))
    expect(explorer.row(layer).locator('[aria-selected="true"]')).to_have_count(1)


def test_commands_answer_like_psl_debug(nested):
    enter(nested, "goto start", "until mark[2] changes")
    assert answer(nested) == [
        "step 0, cell 2 (B), layer 1 · start",
        "  attends to cell 2 (B): mark ∅ → OFF",
        "> 7 | where symbol[N] == symbol[N]:",
    ]
    enter(nested, "print mark[N] == OFF", "nxt")
    assert answer(nested) == ["error: unknown command `nxt`; did you mean `next`?"]
    enter(nested, "help delete")
    assert answer(nested) == ["delete NUMBER (short: d)", "  delete a breakpoint"]
    # An empty command repeats the last movement.
    enter(nested, "goto start", "next", "")
    is_at(nested, "step 0, after the last layer: symbol 1 is B")
    # The next session has begun.
    command(nested).fill("quit")
    command(nested).press("Enter")
    expect(typed(nested)).to_have_count(0)
    is_at(nested, "step 0, cell 1 (A), layer 1 · start")


def test_the_grid_and_the_debugger_have_one_place(nested):
    enter(nested, "goto start")
    is_selected(nested, 1, 1)
    enter(nested, "step")
    is_selected(nested, 1, 2)
    # A folded pass is opened.
    enter(nested, "goto layer 3 pass 2 cell 1")
    is_selected(nested, 3, 1)
    expect(nested.mark(3)).to_have_attribute("aria-current", "true")
    expect(nested.page.get_by_role("group", name="Time").get_by_role("status")).to_have_text("the prompt, layer 3")
    # A selection elsewhere moves the debugger.
    nested.cell(nested.row(1), 2).click()
    is_at(nested, "step 0, cell 2 (B), layer 1 · start")
    nested.page.keyboard.press("h")
    is_at(nested, "step 0, cell 1 (A), layer 1 · start")
    nested.panel("Why")
    nested.place(1, "layer 1")
    nested.cell(nested.row(1), 2).click()
    nested.panel("Debugger")
    is_at(nested, "step 0, cell 2 (B), layer 1 · start")
    enter(nested, "stepback")
    is_at(nested, "step 0, cell 1 (A), layer 1 · start")


def test_buttons_and_keys_move_in_both_directions(nested):
    movements = nested.details.get_by_role("group", name="Movements")
    press = lambda name: movements.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    press("Start back")
    is_at(nested, "step 0, cell 1 (A), layer 1 · start")
    press("Layer forward")
    is_at(nested, "step 0, cell 1 (A), before block 1")
    press("Cell forward")
    is_at(nested, "step 0, cell 1 (A), layer 2, pass 1 · turn on")
    press("Pass forward")
    is_at(nested, "step 0, cell 1 (A), end of block 1, pass 1")
    press("Layer back")
    is_at(nested, "step 0, cell 1 (A), layer 3, pass 1 · count")
    press("End forward")
    is_at(nested, "the run is complete: B …")
    keys = [
        ("g", "step 0, cell 1 (A), layer 1 · start"), ("s", "step 0, cell 2 (B), layer 1 · start"),
        ("n", "step 0, cell 2 (B), before block 1"), ("N", "step 0, cell 2 (B), layer 1 · start"),
        ("S", "step 0, cell 1 (A), layer 1 · start"), ("c", "the run is complete: B …"), ("C", "step 0, cell 1 (A), layer 1 · start"),
        ("o", "step 0, after the last layer: symbol 1 is B"), ("G", "the run is complete: B …"),
    ]  # fmt: skip
    nested.grid.focus()
    for key, place in keys:
        nested.page.keyboard.press(key)
        is_at(nested, place)
    # The keys are those of the panel.
    nested.panel("Cell")
    nested.grid.focus()
    nested.page.keyboard.press("g")
    nested.page.keyboard.press(":")
    expect(command(nested)).to_be_focused()
    is_at(nested, "the run is complete: B …")
    nested.page.keyboard.press("n")
    expect(command(nested)).to_have_value("n")
    nested.page.keyboard.press("Escape")
    expect(nested.grid).to_be_focused()
    nested.page.keyboard.press("?")
    expect(nested.page.get_by_role("dialog")).to_contain_text("Back to the layer before")


def test_stops_are_listed_and_survive_another_run(nested):
    enter(nested, "watch mark[2] == ON", "break count if cell == 1")
    stops = nested.details.get_by_role("region", name="Stops")
    expect(stops.get_by_role("listitem")).to_have_text([re.compile("^1: changes of mark.2. to ON"), re.compile("^2: layer 3, line 15, if cell == 1")])
    stops.get_by_role("checkbox", name=re.compile("^1: ")).click()
    expect(stops.get_by_role("checkbox", name=re.compile("^1: "))).not_to_be_checked()
    nested.enter("B A B")
    nested.continuation("B")
    enter(nested, "goto start", "continue")
    assert answer(nested)[0] == "breakpoint 2: layer 3, line 15, if cell == 1"
    expect(stops.get_by_role("checkbox", name=re.compile("^1: "))).not_to_be_checked()
    stops.get_by_role("button", name="Delete stop 2").click()
    expect(stops.get_by_role("listitem")).to_have_count(1)
    stops.get_by_role("textbox", name="Run until").fill("count[3] changes")
    stops.get_by_role("button", name="Run until").click()
    is_at(nested, "step 0, cell 3 (B), layer 3, pass 1 · count")


def test_watched_expressions_have_their_values_and_changes(nested):
    enter(nested, "goto start")
    watched = nested.details.get_by_role("region", name="Watched")
    for expression in ["mark[1]", "mark[N] == OFF", "mrak[1]"]:
        watched.get_by_role("textbox").fill(expression)
        watched.get_by_role("textbox").press("Enter")
    values = watched.get_by_role("row").locator("td.value, td.caption")
    expect(values).to_have_text(["∅", "false: ∅ == OFF", re.compile("mrak")])
    enter(nested, "next")
    expect(values).to_have_text(["OFF (changed)", "true: OFF == OFF (changed)", re.compile("mrak")])
    enter(nested, "step")
    expect(values).to_have_text(["OFF", "true: OFF == OFF", re.compile("mrak")])
    watched.get_by_role("button", name="Remove mrak[1]").click()
    expect(values).to_have_count(2)
    # Another run has its own values.
    nested.enter("B A B")
    nested.continuation("B")
    enter(nested, "goto end")
    expect(values.first).to_have_text(re.compile("^ON"))


def test_a_changed_run_is_shown_until_the_restart(nested):
    enter(nested, "goto layer 1 cell 2", "set symbol[2] = C")
    is_at(nested, "changed run: step 0, cell 2 (C), layer 1 · start")
    nested.continuation("C")
    enter(nested, "ablate count")
    is_at(nested, "changed run without layer 3: step 0, cell 2 (C), layer 1 · start")
    enter(nested, "restart")
    is_at(nested, "step 0, cell 1 (A), layer 1 · start")
    nested.continuation("B")


def test_commands_are_completed_and_recalled(nested):
    line = command(nested)
    line.fill("unt")
    line.press("Tab")
    expect(line).to_have_value("until")
    line.fill("watch co")
    line.press("Tab")
    expect(line).to_have_value("watch count")
    # Several: the shared beginning, then each in turn.
    line.fill("st")
    line.press("Tab")
    expect(line).to_have_value("step")
    expect(nested.details.locator(".offered")).to_have_text("stepstepback")
    line.press("Tab")
    line.press("Tab")
    expect(line).to_have_value("stepback")
    line.press("Tab")
    expect(line).to_have_value("step")
    enter(nested, "goto start", "next")
    for key, value in [("ArrowUp", "next"), ("ArrowUp", "goto start"), ("ArrowUp", "goto start"), ("ArrowDown", "next"), ("ArrowDown", "")]:
        line.press(key)
        expect(line).to_have_value(value)
    # Tab leaves an empty command.
    line.press("Tab")
    expect(line).not_to_be_focused()


def test_a_run_without_a_layer_says_so(opened, written):
    explorer = opened(written(NESTED), "--prompt", "A B", state="#prompt=A+B&ablate=3", **LARGE)
    explorer.panel("Debugger")
    enter(explorer, "goto end", "back", "ablate")
    is_at(explorer, "run without layer 3: step 0, after the last layer: symbol 1 is B")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1500])
def test_the_panel_is_accessible(opened, scheme, width):
    explorer = opened(PARGEN, "--test", "swap", viewport={"width": width, "height": 900}, color_scheme=scheme)
    explorer.panel("Debugger")
    enter(explorer, "watch field[5]", "bogus", "goto start", "continue")
    watched = explorer.details.get_by_role("region", name="Watched")
    watched.get_by_role("textbox").fill("field[5]")
    watched.get_by_role("textbox").press("Enter")
    enter(explorer, "goto end")
    expect(watched).to_contain_text("(changed)")
    assert explorer.findings("#panel") == []
