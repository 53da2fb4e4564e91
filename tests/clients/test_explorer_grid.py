"""The grid of the explorer: its columns and rows, marks, keys and pointer."""

import re

import pytest
from explorer_page import TALL
from paths import PARGEN, ROOT, SORT, SUBLEQ
from playwright.sync_api import expect


def test_prompt_and_continuation_are_told_apart(opened):
    explorer = opened(PARGEN, "--test", "swap", viewport={"width": 2000, "height": 900})
    for name, cell in [("prompt", 1), ("continuation", 20)]:
        band = explorer.grid.get_by_text(name, exact=True)
        expect(band).to_be_visible()
        # The name is above the first cell of its part.
        assert abs(band.bounding_box()["x"] - explorer.head(cell).bounding_box()["x"]) < 10
    for cell, symbol in [(1, "Q"), (19, "A"), (20, "K"), (25, "H")]:
        expect(explorer.head(cell)).to_contain_text(f"{cell}{symbol}")
    expect(explorer.page.get_by_title("Cell 19, prompt: starts with A")).to_be_visible()
    expect(explorer.page.get_by_title("Cell 20, generated: starts with K")).to_be_visible()
    background = "cell => getComputedStyle(cell).backgroundColor"
    row = explorer.row(30)
    backgrounds = [explorer.cell(row, cell).evaluate(background) for cell in (18, 19, 20, 21)]
    assert backgrounds[0] == backgrounds[1] != backgrounds[2] == backgrounds[3]


@pytest.mark.parametrize(("prompt", "cells"), [("Q", 1), ("Q a A a . Q b A", 8)])
def test_the_names_of_short_parts_do_not_overlap(opened, prompt, cells):
    explorer = opened(PARGEN, "--prompt", prompt, viewport={"width": 400, "height": 900})
    explorer.scroll(10_000, 0)
    name = explorer.grid.get_by_text("continuation", exact=True)
    box = name.bounding_box()
    assert abs(box["x"] - explorer.head(cells + 1).bounding_box()["x"]) < 10
    before = explorer.grid.get_by_text("prompt", exact=True).bounding_box()
    assert before["x"] + before["width"] <= box["x"]
    if cells == 8:
        # One generated cell, narrower than the name.
        expect(explorer.head(10)).to_have_count(0)
        assert box["x"] + box["width"] <= 400


def test_rows_have_the_numbers_and_comments_of_layers(opened):
    explorer = opened(SORT, "--test", "abc", **TALL)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    expect(explorer.rows).to_have_count(7)
    # The comment above a production, where a directive may follow it.
    comments = re.findall(r"# (.*)\n(?://@.*\n)?where", SORT.read_text())
    expected = [f"{number}{comment}" for number, comment in enumerate(comments, 1)]
    expect(explorer.rows.locator(".g-name")).to_have_text(expected)


def test_rows_that_write_no_shown_register_can_be_left_out(opened):
    explorer = opened(SORT, "--test", "none", **TALL)
    only = explorer.page.get_by_label("Only layers that write them")
    only.uncheck()
    expect(explorer.rows).to_have_count(7)
    writing = [str(layer) for layer in range(1, 8) if explorer.row(layer).locator("span.w").count() > 0]
    assert 1 < len(writing) < 7
    # The selected layer is always shown.
    explorer.cell(explorer.row(int(writing[0])), 1).click()
    only.check()
    expect(explorer.rows.locator(".g-number")).to_have_text(writing)


def test_passes_of_nested_blocks_are_folded_and_open(opened):
    explorer = opened(SUBLEQ, "--test", "shown", **TALL)
    outer = explorer.rows.filter(has_text="4–13")
    expect(outer).to_have_count(1)
    expect(outer).to_contain_text("pass 1")
    folded = [explorer.values(outer, cell)[:-1] for cell in range(1, 6)]
    outer.get_by_title("Open the layers of this pass").click()
    first = explorer.row(4)
    expect(first).to_contain_text("fetch a, the address of the number to subtract, pass 1")
    # The opened pass stays where it is, although the selected cell is far below.
    expect(first).to_be_in_viewport()
    inner = explorer.rows.filter(has_text="repeat block, pass 1.1").first
    expect(inner.locator(".g-number")).to_have_text("9–11")
    inner.get_by_title("Open the layers of this pass").click()
    expect(explorer.row(9).first).to_contain_text("count both numbers down, pass 1.1")
    explorer.scroll(0, 100_000)
    last = explorer.row(13)
    expect(last).to_be_in_viewport()
    assert [explorer.values(last, cell)[:-1] for cell in range(1, 6)] == folded
    explorer.scroll(0, 0)
    first.get_by_title("Fold this pass").click()
    expect(outer).to_have_count(1)
    expect(first).to_have_count(0)


def test_enter_opens_and_folds_a_pass(opened):
    explorer = opened(SUBLEQ, "--test", "shown", **TALL)
    outer = explorer.rows.filter(has_text="4–13")
    explorer.cell(outer, 2).click()
    explorer.page.keyboard.press("Enter")
    expect(outer).to_have_count(0)
    expect(explorer.row(4)).to_have_count(1)
    explorer.page.keyboard.press("Enter")
    expect(outer).to_have_count(1)


def test_changed_values_are_marked(opened):
    explorer = opened(PARGEN, "--test", "swap")
    row = explorer.row(30)
    assert explorer.values(row, 19) == ["K", "CA", "C", "4", "0", "←17"]
    # The layer also sets region and index, to the values that they already have.
    assert explorer.changed(row, 19) == ["K", "C", "4"]
    assert explorer.changed(row, 17) == []


def test_registers_are_shown_and_hidden(opened):
    explorer = opened(PARGEN, "--test", "swap")
    legend = explorer.rows.last.locator(".g-registers span")
    expect(legend).to_have_text(["symbol", "region", "type", "field", "index", "attends"])
    explorer.page.get_by_text("Registers (5 of 16)").click()
    for hidden in ["region", "type", "index"]:
        explorer.page.get_by_role("checkbox", name=re.compile(f"^{hidden} ")).uncheck()
    explorer.page.get_by_role("checkbox", name=re.compile("^y_temp ")).check()
    expect(legend).to_have_text(["symbol", "field", "y_temp", "attends"])
    explorer.scroll(0, 10_000)
    expect(explorer.cell(explorer.row(30), 19).locator("span")).to_have_text(["K", "4", "4", "←17"])
    expect(explorer.page.get_by_text("Registers (3 of 16)")).to_be_visible()


def test_one_register_stays_shown(opened):
    explorer = opened(PARGEN, "--test", "swap", state="#test=0&registers=symbol")
    expect(explorer.page.get_by_text("Registers (1 of 16)")).to_be_visible()
    explorer.page.get_by_text("Registers (1 of 16)").click()
    explorer.page.get_by_role("checkbox", name=re.compile("^symbol ")).click()
    expect(explorer.page.get_by_text("Registers (1 of 16)")).to_be_visible()
    expect(explorer.rows.first.locator(".g-registers span")).to_have_text(["symbol", "attends"])


def test_headers_stay_in_view(opened):
    explorer = opened(PARGEN, "--test", "swap")
    box = explorer.grid.bounding_box()
    explorer.scroll(100, 400)
    row = explorer.grid.locator('[data-line="5"]')
    expect(row.get_by_role("rowheader")).to_be_in_viewport()
    assert explorer.grid.evaluate("grid => [grid.scrollLeft, grid.scrollTop]") == [100, 400]
    assert abs(explorer.head(12).bounding_box()["y"] - box["y"]) < 5
    assert abs(row.get_by_role("rowheader").bounding_box()["x"] - box["x"]) < 5


def test_only_what_is_in_view_is_drawn(opened):
    prompt = "a b c | " + " ".join("cab"[at % 3] for at in range(296))
    explorer = opened(SORT, "--prompt", prompt)
    columns = int(explorer.grid.get_attribute("aria-colcount"))
    assert columns > 300
    explorer.scroll(0, 0)
    expect(explorer.head(1)).to_be_visible()
    expect(explorer.head(columns - 1)).to_have_count(0)
    assert 50 < explorer.cells.count() < 1500
    explorer.scroll(100_000, 0)
    expect(explorer.head(columns - 1)).to_be_visible()
    expect(explorer.cells.and_(explorer.page.locator(f'[aria-colindex="{columns}"]')).first).to_be_visible()
    expect(explorer.head(1)).to_have_count(0)
    assert 50 < explorer.cells.count() < 1500


def test_keys_move_through_layers_and_cells(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=3&row=2")
    explorer.place(3, "layer 3")
    press = explorer.page.keyboard.press
    explorer.page.get_by_label("Only layers that write them").uncheck()
    explorer.grid.focus()
    for key, cell, row in [
        ("ArrowDown", 3, "layer 4"), ("j", 3, "layer 5"), ("ArrowUp", 3, "layer 4"), ("k", 3, "layer 3"),
        ("ArrowRight", 4, "layer 3"), ("l", 5, "layer 3"), ("ArrowLeft", 4, "layer 3"), ("h", 3, "layer 3"),
        ("End", 3, "layer 7"), ("j", 3, "layer 7"), ("Home", 3, "layer 1"), ("PageDown", 3, "layer 6"),
        ("PageUp", 3, "layer 1"), ("ArrowUp", 3, "the start"), ("ArrowUp", 3, "the start"),
    ]:  # fmt: skip
        press(key)
        explorer.place(cell, row)


def test_the_keys_work_from_the_program_and_the_page(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=3&row=1")
    explorer.page.get_by_role("heading", name="PSL explorer").click()
    explorer.page.keyboard.press("ArrowDown")
    explorer.place(3, "layer 3")
    explorer.page.get_by_role("tab", name="Why").focus()
    explorer.page.keyboard.press("j")
    explorer.place(3, "layer 4")


def test_a_slash_goes_to_the_prompt_and_escape_back(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.grid.focus()
    explorer.page.keyboard.press("/")
    expect(explorer.prompt).to_be_focused()
    expect(explorer.prompt).to_have_value("a b c | c a c")
    # In the prompt, keys are text.
    explorer.page.keyboard.type("a | a ?")
    expect(explorer.prompt).to_have_value("a | a ?")
    explorer.page.keyboard.press("Escape")
    expect(explorer.grid).to_be_focused()


def test_f5_runs_the_prompt(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.continuation("a", "c", "c", ".")
    explorer.prompt.fill("b a | a b")
    explorer.page.keyboard.press("F5")
    explorer.continuation("b", "a", ".")


def test_a_question_mark_shows_the_keys(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.grid.focus()
    explorer.page.keyboard.press("?")
    help_page = explorer.page.get_by_role("dialog", name="How to read this page")
    expect(help_page).to_be_visible()
    for key, does in [
        ("F5", "Run the prompt"), ("Space", "Play or pause"), ("?", "Show the keys"),
        ("Shift+click or Alt+click", "Point at a cell"),
    ]:  # fmt: skip
        expect(help_page.get_by_role("row", name=f"{key} {does}")).to_be_visible()
    explorer.page.keyboard.press("Escape")
    expect(help_page).to_have_count(0)
    explorer.page.get_by_role("button", name="Keys and legend").click()
    expect(help_page).to_be_visible()
    help_page.get_by_role("button", name="Close").click()
    expect(help_page).to_have_count(0)


def test_a_click_selects(opened):
    explorer = opened(SORT, "--test", "abc", **TALL)
    explorer.cell(explorer.row(2), 4).click()
    explorer.place(4, "layer 2")
    explorer.row(3).get_by_role("rowheader").click()
    explorer.place(4, "layer 3")
    explorer.head(6).click()
    explorer.place(6, "the start")


def test_the_tooltip_has_all_registers(opened):
    explorer = opened(PARGEN, "--test", "swap")
    explorer.cell(explorer.row(30), 18).hover()
    tooltip = explorer.page.locator(".tooltip")
    expect(tooltip).to_contain_text("Layer 30, cell 18: does not fire")
    shown = dict(zip(tooltip.locator("dt").all_text_contents(), tooltip.locator("dd").all_text_contents(), strict=True))
    explorer.cell(explorer.row(30), 18).click()
    panel = explorer.panel("Cell")
    expect(panel.get_by_role("table", name="Layer 30, cell 18")).to_be_visible()
    names = panel.get_by_role("columnheader").all_text_contents()
    values = panel.get_by_role("row", name="result").get_by_role("cell").all_text_contents()
    assert shown == {name: value for name, value in zip(names, values, strict=True) if value != ""}
    assert len(shown) > 10
    assert shown["symbol"] == "L" and shown["prev_symbol"] == "K"


def test_a_cell_attended_to_is_the_own_or_another_one(opened):
    explorer = opened(SORT, "--test", "abc", **TALL)
    attends = {
        (layer, cell): explorer.cell(explorer.row(layer), cell).locator(".g-attends")
        for layer, cell in [(2, 4), (1, 1), (4, 5)]
    }
    expect(attends[2, 4]).to_have_text("●")
    expect(attends[1, 1]).to_have_text("→6")
    expect(attends[4, 5]).to_have_text("←3")
    colors = [entry.evaluate("entry => getComputedStyle(entry).color") for entry in attends.values()]
    assert colors[0] != colors[1] == colors[2]
    legend = explorer.page.locator("#grid-hint")
    expect(legend).to_contain_text("changed grey nothing changes ←3 attends to cell 3 ● to itself")


def test_the_legend_has_the_colors_of_the_cells(opened):
    explorer = opened(SORT, "--test", "abc", **TALL)
    color = "it => [getComputedStyle(it).color, getComputedStyle(it).fontWeight]"
    legend = explorer.page.locator("#grid-hint")
    row = explorer.row(2)
    for name, value in [("changed", row.locator(".w").first), ("grey", explorer.cell(row, 1).locator("span").first)]:
        assert legend.get_by_text(name, exact=True).evaluate(color) == value.evaluate(color)


def test_the_legend_names_cells_that_rest(opened):
    explorer = opened(PARGEN, "--test", "swap")
    expect(explorer.page.locator("#grid-hint")).not_to_contain_text("rests")
    resting = opened(ROOT / "examples/parity.psl", "--test", "odd")
    expect(resting.page.locator("#grid-hint")).to_contain_text("rests")
