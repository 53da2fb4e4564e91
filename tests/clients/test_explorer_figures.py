"""The figures for a paper from the explorer: pictures of the grid and of matrices, and tables as text."""

import re
from xml.etree import ElementTree

import pytest
from explorer_page import SVG, ExplorerPage, with_label
from paths import INDUCTION, PARGEN
from playwright.sync_api import Locator, expect

OTHER = "#7a2aa8"


@pytest.fixture
def swap(opened) -> ExplorerPage:
    explorer = opened(PARGEN, "--test", "swap")
    explorer.place(19, "layer 30")
    return explorer


def export(explorer: ExplorerPage) -> Locator:
    """Opens the dialog that saves and copies the grid."""
    explorer.page.get_by_role("button", name="Export…").click()
    return explorer.page.get_by_role("dialog", name="The grid in a paper")


def field(dialog: Locator, name: str) -> Locator:
    return dialog.get_by_role("spinbutton" if name.endswith("cell") else "combobox", name=name)


def choose(dialog: Locator, **fields: str | int):
    for name, value in fields.items():
        found = field(dialog, name.replace("_", " ").capitalize())
        if isinstance(value, int):
            found.fill(str(value))
        else:
            found.select_option(label=value)


def texts(root: ElementTree.Element) -> list[str]:
    """The texts in the picture, without the titles of those that are cut."""
    return [(element[0].tail if len(element) else element.text) or "" for element in root.iter(f"{SVG}text")]


def copied(explorer: ExplorerPage, part: Locator, name: str) -> str:
    """The text that a button copies."""
    explorer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    part.get_by_role("button", name=f"Copy {name}", exact=True).first.click()
    expect(part.get_by_text(f"Copied as {name}.").first).to_be_visible()
    return explorer.page.evaluate("navigator.clipboard.readText()")


def test_the_picture_of_the_grid_shows_what_is_in_view(swap):
    dialog = export(swap)
    button = dialog.get_by_role("button", name="Save SVG")
    assert swap.download(button).suggested_filename == "pargen.svg"
    root = swap.saved(button)
    shown = texts(root)
    name = shown.index("30  G3: start it with its first")
    assert shown[name + 1] == "symbol in CQ"
    first = int(field(dialog, "First layer").input_value())
    last = int(field(dialog, "Last layer").input_value())
    lines = int(swap.grid.get_attribute("aria-rowcount")) - 1
    assert 1 <= last - first + 1 < lines
    assert shown.count("attends") == last - first + 1
    # The arc from the selected cell to the one that it attends to, and the head of its arrow.
    assert len([path for path in root.iter(f"{SVG}path") if OTHER in path.attrib.values()]) == 2


def test_layers_cells_and_arcs_are_chosen(swap):
    dialog = export(swap)
    dialog.get_by_role("button", name="Everything").click()
    choose(dialog, first_cell=17, last_cell=20)
    choose(dialog, first_layer="30 G3: start it with its first symbol in CQ", last_layer="30 G3: start it with its first symbol in CQ")
    shown = texts(swap.saved(dialog.get_by_role("button", name="Save SVG")))
    assert shown[1:9:2] == ["17", "18", "19", "20"] and " ".join(shown[9:11]) == "30  G3: start it with its first symbol in CQ"
    assert shown.count("attends") == 1


@pytest.mark.parametrize("arcs, found", [("none", False), ("of the selected cell", True), ("of all cells", True)])
def test_arcs_show_what_is_attended_to(swap, arcs, found):
    dialog = export(swap)
    field(dialog, "Arcs").select_option(label=arcs)
    root = swap.saved(dialog.get_by_role("button", name="Save SVG"))
    drawn = [path for path in root.iter(f"{SVG}path") if OTHER in path.attrib.values()]
    assert bool(drawn) == found
    if arcs == "of all cells":
        words = [text for text in texts(root) if text[:1] in "←→" and text[1:].isdecimal()]
        assert 2 < len(drawn) <= 2 * len(words)


def test_the_last_cell_follows_the_first(swap):
    dialog = export(swap)
    choose(dialog, last_cell=3)
    choose(dialog, first_cell=7)
    expect(field(dialog, "Last cell")).to_have_value("7")
    shown = texts(swap.saved(dialog.get_by_role("button", name="Save SVG")))
    assert shown[:2] == ["7", "D"] and not shown[2].isdecimal()


def test_a_long_name_ends_in_an_ellipsis_and_is_whole_in_its_title(opened, written):
    name = "a name that is much longer than the room that a picture for a paper has for it"
    explorer = opened(written(with_label(name)), "--prompt", "incomprehensibility A")
    root = explorer.saved(export(explorer).get_by_role("button", name="Save SVG"))
    shown = texts(root)
    assert "incomprehen…" in shown
    assert any(text.startswith("the room that a picture for a") and text.endswith(" …") for text in shown)
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert "incomprehensibility" in titles
    assert f"1  {name}" in titles


def induction(length: int) -> str:
    """A prompt of `length` symbols for a program that continues it by one."""
    words = [f"w{number}" for number in range((length - 5) // 2)]
    return " ".join(["Q", *words, "A", *words, ".", "Q", words[0], "A"])


@pytest.mark.parametrize("cells", [245, 485, 965])
def test_a_long_run_has_a_small_picture_or_a_reason(opened, cells):
    explorer = opened(INDUCTION, "--prompt", induction(cells))
    dialog = export(explorer)
    explorer.saved(dialog.get_by_role("button", name="Save SVG"))
    dialog.get_by_role("button", name="Everything").click()
    button = dialog.get_by_role("button", name="Save SVG")
    explorer.saved(button)


def test_a_picture_that_is_too_large_says_what_to_choose(opened, written):
    registers = ", ".join(f"register_{number}: 'r{number}'" for number in range(40))
    names = [f"register_{number}" for number in range(40)]
    copies = "".join(f"    {name}[N] = symbol[n]\n" for name in names)
    program = (
        f"registers: {{symbol: 's', position: 'p', {registers}}}\nconstants: {{A}}\n"
        f"system: {{symbol: symbol, position: position, output: symbol}}\nwatch: [{', '.join(names)}]\n"
        + f"where position[n] == position[N]:\n{copies}" * 4
    )
    explorer = opened(written(program), "--prompt", " ".join(["A"] * 900))
    dialog = export(explorer)
    dialog.get_by_role("button", name="Everything").click()
    dialog.get_by_role("button", name="Save SVG").click()
    expect(dialog.get_by_role("alert")).to_contain_text("and the most is 2 MB. Choose fewer layers, cells or registers.")
    # The dialog still works.
    choose(dialog, last_cell=20)
    explorer.saved(dialog.get_by_role("button", name="Save SVG"))
    expect(dialog.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_attention_is_saved_whole_and_light(opened, scheme):
    explorer = opened(PARGEN, "--test", "swap", color_scheme=scheme)
    explorer.place(19, "layer 30")
    panel = explorer.picture("Attention")
    root = explorer.saved(panel.get_by_role("button", name="Save SVG"))
    shown = texts(root)
    assert {"1 Q", "19 A", "25 H"} <= set(shown)
    fills = {path.get("fill") for path in root.iter(f"{SVG}path")}
    assert "rgb(31, 95, 191)" in fills


def test_the_residual_stream_is_saved(swap):
    panel = swap.picture("Residual stream")
    root = swap.saved(panel.get_by_role("button", name="Save SVG"))
    assert {"symbol", "position"} <= set(texts(root))
    panel.get_by_role("button", name="All cells").click()
    expect(panel.get_by_role("application")).to_have_attribute("aria-label", re.compile("Residual stream of 25 cells"))
    assert "19 A" in texts(swap.saved(panel.get_by_role("button", name="Save SVG")))


def test_the_grid_is_copied_as_a_table(swap):
    dialog = export(swap)
    choose(dialog, first_cell=19, last_cell=20)
    layer = "30 G3: start it with its first symbol in CQ"
    choose(dialog, last_layer=layer)
    choose(dialog, first_layer=layer)
    head, start, *rows = [line.split("\t") for line in copied(swap, dialog, "TSV").splitlines()]
    assert (head, start) == (["layer", "name", "register", "19", "20"], ["", "", "start", "A", "K"])
    assert {row[0] for row in rows} == {"30"} and rows[-1][2] == "attends"
    latex = copied(swap, dialog, "LaTeX")
    assert latex.startswith("% Needs \\usepackage{booktabs") and "\\begin{tabular}{lllll}\n\\toprule\nlayer & name & register & 19 & 20 \\\\" in latex


SIGNS = ["a_b", "50%", "{x}", "a&b", "$1", "#2", "~", "^", "back\\slash", "<b>", "[", "*", "--"]
ESCAPED = ["a\\_b", "50\\%", "\\{x\\}", "a\\&b", "\\$1", "\\#2", "\\textasciitilde{}", "\\textasciicircum{}",
           "back\\textbackslash{}slash", "\\textless{}b\\textgreater{}", "{[}", "{*}", "{-}{-}"]  # fmt: skip


def test_signs_of_latex_are_escaped(opened):
    explorer = opened(INDUCTION, "--prompt", " ".join(["Q", *SIGNS, "A"]))
    dialog = export(explorer)
    choose(dialog, first_cell=2, last_cell=len(SIGNS) + 1)
    starts = copied(explorer, dialog, "LaTeX").splitlines()[4]
    assert starts == " &  & start & " + " & ".join(ESCAPED) + " \\\\"
    assert copied(explorer, dialog, "TSV").splitlines()[1].split("\t")[3:] == SIGNS


def test_a_table_of_a_panel_is_copied(swap):
    panel = swap.panel("Cell")
    head, *rows = [line.split("\t") for line in copied(swap, panel, "TSV").splitlines()]
    shown = panel.locator("table thead th").all_inner_texts()
    assert head == ["", *shown]
    assert [row[0].split()[0] for row in rows] == ["input", "query", "key", "value", "attention", "result"]
    assert all(len(row) == len(head) for row in rows)
    assert swap.findings() == []


def test_the_dialog_is_accessible_and_closes_with_escape(swap):
    dialog = export(swap)
    assert swap.findings() == []
    swap.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_of_a_matrix_that_is_too_large_what_is_in_view_is_saved(opened):
    explorer = opened(INDUCTION, "--prompt", induction(965))
    panel = explorer.picture("Attention")
    panel.get_by_role("application").wait_for()
    panel.get_by_role("button", name="Save SVG").click()
    expect(panel.get_by_role("alert")).to_contain_text("MB, and the most is 2 MB. Save what is in view.")
    root = explorer.saved(panel.get_by_role("button", name="Save what is in view"))
    # The labels of rows near the selected cell, which is the last.
    assert any(text.startswith("970 ") for text in texts(root))
    expect(panel.get_by_role("alert")).to_have_count(0)
