"""The toolbar of the explorer: programs, tests, machines, and one's own prompt with its expected continuation."""

import json
import re
from pathlib import Path

import pytest
from command import psl
from explorer_page import ExplorerPage
from paths import PARGEN, ROOT, SORT
from playwright.sync_api import Locator, expect

MACHINES = ["psm", "qkvm", "dat", "full-dat"]


def choice(explorer: ExplorerPage, label: str) -> Locator:
    return explorer.page.get_by_role("combobox", name=label, exact=True)


def test_an_example_is_chosen(opened):
    explorer = opened(SORT, "--test", "abc")
    choice(explorer, "Program").select_option("reverse")
    text = (ROOT / "examples/reverse.psl").read_text()
    expect(explorer.program.locator("[data-line] code").first).to_have_text(text.split("\n")[0])
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    assert explorer.program.locator("[data-line] code").all_text_contents() == text.split("\n")
    choice(explorer, "Program").select_option("sort.psl")
    explorer.continuation("a", "c", "c", ".")
    expect(choice(explorer, "Test").locator("option:checked")).to_have_text("abc")


def test_all_examples_run(opened):
    explorer = opened(SORT, "--test", "abc")
    examples = sorted(ROOT.glob("examples/*.psl"))
    listed = choice(explorer, "Program").locator("option").all_text_contents()
    assert {file.stem for file in examples} <= set(listed)
    for file in examples:
        choice(explorer, "Program").select_option(file.stem)
        tests = re.findall(r'^//@ (?:test|law) (\w+) "', file.read_text(), re.MULTILINE)
        expect(choice(explorer, "Test").locator("option")).to_have_text(["own prompt", *tests])
        expect(choice(explorer, "Test").locator("option:checked")).to_have_text(tests[0])
        expect(explorer.outcome.locator(".running")).to_have_count(0)
        expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()


def test_a_file_is_opened(opened, tmp_path):
    explorer = opened(SORT, "--test", "abc")
    file = tmp_path / "opened.psl"
    file.write_text(PARGEN.read_text())
    explorer.page.get_by_label("Open file…").set_input_files(file)
    explorer.continuation(*"K L V F G H .".split())
    expect(choice(explorer, "Program").locator("option:checked")).to_have_text("opened.psl")
    expect(choice(explorer, "Test").locator("option:checked")).to_have_text("swap")


def test_a_test_is_chosen(opened):
    explorer = opened(SORT)
    options = ["own prompt", "abc", "other_order", "words", "sorted", "one", "one_letter", "none", "order"]
    expect(choice(explorer, "Test").locator("option")).to_have_text(options)
    choice(explorer, "Test").select_option("words")
    explorer.continuation("low", "low", "mid", "high", ".")
    expect(explorer.prompt).to_have_value("low mid high | high low mid low")
    expect(explorer.page.get_by_role("textbox", name="Expected")).to_have_value("low low mid high .")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()


@pytest.mark.parametrize(
    ("program", "expected"), [(PARGEN, "K L V F G H ."), (SORT, "a c c .")], ids=["pargen", "sort"]
)
def test_all_machines_give_the_same_continuation(opened, program, expected):
    explorer = opened(program)
    assert choice(explorer, "Machine").locator("option").evaluate_all("all => all.map(({ value }) => value)") == MACHINES
    for machine in MACHINES:
        choice(explorer, "Machine").select_option(machine)
        # The address has the machine after its run.
        explorer.page.wait_for_url(f"**machine={machine}&*")
        explorer.continuation(*expected.split())
        expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()


def test_a_prompt_and_its_expected_continuation_are_edited(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.enter("x y | y x y", "x y y .")
    explorer.continuation("x", "y", "y", ".")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    expect(choice(explorer, "Test").locator("option:checked")).to_have_text("own prompt")
    explorer.enter("x y | y x y", "x x y .")
    wrong = explorer.outcome.get_by_text("✗ wrong: symbol 2 is y, expected x")
    expect(wrong).to_be_visible()
    expect(explorer.outcome.get_by_title("Expected x. Go to the layer that wrote this symbol")).to_have_text("y")
    # Without an expected continuation, there is no verdict.
    explorer.enter("x y | y x y")
    expect(wrong).to_have_count(0)
    explorer.continuation("x", "y", "y", ".")
    expect(explorer.outcome.get_by_text("✓ right")).to_have_count(0)


def expected(explorer: ExplorerPage) -> Locator:
    return explorer.page.get_by_role("textbox", name="Expected")


def test_another_prompt_drops_what_the_test_expects(opened):
    explorer = opened(SORT, "--test", "abc")
    expect(expected(explorer)).to_have_value("a c c .")
    explorer.prompt.fill("a b c | c a")
    expect(expected(explorer)).to_have_value("")
    # The prompt of the test has its expected continuation again.
    explorer.prompt.fill("a b c | c a c")
    expect(expected(explorer)).to_have_value("a c c .")
    explorer.prompt.fill("a b c | c a")
    explorer.page.keyboard.press("Enter")
    explorer.continuation("a", "c", ".")
    expect(explorer.outcome.locator(".chip")).to_have_count(0)
    expect(choice(explorer, "Test").locator("option:checked")).to_have_text("own prompt")
    assert "gold" not in explorer.state()
    choice(explorer, "Test").select_option("words")
    expect(explorer.prompt).to_have_value("low mid high | high low mid low")
    expect(expected(explorer)).to_have_value("low low mid high .")


def test_an_expectation_of_the_user_stays(opened):
    explorer = opened(SORT, "--test", "abc")
    expected(explorer).fill("b c .")
    explorer.prompt.fill("a b c | c b")
    expect(expected(explorer)).to_have_value("b c .")
    explorer.page.keyboard.press("Enter")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    explorer.prompt.fill("a b c | b b c")
    explorer.page.keyboard.press("Enter")
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 2 is b, expected c")).to_be_visible()
    choice(explorer, "Machine").select_option("psm")
    explorer.page.wait_for_url("**gold=b+c+.&machine=psm&*")
    expect(expected(explorer)).to_have_value("b c .")


def test_a_broken_law_opens_the_prompt_that_breaks_it(opened, written):
    broken = written('//@ law last any "$a $b" => "$b ."\n' + SORT.read_text())
    explorer = opened(broken, "--test", "last")
    expect(explorer.prompt).to_have_value("a b")
    expect(expected(explorer)).to_have_value("b .")
    expect(explorer.outcome.get_by_text("✗ wrong")).to_be_visible()


def test_a_row_is_compared_cell_by_cell(opened, written):
    text = (ROOT / "examples/rows/histogram.psl").read_text()
    explorer = opened(written(text.replace('"3 1 3 3"', '"3 1 3 2"')), "--test", "abaa")
    expect(explorer.outcome.locator(".caption").first).to_have_text("Row")
    explorer.continuation("3", "1", "3", "3")
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 4 is 3, expected 2")).to_be_visible()
    expect(explorer.outcome.get_by_text("Value 4 of the row is 3, not 2")).to_be_visible()
    choice(explorer, "Test").select_option("hello")
    explorer.continuation("1", "1", "2", "2", "1")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    # The same prompt, typed: the program has no other answer.
    explorer.prompt.fill("a a")
    explorer.prompt.press("Enter")
    explorer.continuation("2", "2")


@pytest.fixture
def turing(opened, tmp_path):
    """A Turing machine on a tape, with its test."""
    table = ROOT / "tests/turing/increment.tm"
    program = tmp_path / "up.psl"
    tape = ["--tape", "_ 1 0 1 1", "--head", "5"]
    psl("turing", table, *tape, "-o", program)
    return opened(program)


def test_the_cells_of_a_structured_prompt_are_edited(turing):
    assert json.loads(turing.prompt.input_value()) == json.loads((Path(turing.address[7:]).parent / "up.json").read_text())
    expect(expected(turing)).to_have_value("_ 1 1 0 0 .")
    expect(turing.outcome.get_by_text("✓ right")).to_be_visible()
    lines = turing.prompt.input_value().split("\n")
    assert len(lines) == 7
    # The tape becomes 1 0 1 0.
    lines[5] = lines[5].replace('"symbol":"1"', '"symbol":"0"')
    turing.prompt.fill("\n".join(lines))
    expect(expected(turing)).to_have_value("")
    turing.page.keyboard.press("Control+Enter")
    turing.continuation("_", "1", "0", "1", "1", ".")
    expect(choice(turing, "Test").locator("option:checked")).to_have_text("own prompt")
    # Each machine runs it, and a link keeps it.
    choice(turing, "Machine").select_option("psm")
    turing.page.wait_for_url("**machine=psm&*")
    turing.continuation("_", "1", "0", "1", "1", ".")
    turing.page.reload()
    turing.continuation("_", "1", "0", "1", "1", ".")
    expect(turing.prompt).to_have_value("\n".join(lines))
    choice(turing, "Test").select_option("0")
    expect(turing.outcome.get_by_text("✓ right")).to_be_visible()


def test_an_error_in_a_structured_prompt_has_its_place(turing):
    cells = turing.prompt.input_value()
    for broken, words in [
        (cells.replace('"head":"1"', '"hed":"1"'), "cell 5: unknown register hed; did you mean head?"),
        (cells.replace('"head":"1"', '"head":true'), "cell 5: head: expected a string or a whole number at line 6 column 27"),
        (cells.replace("},", "}", 1), "cell 2: expected , or ] at line 3 column 3"),
        ("a b", "expected value at line 1 column 1; a structured prompt is a JSON list of cells"),
        ("[]", "the prompt is empty: give at least one symbol"),
    ]:
        turing.prompt.fill(broken)
        turing.page.get_by_role("button", name="Run", exact=True).click()
        expect(turing.outcome.get_by_role("alert")).to_contain_text(words)
        expect(turing.prompt).to_have_value(broken)
    # The program is there after a reload, and so is the prompt.
    turing.page.wait_for_url("**cells=%5B%5D&*")
    turing.page.reload()
    expect(turing.outcome.get_by_role("alert")).to_contain_text("the prompt is empty")
    expect(turing.prompt).to_have_value("[]")
    expect(turing.mark(1)).to_be_visible()
    turing.prompt.fill(cells)
    turing.page.keyboard.press("Control+Enter")
    turing.continuation("_", "1", "1", "0", "0", ".")


def test_symbols_become_cells_and_back(opened):
    explorer = opened(SORT, "--test", "one")
    toggle = explorer.page.get_by_role("button", name="JSON", exact=True)
    symbols = explorer.prompt.input_value()
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    cells = json.loads(explorer.prompt.input_value())
    assert cells == [{"symbol": symbol} for symbol in symbols.split()]
    explorer.page.get_by_role("button", name="Run", exact=True).click()
    explorer.continuation("b", ".")
    toggle.click()
    expect(explorer.prompt).to_have_value(symbols)
    # Text that is not JSON has no symbols.
    toggle.click()
    explorer.prompt.fill("[")
    toggle.click()
    expect(explorer.prompt).to_have_value("")


def test_the_cells_of_a_file_that_the_page_lacks_are_typed(opened, tmp_path):
    explorer = opened(SORT)
    (tmp_path / "cells.psl").write_text(SORT.read_text().replace('//@ test abc "a b c | c a c"', '//@ test abc json "abc.json"', 1))
    explorer.page.get_by_label("Open file…").set_input_files(tmp_path / "cells.psl")
    expect(explorer.outcome.get_by_role("alert")).to_have_text("the prompt in abc.json: the page does not contain it")
    expect(explorer.mark(1)).to_be_visible()
    explorer.prompt.fill('[{"symbol": "a"}, {"symbol": "|"}, {"symbol": "a"}]')
    explorer.page.get_by_role("button", name="Run", exact=True).click()
    explorer.continuation("a", ".")


def test_a_shorter_or_longer_continuation_is_wrong(opened):
    explorer = opened(SORT, "--test", "abc")
    explorer.enter("a | a", "a . a")
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 3 is missing, expected a")).to_be_visible()
    explorer.enter("a | a", "a")
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 2 is ., expected none")).to_be_visible()


def test_a_symbol_leads_to_the_layer_that_wrote_it(opened):
    explorer = opened(PARGEN, "--test", "swap")
    # Cell 20 copies L with layer 27, and cell 21 starts the next field with layer 30.
    for index, cell, row in [(1, 20, "layer 27"), (2, 21, "layer 30"), (0, 19, "layer 30")]:
        explorer.outcome.locator("button.symbol").nth(index).click()
        explorer.place(cell, row)


def test_a_program_without_tests_waits_for_a_prompt(opened, tmp_path):
    explorer = opened(SORT, "--test", "abc")
    text = "\n".join(line for line in SORT.read_text().split("\n") if not line.startswith(("//@ test", "//@ law")))
    (tmp_path / "untested.psl").write_text(text)
    explorer.page.get_by_label("Open file…").set_input_files(tmp_path / "untested.psl")
    expect(explorer.page.get_by_text("Enter a prompt, and run it.")).to_be_visible()
    explorer.enter("a b | b a")
    explorer.continuation("a", "b", ".")


def test_the_details_can_be_hidden(opened):
    explorer = opened(SORT, "--test", "abc")
    height = explorer.grid.bounding_box()["height"]
    toggle = explorer.page.get_by_role("group", name="View").get_by_role("button", name="Details")
    toggle.click()
    expect(explorer.details).to_have_count(0)
    assert explorer.grid.bounding_box()["height"] > height
    toggle.click()
    expect(explorer.details).to_be_visible()


def test_the_borders_move_by_keys_and_pointer(opened):
    explorer = opened(SORT, "--test", "abc")
    border = explorer.page.get_by_role("separator", name="Width of the program")
    width = explorer.program.bounding_box()["width"]
    border.focus()
    explorer.page.keyboard.press("ArrowRight")
    assert explorer.program.bounding_box()["width"] > width
    box = border.bounding_box()
    explorer.page.mouse.move(box["x"] + box["width"] / 2, 500)
    explorer.page.mouse.down()
    explorer.page.mouse.move(700, 500)
    explorer.page.mouse.up()
    assert abs(explorer.program.bounding_box()["width"] - 700) < 20
