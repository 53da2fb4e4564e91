"""The state of the explorer in its address: a page that is loaded again shows the same."""

import re
from pathlib import Path

import pytest
from explorer_page import ExplorerPage
from paths import PARGEN, ROOT, SORT
from playwright.sync_api import Page, expect


def address(page: Page, *fields: str):
    """Waits until the address has some fields."""
    for field in fields:
        page.wait_for_url(re.compile(f"[#&]{re.escape(field)}(&|$)"))


def reload(explorer: ExplorerPage):
    explorer.page.reload()
    explorer.cells.first.wait_for()


def test_prompt_and_selection_are_restored(opened):
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


def test_the_start_of_a_cell_is_restored(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.place(7, "layer 7")
    explorer.head(5).click()
    explorer.place(5, "the start")
    address(explorer.page, "cell=5")
    reload(explorer)
    explorer.place(5, "the start")


def test_registers_are_restored(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.page.get_by_text("Registers (4 of 7)").click()
    for name in ["symbol", "next_same"]:
        explorer.page.get_by_role("checkbox", name=re.compile(f"^{name} ")).uncheck()
    explorer.page.get_by_role("checkbox", name=re.compile("^parse ")).check()
    address(explorer.page, "registers=parse%2Cnext%2Ccursor")
    reload(explorer)
    expect(explorer.page.get_by_text("Registers (3 of 7)")).to_be_visible()
    expect(explorer.rows.first.locator(".g-registers span")).to_have_text(["parse", "next", "cursor", "attends"])


@pytest.mark.parametrize("name", ["Why", "Cell", "Transformer", "Heads", "Parse", "Compare"])
def test_the_panel_is_restored(opened, name):
    explorer = opened(PARGEN, "--test", "swap")
    explorer.panel(name)
    address(explorer.page, f"panel={name.lower()}")
    reload(explorer)
    expect(explorer.page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
    expect(explorer.page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()


def test_machine_and_test_are_restored(opened):
    explorer = opened(SORT)
    explorer.page.get_by_role("combobox", name="Machine").select_option("full-dat")
    explorer.page.get_by_role("combobox", name="Test").select_option("words")
    explorer.continuation("low", "low", "mid", "high", ".")
    address(explorer.page, "test=2", "machine=full-dat")
    reload(explorer)
    explorer.continuation("low", "low", "mid", "high", ".")
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("full-dat")
    expect(explorer.page.get_by_role("combobox", name="Test")).to_have_value("2")


def test_an_example_is_restored(opened):
    explorer = opened(SORT)
    explorer.page.get_by_role("combobox", name="Program").select_option("reverse")
    address(explorer.page, "program=reverse")
    explorer.outcome.get_by_text("✓ right").wait_for()
    reload(explorer)
    expect(explorer.page.get_by_role("combobox", name="Program").locator("option:checked")).to_have_text("reverse")
    first = (ROOT / "examples/reverse.psl").read_text().split("\n")[0]
    expect(explorer.program.locator("[data-line] code").first).to_have_text(first)


def test_an_address_is_opened_elsewhere(opened):
    """An address that a colleague sends shows the same cell and layer."""
    state = "#prompt=Q+a+X+A+X+a+.+Q+b+X+A&machine=psm&cell=11&registers=symbol%2Cfield&panel=cell"
    explorer = opened(PARGEN, state=state)
    explorer.continuation("X", "b", ".")
    expect(explorer.page.get_by_role("tabpanel", name="Cell", exact=True)).to_be_visible()
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("psm")
    expect(explorer.page.get_by_text("Registers (2 of 16)")).to_be_visible()


def test_an_address_with_unknown_parts_opens_what_is_known(opened):
    state = "#prompt=a+b+%7C+b&machine=brain&cell=999&row=5000&registers=none%2Ccursor&panel=other"
    explorer = opened(SORT, state=state)
    explorer.continuation("b", ".")
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("dat")
    expect(explorer.page.get_by_text("Registers (1 of 7)")).to_be_visible()
    expect(explorer.page.get_by_role("tabpanel", name="Why", exact=True)).to_be_visible()
    expect(explorer.page.get_by_role("combobox", name="Program").locator("option:checked")).to_have_text("sort.psl")


# One invalid field each, beside valid ones.
BAD = {
    "test": "test=99&machine=psm",
    "number": "test=2&cell=3&row=-1",
    "cell": "test=2&cell=0&row=1",
    "row": "test=2&cell=3&row=99999",
    "pointed": "test=2&cell=13&row=6&pointed=99",
    "trace": "test=2&trace=none",
    "view": "test=2&panel=transformer&view=heads",
    "block": "test=2&cell=13&row=6&panel=transformer&block=W_q%5Bnone%5D",
    "second": "test=2&test2=99&panel=compare",
    "run": "test=2&run=2&cell=1&row=1",
    "long": "test=2&prompt=" + "a+" * 600_000,
    "empty": "test=2&prompt=++&cells=&file=&program=",
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_field_is_left_out(opened, name):
    explorer = opened(SORT, state=f"#{BAD[name]}")
    explorer.continuation(*("a c c ." if name == "test" else "low low mid high .").split())
    expect(explorer.outcome.get_by_role("alert")).to_have_count(0)
    # The address is what the page shows.
    address(explorer.page, "machine=psm" if name == "test" else "machine=dat", "test=0" if name == "test" else "test=2")
    state = explorer.page.evaluate("location.hash")
    assert not re.search("99|-1|cell=0|none|heads|test2|run=2|prompt", state), state


def test_a_link_in_the_same_tab_is_followed(opened):
    explorer = opened(SORT, state="#test=1&panel=cell&registers=cursor")
    explorer.continuation("d", "c", "b", "a", "a", ".")
    address(explorer.page, "test=1", "panel=cell", "registers=cursor")
    visited = explorer.page.evaluate("history.length")
    explorer.page.evaluate("location.hash = 'prompt=b+a+%7C+a+b+a&gold=b+a+a+.&machine=psm&cell=6&row=3'")
    explorer.continuation("b", "a", "a", ".")
    explorer.place(6, "layer 4")
    expect(explorer.page.get_by_role("textbox", name="Expected")).to_have_value("b a a .")
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("psm")
    # Everything that the link does not name is as on a new page.
    expect(explorer.page.get_by_text("Registers (4 of 7)")).to_be_visible()
    explorer.page.go_back()
    explorer.continuation("d", "c", "b", "a", "a", ".")
    expect(explorer.page.get_by_role("tabpanel", name="Cell", exact=True)).to_be_visible()
    expect(explorer.page.get_by_text("Registers (1 of 7)")).to_be_visible()
    expect(explorer.page.get_by_role("combobox", name="Machine")).to_have_value("dat")
    explorer.page.go_forward()
    explorer.continuation("b", "a", "a", ".")
    address(explorer.page, "prompt=b+a+%7C+a+b+a", "cell=6", "row=3", "panel=why")
    # The page itself adds nothing to the history.
    assert explorer.page.evaluate("history.length") == visited + 1


def test_a_draft_does_not_survive_a_link(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.prompt.fill("x y | y")
    explorer.page.evaluate("location.hash = 'test=2'")
    explorer.continuation("low", "low", "mid", "high", ".")
    expect(explorer.prompt).to_have_value("low mid high | high low mid low")


def test_the_comparison_is_restored(opened):
    explorer = opened(SORT, "--test", "abc", viewport={"width": 1500, "height": 1200})
    explorer.page.get_by_role("combobox", name="Machine").select_option("psm")
    explorer.continuation("a", "c", "c", ".")
    panel = explorer.panel("Compare")
    panel.get_by_role("textbox", name="Second prompt").fill("a b c | b a c")
    panel.get_by_role("button", name="Compare", exact=True).click()
    panel.get_by_role("button", name="Show in the second run").last.click()
    address(explorer.page, "prompt2=a+b+c+%7C+b+a+c", "machine=psm", "machine2=psm", "panel=compare", "run=2")
    difference = panel.get_by_role("region", name="First difference").inner_text()
    reload(explorer)
    expect(panel.get_by_role("region", name="First difference")).to_have_text(difference, use_inner_text=True)
    expect(panel.get_by_role("textbox", name="Second prompt")).to_have_value("a b c | b a c")
    address(explorer.page, "prompt2=a+b+c+%7C+b+a+c", "run=2")
    explorer.panel("Transformer")
    expect(explorer.details.get_by_text("This is the second run of the comparison.")).to_be_visible()
    # An expectation goes with its prompt.
    explorer.enter("b a | a b", "b a .")
    explorer.panel("Compare").get_by_role("button", name="Swap runs").click()
    explorer.continuation("a", "b", "c", ".")
    expect(explorer.outcome.locator(".chip")).to_have_count(0)
    explorer.details.get_by_role("button", name="Swap runs").click()
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()


def test_the_cell_pointed_at_and_the_traced_register_are_restored(opened):
    explorer = opened(SORT, state="#test=0&cell=7&row=6")
    explorer.place(7, "layer 7")
    explorer.details.get_by_role("spinbutton", name="Ask about cell").fill("3")
    explorer.page.get_by_role("combobox", name="Register to trace").select_option("next")
    address(explorer.page, "pointed=3", "trace=next")
    reload(explorer)
    explorer.place(7, "layer 7")
    expect(explorer.details.get_by_role("spinbutton", name="Ask about cell")).to_have_value("3")
    expect(explorer.page.get_by_role("combobox", name="Register to trace").locator("option:checked")).to_have_text("next")
    expect(explorer.details.get_by_role("heading", name="History of next in cell 7")).to_be_visible()


def test_the_picture_and_the_block_of_weights_are_restored(opened):
    explorer = opened(SORT, state="#test=0&cell=7&row=6&panel=transformer")
    block = explorer.details.get_by_role("list", name="Blocks of W_v").get_by_role("button").first
    block.click()
    numbers = explorer.details.get_by_role("region", name=re.compile("^Numbers of "))
    expect(numbers).to_be_visible()
    name = numbers.get_attribute("aria-label").removeprefix("Numbers of ")
    explorer.page.wait_for_url(lambda url: "block=W_v" in url)
    reload(explorer)
    expect(explorer.details.get_by_role("region", name=f"Numbers of {name}", exact=True)).to_be_visible()
    # Another layer closes it.
    explorer.mark(3).click()
    expect(numbers).to_have_count(0)
    explorer.page.wait_for_url(lambda url: "block=" not in url)
    explorer.details.get_by_role("button", name="Attention", exact=True).click()
    address(explorer.page, "view=attention")
    reload(explorer)
    expect(explorer.details.get_by_role("button", name="Attention", exact=True)).to_have_attribute("aria-pressed", "true")


def open_file(explorer: ExplorerPage, folder: Path, name: str = "opened.psl", text: str | None = None):
    (folder / name).write_text(PARGEN.read_text() if text is None else text)
    explorer.page.get_by_label("Open file…").set_input_files(folder / name)


def shows_file(explorer: ExplorerPage, name: str):
    expect(explorer.page.get_by_role("combobox", name="Program").locator("option:checked")).to_have_text(name)


# The state that a link to the file has.
OF_FILE = "#file=opened.psl&prompt=Q+a+A+a+.+Q+b+A&cell=3&row=4&panel=cell"


def test_an_opened_file_is_restored(opened, tmp_path):
    explorer = opened(SORT)
    open_file(explorer, tmp_path)
    explorer.continuation(*"K L V F G H .".split())
    explorer.enter("Q a A a . Q b A")
    explorer.continuation("b", ".")
    address(explorer.page, "file=opened.psl", "prompt=Q+a+A+a+.+Q+b+A")
    reload(explorer)
    explorer.continuation("b", ".")
    shows_file(explorer, "opened.psl")
    # It stays in the list of programs.
    explorer.page.get_by_role("combobox", name="Program").select_option("reverse")
    shows_file(explorer, "reverse")
    explorer.page.get_by_role("combobox", name="Program").select_option("opened.psl")
    explorer.continuation(*"K L V F G H .".split())


def test_an_opened_file_with_the_name_of_the_program_is_restored(opened, tmp_path):
    explorer = opened(SORT)
    text = SORT.read_text().replace("=> \"a c c .\"", "=> \"a c a .\"", 1)
    (tmp_path / "files").mkdir()
    open_file(explorer, tmp_path / "files", "sort.psl", text)
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 3 is c, expected a")).to_be_visible()
    shows_file(explorer, "sort.psl (opened)")
    address(explorer.page, "file=sort.psl")
    reload(explorer)
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 3 is c, expected a")).to_be_visible()


@pytest.mark.parametrize("field", ["file", "program"])
def test_a_link_to_a_file_that_is_not_open_asks_for_it(opened, tmp_path, field):
    state = OF_FILE.replace("file", field)
    explorer = opened(SORT, state=state)
    message = explorer.outcome.get_by_role("alert")
    words = "This link was made with opened.psl, which is not open here. Open it with Open file… to see what the link shows."
    expect(message).to_have_text(words)
    explorer.continuation("a", "c", "c", ".")
    reload(explorer)
    expect(message).to_have_text(words)
    assert explorer.page.evaluate("location.hash") == state
    # The file completes the link.
    open_file(explorer, tmp_path)
    explorer.continuation("b", ".")
    expect(explorer.page.get_by_role("tabpanel", name="Cell", exact=True)).to_be_visible()
    expect(explorer.details.get_by_text("Layer 5, cell 3")).to_be_visible()
    expect(message).to_have_count(0)


def test_the_message_about_a_missing_file_ends_with_the_next_run(opened):
    explorer = opened(SORT, state=OF_FILE)
    expect(explorer.outcome.get_by_role("alert")).to_be_visible()
    explorer.enter("b a | a b")
    explorer.continuation("b", "a", ".")
    expect(explorer.outcome.get_by_role("alert")).to_have_count(0)
    address(explorer.page, "prompt=b+a+%7C+a+b")


def test_a_browser_that_keeps_nothing_asks_for_the_file_again(opened, tmp_path):
    explorer = opened(SORT)
    explorer.context.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('refused'); } })")
    reload(explorer)
    open_file(explorer, tmp_path)
    explorer.continuation(*"K L V F G H .".split())
    address(explorer.page, "file=opened.psl", "test=0")
    explorer.page.evaluate("location.hash = 'test=2'")
    explorer.continuation("low", "low", "mid", "high", ".")
    # As long as the page is open, the file is here.
    explorer.page.go_back()
    explorer.continuation(*"K L V F G H .".split())
    address(explorer.page, "file=opened.psl", "test=0")
    reload(explorer)
    expect(explorer.outcome.get_by_role("alert")).to_contain_text("opened.psl, which is not open here")
