"""The parts of the page of `psl explore`, found by their roles and names."""

import re
from pathlib import Path

import pytest
from explorer import Explorer, chromium, explore
from playwright.sync_api import Download, Locator, expect

# The machines of the tests are slow.
expect.set_options(timeout=15_000)

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


@pytest.fixture(scope="module")
def browser():
    """A browser for all tests of a module."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def opened(browser, tmp_path, request):
    """Opens the page of a program. A page that complains fails the test."""
    pages = []
    # Tests may have a page of their own.
    page_of = getattr(request.module, "page_of", explore)

    def open_page(program: Path, *arguments: str, state: str = "", **settings) -> "ExplorerPage":
        page = ExplorerPage(browser, page_of(tmp_path, program, *arguments).as_uri() + state, **settings)
        pages.append(page)
        page.cells.first.wait_for()
        return page

    yield open_page
    for page in pages:
        assert page.complaints == []
        page.close()


@pytest.fixture
def written(tmp_path):
    """Writes a program to a file."""

    def write(text: str, name: str = "program.psl") -> Path:
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


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
