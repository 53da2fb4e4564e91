"""The parts of the page of `psl explore`, found by their roles and names."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from explorer import Explorer, explore
from playwright.sync_api import Download, Locator, expect

SVG = "{http://www.w3.org/2000/svg}"
LARGE = {"viewport": {"width": 1600, "height": 1400}}
TALL = {"viewport": {"width": 1600, "height": 2200}}

# Layer 3 is wrong: C must stay.
FAILING = """//@ test bad "C" => "C ."
//@ test good "A" => "B ."

registers: {symbol: 's', position: 'p', parse: 'a', eop: 'z'}
constants: {A, B, C, END: '.', EOP, 0, 1}
system: {symbol: symbol, position: position, output: symbol, parse: parse, eop: eop}
watch: [symbol]

# a generated cell stops
where parse[N] == 0:
    symbol[N] = END

# A becomes B
where symbol[N] == A and parse[N] == 1:
    symbol[N] = B

# C becomes A
where symbol[N] == C and parse[N] == 1:
    symbol[N] = A

# the next cell is generated
where eop[N] == EOP:
    parse[N] = 0
"""


@pytest.fixture
def opened(browser, keep, tmp_path, request):
    """Opens the page of a program."""
    # Tests may have a page of their own.
    page_of = getattr(request.module, "page_of", explore)

    def open_page(program: Path, *arguments: str, state: str = "", **settings) -> "ExplorerPage":
        page = keep(ExplorerPage(browser, page_of(tmp_path, program, *arguments).as_uri() + state, **settings))
        page.cells.first.wait_for()
        return page

    return open_page


@pytest.fixture
def written(tmp_path):
    """Writes a program to a file."""

    def write(text: str, name: str = "program.psl") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def with_label(name: str) -> str:
    """A program whose production has a label."""
    return (
        "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nsystem: {symbol: symbol, position: position, output: symbol}\n"
        f"watch: [symbol]\n# {name}\nwhere symbol[N] != A:\n    symbol[N] = A\n"
    )


class ExplorerPage(Explorer):
    """A page that shows a program and a run. Layers and cells are 1-based."""

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("grid")

    @property
    def rows(self) -> Locator:
        """The drawn lines of the grid."""
        return self.grid.locator("[data-line]")

    @property
    def cells(self) -> Locator:
        return self.grid.get_by_role("gridcell")

    @property
    def title(self) -> Locator:
        """The cell, layer and label of the selected place, above its explanation."""
        return self.details.locator("#why-title")

    @property
    def details(self) -> Locator:
        return self.page.get_by_role("tabpanel")

    @property
    def program(self) -> Locator:
        return self.page.get_by_role("region", name="Program", exact=True)

    @property
    def outcome(self) -> Locator:
        return self.page.locator(".outcome")

    @property
    def prompt(self) -> Locator:
        return self.page.get_by_role("textbox", name="Prompt", exact=True)

    def row(self, layer: int) -> Locator:
        """The line of a layer. Only lines in view are drawn."""
        number = self.page.locator(".g-number", has_text=re.compile(f"^{layer}$"))
        return self.rows.filter(has=number)

    def scroll(self, left: int, top: int):
        self.grid.evaluate("(grid, [left, top]) => grid.scrollTo(left, top)", [left, top])

    def cell(self, row: Locator, cell: int) -> Locator:
        return row.locator(f'[role="gridcell"][aria-colindex="{cell + 1}"]')

    def head(self, cell: int) -> Locator:
        return self.grid.locator(f'[role="columnheader"][aria-colindex="{cell + 1}"]')

    def values(self, row: Locator, cell: int) -> list[str]:
        """The texts of a cell: one for each register, then the cell attended to."""
        return self.cell(row, cell).locator("span").all_text_contents()

    def changed(self, row: Locator, cell: int) -> list[str]:
        """The marked values of a cell."""
        return self.cell(row, cell).locator(".w").all_text_contents()

    def mark(self, layer: int) -> Locator:
        """The number of a layer beside its production."""
        return self.program.get_by_role("button", name=re.compile(f"^Layer {layer}: "))

    def continuation(self, *symbols: str):
        """Expects a continuation."""
        expect(self.outcome.locator(".running")).to_have_count(0)
        expect(self.outcome.locator("button.symbol")).to_have_text(list(symbols))

    def place(self, cell: int, row: str):
        """Expects a selected place: its cell, and `layer 7, pass 2` or `the start`."""
        expect(self.title).to_have_text(re.compile(rf"^Cell {cell}\b.*, {re.escape(row)}( [^,].*)?$"))
        # The grid selects a place at once, and the explanation follows it.
        expect(self.page.locator('[role="gridcell"][aria-selected="true"]')).to_have_count(0 if row == "the start" else 1)

    def panel(self, name: str) -> Locator:
        """Opens a panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        expect(self.page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
        return self.details

    def picture(self, name: str) -> Locator:
        """Opens a picture of the transformer."""
        panel = self.panel("Transformer")
        panel.get_by_role("group", name="Picture").get_by_role("button", name=name).click()
        return panel

    def section(self, title: str | re.Pattern) -> Locator:
        """A part of the explanation, by its heading."""
        return self.details.locator("section", has=self.page.get_by_role("heading", name=title))

    def enter(self, prompt: str, gold: str = ""):
        """Types a prompt and its expected continuation, and runs it."""
        self.prompt.fill(prompt)
        self.page.get_by_role("textbox", name="Expected").fill(gold)
        self.page.get_by_role("button", name="Run", exact=True).click()

    def download(self, button: Locator) -> Download:
        with self.page.expect_download() as download:
            button.click()
        return download.value

    def saved(self, button: Locator) -> ElementTree.Element:
        """A picture that is small, well-formed, and without scripts and links."""
        text = self.download(button).path().read_bytes()
        assert len(text) <= 2_000_000
        root = ElementTree.fromstring(text)
        assert root.tag == f"{SVG}svg"
        for element in root.iter():
            assert element.tag not in (f"{SVG}script", f"{SVG}foreignObject", f"{SVG}a")
            assert not [name for name in element.attrib if name.startswith("on") or name.endswith("href")]
        return root
