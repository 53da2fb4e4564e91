"""The state of the explorer in its address: a page that is loaded again shows the same."""

import re

import pytest
from explorer_page import ExplorerPage, browser, opened  # noqa: F401
from paths import PARGEN, ROOT
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.timeout(300)

SORT = ROOT / "examples/sort.psl"


def address(page: Page, *fields: str):
    """Waits until the address has some fields."""
    for field in fields:
        page.wait_for_url(re.compile(f"[#&]{re.escape(field)}(&|$)"))


def reload(explorer: ExplorerPage):
    explorer.page.reload()
    explorer.cells.first.wait_for()


def test_prompt_and_selection_are_restored(opened):  # noqa: F811
    explorer = opened(SORT, "--test", "abc")
    explorer.enter("b a | a b a", "b a a .")
    explorer.continuation("b", "a", "a", ".")
    explorer.mark(4).click()
    explorer.cell(explorer.row(4), 6).click()
    explorer.place(6, "layer 4")
    address(explorer.page, "prompt=b+a+%7C+a+b+a", "gold=b+a+a+.", "cell=6", "row=3")
    reload(explorer)
    explorer.continuation("b", "a", "a", ".")
    expect(explorer.prompt).to_have_value("b a | a b a")
    expect(explorer.page.get_by_role("textbox", name="Expected")).to_have_value("b a a .")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    explorer.place(6, "layer 4")
    expect(explorer.row(4)).to_be_in_viewport()


def test_the_start_of_a_cell_is_restored(opened):  # noqa: F811
    explorer = opened(SORT, "--test", "abc")
    explorer.place(7, "layer 7")
    explorer.head(5).click()
    explorer.place(5, "the start")
    address(explorer.page, "cell=5")
    reload(explorer)
    explorer.place(5, "the start")


def test_registers_are_restored(opened):  # noqa: F811
    explorer = opened(SORT, "--test", "abc")
    explorer.page.get_by_text("Registers (4 of 7)").click()
    for name in ["symbol", "next_same"]:
        explorer.page.get_by_role("checkbox", name=re.compile(f"^{name} ")).uncheck()
    explorer.page.get_by_role("checkbox", name=re.compile("^parse ")).check()
    address(explorer.page, "registers=parse%2Cnext%2Ccursor")
    reload(explorer)
    expect(explorer.page.get_by_text("Registers (3 of 7)")).to_be_visible()
    expect(explorer.rows.first.locator(".g-registers span")).to_have_text(["parse", "next", "cursor", "attends"])


@pytest.mark.parametrize("name", ["Why", "Cell", "Transformer", "Parse", "Compare"])
def test_the_panel_is_restored(opened, name):  # noqa: F811
    explorer = opened(PARGEN, "--test", "swap")
    explorer.panel(name)
    address(explorer.page, f"panel={name.lower()}")
    reload(explorer)
    expect(explorer.page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
    expect(explorer.page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()


def test_machine_and_test_are_restored(opened):  # noqa: F811
    explorer = opened(SORT)
    explorer.page.get_by_role("combobox", name="Machine").select_option("full-dat")
    explorer.page.get_by_role("combobox", name="Test").select_option("words")
    explorer.continuation("low", "low", "mid", "high", ".")
    address(explorer.page, "test=2", "machine=full-dat")
    reload(explorer)
    explorer.continuation("low", "low", "mid", "high", ".")
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("full-dat")
    expect(explorer.page.get_by_role("combobox", name="Test")).to_have_value("2")


def test_an_example_is_restored(opened):  # noqa: F811
    explorer = opened(SORT)
    explorer.page.get_by_role("combobox", name="Program").select_option("reverse")
    address(explorer.page, "program=reverse")
    explorer.outcome.get_by_text("✓ right").wait_for()
    reload(explorer)
    expect(explorer.page.get_by_role("combobox", name="Program").locator("option:checked")).to_have_text("reverse")
    first = (ROOT / "examples/reverse.psl").read_text().split("\n")[0]
    expect(explorer.program.locator("[data-line] code").first).to_have_text(first)


def test_an_address_is_opened_elsewhere(opened):  # noqa: F811
    """An address that a colleague sends shows the same place."""
    state = "#prompt=Q+a+X+A+X+a+.+Q+b+X+A&machine=psm&cell=11&registers=symbol%2Cfield&panel=cell"
    explorer = opened(PARGEN, state=state)
    explorer.continuation("X", "b", ".")
    expect(explorer.page.get_by_role("tabpanel", name="Cell", exact=True)).to_be_visible()
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("psm")
    expect(explorer.page.get_by_text("Registers (2 of 16)")).to_be_visible()


def test_an_address_with_unknown_parts_opens_what_is_known(opened):  # noqa: F811
    state = "#prompt=a+b+%7C+b&machine=brain&cell=999&row=5000&registers=none%2Ccursor&panel=other&program=missing"
    explorer = opened(SORT, state=state)
    explorer.continuation("b", ".")
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("dat")
    expect(explorer.page.get_by_text("Registers (1 of 7)")).to_be_visible()
    expect(explorer.page.get_by_role("tabpanel", name="Why", exact=True)).to_be_visible()
    expect(explorer.page.get_by_role("combobox", name="Program").locator("option:checked")).to_have_text("sort.psl")
