"""The program beside the grid of the explorer: colors, links to layers, query, key and value, diagnostics."""

import re
import subprocess
from pathlib import Path

import pytest
from explorer_page import LARGE, ExplorerPage
from paths import PARGEN, PSL, SORT, SUBLEQ
from playwright.sync_api import Locator, expect

BROKEN = """registers: {symbol: 's', position: 'p'}
constants: {A}
where symbol[N] == A:
    mrk[N] = A
"""


def is_centered(row: Locator, grid: Locator) -> bool:
    inside, outside = row.bounding_box(), grid.bounding_box()
    distance = inside["y"] + inside["height"] / 2 - (outside["y"] + outside["height"] / 2)
    return abs(distance) < inside["height"]


def test_the_text_is_that_of_the_file(opened):
    explorer = opened(SORT)
    lines = explorer.program.locator("[data-line] code").all_text_contents()
    assert lines == SORT.read_text().split("\n")


def test_the_text_is_colored(opened):
    explorer = opened(SORT)
    line = explorer.program.locator("[data-line]", has_text="where parse[N] == 1:")
    expect(line).to_have_count(1)

    def color(text: str) -> str:
        piece = line.locator("code span", has_text=re.compile(f"^{re.escape(text)}$"))
        return piece.first.evaluate("piece => getComputedStyle(piece).color")

    assert len({color("where"), color("parse"), color("1")}) == 3
    comment = explorer.program.locator("[data-line] code span", has_text="# Sort: put symbols").first
    assert comment.evaluate("piece => getComputedStyle(piece).color") not in (color("where"), color("parse"), color("1"))


def test_a_selected_layer_shows_its_production(opened):
    explorer = opened(PARGEN, "--test", "swap")
    explorer.grid.focus()
    explorer.page.keyboard.press("Home")
    explorer.place(19, "layer 1")
    expect(explorer.mark(1)).to_have_attribute("aria-current", "true")
    expect(explorer.mark(1)).to_be_in_viewport()
    expect(explorer.mark(30)).not_to_be_in_viewport()
    explorer.scroll(0, 10_000)
    explorer.row(30).get_by_role("rowheader").click()
    expect(explorer.mark(30)).to_have_attribute("aria-current", "true")
    expect(explorer.mark(30)).to_be_in_viewport()
    expect(explorer.mark(1)).not_to_have_attribute("aria-current", "true")


def test_a_click_into_a_production_centers_its_layer(opened):
    explorer = opened(PARGEN, "--test", "swap", **LARGE)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    explorer.program.locator("[data-line]", has_text="where symbol[N] == A and region[N] == CQ").click()
    explorer.place(19, "layer 10")
    expect(explorer.row(10)).to_be_in_viewport()
    assert is_centered(explorer.row(10), explorer.grid)
    # An assignment belongs to its production.
    explorer.program.locator("[data-line]", has_text="index[N] = 0").last.click()
    explorer.place(19, "layer 23")


def test_a_click_on_the_selected_layer_centers_it_again(opened):
    explorer = opened(PARGEN, "--test", "swap", **LARGE)
    explorer.mark(13).click()
    explorer.place(19, "layer 13")
    explorer.scroll(0, 10_000)
    expect(explorer.row(13)).not_to_be_in_viewport()
    explorer.mark(13).click()
    expect(explorer.row(13)).to_be_in_viewport()
    assert is_centered(explorer.row(13), explorer.grid)


def test_a_click_on_a_layer_of_a_folded_pass_finds_it(opened):
    explorer = opened(SUBLEQ, "--test", "shown", **LARGE)
    explorer.mark(6).click()
    expect(explorer.title).to_contain_text("layer 6, pass 1")
    expect(explorer.mark(6)).to_have_attribute("aria-current", "true")
    selected = explorer.page.locator('[aria-selected="true"]')
    expect(explorer.rows.filter(has=selected)).to_contain_text("4–13")


def test_arrow_keys_move_between_productions(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=7&row=2")
    explorer.place(7, "layer 3")
    explorer.mark(3).focus()
    explorer.page.keyboard.press("ArrowDown")
    explorer.place(7, "layer 4")
    expect(explorer.mark(4)).to_be_focused()
    explorer.page.keyboard.press("ArrowUp")
    explorer.page.keyboard.press("ArrowUp")
    explorer.place(7, "layer 2")


def test_query_key_and_value_are_shown(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=7&row=6")
    explorer.place(7, "layer 7")
    maps = explorer.program.get_by_role("note")
    expect(maps).to_have_count(1)
    expect(explorer.program.get_by_role("note", name="Query, key and value of layer 7")).to_have_text(
        re.compile(r"^q\s*p`?: c\s*k\s*p`?: p\s*v\s*s: s\s*c: nx$")
    )
    explorer.program.get_by_role("checkbox", name="q, k, v").check()
    expect(maps).to_have_count(7)
    explorer.program.get_by_role("checkbox", name="q, k, v").uncheck()
    expect(maps).to_have_count(1)


def test_a_program_with_errors_shows_its_diagnostics(opened, tmp_path):
    explorer = opened(SORT, "--test", "abc")
    (tmp_path / "broken.psl").write_text(BROKEN)
    explorer.page.get_by_label("Open file…").set_input_files(tmp_path / "broken.psl")
    diagnostics = explorer.program.get_by_role("list", name="Diagnostics").get_by_role("listitem")
    expect(diagnostics).to_have_text(["Line 4: unknown register mrkHelp: declare it: registers: {mrk: 'SHORT'}"])
    # The error is shown once.
    expect(explorer.outcome).to_have_text("")
    expect(explorer.page.get_by_text("It runs when the error is fixed.")).to_be_visible()
    marked = explorer.program.locator("[data-line='4'] code span", has_text="mrk").first
    expect(marked).to_have_attribute("title", re.compile("^error: unknown register"))
    underline = marked.evaluate("piece => getComputedStyle(piece).textDecorationLine")
    assert underline == "underline"
    # The next program runs again.
    explorer.page.get_by_role("combobox", name="Program").select_option("sort.psl")
    explorer.continuation("a", "c", "c", ".")
    expect(explorer.program.get_by_role("list", name="Diagnostics")).to_have_count(0)


@pytest.fixture
def served(browser, tmp_path):
    """Serves a program, and opens its page. Returns the page and the file."""
    file = tmp_path / "served.psl"
    ends = []

    def serve(text: str, **settings) -> tuple[ExplorerPage, Path]:
        file.write_text(text)
        server = subprocess.Popen([PSL, "explore", file, "--serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        page = ExplorerPage(browser, server.stdout.readline().strip(), **settings)
        ends.append((server, page))
        return page, file

    yield serve
    for server, page in ends:
        page.close()
        server.kill()
        server.wait()


def test_an_error_is_marked_and_in_view(served):
    # The errors are far below the first lines, and far from each other.
    broken = PARGEN.read_text().replace("index[N] = 0", "indx[N] = 0", 1).replace("index[N] = 0", "idx[N] = 0", 1)
    line = broken[: broken.index("idx")].count("\n") + 1
    explorer, _ = served(broken)
    diagnostics = explorer.program.get_by_role("list", name="Diagnostics").get_by_role("listitem")
    expect(diagnostics.first).to_contain_text("Help: did you mean index?")
    first = broken[: broken.index("indx")].count("\n") + 1
    expect(explorer.program.locator(f"[data-line='{first}'].wrong")).to_be_in_viewport()
    last = explorer.program.locator(f"[data-line='{line}'].wrong")
    expect(last).not_to_be_in_viewport()
    explorer.program.get_by_role("button", name=f"Line {line}", exact=True).click()
    expect(last).to_be_in_viewport()
    # Again, after the reader scrolled.
    explorer.program.locator(".program-code").evaluate("code => code.scrollTo(0, 0)")
    expect(last).not_to_be_in_viewport()
    explorer.program.get_by_role("button", name=f"Line {line}", exact=True).click()
    expect(last).to_be_in_viewport()


def test_a_hidden_program_shows_its_errors_in_the_toolbar(served):
    explorer, _ = served(BROKEN, viewport={"width": 800, "height": 700})
    diagnostics = explorer.page.get_by_role("list", name="Diagnostics").get_by_role("listitem")
    expect(diagnostics).to_have_text(["Line 4: unknown register mrkHelp: declare it: registers: {mrk: 'SHORT'}"])
    explorer.outcome.get_by_role("button", name="Line 4").click()
    expect(explorer.program.locator("[data-line='4'].wrong")).to_be_in_viewport()
    expect(diagnostics).to_have_count(1)


def test_an_edit_keeps_the_shown_registers_that_exist(served):
    text = SORT.read_text()
    explorer, file = served(text)
    explorer.page.get_by_text("Registers (4 of 7)").click()
    explorer.page.get_by_role("checkbox", name=re.compile("^symbol ")).uncheck()
    explorer.page.get_by_role("checkbox", name=re.compile("^next_same ")).uncheck()
    expect(explorer.page.get_by_text("Registers (2 of 7)")).to_be_visible()
    file.write_text(text.replace("cursor[N] = next[n]", "curso[N] = next[n]"))
    expect(explorer.program.get_by_role("list", name="Diagnostics")).to_contain_text("unknown register curso")
    expect(explorer.page.get_by_text("Registers (")).to_have_count(0)
    # The next program has another register, and the shown ones have other indices.
    renamed = text.replace("next_same", "same").replace("registers: {", "registers: {added: 'ad', ")
    file.write_text(renamed)
    expect(explorer.page.get_by_text("Registers (2 of 8)")).to_be_visible()
    expect(explorer.rows.first.locator(".g-registers span")).to_have_text(["next", "cursor", "attends"])
    # If none is left, the usual ones are shown.
    other = re.sub(r"\bcursor\b", "pointer", re.sub(r"\bnext\b", "following", renamed))
    file.write_text(other)
    expect(explorer.page.get_by_text("Registers (4 of 8)")).to_be_visible()
    explorer.continuation("a", "c", "c", ".")


def test_the_program_of_the_page_is_chosen_as_it_was_edited(served):
    text = SORT.read_text()
    explorer, file = served(text)
    explorer.continuation("a", "c", "c", ".")
    file.write_text(f"# edited\n{text}")
    expect(explorer.program.locator("[data-line] code").first).to_have_text("# edited")
    programs = explorer.page.get_by_role("combobox", name="Program")
    programs.select_option("reverse")
    expect(explorer.program.locator("[data-line] code").first).not_to_have_text("# edited")
    programs.select_option("served.psl")
    expect(explorer.program.locator("[data-line] code").first).to_have_text("# edited")


def test_the_program_can_be_hidden(opened):
    explorer = opened(SORT, "--test", "abc")
    toggle = explorer.page.get_by_role("group", name="View").get_by_role("button", name="Program")
    width = explorer.grid.bounding_box()["width"]
    toggle.click()
    expect(explorer.program).to_have_count(0)
    assert explorer.grid.bounding_box()["width"] > width
    toggle.click()
    expect(explorer.program).to_be_visible()
