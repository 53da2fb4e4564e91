"""The page of `psl explore` on paper: complete, and without controls."""

from io import BytesIO

import pytest
from explorer import Explorer, explore
from paths import PARGEN, ROOT, SORT
from pypdf import PdfReader
from workbench import until

FORMATS = [{"format": size, "landscape": across} for size in ("A4", "Letter") for across in (False, True)]
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), "1cm")
BITS = "1 0 1 1 0 1 1 1 0 1"

# The cells above the tables' columns, and the layers of the first table.
CELLS = "[...document.querySelectorAll('.paper-run thead tr:nth-child(2) > th[scope=col]')].map((it) => Number(it.textContent))"
LAYERS = "[...document.querySelector('.paper-run').querySelectorAll('.g-number')].map((it) => it.textContent)"
# Controls that can be seen and are more than text.
CONTROLS = """[...document.querySelectorAll('input, select, textarea, .views button, .tabs, #run, #play, .panel-head button')]
  .filter((it) => it.checkVisibility()).map((it) => it.outerHTML)"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    return {
        "swap": explore(folder, PARGEN, "--test", "swap").as_uri(),
        "sort": explore(folder, SORT).as_uri(),
        "parity": explore(folder, ROOT / "examples/parity_log.psl").as_uri(),
    }


@pytest.fixture
def opened(browser, keep, pages):
    """Opens a page by its name."""

    def open_page(name: str, **settings) -> Explorer:
        explorer = keep(Explorer(browser, pages[name], **settings))
        explorer.settle()
        explorer.page.locator("#grid-active").wait_for()
        return explorer

    return open_page


def show(explorer: Explorer, panel: str, picture: str | None = None):
    explorer.page.locator(f"#tab-{panel}").click()
    if picture is not None:
        explorer.page.get_by_role("button", name=picture, exact=True).click()
        explorer.page.locator(".matrix-view canvas").wait_for()
    else:
        explorer.page.locator(f"[aria-labelledby=tab-{panel}] > *").first.wait_for()


def printed(explorer: Explorer, **form) -> PdfReader:
    return PdfReader(BytesIO(explorer.page.pdf(**({"format": "A4", "margin": MARGIN} | form))))


def words(paper: PdfReader) -> list[str]:
    """The text of each page, with a single space between words."""
    return [" ".join(page.extract_text().split()) for page in paper.pages]


def begin(explorer: Explorer):
    """The page as a browser prepares it for paper."""
    explorer.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    explorer.page.emulate_media(media="print")


def end(explorer: Explorer):
    explorer.page.emulate_media(media="screen")
    explorer.page.evaluate("dispatchEvent(new Event('afterprint'))")


def begin_whole(explorer: Explorer, cells: int):
    """Waits for the values of this many cells, which the page fetches while it is idle."""

    def whole() -> bool:
        end(explorer)
        begin(explorer)
        return len(explorer.page.evaluate(CELLS)) == cells

    until(whole)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form['format']}{'-across' if form['landscape'] else ''}")
def test_paper_shows_all_layers_and_cells(opened, form):
    explorer = opened("sort")
    paper = words(printed(explorer, **form))
    text = " ".join(paper)
    for part in ("sort.psl", "a b c | c a c", "DAT: lookups", "✓ right", "7 generate the symbol", "Why", "Query and key", "cursor[N] = next[n]"):
        assert part in text, part
    begin(explorer)
    assert explorer.page.evaluate(CELLS) == list(range(1, 11))
    assert explorer.page.evaluate(LAYERS) == [str(layer) for layer in range(1, 8)]


def test_paper_shows_the_values_of_the_grid(opened):
    explorer = opened("sort")
    # The grid of this run is in view as a whole.
    explorer.page.set_viewport_size({"width": 1800, "height": 2400})
    explorer.page.locator(".g-row[data-line='6'] .g-cell").last.wait_for()
    grid = """[...document.querySelectorAll('.g-row[data-line]')].map((row) => [...row.querySelectorAll('.g-cell')].map((cell) =>
      [...cell.children].map((it) => [it.textContent, it.className === 'w'])))"""
    paper = """[...document.querySelectorAll('.paper-run tbody')].map((line) => {
      const rows = [...line.rows].map((row) => [...row.querySelectorAll('td')].map((it) => [it.textContent, it.classList.contains('changed')]));
      return rows[0].map((_, cell) => rows.map((row) => row[cell]));
    })"""
    shown = explorer.page.evaluate(grid)
    begin(explorer)
    assert explorer.page.evaluate(paper) == shown
    assert "←6" in str(shown)


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: f"{form['format']}{'-across' if form['landscape'] else ''}")
def test_no_page_is_blank_and_the_panel_is_whole(opened, form):
    explorer = opened("swap")
    explorer.page.set_viewport_size({"width": 1400, "height": 500})
    paper = printed(explorer, **form)
    texts = words(paper)
    blank = [text == "" and "/XObject" not in page["/Resources"] for text, page in zip(texts, paper.pages, strict=True)]
    assert not any(blank), blank
    text = " ".join(texts)
    for title in explorer.page.locator("#panel h3").all_inner_texts():
        assert title in text or title == "Why not another cell?"
    # The run, what is selected, the program.
    places = [text.index(part) for part in ("P0: start with no region", "History of", "Program pargen.psl")]
    assert places == sorted(places)


def test_a_long_run_is_cut_into_bands_and_each_page_names_its_cells(opened):
    explorer = opened("parity")
    for button in ("Program", "Details"):
        explorer.page.get_by_role("button", name=button, exact=True).click()
    explorer.enter(" ".join([BITS] * 30))
    explorer.settle()
    explorer.page.locator("#grid[aria-colcount='302']").wait_for()
    begin_whole(explorer, 301)
    assert explorer.page.evaluate(CELLS) == list(range(1, 302))
    assert all(table.bounding_box()["width"] <= 700 for table in explorer.page.locator(".paper-run").all())
    end(explorer)
    paper = words(printed(explorer))
    assert len(paper) > 5
    assert all("cell " in page and "symbol " in page for page in paper)


def test_of_a_run_that_is_too_long_paper_shows_the_part_in_view_and_says_so(opened):
    explorer = opened("parity")
    explorer.enter(" ".join([BITS] * 100))
    explorer.settle()
    explorer.page.locator("#grid[aria-colcount='1002']").wait_for()
    text = " ".join(words(printed(explorer)))
    assert "The run has 1001 cells" in text and "those in view: cells" in text
    begin(explorer)
    cells = explorer.page.evaluate(CELLS)
    assert 8 <= len(cells) < 100
    assert f"cells {cells[0]} to {cells[-1]}" in text


def test_paper_is_the_same_in_a_dark_theme(opened):
    pictures = []
    for scheme in ("dark", "light"):
        explorer = opened("swap", color_scheme=scheme)
        show(explorer, "transformer", "Attention")
        pictures.append([page.get_contents().get_data() for page in printed(explorer).pages])
        begin(explorer)
        pictures.append(explorer.page.evaluate("[...document.querySelectorAll('.paper-matrix canvas')].map((it) => it.toDataURL())"))
    assert pictures[:2] == pictures[2:]


def test_what_is_closed_is_not_printed(opened):
    explorer = opened("sort")
    explorer.page.get_by_role("button", name="Program", exact=True).click()
    without = " ".join(words(printed(explorer)))
    assert "Query and key" in without and "//@ test" not in without
    explorer.page.get_by_role("button", name="Details", exact=True).click()
    paper = words(printed(explorer))
    assert len(paper) == 1 and "Query and key" not in paper[0]


def test_folded_passes_stay_folded_and_open_ones_open(opened):
    explorer = opened("swap")
    fold = explorer.page.locator(".g-name", has=explorer.page.locator(".g-fold")).first
    folded = fold.locator(".g-number").inner_text()
    inside = folded.split("–")
    begin(explorer)
    layers = explorer.page.evaluate(LAYERS)
    assert folded in layers and inside[1] not in layers
    end(explorer)
    fold.locator(".g-fold").click()
    begin(explorer)
    opened_layers = explorer.page.evaluate(LAYERS)
    assert opened_layers.count(folded) == layers.count(folded) - 1
    assert [opened_layers.count(layer) - layers.count(layer) for layer in inside] == [1, 1]


def test_an_ablated_layer_is_named(opened):
    explorer = opened("sort")
    explorer.page.get_by_label("Ablate layer 7").check()
    explorer.page.locator(".outcome .chip.warn").wait_for()
    explorer.settle()
    text = " ".join(words(printed(explorer)))
    assert "Without layer 7" in text and "✗ wrong" in text and "Restore" not in text


@pytest.mark.parametrize("picture", ["Attention", "Residual stream"])
def test_a_matrix_is_on_paper_whole(opened, picture):
    explorer = opened("swap", viewport={"width": 1100, "height": 500})
    show(explorer, "transformer", picture)
    if picture == "Residual stream":
        explorer.page.get_by_role("button", name="All cells", exact=True).click()
        explorer.page.locator("[aria-label*='25 cells']").wait_for()
    view = explorer.page.locator(".matrix-all").bounding_box()
    text = " ".join(words(printed(explorer)))
    assert "Transformer" in text and picture in text
    begin(explorer)
    parts = [canvas.bounding_box() for canvas in explorer.page.locator(".paper-matrix canvas").all()]
    assert all(part["width"] <= 700 for part in parts)
    assert sum(part["width"] * part["height"] for part in parts) >= view["width"] * view["height"] * 0.99
    assert not explorer.page.locator(".matrix-view").is_visible()


def test_a_table_wider_than_paper_is_cut_into_bands(opened):
    explorer = opened("swap")
    show(explorer, "cell")
    explorer.page.locator("#panel table").wait_for()
    names = explorer.page.locator("#panel thead th").all_inner_texts()
    begin(explorer)
    assert explorer.page.locator("#panel table:visible thead th").all_inner_texts() == names
    tables = [table.bounding_box() for table in explorer.page.locator("#panel table:visible").all()]
    assert len(tables) > 1 and all(table["width"] <= 701 for table in tables)


def test_nothing_of_paper_stays_on_the_page(opened):
    explorer = opened("swap")
    app = """document.documentElement.outerHTML.replaceAll(' style=""', '')"""
    for panel in ("why", "cell", "parse", "compare", "transformer"):
        show(explorer, panel)
        explorer.page.wait_for_timeout(500)
        explorer.page.locator("#grid").evaluate("(it) => { it.scrollTop = 90; }")
        explorer.page.wait_for_timeout(300)
        before = explorer.page.evaluate(app)
        printed(explorer)
        explorer.page.wait_for_timeout(300)
        assert explorer.page.evaluate(app) == before, panel
        assert explorer.page.locator("#grid").evaluate("(it) => it.scrollTop") == 90


def test_symbols_are_text(opened):
    explorer = opened("sort")
    explorer.enter("a <b> c | <b> a")
    assert "<b>" in explorer.continuation()
    explorer.page.wait_for_timeout(500)
    assert "a <b> c | <b> a" in " ".join(words(printed(explorer)))
    begin(explorer)
    assert explorer.page.locator(".paper-run td", has_text="<b>").count() > 3
    assert explorer.page.locator("b").count() == 0


@pytest.mark.parametrize("panel", ["why", "cell", "transformer", "parse", "compare"])
def test_paper_has_no_controls_and_is_accessible(opened, panel):
    explorer = opened("swap", color_scheme="dark")
    show(explorer, panel)
    explorer.page.wait_for_timeout(300)
    begin(explorer)
    assert explorer.page.evaluate(CONTROLS) == []
    assert explorer.findings() == []
