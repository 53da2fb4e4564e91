"""Patches in the explorer: the map of their effects, the run of each, and the link."""

import re

import pytest
from explorer_page import TALL
from paths import PARGEN
from playwright.sync_api import expect
from workbench import until

COPIES, SWAPS = "Q B V D E A B V D E . Q F G H V K L A", "Q B V D E A D E V B . Q F G H V K L A"

# With `B` in `read`, the swap never stops.
ENDLESS = """registers: {symbol: 's', position: 'p', read: 'r', kept: 'k', left: 'l', right: 'g'}
constants: {A, B}
system: {symbol: symbol, position: position, output: symbol}

# read
where symbol[N] in [A, B]:
    read[N] = symbol[N]
    kept[N] = symbol[N]
    left[N] = A
    right[N] = B

repeat:
    # swap
    where read[N] == B and kept[N] == A:
        left[N] = right[N]
        right[N] = left[N]
until NO_CHANGE
"""


def state(first: str, second: str, more: str = "") -> str:
    return f"#prompt={first}&prompt2={second}&panel=compare{more}"


@pytest.fixture
def patches(opened):
    """Opens the map of two prompts, and returns the page with the map."""

    def open_map(first: str, second: str, more: str = "&patch=field", program=PARGEN):
        explorer = opened(program, state=state(first, second, more), **TALL)
        return explorer, explorer.details.get_by_role("region", name="Patches")

    return open_map


def test_the_map_counts_the_patches(opened):
    explorer = opened(PARGEN, state=state(COPIES, SWAPS), **TALL)
    found = explorer.details.get_by_role("region", name="Patches")
    found.get_by_role("button", name="Patch each value").click()
    register = found.get_by_role("combobox", name="Register")
    register.select_option("symbol")
    expect(found.get_by_text("190 of 342 patches change the continuation, none restores that of the second run.")).to_be_visible()
    assert "symbol (342)" in register.locator("option").all_text_contents()
    until(explorer.state, lambda state: "patch=symbol" in state)


def test_a_square_opens_its_run(patches):
    explorer, found = patches(COPIES, SWAPS)
    grid = found.get_by_role("application")
    words = found.get_by_role("status")
    # The first patch that changes the continuation.
    expect(words).to_have_text(re.compile("changes the continuation to"))
    place, continuation = re.search(r"^layer (.*): field .* changes the continuation to (.*)$", words.text_content()).groups()
    grid.focus()
    grid.press("Enter")
    explorer.continuation(*continuation.split())
    layer = place.split(", cell")[0]
    expect(explorer.outcome.get_by_text(re.compile(rf"With field\[\d+\] = \S+ after layer {layer}$"))).to_be_visible()
    # The map stays that of the run as it is, and a second patch takes the place of the first one.
    expect(found.get_by_text("compared with the first run without its set values")).to_be_visible()
    grid.press("ArrowDown")
    grid.press("Enter")
    expect(explorer.outcome.get_by_text(re.compile(r"^With field\[\d+\]"))).to_be_visible()
    explorer.page.reload()
    expect(explorer.outcome.get_by_text(re.compile(r"^With field\[\d+\]"))).to_be_visible()
    expect(found.get_by_role("application")).to_be_visible()


def test_a_run_that_fails_leaves_the_map(patches, written):
    explorer, found = patches("A", "B", "&patch=read", program=written(ENDLESS))
    grid = found.get_by_role("application")
    expect(found.get_by_role("status")).to_have_text(re.compile("never stops"))
    grid.focus()
    grid.press("Enter")
    expect(explorer.outcome.get_by_text(re.compile("never stops"))).to_be_visible()
    expect(grid).to_be_visible()


def test_the_cells_of_different_prompts_are_aligned(patches):
    explorer, found = patches(COPIES, "Q D E V B A B V", "&patch=")
    cells = found.get_by_label("Cells that correspond: the prompts have 19 and 8")
    cells.fill("20:1")
    cells.press("Enter")
    expect(found.get_by_text("Cell 20 is out of range: the prompt that is patched has 19 cells")).to_be_visible()
    cells.fill("2-4:3-5")
    cells.press("Enter")
    expect(found.get_by_role("combobox", name="Register")).to_be_visible()
    until(explorer.state, lambda state: "align=2-4" in state)


def test_equal_runs_have_no_patches(patches):
    _, found = patches(COPIES, COPIES)
    expect(found.get_by_text("The runs have the same value at each place that is compared.")).to_be_visible()
