"""Two runs of the explorer, and a test that fails: the first difference is marked and reached."""

import re

import pytest
from explorer_page import FAILING, LARGE, ExplorerPage
from paths import PARGEN, SORT
from playwright.sync_api import Locator, expect


def compare(explorer: ExplorerPage, prompt: str) -> Locator:
    """Compares the run with that of a second prompt."""
    panel = explorer.panel("Compare")
    panel.get_by_role("textbox", name="Second prompt").fill(prompt)
    panel.get_by_role("button", name="Compare", exact=True).click()
    expect(panel.get_by_role("region", name="Side by side")).to_be_visible()
    return panel


def test_two_prompts_are_compared(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = compare(explorer, "a b c | b a c")
    difference = panel.get_by_role("region", name="First difference")
    expect(difference).to_contain_text("Cell 5 is the first cell that starts differently.")
    expect(difference).to_contain_text(re.compile(r"First difference, layer 1: .+\."))
    # The grid shows the first run.
    explorer.continuation("a", "c", "c", ".")
    expect(explorer.prompt).to_have_value("a b c | c a c")


def test_the_first_difference_is_reached_in_both_runs(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = compare(explorer, "a b c | b a c")
    update = panel.get_by_role("region", name="First difference").locator("p").last
    explorer.panel("Compare")
    cell = int(re.search(r"cell (\d+)", update.text_content())[1])
    update.get_by_role("button", name="Show in the first run").click()
    explorer.panel("Why")
    explorer.place(cell, "layer 1")
    first = explorer.details.locator(".summary").text_content()
    panel = explorer.panel("Compare")
    update.get_by_role("button", name="Show in the second run").click()
    explorer.panel("Why")
    expect(explorer.title).to_contain_text(f"Cell {cell}")
    expect(explorer.details.locator(".summary")).not_to_have_text(first)


def test_values_that_differ_are_marked_side_by_side(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = compare(explorer, "a b c | b a c")
    table = panel.get_by_role("region", name="Side by side").get_by_role("table")
    start = table.get_by_role("row").filter(has=explorer.page.get_by_role("rowheader", name=re.compile("^start ")))
    expect(start.nth(1).get_by_role("cell").nth(4)).to_have_text("b ≠")
    assert start.nth(0).get_by_role("cell").all_text_contents()[:7] == "a b c | c a c".split()
    assert start.nth(1).get_by_role("cell").all_text_contents()[:7] == ["a", "b", "c", "|", "b ≠", "a", "c"]


def test_the_matrix_of_layers_marks_the_first_difference(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = compare(explorer, "a b c | b a c")
    matrix = panel.get_by_role("region", name="Layer by layer").get_by_role("application")
    words = panel.get_by_role("region", name="Layer by layer").get_by_role("status")
    update = panel.get_by_role("region", name="First difference").locator("p").last
    cell = int(re.search(r"cell (\d+)", update.text_content())[1])
    expect(words).to_contain_text(f"layer 1, cell {cell}: ")
    expect(words).not_to_have_text(re.compile(": same$"))
    matrix.focus()
    matrix.press("End")
    matrix.press("ArrowDown")
    matrix.press("Enter")
    last = int(re.match(r"layer 2, cell (\d+):", words.text_content())[1])
    explorer.panel("Why")
    explorer.place(last, "layer 2")


def test_equal_runs_have_no_difference(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = compare(explorer, "a b c | c a c")
    expect(panel.get_by_text("The runs are the same: each cell starts, attends and is written alike.")).to_be_visible()


def test_a_comparison_with_a_test_is_swapped_and_ended(opened):
    explorer = opened(SORT, "--test", "abc", **LARGE)
    panel = explorer.panel("Compare")
    panel.get_by_role("combobox", name="or a test").select_option("words")
    expect(panel.get_by_role("region", name="Side by side")).to_be_visible()
    panel.get_by_role("button", name="Swap runs").click()
    explorer.continuation("low", "low", "mid", "high", ".")
    expect(explorer.page.get_by_role("combobox", name="Test", exact=True)).to_have_value("2")
    panel.get_by_role("button", name="End comparison").click()
    expect(panel.get_by_role("region", name="Side by side")).to_have_count(0)
    explorer.continuation("low", "low", "mid", "high", ".")


def test_a_failing_test_opens_at_the_layer_that_wrote_the_wrong_symbol(opened, written):
    explorer = opened(written(FAILING), "--test", "bad", **LARGE)
    explorer.place(1, "layer 3")
    expect(explorer.title).to_contain_text("C becomes A")
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 1 is A, expected C")).to_be_visible()
    explorer.continuation("A", ".")
    expect(explorer.mark(3)).to_have_attribute("aria-current", "true")


def test_expected_and_got_are_side_by_side(opened, written):
    explorer = opened(written(FAILING), "--test", "bad", **LARGE)
    explorer.place(1, "layer 3")
    explorer.mark(1).click()
    explorer.place(1, "layer 1")
    panel = explorer.panel("Compare").get_by_role("region", name="Expected and got")
    rows = panel.get_by_role("table").get_by_role("row")
    expect(rows.nth(0).get_by_role("columnheader")).to_have_text(["1 ≠", "2"])
    expect(rows.nth(1).get_by_role("cell")).to_have_text(["C (first difference)", "."])
    expect(rows.nth(2).get_by_role("cell")).to_have_text(["A (first difference)", "."])
    panel.get_by_role("button", name="Go to the layer that wrote symbol 1").click()
    explorer.panel("Why")
    explorer.place(1, "layer 3")


def test_a_test_that_passes_has_no_expected_and_got(opened, written):
    explorer = opened(written(FAILING), "--test", "good", **LARGE)
    explorer.continuation("B", ".")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    expect(explorer.panel("Compare").get_by_role("region", name="Expected and got")).to_have_count(0)


def test_a_wrong_symbol_late_in_a_continuation_is_reached(opened, written):
    text = PARGEN.read_text().replace('"K L V F G H ."', '"K L V F G G ."', 1)
    explorer = opened(written(text), "--test", "swap", **LARGE)
    expect(explorer.outcome.get_by_text("✗ wrong: symbol 6 is H, expected G")).to_be_visible()
    # Cell 24 generates symbol 6.
    explorer.place(24, "layer 27")


HEAD = """//@ test "A B" => "C"

registers: {symbol: 's', position: 'p', mark: 'm', extra: 'x'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
watch: [mark]

"""
MARK = "# mark all\nwhere symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n"
SPREAD = """repeat:
    # spread A
    where position[n] == position[N]@pos_decrement and mark[n] == A:
        mark[N] = A
until NO_CHANGE
"""
IDLE = "# idle\nwhere symbol[N] == A and symbol[N] == B:\n    mark[N] = C\n"
END = "# end with C\nwhere mark[N] == A:\n    mark[N] = C\n"


@pytest.fixture
def versions(opened, written):
    """Opens a version of a program against another one, with the panel that compares them."""

    def open_versions(new: list[str], old: list[str], *arguments: str) -> tuple[ExplorerPage, Locator]:
        file = written(HEAD + "".join(new), "new.psl")
        other = written(HEAD.replace(", extra: 'x'", "") + "".join(old), "old.psl")
        explorer = opened(file, "--against", str(other), *arguments, **LARGE)
        return explorer, explorer.panel("Compare")

    return open_versions


def test_layers_of_two_versions_are_aligned(versions):
    explorer, panel = versions([MARK, SPREAD, END], [IDLE, MARK, SPREAD, END])
    expect(panel.get_by_text("The first run is that of new.psl, the second that of old.psl on the same prompt.")).to_be_visible()
    layers = panel.get_by_role("region", name="Layers of the versions")
    expect(layers.get_by_role("listitem")).to_have_text(["Only in old.psl: layer 1 idle"])
    expect(panel.get_by_text("After the layers of both versions, the runs are the same")).to_be_visible()
    matrix = panel.get_by_role("region", name="Layer by layer")
    matrix.get_by_role("application").focus()
    words = matrix.get_by_role("status")
    expect(words).to_have_text(re.compile("^layer 1 of old.psl, cell 1: only in the second run$"))
    for line in ("layer 1", "layer 2, pass 1", "layer 2, pass 2"):
        matrix.get_by_role("application").press("ArrowDown")
        expect(words).to_have_text(f"{line}, cell 1: same")
    # The production is that of its version.
    layers.get_by_role("button", name="layer 1").click()
    explorer.panel("Why")
    expect(explorer.title).to_contain_text("layer 1 idle")
    expect(explorer.details.locator("pre.production")).to_contain_text("symbol[N] == B")
    expect(explorer.program.locator(".code-line.inside")).to_have_count(0)


def test_the_first_difference_of_two_versions_is_reached(versions):
    edited = END.replace("== A", "!= A")
    explorer, panel = versions([IDLE, MARK, SPREAD, edited], [MARK, SPREAD, END])
    layers = panel.get_by_role("region", name="Layers of the versions")
    expect(layers.get_by_role("listitem")).to_have_text(
        ["Only in new.psl: layer 1 idle", "Edited: layer 4 layer 3 of old.psl end with C"]
    )
    difference = panel.get_by_role("region", name="First difference")
    expect(difference).to_contain_text(
        "First difference, layer 4: mark of cell 1 is A in the first run, and C in the second."
    )
    difference.get_by_role("button", name="Show in the second run").click()
    # The program shows the production that belongs to it.
    expect(explorer.mark(4)).to_have_attribute("aria-current", "true")
    explorer.panel("Why")
    expect(explorer.title).to_contain_text("layer 3 end with C")
    expect(explorer.details.locator("pre.production")).to_contain_text("mark[N] == A")
    # A prompt runs on both.
    explorer.enter("B B")
    panel = explorer.panel("Compare")
    expect(panel.get_by_role("region", name="First difference")).to_contain_text("mark of cell 1 is C in the first run, and B in the second")


def test_a_pass_that_one_version_lacks_is_the_first_difference(versions):
    once = SPREAD.replace("until NO_CHANGE", "until symbol[N] == symbol[N]")
    _, panel = versions([MARK, SPREAD, END], [MARK, once, END])
    difference = panel.get_by_role("region", name="First difference")
    expect(difference).to_contain_text("First difference, layer 2, pass 2: only the first run has this update.")
    status = panel.get_by_role("region", name="Layer by layer").get_by_role("status")
    expect(status).to_have_text("layer 2, pass 2, cell 1: only in the first run")


def test_a_version_with_an_error_is_named(versions):
    _, panel = versions([MARK, END], ["where x"])
    expect(panel.locator(".message.bad")).to_contain_text("old.psl has an error: ")
