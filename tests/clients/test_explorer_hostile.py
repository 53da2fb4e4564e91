"""No script of a prompt, a program or an address runs in the page: all are shown as text."""

from urllib.parse import quote

import pytest
from explorer import Explorer, explore
from paths import INDUCTION
from playwright.sync_api import expect
from workbench import until

# Without spaces, so that each is one symbol.
SYMBOLS = [
    "</script><script>window.ran=1</script>",
    "<img/src=x/onerror=window.ran=1>",
    "<svg/onload=window.ran=1>",
    "javascript:window.ran=1",
    "{{script}}",
    "<!--psl-data-->",
    "<!--<script>",
    "]]>",
    "$&$`$'$1",
    "&lt;b&gt;",
    "__proto__",
    "constructor",
    "\u202eabc\u2066",
    "'`$(window.ran=1)",
    "\U0001f600e\u0301",
]
# The head copies what follows the earlier "a".
PROMPT = " ".join(["a", *SYMBOLS, ".", "a"])
PROGRAM = (
    "\n".join(f"# {symbol} \u2028 \" ' \\" for symbol in SYMBOLS)
    + f'\n//@ max-new 99\n//@ test {SYMBOLS[1]} "{PROMPT}" => "{SYMBOLS[0]}"\n'
    + INDUCTION.read_text().replace("{0, EOP}", "{0, EOP, " + ", ".join(f'"{symbol}"' for symbol in SYMBOLS) + "}")
    .replace("# remember", f"# {SYMBOLS[0]}{SYMBOLS[1]} remember")
    .replace("    parse[N] = 0\n", f'    parse[N] = 0\n\nwhere symbol[N] == "{SYMBOLS[0]}":\n    symbol[N] = "{SYMBOLS[0]}"\n')
)
# Texts that do not compile, down to the bytes of a terminal.
BROKEN = {
    "markup": f"where {SYMBOLS[0]}{SYMBOLS[1]}",
    "string": f'constants: {{"{SYMBOLS[0]}',
    "control": "registers: \x1b[31m\x07\x01 {}\u2028\u2029",
    "bidirectional": "where symbol\u202e[N] == \u2066A:",
}
FRAGMENTS = {
    "markup": f"#{SYMBOLS[0]}{SYMBOLS[1]}",
    "json": '#{"prompt": ',
    "percent": "#prompt=%E0%A4%A&test=%",
    "huge": "#x=" + "A" * 500_000,
    "many": "#" + "&".join(f"a{number}=1" for number in range(20_000)),
    "prototype": "#__proto__=1&constructor=1&program=__proto__&panel=constructor&machine=toString",
    "register": "#test=0&registers=__proto__,constructor,symbol",
    "place": "#test=0&cell=999999&row=999999",
    "negative": "#test=0&cell=-1&row=-1",
    "test": "#test=99999",
    "script": "#test=0&panel=javascript:window.ran=1&program=javascript:window.ran=1",
    "file": f"#file={SYMBOLS[1]}&prompt={SYMBOLS[0]}",
    "cells": f'#cells=[{{"symbol": "{SYMBOLS[1]}"}}, {{"symbol": "."}}]',
    "views": f"#test=0&cell=2&row=0&pointed={SYMBOLS[1]}&trace=__proto__&view=constructor&block={SYMBOLS[1]}&run=__proto__",
    "second": f"#test=0&prompt2={SYMBOLS[1]}&machine2=constructor&panel=compare",
    "control": "#prompt=%00%1b%5B31m%07 a . a",
    "half": "#prompt=%ED%A0%80 . a&file=%ED%A0%80",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("hostile")
    texts = {"hostile": PROGRAM, "induction": INDUCTION.read_text()} | {f"broken-{name}": text for name, text in BROKEN.items()}
    # The name of a file is shown, too.
    texts["<img src=x onerror=window.ran=1>"] = INDUCTION.read_text()
    pages = {}
    for name, text in texts.items():
        program = folder / f"{name}.psl"
        program.write_text(text)
        pages[name] = explore(folder, program).as_uri()
    return pages


@pytest.fixture
def opened(browser, keep, pages):
    """Opens a page. Afterwards, no script of the text has run, nothing was thrown, and no element came from a text."""
    explorers = []

    def open_page(name: str, state: str = "", shows: str = "#grid .g-cell, .message.bad") -> Explorer:
        explorer = keep(Explorer(browser, pages.get(name, name) + state))
        explorers.append(explorer)
        explorer.page.locator(shows).first.wait_for(state="attached")
        return explorer

    yield open_page
    for explorer in explorers:
        assert explorer.outside() == []
        assert explorer.page.evaluate("window.ran ?? null") is None
        assert explorer.page.locator("img, iframe, object, embed, link, base").count() == 0
        assert explorer.page.locator("script").count() == 3


@pytest.fixture
def explorer(opened) -> Explorer:
    """The page with a run of all symbols."""
    explorer = opened("induction")
    explorer.enter(PROMPT)
    until(explorer.continuation, lambda got: got == [*SYMBOLS, "."])
    return explorer


def text_of(explorer: Explorer, selector: str) -> list[str]:
    return explorer.page.locator(selector).evaluate_all("all => all.map((it) => it.textContent)")


def test_a_program_is_text(opened):
    explorer = opened("hostile")
    assert explorer.page.locator(".message.bad").count() == 0
    shown = text_of(explorer, ".code-line code")
    assert [line for line in shown if line] == [line for line in PROGRAM.split("\n") if line]
    for panel in ("why", "cell", "transformer", "parse", "compare"):
        explorer.page.locator(f"#tab-{panel}").click()
        explorer.page.locator(f"[aria-labelledby=tab-{panel}] > *").first.wait_for()
    explorer.page.locator("#only-changes").uncheck()
    names = text_of(explorer, "#test option")
    assert SYMBOLS[1] in names
    assert any(title.startswith(f"{SYMBOLS[0]}{SYMBOLS[1]} remember") for title in text_of(explorer, ".g-row .g-title"))


def test_the_name_of_a_file_is_text(opened):
    name = "<img src=x onerror=window.ran=1>"
    assert f"{name}.psl" in text_of(opened(name), "#program option")


@pytest.mark.parametrize("name", BROKEN)
def test_a_program_with_errors_is_text(opened, name):
    explorer = opened(f"broken-{name}")
    assert "".join(text_of(explorer, ".code-line code")) == BROKEN[name]
    assert explorer.page.locator(".message.bad").first.is_visible()


@pytest.mark.parametrize("file", ["__proto__", "constructor"])
def test_a_prompt_file_may_have_any_name(opened, tmp_path, file):
    program = tmp_path / "files.psl"
    program.write_text(f'//@ test json "{file}" => "."\n{INDUCTION.read_text()}')
    explorer = opened(explore(tmp_path, program).as_uri())
    expect(explorer.page.locator("#test option").nth(1)).to_have_text(file)
    explorer.page.locator("#test").select_option("0")
    expect(explorer.page.locator("#prompt")).to_be_visible()


def test_half_a_character_is_replaced_in_a_prompt(opened):
    explorer = opened("induction")
    explorer.page.evaluate(
        r"""() => {
          const field = document.getElementById("prompt");
          field.value = "\ud800 b . \ud800";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    explorer.page.locator("#run").click()
    until(explorer.continuation, lambda got: got == ["b", "."])


def test_a_file_that_is_not_text_is_refused(opened, tmp_path):
    explorer = opened("induction")
    file = tmp_path / "latin.psl"
    file.write_bytes("# Größe".encode("latin-1"))
    explorer.page.locator("input[type=file]").set_input_files(file)
    expect(explorer.page.locator(".message.bad")).to_have_text("latin.psl is not text in UTF-8.")


def test_symbols_are_text_in_every_view(explorer):
    grid = explorer.page.locator("#grid")
    seen = set()
    for left in range(0, grid.evaluate("(it) => it.scrollWidth"), 300):
        grid.evaluate("(it, left) => { it.scrollLeft = left; }", left)
        explorer.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
        seen.update(text_of(explorer, ".g-symbol"), text_of(explorer, ".g-cell > span"))
    assert set(SYMBOLS) <= seen
    for panel in ("cell", "transformer", "compare"):
        explorer.page.locator(f"#tab-{panel}").click()
        explorer.page.locator(f"[aria-labelledby=tab-{panel}] > *").first.wait_for()


def test_a_picture_of_the_grid_is_a_document_without_scripts(explorer, tmp_path):
    explorer.page.get_by_role("button", name="Export…").click()
    with explorer.page.expect_download() as download:
        explorer.page.get_by_role("button", name="Save SVG").click()
    picture = tmp_path / "grid.svg"
    download.value.save_as(picture)
    kinds = explorer.page.evaluate(
        """(text) => {
             const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
             const all = [...parsed.querySelectorAll('*')];
             const handlers = all.flatMap((it) => it.getAttributeNames()).filter((name) => name.startsWith('on'));
             return { names: [...new Set(all.map(({ nodeName }) => nodeName))], handlers, text: parsed.documentElement.textContent };
           }""",
        picture.read_text(),
    )
    assert not {"script", "img", "foreignObject", "parsererror"} & set(kinds["names"])
    assert kinds["handlers"] == []
    # A long symbol is shortened in its column.
    assert "</script" in kinds["text"]


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_fragment_of_the_address_is_data(opened, name):
    explorer = opened("induction", FRAGMENTS[name], "#grid .g-cell")
    assert explorer.page.locator("h1").inner_text() == "PSL explorer"


@pytest.mark.parametrize("cells", ['[{"symbol": "\\ud800"}]', "[" * 100_000 + "]" * 100_000], ids=["half", "depth"])
def test_cells_in_the_address_that_are_none_are_refused(opened, cells):
    explorer = opened("induction", f"#cells={cells}")
    expect(explorer.page.locator(".message.bad").first).to_be_visible()
    expect(explorer.page.locator("#prompt")).to_have_value(cells)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_a_prompt_in_the_address_is_text(opened, symbol):
    prompt = f"a {symbol} . a"
    explorer = opened("induction", f"#prompt={quote(prompt)}&gold={quote(symbol)}")
    assert explorer.page.locator("#prompt").input_value() == prompt
    assert explorer.continuation() == [symbol, "."]


def test_the_address_keeps_hostile_symbols(explorer):
    until(explorer.state, lambda state: "prompt=" in state)
    explorer.page.reload()
    assert explorer.continuation() == [*SYMBOLS, "."]
    assert explorer.page.locator("#prompt").input_value() == PROMPT
