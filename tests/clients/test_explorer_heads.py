"""The heads in the explorer: the schedule as a picture, the codes of a layer, and how alike its heads are."""

import re

import pytest
from explorer_page import LARGE, ExplorerPage
from paths import PARGEN, ROOT
from playwright.sync_api import Locator, expect

SCAN = ROOT / "examples/scan.psl"
# Layer 1 has the heads `first` and `third`.
SMALL = """//@ max-new 1
registers: {symbol: 's', position: 'p', mark: 'm', side: 'd'}
constants: {A, B}
watch: [mark]

# first
where symbol[n] == A:
    mark[N] = symbol[n]

# <b>second</b> & "more"
where mark[n] == A:
    symbol[N] = B

# third
where position[n] == position[N]@pos_decrement:
    side[N] = A
"""


@pytest.fixture
def small(opened, written) -> ExplorerPage:
    return opened(written(SMALL), "--prompt", "A B", **LARGE)


def heads(explorer: ExplorerPage) -> tuple[Locator, Locator]:
    """Opens the panel. Returns its schedule and its codes."""
    panel = explorer.panel("Heads")
    return panel.get_by_role("region", name="Schedule"), panel.get_by_role("region", name="Latent codes")


def pressed(schedule: Locator) -> Locator:
    return schedule.locator('[aria-pressed="true"]')


def legend(codes: Locator) -> list[list[str]]:
    """The rows of the legend: code, heads, what it does, pairs."""
    rows = codes.get_by_role("table").locator("tbody tr")
    rows.first.wait_for()
    return [row.locator("th, td").all_text_contents() for row in rows.all()]


@pytest.mark.parametrize(
    "program, arguments, productions, summary",
    [
        (PARGEN, ["--test", "swap"], 31, r"^31 productions in \d+ layers of up to 2 heads$"),
        (SCAN, ["--prompt", "jump twice"], None, r"^\d+ productions in \d+ layers of up to \d+ heads$"),
    ],
)
def test_a_head_leads_to_its_production(opened, program, arguments, productions, summary):
    explorer = opened(program, *arguments, **LARGE)
    schedule, codes = heads(explorer)
    expect(schedule.get_by_role("status")).to_have_text(re.compile(summary))
    boxes = schedule.locator("svg").get_by_role("button")
    if productions is not None:
        expect(boxes).to_have_count(productions)
    layers = codes.get_by_role("combobox", name="Layer").locator("option")
    several = layers.filter(has_text=", ").nth(1).get_attribute("value")
    # The last head of a layer with several.
    head = schedule.get_by_role("button", name=re.compile(f", layer {several}$")).last
    number = head.get_attribute("data-production")
    head.click()
    expect(head).to_have_attribute("aria-pressed", "true")
    expect(pressed(schedule)).to_have_count(1)
    expect(codes.get_by_role("heading").first).to_have_text(re.compile(f"^Latent codes of layer {several}$"))
    expect(explorer.mark(int(number))).to_have_attribute("aria-current", "true")
    assert all(re.search(r"\b(copies|sets) ", row[2]) and int(row[3]) > 0 for row in legend(codes))
    # A selection elsewhere is marked in the picture.
    explorer.mark(1).click()
    expect(pressed(schedule)).to_have_attribute("data-production", "1")


def test_the_keyboard_moves_through_the_heads(small):
    schedule, _ = heads(small)
    first, third = (schedule.get_by_role("button", name=f"{name}, layer 1", exact=True) for name in ["first → mark", "third → side"])
    second = schedule.get_by_role("button", name='<b>second</b> & "more" → symbol, layer 2', exact=True)
    # The picture has one tab stop.
    expect(schedule.locator('svg [tabindex="0"]')).to_have_count(1)
    first.focus()
    for key, target in [
        ("ArrowRight", third), ("ArrowRight", third), ("ArrowDown", second), ("ArrowDown", second), ("ArrowUp", first),
        ("End", second), ("Home", first), ("ArrowRight", third), ("ArrowLeft", first), ("ArrowDown", second),
    ]:  # fmt: skip
        small.page.keyboard.press(key)
        expect(target).to_be_focused()
    small.page.keyboard.press("Enter")
    expect(pressed(schedule)).to_have_attribute("data-production", "2")
    small.page.keyboard.press("ArrowUp")
    small.page.keyboard.press(" ")
    expect(pressed(schedule)).to_have_attribute("data-production", "1")
    expect(first).to_be_focused()


def test_a_code_has_its_heads_its_meaning_and_its_pairs(small):
    small.mark(1).click()
    _, codes = heads(small)
    assert legend(codes) == [
        ["1", "first", "copies symbol from n to mark", "1"],
        ["2", "first, third", "copies symbol from n to mark, sets side to A", "1"],
    ]
    matrix = codes.get_by_role("application", name=re.compile(r"^Codes of layer 1, 2 by 2 cells\."))
    words = codes.get_by_role("status").first
    matrix.focus()
    matrix.press("Home")
    matrix.press("ArrowUp")
    expect(words).to_have_text("N 1, n 1: code 1, first: copies symbol from n to mark")
    matrix.press("ArrowDown")
    expect(words).to_have_text("N 2, n 1: code 2, first, third: copies symbol from n to mark, sets side to A")
    matrix.press("ArrowRight")
    expect(words).to_have_text("N 2, n 2: no head attends")
    # A pair leads to its cells.
    matrix.press("ArrowLeft")
    matrix.press("Enter")
    small.panel("Why")
    small.place(2, "layer 1")


def test_heads_are_compared_by_their_mean_codes(small):
    small.mark(1).click()
    _, codes = heads(small)
    matrix = codes.get_by_role("application", name=re.compile(r"^Similarity of the 2 heads of layer 1\."))
    words = codes.get_by_role("status").last
    expect(words).to_have_text("first and first: 1.00")
    matrix.focus()
    matrix.press("ArrowRight")
    # The mean codes are (1, 1/2) and (1, 1).
    expect(words).to_have_text("first and third: 0.95")


def test_a_limit_on_heads_makes_another_schedule(small):
    schedule, codes = heads(small)
    limit = schedule.get_by_role("spinbutton", name="Heads per layer, at most")
    limit.fill("1")
    limit.press("Enter")
    expect(schedule.get_by_role("status")).to_have_text("3 productions in 3 layers of up to 1 head")
    expect(codes).to_contain_text("Each layer of this schedule has one head")
    expect(small.page).to_have_url(re.compile("heads=1"))
    limit.fill("")
    limit.press("Enter")
    expect(schedule.get_by_role("status")).to_have_text("3 productions in 2 layers of up to 2 heads")


def test_a_layer_with_one_head_and_other_layers_can_be_chosen(small):
    small.mark(2).click()
    _, codes = heads(small)
    expect(codes).to_contain_text("Layer 2 has one head, so all of its pairs of cells have the same code.")
    codes.get_by_role("combobox", name="Layer").select_option("1")
    assert len(legend(codes)) == 2
    # It follows the selection again.
    small.mark(3).click()
    expect(codes.get_by_role("combobox", name="Layer")).to_have_value("1")


def test_a_run_that_fails_says_so(opened, written):
    endless = (
        "registers: {symbol: 's', position: 'p', a: 'a', b: 'b', c: 'c'}\nconstants: {A, B}\nwatch: [a]\n"
        "where symbol[N] == A:\n    a[N] = A\nwhere symbol[N] == B:\n    c[N] = A\n"
        "repeat:\n    where a[N] == A:\n        b[N] = B\n    where a[N] == B:\n        b[N] = A\n"
        "    where b[N] in [A, B]:\n        a[N] = b[N]\nuntil NO_CHANGE\n"
    )
    explorer = opened(written(endless), "--prompt", "A B", **LARGE)
    _, codes = heads(explorer)
    expect(codes).to_contain_text("This run failed. Only a run that ends has codes.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1500])
def test_the_panel_is_accessible(opened, scheme, width):
    explorer = opened(PARGEN, "--test", "swap", viewport={"width": width, "height": 900}, color_scheme=scheme)
    _, codes = heads(explorer)
    codes.get_by_role("combobox", name="Layer").wait_for()
    assert explorer.findings("#panel") == []
