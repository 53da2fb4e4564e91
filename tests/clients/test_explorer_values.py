"""Values with the signs of the language in them: each panel of the explorer shows them as they are."""

import re

import pytest
from explorer_page import TALL, ExplorerPage
from playwright.sync_api import Locator, expect

# Values with commas, quotes, operators, brackets, functions and arrows. Names in quotes are the values.
PROGRAM = """//@ max-new 1
//@ test "a,b [n] it's" => "it's"
registers: {symbol: 's', position: 'p', seen: 'n', region: 'r', field: 'f', mark: 'm', copied: 'c'}
constants: {FIRST: 'a,b', COMMA: 'a, b', 'c, d', QUOTE: "it's", EQUAL: 'x == y', INDEX: '[n]', ARROW: 'u -> v', LEFT: 'w ← z', 'mark[N]', AT: 'e@f', NOT: '!= x'}
system: {symbol: symbol, position: position, output: symbol}

# symbols
where position[n] == position[N]:
    seen[N] = symbol[n]

# constants
where symbol[N] == FIRST:
    region[N] = COMMA
    field[N] = ARROW
    mark[N] = 'c, d'

# other constants
where symbol[N] != FIRST:
    region[N] = EQUAL
    field[N] = INDEX
    mark[N] = QUOTE

# a list
where region[n] in [COMMA, 'c, d', EQUAL] and position[n] == position[N]@pos_decrement:
    copied[N] = region[n]

# an excluded list
where mark[n] not in ['c, d', AT] and copied[N] == EQUAL:
    field[N] = mark[n]
    mark[N] = LEFT

# a constant like a register
where copied[n] == 'mark[N]' and mark[N] != region[n]:
    symbol[N] = mark[n]

# constants like a function and like an operator
where copied[n] == AT and field[N] == NOT:
    symbol[N] = mark[n]
"""
PROMPT = "a,b [n] it's"


@pytest.fixture
def planted(opened, written) -> ExplorerPage:
    explorer = opened(written(PROGRAM), "--prompt", PROMPT, **TALL)
    explorer.page.get_by_label("Only layers that write them").uncheck()
    return explorer


def why(explorer: ExplorerPage, layer: int, cell: int) -> Locator:
    """The explanation of an update."""
    explorer.panel("Why")
    explorer.cell(explorer.row(layer), cell).click()
    explorer.place(cell, f"layer {layer}")
    return explorer.details


def code(part: Locator, *texts: str):
    """Expects names and values that are marked as code."""
    expect(part.locator("code")).to_have_text(list(texts))


def values(row: Locator, *texts: str):
    """Expects values of registers."""
    expect(row.locator("span.value, span.null, code")).to_have_text(list(texts))


@pytest.mark.parametrize(
    "layer, cell, texts",
    [
        (2, 1, ["region", "a, b", "field", "u -> v", "mark", "c, d"]),
        (3, 2, ["region", "x == y", "field", "[n]", "mark", "it's"]),
        (4, 2, ["region", "a, b", "c, d", "x == y", "region", "a, b", "copied"]),
        (5, 3, ["mark", "c, d", "e@f", "mark", "it's", "field", "mark", "w ← z"]),
        (6, 3, ["copied", "mark[N]", "region", "w ← z", "mark", "copied"]),
        (7, 3, ["field", "!= x", "field", "it's"]),
    ],
)
def test_a_sentence_has_the_values_of_a_condition(planted, layer, cell, texts):
    code(why(planted, layer, cell).locator(".summary"), *texts)


@pytest.mark.parametrize(
    "layer, cell, source, texts",
    [
        (4, 2, 1, ["a, b", "a, b", "c, d", "x == y", "1", "1"]),
        (5, 3, 1, ["c, d", "c, d", "e@f", "x == y", "x == y"]),
        (6, 3, 2, ["a, b", "mark[N]", "w ← z", "x == y"]),
        (7, 3, 3, ["x == y", "e@f", "it's", "!= x"]),
    ],
)
def test_why_not_has_the_values_of_both_sides(planted, layer, cell, source, texts):
    why(planted, layer, cell)
    planted.cell(planted.row(layer), source).click(modifiers=["Shift"])
    answer = planted.section("Why not another cell?")
    values(answer.locator("tbody"), *texts)
    if layer == 6:
        code(answer.get_by_role("status"), "copied", "a, b", "mark[N]")


def test_query_and_key_have_the_values_of_their_instructions(planted):
    why(planted, 4, 2)
    rows = planted.section("Query and key").locator("tbody").get_by_role("row")
    values(rows.first, "a, b", "c, d", "x == y", "a, b")
    why(planted, 7, 3)
    rows = planted.section("Query and key").locator("tbody").get_by_role("row")
    expect(rows.filter(has_text="e@f").get_by_role("cell").nth(0)).to_have_text("e@f")
    expect(rows.filter(has_text="!= x").get_by_role("cell").nth(1)).to_have_text("!= x")
    table = planted.panel("Cell").get_by_role("table", name="Layer 7, cell 3")
    expect(table.get_by_role("row", name=re.compile("^query "))).to_contain_text("e@f")
    expect(table.get_by_role("row", name=re.compile("^key "))).to_contain_text("!= x")


def test_registers_are_set_to_what_the_program_says(planted):
    why(planted, 2, 1)
    rows = planted.section("What cell 1 writes").locator("table").first.locator("tbody").get_by_role("row")
    expect(rows).to_have_text(["regionnulla, bCOMMA", "fieldnullu -> vARROW", "marknullc, d'c, d'"])
    why(planted, 5, 3)
    rows = planted.section("What cell 3 writes").locator("table").first.locator("tbody").get_by_role("row")
    expect(rows).to_have_text(["field[n]it'smark[n][n]", "markit'sw ← zLEFTit's"])


def test_history_and_origin_have_each_value(planted):
    why(planted, 5, 3)
    planted.page.get_by_label("Register to trace").select_option("mark")
    history = planted.section(re.compile("^History of mark")).get_by_role("listitem")
    expect(history).to_have_text([re.compile("null"), re.compile("null → it's"), re.compile("it's → w ← z, attending")])
    planted.page.get_by_label("Register to trace").select_option("field")
    origin = planted.section(re.compile("^Where field of cell 3"))
    expect(origin.get_by_role("listitem")).to_have_text(
        [
            "field of cell 3 is it's: layer 5 copied it from mark of cell 2",
            "mark of cell 2 is it's: layer 3 set it to the constant it's",
        ]
    )
    expect(origin.locator(".because")).to_have_text("It did so because of symbol of cell 2, [n].")


def test_a_difference_has_both_values(planted):
    panel = planted.panel("Compare")
    panel.get_by_role("textbox", name="Second prompt").fill("a,b c,d->e it's")
    panel.get_by_role("button", name="Compare", exact=True).click()
    code(panel.get_by_role("region", name="First difference"), "seen", "[n]", "c,d->e")


def test_pictures_of_the_transformer_have_the_values(planted):
    why(planted, 4, 2)
    panel = planted.panel("Transformer")
    picture = panel.get_by_role("group", name="Picture")
    picture.get_by_role("button", name="Weights").click()
    query = panel.get_by_role("region", name="W_q")
    block = query.get_by_role("listitem").filter(has_text="The query is each of")
    code(block, "a, b", "c, d", "x == y")
    expect(query.get_by_role("img")).to_have_accessible_name(re.compile("The query is each of a, b, c, d, x == y\\."))
    block.get_by_role("button").click()
    numbers = panel.get_by_role("region", name=re.compile("^Numbers of b_q"))
    expect(numbers.get_by_role("status")).to_have_text("row bias, column a, b: 1")
    code(numbers.locator("dd").first, "a, b", "c, d", "x == y")
    picture.get_by_role("button", name="Attention").click()
    expect(panel.get_by_role("status")).to_have_text("N 2, n 1: cell 2 attends to cell 1")
    picture.get_by_role("button", name="Residual stream").click()
    matrix = panel.get_by_role("application", name=re.compile("^Vector of cell 2"))
    seen = set()
    matrix.focus()
    for _ in range(7):
        matrix.press("ArrowDown")
        matrix.press("Home")
        for _ in range(30):
            seen.add(panel.get_by_role("status").text_content())
            matrix.press("ArrowRight")
    assert {f"cell 2, {name}: 1" for name in ["region, value x == y", "field, value [n]", "mark, value it's", "copied, value a, b"]} <= seen


def test_a_parse_has_the_values(planted):
    why(planted, 4, 1)
    panel = planted.panel("Parse")
    panel.get_by_role("group", name="Moment").get_by_role("button", name="After the last layer").click()
    rows = panel.get_by_role("region", name="Parse", exact=True).get_by_role("row")
    expect(rows.filter(has_text="region").get_by_role("cell")).to_have_text(["a, b", "x == y", "x == y"])
    expect(rows.filter(has_text="field").get_by_role("cell")).to_have_text(["u -> v", "[n]", "it's"])
    expect(rows.filter(has_text="symbol").get_by_role("cell")).to_have_text(["a,b", "[n]", "it's"])
    tree = panel.get_by_role("region", name="Parse tree").get_by_role("button")
    expect(tree).to_have_text(["S", "a, b", "u -> v", "a,b", "x == y", "[n]", "[n]", "it's", "it's"])
