"""The explanation of a cell in the explorer: its attention, matches and conditions, and the origin of its values."""

import re
from random import Random

import pytest
from explorer_page import TALL, ExplorerPage
from paths import PARGEN, SORT, SUBLEQ
from playwright.sync_api import Locator, expect

NARROW = {"viewport": {"width": 400, "height": 900}}
# Conditions with `!=` and `not in`, on both sides.
NEGATED = """//@ max-new 1
//@ test "A B A C" => "C"
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, X}
system: {symbol: symbol, position: position, output: symbol}
watch: [symbol, mark]

# the side of N
where symbol[N] != A and position[n] == position[N]:
    mark[N] = X

# a list
where symbol[n] not in [A, B] and symbol[N] not in [B, X]:
    mark[N] = symbol[n]

# a register of each
where symbol[N] != symbol[n] and position[n] == position[N]@pos_decrement:
    mark[N] = symbol[n]
"""


@pytest.fixture
def swap(opened) -> ExplorerPage:
    explorer = opened(PARGEN, "--test", "swap", **TALL)
    explorer.place(19, "layer 30")
    return explorer


@pytest.fixture
def sort(opened) -> ExplorerPage:
    explorer = opened(SORT, "--test", "abc", **TALL)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    return explorer


def middle(box: dict) -> float:
    return box["x"] + box["width"] / 2


def test_an_arc_leads_to_the_cell_attended_to(swap):
    arc = swap.grid.locator("svg .line")
    expect(arc).to_have_count(1)
    row = swap.row(30)
    [to, start] = [middle(swap.cell(row, cell).bounding_box()) for cell in (17, 19)]
    box = arc.bounding_box()
    assert abs(box["x"] - to) < 8 and abs(box["x"] + box["width"] - start) < 8
    head = swap.grid.locator("svg .head").bounding_box()
    assert abs(middle(head) - to) < 4
    assert abs(head["y"] + head["height"] - row.bounding_box()["y"]) < 4


def test_a_cell_that_does_not_fire_has_no_arc(swap):
    swap.cell(swap.row(30), 18).click()
    swap.place(18, "layer 30")
    expect(swap.grid.locator("svg path")).to_have_count(0)


def test_a_sentence_names_what_is_looked_for_found_and_written(swap):
    expect(swap.details.locator(".summary")).to_have_text(
        "Cell 19 looks for a cell whose region is CQ, whose field is 4 (the y_temp of cell 19) and whose index is 0. "
        "Only cell 17 matches. From cell 17, it copies symbol (K), field (4), type (C) and index (0). "
        "It also sets x_temp to 1 and region to CA. "
    )


def test_query_and_key_are_compared_entry_by_entry(swap):
    table = swap.section("Query and key").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Slot", "Query of cell 19", "Key of cell 17", "Match"])
    rows = table.locator("tbody").get_by_role("row")
    expect(rows).to_have_text(
        [
            "e0 end[N]0✓ yes",
            "r`CQCQ region[n]✓ yes",
            "f`4 y_temp[N]4 field[n]✓ yes",
            "d`00 index[n]✓ yes",
            "a0 parse[N]0✓ yes",
        ]
    )


def test_the_values_before_and_after_are_shown(swap):
    rows = swap.section("What cell 19 writes").locator("table").first.locator("tbody").get_by_role("row")
    expect(rows).to_have_text(
        [
            "symbolAKsymbol[n]K",
            "regionCACACACQ",
            "typeDCtype[n]C",
            "fieldFA4field[n]4",
            "index00index[n]0",
            "x_temp011null",
        ]
    )


def test_all_matches_are_listed_with_the_winner(sort):
    # The leftmost cell with the symbol is that of the alphabet.
    sort.cell(sort.row(4), 7).click()
    sort.place(7, "layer 4")
    expect(sort.details.locator(".summary")).to_contain_text("Cells 3, 5 and 7 match, and the leftmost wins: cell 3.")
    matches = sort.details.get_by_role("list", name="Matching cells").get_by_role("listitem")
    expect(matches).to_have_text(["Cell 3 c wins: leftmost", "Cell 5 c", "Cell 7 c (itself)"])


def test_a_match_that_loses_is_explained(sort):
    sort.cell(sort.row(4), 7).click()
    sort.details.get_by_role("button", name="Cell 5 c").click()
    answer = sort.section("Why not another cell?")
    expect(answer.get_by_role("status")).to_have_text(
        "Cell 5 meets every condition, but cell 3 is further left, and the leftmost match wins."
    )
    expect(answer.locator("tbody").get_by_role("row")).to_have_count(2)
    expect(answer.locator("tbody").get_by_text("holds")).to_have_count(2)


def test_a_cell_pointed_at_with_the_pointer_is_explained(swap):
    row = swap.row(30)
    swap.cell(row, 14).click(modifiers=["Shift"])
    swap.place(19, "layer 30")
    answer = swap.section("Why not another cell?")
    expect(answer.get_by_role("status")).to_have_text("Cell 14 does not match: its field is 2, not 4 (the y_temp of cell 19).")
    failed = answer.get_by_role("row", name="the first to fail")
    expect(failed.get_by_role("rowheader")).to_have_text("field[n] == y_temp[N]")
    expect(failed.get_by_role("cell")).to_have_text(["2", "4", re.compile("✗ fails, the first to fail")])
    expect(answer.get_by_role("spinbutton")).to_have_value("14")


def test_a_cell_pointed_at_with_keys_is_explained(swap):
    swap.grid.focus()
    swap.page.keyboard.press("Shift+ArrowLeft")
    answer = swap.section("Why not another cell?")
    expect(answer.get_by_role("status")).to_have_text("Cell 18 does not match: its index is 1, not 0.")
    swap.page.keyboard.press("Shift+ArrowLeft")
    expect(answer.get_by_role("status")).to_have_text("Cell 17 meets every condition and wins: cell 19 attends to it.")
    answer.get_by_role("button", name="Ask about the cell to the left").click()
    expect(answer.get_by_role("status")).to_contain_text("Cell 16 does not match")
    answer.get_by_role("spinbutton").fill("25")
    expect(answer.get_by_role("status")).to_have_text("Cell 25 does not exist yet when cell 19 runs this layer.")
    answer.get_by_role("button", name="Clear").click()
    expect(answer.get_by_role("status")).to_have_count(0)


def test_a_cell_that_causal_attention_hides_is_explained(sort):
    sort.cell(sort.row(4), 5).click()
    sort.cell(sort.row(4), 7).click(modifiers=["Shift"])
    expect(sort.section("Why not another cell?").get_by_role("status")).to_have_text(
        "Cell 5 cannot attend to cell 7: the production is causal, so a cell attends to no cell to its right."
    )


def test_a_layer_that_does_not_fire_is_explained(swap):
    swap.cell(swap.row(30), 18).click()
    summary = re.compile("^This production is for cells whose .*so the layer does not fire")
    expect(swap.details.locator(".summary")).to_have_text(summary)
    expect(swap.section("Production").locator("mark.fails").first).to_contain_text("(fails)")


def test_links_lead_from_a_symbol_back_to_the_prompt(swap):
    chain = swap.section(re.compile("^Where symbol of cell 19 comes from")).get_by_role("listitem")
    expect(chain).to_have_text(
        [
            "symbol of cell 19 is K: layer 30 copied it from symbol of cell 17",
            "symbol of cell 17 is K: it was in the prompt",
        ]
    )
    chain.last.get_by_role("button").click()
    swap.place(17, "the start")
    expect(swap.title).to_be_focused()
    expect(swap.details.locator(".summary")).to_contain_text("Cell 17 starts with K, symbol 17 of the prompt.")


def test_following_each_link_arrives_at_the_prompt(swap):
    # The last generated cell: its symbol was generated by the cell to its left.
    swap.head(25).click()
    swap.place(25, "the start")
    visited = []
    for _ in range(10):
        chain = swap.section(re.compile("^Where symbol of cell")).get_by_role("listitem")
        expect(chain.first).to_contain_text(f"symbol of cell {visited[-1] if visited else 25} is H")
        if chain.count() == 1:
            break
        next_cell = re.match(r"symbol of cell (\d+)", chain.nth(1).text_content())[1]
        chain.nth(1).get_by_role("button").click()
        expect(swap.title).to_contain_text(f"Cell {next_cell}")
        expect(swap.section(re.compile(f"^Where symbol of cell {next_cell} "))).to_be_visible()
        visited.append(next_cell)
    assert visited[-1] == "15" and len(visited) > 1
    expect(chain).to_contain_text("it was in the prompt")


def test_a_constant_is_the_origin_of_a_flag(swap):
    swap.page.get_by_role("combobox", name="Register to trace").select_option("x_temp")
    chain = swap.section(re.compile("^Where x_temp of cell 19 comes from")).get_by_role("listitem")
    expect(chain).to_have_text(["x_temp of cell 19 is 1: layer 30 set it to the constant 1"])


def test_a_constant_was_written_because_of_registers(swap):
    swap.page.get_by_role("combobox", name="Register to trace").select_option("region")
    swap.mark(10).click()
    swap.place(19, "layer 10")
    section = swap.section(re.compile("^Where region of cell 19 comes from"))
    because = section.locator(".because")
    expect(because).to_have_text(
        "It did so because of symbol of cell 19, A, region of cell 19, CQ and parse of cell 19, 1."
    )
    # The next reason is one link away, and so on up to the prompt.
    because.get_by_role("button", name="region of cell 19").click()
    expect(section.get_by_role("listitem")).to_have_text(
        ["region of cell 19 is CQ: layer 8, pass 7 set it to the constant CQ"]
    )
    because.get_by_role("button", name="prev_region of cell 19").click()
    expect(swap.section(re.compile("^Where prev_region of cell 19 comes from"))).to_be_visible()
    swap.page.get_by_role("combobox", name="Register to trace").select_option("symbol")
    expect(swap.section(re.compile("^Where symbol of cell 19")).get_by_role("listitem")).to_have_text(
        ["symbol of cell 19 is A: it was in the prompt"]
    )


def test_the_history_of_a_register_has_each_write(swap):
    swap.page.get_by_role("combobox", name="Register to trace").select_option("region")
    writes = swap.section(re.compile("^History of region in cell 19")).get_by_role("listitem")
    # The list of another register stays until this one is computed.
    expect(writes.nth(1)).to_have_text("layer 1 null → R")
    texts = writes.all_text_contents()
    assert texts[0] == "Start null"
    assert any(re.fullmatch(r"layer 8, pass \d R → CQ", text) for text in texts)
    assert texts[-2] == "layer 10 CQ → CA"
    assert texts[-1] == "layer 30 again CA, attending to cell 17"
    writes.filter(has_text="layer 10").get_by_role("button").click()
    swap.place(19, "layer 10")
    # The register stays chosen.
    expect(swap.section(re.compile("^History of region in cell 19"))).to_be_visible()


def test_back_and_forward_return_to_visited_places(swap):
    places = swap.details.get_by_role("group", name="Visited places")
    expect(places.get_by_role("button", name="Back")).to_be_disabled()
    swap.head(3).click()
    swap.place(3, "the start")
    swap.cell(swap.row(30), 9).click()
    swap.place(9, "layer 30")
    places.get_by_role("button", name="Back").click()
    swap.place(3, "the start")
    swap.page.keyboard.press("Alt+ArrowLeft")
    swap.place(19, "layer 30")
    expect(places.get_by_role("button", name="Back")).to_be_disabled()
    places.get_by_role("button", name="Forward").click()
    swap.page.keyboard.press("Alt+ArrowRight")
    swap.place(9, "layer 30")
    expect(places.get_by_role("button", name="Forward")).to_be_disabled()


def test_the_cell_panel_has_all_rows_of_an_update(swap):
    table = swap.panel("Cell").get_by_role("table", name="Layer 30, cell 19")
    heads = table.locator("tbody").get_by_role("rowheader")
    names = ["input", "query", "key", "value", "attention output", "result"]
    expect(heads).to_have_text([re.compile(f"^{name} ") for name in names])
    registers = table.get_by_role("columnheader").all_text_contents()
    column = registers.index("field")
    rows = table.locator("tbody").get_by_role("row").all()
    entries = [row.get_by_role("cell").nth(column).text_content() for row in rows]
    assert entries == ["FA", "4", "4", "4", "4", "4"]


def test_a_position_that_is_also_the_output_is_named(opened, tmp_path):
    program = tmp_path / "count.psl"
    program.write_text(
        "//@ max-new 3\n//@ test \"A\" => \"1 2 3\"\nregisters: {symbol: 's', position: 'p'}\nconstants: {A}\n"
        "system: {symbol: symbol, position: position, output: position}\nwhere symbol[N] == A:\n    symbol[N] = A\n"
    )
    explorer = opened(program)
    explorer.head(2).click()
    expect(explorer.details).to_contain_text("Only its position is new: 2.")


def column(table: Locator, register: str, *rows: str) -> list[str]:
    """The values of a register in some rows of the panel *Cell*."""
    number = table.get_by_role("columnheader").all_text_contents().index(register)
    cells = [table.get_by_role("row", name=re.compile(f"^{row} ")).get_by_role("cell").nth(number) for row in rows]
    return [cell.text_content() for cell in cells]


def test_the_cell_panel_says_which_values_are_excluded(swap):
    swap.cell(swap.row(27), 20).click()
    swap.place(20, "layer 27")
    table = swap.panel("Cell").get_by_role("table", name="Layer 27, cell 20")
    assert column(table, "index", "query", "key") == ["not 0", "1"]
    assert column(table, "parse", "query", "key") == ["0", "0"]


@pytest.mark.parametrize(
    ("layer", "cell", "query", "key"),
    [(1, 2, "B", "not A"), (2, 3, "not A or B · A", "C · not B or X"), (3, 2, "B", "not A")],
)
def test_excluded_values_are_told_on_each_side(opened, written, layer, cell, query, key):
    explorer = opened(written(NEGATED), **TALL)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    explorer.cell(explorer.row(layer), cell).click()
    explorer.place(cell, f"layer {layer}")
    table = explorer.panel("Cell").get_by_role("table", name=f"Layer {layer}, cell {cell}")
    assert column(table, "symbol", "query", "key") == [query, key]


def test_an_excluded_value_is_told_as_the_reason(opened, written):
    explorer = opened(written(NEGATED), **TALL)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    answer = explorer.section("Why not another cell?").get_by_role("status")
    for layer, cell, source, reason in [
        (1, 1, 1, "the symbol of cell 1 is A, which the condition excludes"),
        (2, 3, 2, "its symbol is B, which the condition excludes"),
        (2, 2, 4, "the symbol of cell 2 is B, which the condition excludes"),
    ]:
        explorer.cell(explorer.row(layer), cell).click()
        explorer.place(cell, f"layer {layer}")
        explorer.cell(explorer.row(layer), source).click(modifiers=["Alt"])
        expect(answer).to_have_text(f"Cell {source} does not match: {reason}.")


def test_the_key_of_a_cell_that_does_not_match_is_named(swap):
    swap.cell(swap.row(30), 20).click()
    swap.place(20, "layer 30")
    expect(swap.section("Query and key").locator("caption")).to_contain_text(
        re.compile(r"No cell matches: the key is that of cell \d+, which comes closest\.")
    )
    expect(swap.section("Production")).to_contain_text("No cell matches. The marks are for the closest cell")
    table = swap.panel("Cell").get_by_role("table", name="Layer 30, cell 20")
    expect(table.get_by_role("rowheader", name=re.compile("^key "))).to_have_text(
        re.compile(r"^key what cell \d+ answers: no cell matches, and it comes closest$")
    )


@pytest.mark.parametrize("width", [400, 1500])
def test_no_table_is_clipped(opened, width):
    clipped = "parts => parts.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)"
    explorer = opened(SUBLEQ, "--test", "shown", viewport={"width": width, "height": 900})
    explorer.details.get_by_text("registers that it does not set").click()
    for cell in range(5, 1, -1):
        explorer.place(cell, "layer 16")
        assert explorer.details.locator("section").evaluate_all(clipped) == []
        explorer.grid.press("ArrowLeft")


def test_a_register_that_is_clicked_shows_where_it_comes_from(opened):
    explorer = opened(PARGEN, "--test", "swap", **NARROW)
    origin = explorer.details.get_by_role("heading", name="Where field of cell 19 comes from")
    explorer.section("What cell 19 writes").get_by_role("button", name="field").click()
    expect(origin).to_be_in_viewport()


def test_a_click_on_a_value_answers_where_it_came_from(opened):
    explorer = opened(PARGEN, "--test", "swap", **TALL)
    cells = explorer.cells
    cells.first.wait_for()
    registers = explorer.rows.first.locator(".g-registers span").all_inner_texts()
    random = Random(1)
    for _ in range(100):
        cell = cells.nth(random.randrange(cells.count()))
        register = random.randrange(len(registers) - 1)
        value = cell.locator("span").nth(register)
        text, number = value.inner_text() or "null", int(cell.get_attribute("aria-colindex")) - 1
        value.click()
        where = explorer.page.locator("#where")
        expect(where).to_have_text(re.compile(rf"^{registers[register]} {re.escape(text)} of cell {number}: .+\.$"))
        # The sentence begins as the list of all links does.
        [_, said] = where.inner_text().split(": ", 1)
        link = explorer.page.locator(".why .chain > li").first.inner_text().split(": ", 1)[1]
        assert said.startswith(link), (said, link)
