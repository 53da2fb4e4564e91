"""The editor of the playground: everything that the language server offers, by keyboard and pointer."""

import re

import pytest
from explorer_page import FAILING
from playground_parts import PROBE, run_tests
from playwright.sync_api import Locator, expect
from workbench import until

LINES = FAILING.splitlines()
CAUSE = 1 + LINES.index("where symbol[N] == A and parse[N] == 1:")


def test_pure_parts(tmp_path):
    run_tests(tmp_path, PROBE / "editor.ts", "editor")


@pytest.fixture
def playground(open_playground):
    """The page with a short program."""
    page = open_playground()
    fill(page)
    expect(lens(page, "Run test good")).to_be_visible()
    return page


def fill(playground):
    """Writes the program, after the other one has been deleted."""
    playground.show("editor")
    playground.editor.focus()
    press(playground, "Control+a", "Delete")
    playground.page.keyboard.insert_text(FAILING)


def lens(playground, title: str) -> Locator:
    return playground.editor.get_by_role("button", name=title)


def put(playground, line: int, column: int = 1):
    """Puts the cursor at a 1-based place, by keyboard."""
    playground.editor.focus()
    press(playground, "Control+Home", *["ArrowDown"] * (line - 1), "Home", "Home", *["ArrowRight"] * (column - 1))


def press(playground, *keys: str):
    for key in keys:
        playground.page.keyboard.press(key)


def options(playground) -> Locator:
    return playground.page.locator("#editor").get_by_role("option")


def misspell(playground):
    """Writes `symqbol` at the cause of the failure."""
    put(playground, CAUSE, 10)
    playground.page.keyboard.insert_text("q")
    expect(playground.editor.locator(".cm-lintRange-error")).to_have_text("symqbol")
    press(playground, "Escape")


def test_a_completion_shows_its_documentation_and_moves_to_its_places(playground):
    press(playground, "Control+End")
    playground.page.keyboard.type("where_l")
    expect(options(playground)).to_have_text([re.compile("where_lm")])
    expect(playground.page.locator(".cm-completionInfo")).to_contain_text("leftmost")
    # The editor ignores keys just after the list has opened: they may be part of the text.
    playground.page.wait_for_timeout(150)
    press(playground, "Enter")
    expect(playground.editor.locator(".cm-activeLine")).to_have_text("where_lm :")
    playground.page.keyboard.type("parse[N] == 1")
    press(playground, "Escape", "Tab")
    playground.page.keyboard.type("symbol[N] = A")
    press(playground, "Escape")
    expect(playground.problems).not_to_contain_text("error")
    assert playground.text().endswith("where_lm parse[N] == 1:\n    symbol[N] = A")


def test_a_fix_by_keyboard_is_one_step(playground):
    misspell(playground)
    press(playground, "Control+.")
    expect(options(playground).first).to_contain_text("Replace with symbol")
    assert playground.findings("#editor") == []
    press(playground, "Enter")
    expect(playground.editor.locator(".cm-lintRange-error")).to_have_count(0)
    expect(playground.editor).to_be_focused()
    assert playground.line() == LINES[CAUSE - 1]
    press(playground, "Control+z")
    expect(playground.editor.locator(".cm-lintRange-error")).to_have_text("symqbol")


def test_the_tooltip_of_a_problem_has_its_fixes(playground):
    misspell(playground)
    playground.editor.locator(".cm-lintRange-error").hover()
    tooltip = playground.page.locator(".cm-tooltip .cm-diagnostic")
    expect(tooltip).to_contain_text("unknown register symqbol")
    expect(tooltip.get_by_role("button", name="unknown-register")).to_be_visible()
    # A snippet selects the new name.
    tooltip.get_by_role("button", name="Declare register symqbol").click()
    expect(playground.editor.locator(".cm-lintRange-error")).to_have_count(0)
    assert "symqbol" in playground.line() and "registers" in playground.line()


def test_a_light_bulb_offers_fixes(playground):
    misspell(playground)
    playground.page.locator(".psl-bulb:visible").click()
    expect(options(playground).first).to_contain_text("Replace with symbol")
    press(playground, "Escape")
    expect(options(playground)).to_have_count(0)
    expect(playground.editor).to_be_focused()


def test_the_hover_of_the_keyboard_has_links(playground):
    put(playground, CAUSE, 8)
    press(playground, "Control+k", "Control+i")
    hover = playground.page.get_by_role("dialog", name="Documentation")
    expect(hover).to_be_focused()
    expect(hover).to_contain_text("register symbol, short name s")
    link = hover.get_by_role("button", name="Symbol").or_(hover.get_by_role("link", name="Symbol"))
    expect(link).to_be_visible()
    assert playground.findings("#editor") == []
    press(playground, "Escape")
    expect(hover).to_have_count(0)
    expect(playground.editor).to_be_focused()


def test_the_hover_of_the_pointer(playground):
    playground.editor.locator(".psl-keyword", has_text="where").first.hover()
    expect(playground.page.locator(".psl-hover")).to_contain_text("layer 1 of 4")


def test_a_hint_shows_the_cells(playground):
    hint = playground.editor.locator(".psl-hint").first
    expect(hint).to_contain_text("⇒")
    hint.hover()
    expect(playground.page.locator(".psl-hover")).to_contain_text("after layer 1")


def test_a_rename_is_refused_with_the_reason(playground):
    put(playground, CAUSE, 8)
    press(playground, "F2")
    field = playground.page.get_by_label("Rename symbol to")
    expect(field).to_be_focused()
    field.fill("position")
    press(playground, "Enter")
    expect(playground.page.locator(".psl-said")).to_contain_text("gives the register its role")
    press(playground, "Escape")
    expect(playground.page.locator(".psl-said")).to_have_count(0)


def test_a_rename_changes_all_places(playground):
    put(playground, CAUSE, 29)
    press(playground, "F2")
    playground.page.get_by_label("Rename parse to").fill("done")
    press(playground, "Enter")
    expect(playground.editor.locator(".cm-activeLine")).to_contain_text("done[N] == 1")
    text = playground.text()
    assert text.count("done[N]") == FAILING.count("parse[N]") and "parse[N]" not in text


def test_a_production_folds(playground):
    put(playground, CAUSE)
    press(playground, "Control+Shift+BracketLeft")
    expect(playground.editor.locator(".cm-foldPlaceholder")).to_have_count(1)
    expect(playground.editor.get_by_text("symbol[N] = B")).to_have_count(0)
    press(playground, "Control+Shift+BracketRight")
    expect(playground.editor.locator(".cm-foldPlaceholder")).to_have_count(0)


def test_a_lens_runs_a_test(playground):
    lens(playground, "Run test good").click()
    expect(playground.page.get_by_role("tabpanel")).to_contain_text("good")
    # By keyboard, from a list.
    put(playground, 2)
    press(playground, "Alt+Enter")
    expect(options(playground)).to_contain_text(["Run test good", "Explore"])
    press(playground, "ArrowDown", "Enter")
    expect(playground.page.get_by_role("tab", name="Explorer")).to_have_attribute("aria-selected", "true")


def test_formatting(playground):
    put(playground, CAUSE)
    playground.page.keyboard.insert_text("    ")
    press(playground, "Shift+Alt+F")
    until(playground.line, lambda line: line == LINES[CAUSE - 1])


def test_lines_are_indented_while_typing(playground):
    press(playground, "Control+End", "Enter")
    for line in ["where symbol[N] == A:", "parse[N] = 1"]:
        playground.page.keyboard.type(line)
        press(playground, "Escape", "Enter")
    press(playground, "Enter")
    playground.page.keyboard.type("repeat:")
    press(playground, "Escape")
    assert playground.text().endswith("\nwhere symbol[N] == A:\n    parse[N] = 1\n\nrepeat:")


def test_typing_replaces_several_lines(playground):
    put(playground, CAUSE)
    press(playground, "Shift+ArrowDown", "Shift+ArrowDown")
    playground.page.keyboard.type("# gone")
    press(playground, "Escape", "Control+z")
    expect(playground.editor.get_by_text("# gone")).to_have_count(0)
    assert playground.text() == FAILING


def test_the_outline_moves_the_cursor(playground):
    put(playground, 1)
    press(playground, "Control+Shift+O")
    field = playground.page.get_by_role("combobox", name="Symbols of the program")
    expect(field).to_be_focused()
    assert playground.findings("#editor") == []
    field.fill("c becomes")
    expect(options(playground).first).to_have_text(re.compile("^C becomes A"))
    press(playground, "Enter")
    expect(playground.editor).to_be_focused()
    expect(playground.editor.locator(".cm-activeLine")).to_contain_text("where symbol[N] == C")


def test_navigation(playground):
    put(playground, CAUSE, 8)
    expect(playground.editor.locator(".psl-same").first).to_be_visible()
    press(playground, "F12")
    expect(playground.editor.locator(".cm-activeLine")).to_contain_text("registers:")
    put(playground, CAUSE, 8)
    press(playground, "Control+F12")
    expect(options(playground)).to_have_count(3)
    press(playground, "ArrowDown", "Enter")
    assert playground.line().strip().startswith("symbol[N] = B")
    put(playground, CAUSE, 8)
    press(playground, "Shift+F12")
    uses = playground.page.get_by_role("listbox", name="Reference list")
    expect(uses).to_be_focused()
    press(playground, "Escape")
    expect(uses).to_have_count(0)


def test_forms_of_a_condition(playground):
    put(playground, CAUSE, 16)
    press(playground, "Control+Shift+Space")
    expect(playground.page.locator(".psl-signature")).to_contain_text("left == right")
    press(playground, "Escape")
    expect(playground.page.locator(".psl-signature")).to_have_count(0)


def test_the_selection_grows_and_shrinks(playground):
    selected = "() => getSelection().toString()"
    put(playground, CAUSE, 8)
    press(playground, "Shift+Alt+ArrowRight")
    playground.page.wait_for_function("() => getSelection().toString() === 'symbol'")
    press(playground, "Shift+Alt+ArrowRight")
    playground.page.wait_for_function("() => getSelection().toString() === 'symbol[N]'")
    press(playground, "Shift+Alt+ArrowLeft")
    assert playground.page.evaluate(selected) == "symbol"


def test_the_tab_key_leaves_after_escape(playground):
    put(playground, CAUSE)
    press(playground, "Tab")
    expect(playground.editor).to_be_focused()
    press(playground, "Escape", "Tab")
    expect(playground.editor).not_to_be_focused()
    assert playground.findings("#editor") == []


def test_a_long_press_shows_the_hover(open_playground):
    playground = open_playground(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    fill(playground)
    press(playground, "Control+Home")
    word = playground.editor.locator(".psl-keyword", has_text="registers").first
    box = word.bounding_box()
    touch = playground.context.new_cdp_session(playground.page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(playground.page.locator(".psl-hover")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
