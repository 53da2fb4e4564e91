"""The transformer in the explorer: weights, attention, residual stream, parse, and pictures as files."""

import re

import pytest
from explorer_page import LARGE, SVG, ExplorerPage, with_label
from paths import PARGEN, SORT
from playwright.sync_api import Locator, expect


@pytest.fixture
def swap(opened) -> ExplorerPage:
    explorer = opened(PARGEN, "--test", "swap", **LARGE)
    explorer.place(19, "layer 30")
    return explorer


def walk(matrix: Locator, words: Locator, *keys: str) -> str:
    """Moves through a matrix by keys, and returns the description of the entry."""
    before = words.text_content()
    matrix.focus()
    for key in keys:
        matrix.press(key)
        expect(words).not_to_have_text(before)
        before = words.text_content()
    return before


def ones(matrix: Locator, words: Locator) -> list[str]:
    """The entries of the first row that are 1."""
    start = words.text_content()
    seen = [walk(matrix, words, "End")]
    while seen[-1] != start:
        seen.append(walk(matrix, words, "ArrowLeft"))
    assert all(entry.endswith((": 0", ": 1")) for entry in seen)
    return [entry for entry in seen if entry.endswith(": 1")]


def test_the_blocks_of_the_weights_are_named(swap):
    panel = swap.picture("Weights")
    expect(panel.get_by_role("region", name="W_v").get_by_role("listitem").first).to_be_visible()
    blocks = {
        matrix: panel.get_by_role("region", name=matrix).get_by_role("listitem").all_text_contents()
        for matrix in ["W_q", "W_k", "W_v"]
    }
    assert "Wq[e → e] The query is the value of end in N." in blocks["W_q"]
    assert "bq[r`] The query is the constant CQ." in blocks["W_q"]
    assert "Wk[r → r`] The key is the value of region in n." in blocks["W_k"]
    assert "Wv[s → s] symbol becomes the value of symbol in n." in blocks["W_v"]
    assert [len(listed) for listed in blocks.values()] == [5, 5, 6]
    # Screen readers get the same description.
    for matrix, listed in blocks.items():
        name = panel.get_by_role("region", name=matrix).get_by_role("img").get_attribute("aria-label").replace("`", "")
        assert name.startswith(f"{matrix} and its bias")
        assert all(block.split("] ")[1] in name for block in listed)
        expect(panel.get_by_role("region", name=matrix).locator("svg .block")).to_have_count(len(listed))
    expect(panel.get_by_role("list", name="Legend").get_by_role("listitem")).to_have_text(
        ["identity: copies a register", "constant: one fixed value"]
    )


def test_shifts_and_complements_are_named(swap):
    swap.mark(2).click()
    swap.place(19, "layer 2")
    panel = swap.picture("Weights")
    expect(panel.get_by_role("list", name="Legend")).to_contain_text("shift: moves a position to the left or right")
    swap.mark(27).click()
    expect(panel.get_by_role("list", name="Legend")).to_contain_text("complement: all values except one")


def test_a_block_opens_to_its_numbers(swap):
    panel = swap.picture("Weights")
    panel.get_by_role("region", name="W_v").get_by_role("button", name=re.compile("s → s")).click()
    numbers = panel.get_by_role("region", name="Numbers of W_v[s → s]")
    expect(numbers.get_by_role("heading")).to_be_focused()
    words = numbers.get_by_role("status")
    # The identity has 1 at equal values, and 0 elsewhere.
    expect(words).to_have_text(re.compile(r"^row (.+), column \1: 1$"))
    matrix = numbers.get_by_role("application")
    assert re.fullmatch(r"row (.+), column (?!\1:).+: 0", walk(matrix, words, "ArrowRight"))
    assert re.fullmatch(r"row (.+), column \1: 1", walk(matrix, words, "ArrowDown"))
    expect(numbers.locator("dd").first).to_have_text(re.compile(r"^.+: 1; all others 0$"))
    numbers.get_by_role("button", name="Close").click()
    expect(numbers).to_have_count(0)


def test_a_click_on_a_block_opens_its_numbers(swap):
    panel = swap.picture("Weights")
    blocks = panel.get_by_role("region", name="W_q").locator("svg .block")
    blocks.nth(1).click()
    numbers = panel.get_by_role("region", name="Numbers of b_q[r`]")
    expect(numbers.get_by_role("status")).to_have_text("row bias, column CQ: 1")


def test_attention_as_a_matrix(swap):
    panel = swap.picture("Attention")
    matrix = panel.get_by_role("application", name=re.compile("^Attention of layer 30, 25 by 25 cells"))
    words = panel.get_by_role("status")
    expect(words).to_have_text("N 19, n 17: cell 19 attends to cell 17")
    assert walk(matrix, words, "ArrowRight") == "N 19, n 18: not a match"
    # An entry leads to the explanation.
    matrix.press("Enter")
    swap.panel("Why")
    expect(swap.section("Why not another cell?").get_by_role("status")).to_have_text(
        "Cell 18 does not match: its index is 1, not 0."
    )


def test_a_click_on_attention_selects_both_cells(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=5&row=3", **LARGE)
    panel = explorer.picture("Attention")
    matrix = panel.get_by_role("application", name=re.compile("^Attention of layer 4"))
    words = panel.get_by_role("status")
    expect(words).to_have_text("N 5, n 3: cell 5 attends to cell 3")
    # The distance of two entries gives the size of all.
    box = matrix.bounding_box()
    at = {"x": box["width"] - 6, "y": box["height"] - 6}
    matrix.hover(position=at)
    before = words.text_content()
    matrix.click(position=at)
    [cell, source] = map(int, re.match(r"N (\d+), n (\d+):", before).groups())
    expect(words).to_have_text(before)
    explorer.panel("Why")
    explorer.place(cell, "layer 4")
    expect(explorer.section("Why not another cell?").get_by_role("spinbutton")).to_have_value(str(source))


def test_hidden_cells_and_losing_matches_are_named(opened):
    explorer = opened(SORT, "--test", "abc", state="#test=0&cell=5&row=3", **LARGE)
    panel = explorer.picture("Attention")
    matrix, words = panel.get_by_role("application"), panel.get_by_role("status")
    assert walk(matrix, words, "ArrowRight", "ArrowRight") == "N 5, n 5: a match, but cell 3 is the leftmost"
    assert walk(matrix, words, "ArrowRight") == "N 5, n 6: cell 5 cannot see cell 6"


def test_the_residual_stream_under_both_embeddings(swap):
    panel = swap.picture("Residual stream")
    local = panel.get_by_role("application", name=re.compile("^Vector of cell 19"))
    words = panel.get_by_role("status")
    expect(words).to_have_text(re.compile("^cell 19, symbol, value .+: [01]$"))
    # Only the value of the register has a 1.
    assert ones(local, words) == ["cell 19, symbol, value K: 1"]
    panel.get_by_role("button", name="Before layer 30").click()
    expect(panel.get_by_role("button", name="Before layer 30")).to_have_attribute("aria-pressed", "true")
    panel.get_by_role("button", name="Distributed").click()
    expect(words).to_have_text(re.compile(r"^cell 19, component 1: role 1, filler 1: −?\d\.\d{3}$"))
    expect(panel.get_by_text("The vector is a sum over all registers")).to_be_visible()
    panel.get_by_role("button", name="All cells").click()
    expect(panel.get_by_role("application", name=re.compile("^Residual stream of 25 cells"))).to_be_visible()


@pytest.mark.parametrize("width", [400, 1500])
def test_the_attention_opens_at_the_selected_cell(opened, width):
    explorer = opened(PARGEN, "--test", "swap", viewport={"width": width, "height": 900})
    explorer.place(19, "layer 30")
    explorer.picture("Attention")
    matrix = explorer.details.get_by_role("application", name=re.compile("^Attention of layer 30"))
    expect(matrix).not_to_have_js_property("scrollTop", 0)
    # The rows have equal heights, below the labels of the columns.
    [top, bottom] = matrix.evaluate(
        """view => {
             const height = 18;
             const labels = view.scrollHeight - 25 * height;
             const top = view.getBoundingClientRect().top + labels + 18 * height - view.scrollTop;
             return [top, top + height];
           }"""
    )
    panel = explorer.details.bounding_box()
    assert panel["y"] < top < bottom < panel["y"] + panel["height"]


def test_the_residual_stream_changes_with_the_layer(swap):
    panel = swap.picture("Residual stream")
    panel.get_by_role("button", name="Before layer 30").click()
    matrix = panel.get_by_role("application", name=re.compile("^Vector of cell 19"))
    words = panel.get_by_role("status")
    expect(words).to_have_text(re.compile("^cell 19, symbol, value"))
    assert ones(matrix, words) == ["cell 19, symbol, value A: 1"]


def test_the_parse_tree_spans_its_cells(swap):
    panel = swap.panel("Parse")
    tree = panel.get_by_role("region", name="Parse tree")
    for box in [
        "S: cells 1 to 25", "XQ: cells 1 to 5", "XA: cells 6 to 11", "CQ: cells 12 to 18", "CA: cells 19 to 25",
        "CQ, 2: cells 13 to 15", "CQ, 2, G: cell 14",
    ]:  # fmt: skip
        expect(tree.get_by_role("button", name=box, exact=True)).to_be_visible()
    whole, part, leaf = (
        tree.get_by_role("button", name=name, exact=True).bounding_box()
        for name in ["CQ: cells 12 to 18", "CQ, 2: cells 13 to 15", "CQ, 2, G: cell 14"]
    )
    for outer, inner in [(whole, part), (part, leaf)]:
        assert outer["x"] <= inner["x"] + 1 and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1
        assert outer["y"] < inner["y"]
    tree.get_by_role("button", name="CQ, 2, G: cell 14", exact=True).click()
    swap.panel("Why")
    swap.place(14, "layer 30")


def cells(table: Locator, register: str) -> list[str]:
    row = table.get_by_role("row").filter(has=table.page.get_by_role("rowheader", name=register, exact=True))
    return row.get_by_role("cell").all_text_contents()


def test_the_parse_is_a_table(swap):
    table = swap.panel("Parse").get_by_role("region", name="Parse", exact=True)
    prompt = slice(0, 18)
    # The table in the comment of the program.
    assert cells(table, "symbol")[prompt] == "Q B V D E A D E V B . Q F G H V K L".split()
    assert cells(table, "region")[prompt] == ["XQ"] * 5 + ["XA"] * 6 + ["CQ"] * 7
    assert cells(table, "field")[prompt] == "FQ 2 3 4 4 FA 4 4 3 2 11 FQ 2 2 2 3 4 4".split()
    assert cells(table, "index")[prompt] == "0 0 0 0 1 0 0 1 0 0 0 0 0 1 1 0 0 1".split()


def test_each_generated_symbol_has_a_table(swap):
    panel = swap.panel("Parse")
    first = panel.get_by_role("region", name=re.compile("^Cell 19 generates .*G2: .*; G3: "))
    expect(first).to_be_visible()
    expect(first.locator("mark").first).to_be_visible()
    marked = set(first.locator("mark").all_text_contents())
    assert {"K", "FA", "4", "CA"} <= marked
    panel.get_by_role("region", name="Parse", exact=True).get_by_role("button", name="Select cell 20").click()
    expect(panel.get_by_role("region", name=re.compile("^Cell 20 generates .*G1: "))).to_be_visible()
    expect(first).to_have_count(0)


def test_a_program_without_a_parse_says_so(opened):
    explorer = opened(SORT, "--test", "abc")
    expect(explorer.panel("Parse")).to_have_text(
        "This program does not parse its prompt: it has no registers named region and field."
    )


def test_the_weights_of_a_layer_are_saved_as_svg(swap):
    button = swap.picture("Weights").get_by_role("button", name="Download SVG")
    assert swap.download(button).suggested_filename == "layer-30.svg"
    texts = [element.text for element in swap.saved(button).iter(f"{SVG}text")]
    assert texts[0] == "Layer 30: G3: start it with its first symbol in CQ"
    assert {"W_q, query", "W_k, key", "W_v, value", "r`", "bias"} <= set(texts)


def test_names_in_a_saved_picture_are_text(opened, written):
    name = "<script>a</script>&\"']]>"
    explorer = opened(written(with_label(name)), "--prompt", f"{name} A", **LARGE)
    for picture_of in ["grid", "layer"]:
        if picture_of == "grid":
            explorer.page.get_by_role("button", name="Export…").click()
            button = explorer.page.get_by_role("button", name="Save SVG")
        else:
            explorer.page.keyboard.press("Escape")
            explorer.mark(1).click()
            button = explorer.picture("Weights").get_by_role("button", name="Download SVG")
        root = explorer.saved(button)
        assert any(name in "".join(element.itertext()) for element in root.iter(f"{SVG}text"))
