"""The page of `psl explore`: one file, without requests and foreign scripts, and accessible."""

from pathlib import Path

import pytest
from explorer import Explorer, explore
from pargen import FAILING, SWAPPED
from paths import INDUCTION, PARGEN, ROOT
from playground import Quiet, served

PANELS = ["why", "cell", "transformer", "heads", "parse", "compare"]

# The elements that the Tab key must reach.
FOCUSABLE = """() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
  window.focusable = [...all].filter((it) => it.tabIndex >= 0 && !it.disabled && it.checkVisibility({ visibilityProperty: true }));
  return window.focusable.map((it) => it.outerHTML.slice(0, 120));
}"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """The addresses of pages: of a test, of one that fails, of a program with errors, of a structured prompt, of a missing file."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "failing.psl").write_text(FAILING)
    (folder / "broken.psl").write_text("where x")
    return {
        "swap": explore(folder, PARGEN, "--test", "swap").as_uri(),
        "failing": explore(folder, folder / "failing.psl", "--test", "swap").as_uri(),
        "broken": explore(folder, folder / "broken.psl").as_uri(),
        "cells": explore(folder, ROOT / "tests/programs/turing.psl").as_uri(),
        "missing": explore(folder, PARGEN).as_uri() + "#file=missing.psl",
    }


@pytest.fixture
def opened(browser, keep, pages):
    """Opens a page by its name."""

    def open_page(name: str, state: str = "", **settings) -> Explorer:
        explorer = keep(Explorer(browser, pages[name] + state, **settings))
        explorer.settle()
        return explorer

    return open_page


def show(explorer: Explorer, panel: str):
    explorer.page.locator("#grid-active").wait_for()
    explorer.page.locator(f"#tab-{panel}").click()
    explorer.page.locator(f"[aria-labelledby=tab-{panel}] > *").first.wait_for()


def place(explorer: Explorer) -> tuple[int, int]:
    """Row and column of the selected cell, as a screen reader names it."""
    active = explorer.page.locator("#grid-active")
    row = active.locator("xpath=ancestor::*[@role='row']").get_attribute("aria-rowindex")
    return int(row), int(active.get_attribute("aria-colindex"))


def test_the_page_requests_nothing(opened):
    explorer = opened("swap")
    for panel in PANELS:
        show(explorer, panel)
    explorer.enter("Q a A a . Q b A")
    assert explorer.continuation() == ["b", "."]
    assert explorer.outside() == []
    assert len(explorer.requests) > 1


def test_the_page_of_a_release_is_small(pages):
    """Each night: other builds put a larger module into the page."""
    assert Path(pages["swap"].removeprefix("file://")).stat().st_size <= 2_000_000


def test_the_policy_stops_scripts_styles_and_requests(browser, pages):
    explorer = Explorer(browser, pages["swap"])
    explorer.settle()
    asked = []

    class Server(Quiet):
        def do_GET(self):
            asked.append(self.path)

    with served(handler=Server) as address:
        stopped = explorer.page.evaluate(
            """async (address) => {
                 const stopped = new Set();
                 addEventListener('securitypolicyviolation', ({ effectiveDirective }) => stopped.add(effectiveDirective));
                 const add = (name, fields) => document.body.append(Object.assign(document.createElement(name), fields));
                 add('script', { textContent: 'window.ran = 1' });
                 add('script', { src: 'data:text/javascript,window.ran = 1' });
                 add('style', { textContent: 'body { color: red }' });
                 add('img', { src: address });
                 add('iframe', { src: address });
                 const form = document.createElement('form');
                 document.body.append(form);
                 form.action = address;
                 form.submit();
                 await new Promise((resolve) => setTimeout(() => {
                   try { window.ran = eval('1'); } catch { stopped.add('eval'); }
                   try { window.ran = new Function('return 1')(); } catch { stopped.add('Function'); }
                   resolve();
                 }));
                 await fetch(address).catch(() => stopped.add('fetch'));
                 await new Promise((resolve) => setTimeout(resolve, 300));
                 return { stopped: [...stopped].sort(), ran: window.ran ?? null };
               }""",
            address,
        )
    directives = ["connect-src", "form-action", "frame-src", "img-src", "script-src", "script-src-elem", "style-src-elem"]
    assert stopped == {"stopped": sorted(["Function", "eval", "fetch", *directives]), "ran": None}
    assert asked == []
    explorer.context.close()


def test_the_page_opens_on_a_test(opened):
    explorer = opened("swap")
    assert explorer.continuation() == SWAPPED
    assert explorer.page.locator("#test option:checked").inner_text() == "swap"
    assert explorer.page.locator(".chip.good").count() == 1


def test_the_page_opens_on_a_prompt(opened, pages, tmp_path):
    pages["prompt"] = explore(tmp_path, PARGEN, "--prompt", "Q a A a . Q b A").as_uri()
    explorer = opened("prompt")
    assert explorer.continuation() == ["b", "."]
    assert explorer.page.locator("#prompt").input_value() == "Q a A a . Q b A"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["swap", "cells", "missing"])
def test_axe_finds_nothing_on_the_page_as_it_opens(opened, name, scheme):
    assert opened(name, color_scheme=scheme).findings() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("panel", PANELS)
def test_axe_finds_nothing_in_a_panel(opened, panel, scheme):
    explorer = opened("swap", color_scheme=scheme)
    show(explorer, panel)
    assert explorer.findings(".details") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["failing", "broken"])
def test_axe_finds_nothing_on_a_failure(opened, name, scheme):
    explorer = opened(name, color_scheme=scheme)
    assert explorer.page.locator(".bad").first.is_visible()
    assert explorer.findings() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_help(opened, scheme):
    explorer = opened("swap", color_scheme=scheme)
    explorer.page.keyboard.press("?")
    explorer.page.locator("dialog[open]").wait_for()
    assert explorer.findings() == []


@pytest.mark.parametrize("panel", PANELS)
def test_the_tab_key_reaches_everything_in_order(opened, panel):
    explorer = opened("swap", f"#panel={panel}")
    explorer.page.locator(f"[aria-labelledby=tab-{panel}] > *").first.wait_for()
    names = explorer.page.evaluate(FOCUSABLE)
    reached = []
    while len(reached) < len(names) + 20:
        explorer.page.keyboard.press("Tab")
        reached.append(explorer.page.evaluate("window.focusable.indexOf(document.activeElement)"))
        if reached[-1] == len(names) - 1:
            break
    # -1 is a part that scrolls, to which browsers give the focus.
    assert [names[index] for index in reached if index >= 0] == names


def test_the_grid_is_operated_by_keys(opened):
    explorer = opened("swap")
    keys = explorer.page.keyboard
    keys.press("/")
    assert explorer.page.evaluate("document.activeElement.id") == "prompt"
    keys.press("Escape")
    assert explorer.page.evaluate("document.activeElement.id") == "grid"
    row, column = place(explorer)
    keys.press("ArrowUp")
    keys.press("ArrowLeft")
    assert place(explorer) == (row - 1, column - 1)
    keys.press("j")
    keys.press("l")
    assert place(explorer) == (row, column)
    keys.press("Home")
    assert place(explorer) == (2, column)
    keys.press("End")
    assert place(explorer)[0] == int(explorer.page.locator("#grid").get_attribute("aria-rowcount"))
    keys.press("?")
    explorer.page.locator("dialog[open]").wait_for()
    keys.press("Escape")
    explorer.page.locator("dialog").wait_for(state="detached")


def test_a_pass_is_opened_and_folded_by_keys(opened):
    explorer = opened("swap")
    explorer.page.locator("#only-changes").press("Space")
    grid = explorer.page.locator("#grid")
    grid.focus()
    explorer.page.keyboard.press("Home")
    folded = int(grid.get_attribute("aria-rowcount"))
    while explorer.page.locator(".g-row.current .g-fold").count() == 0:
        explorer.page.keyboard.press("ArrowDown")
    explorer.page.keyboard.press("Enter")
    assert int(grid.get_attribute("aria-rowcount")) > folded
    explorer.page.keyboard.press("Enter")
    assert int(grid.get_attribute("aria-rowcount")) == folded


def test_a_run_that_changes_no_shown_register_has_all_layers(opened, pages, tmp_path):
    pages["same"] = explore(tmp_path, INDUCTION, "--prompt", "a").as_uri()
    explorer = opened("same")
    grid = explorer.page.locator("#grid")
    assert grid.get_attribute("aria-rowcount") == "4"
    grid.press("End")
    assert place(explorer)[0] == 4
    assert grid.get_attribute("aria-rowcount") == "4"


def test_a_prompt_is_run_by_keys(opened):
    explorer = opened("swap")
    keys = explorer.page.keyboard
    keys.press("/")
    keys.type("Q a A a . Q b A")
    keys.press("Enter")
    assert explorer.continuation() == ["b", "."]
    keys.press("Escape")
    keys.press("F5")
    assert explorer.continuation() == ["b", "."]


def test_paper_shows_the_run_and_the_panel_on_white(opened):
    explorer = opened("swap", color_scheme="dark")
    show(explorer, "cell")
    explorer.page.locator("#panel table").wait_for()
    explorer.page.emulate_media(media="print")
    for shown in (".g-cell", "#panel table", ".code-line", ".outcome .symbol"):
        assert explorer.page.locator(shown).first.is_visible(), shown
    for hidden in ("#run", "#play", ".tabs", ".views", ".splitter"):
        assert not explorer.page.locator(hidden).first.is_visible(), hidden
    colors = "getComputedStyle(document.body)"
    assert explorer.page.evaluate(f"{colors}.backgroundColor") == "rgb(255, 255, 255)"
    # Each part has its full height: paper does not scroll.
    cut = "[...document.querySelectorAll('.panel-body')].filter((it) => it.scrollHeight > it.clientHeight + 1).length"
    assert explorer.page.evaluate(cut) == 0
    assert explorer.findings() == []


def test_the_prompt_can_be_read_on_a_narrow_page(opened):
    explorer = opened("swap", viewport={"width": 400, "height": 900})
    assert explorer.page.locator("#prompt").bounding_box()["width"] > 200
    explorer.page.get_by_role("button", name="Controls").click()
    for field in ("#prompt", "#gold"):
        assert explorer.page.locator(field).bounding_box()["width"] > 200
    assert explorer.page.evaluate("document.documentElement.scrollWidth") == 400


def test_reduced_motion_stops_transitions(opened):
    explorer = opened("swap", reduced_motion="reduce")
    moving = """() => [...document.querySelectorAll('*')].filter((it) => {
      it.style.transition = 'opacity 9s';
      it.style.scrollBehavior = 'smooth';
      const { transitionDuration, scrollBehavior } = getComputedStyle(it);
      return transitionDuration !== '0s' || scrollBehavior !== 'auto';
    }).length"""
    assert explorer.page.evaluate(moving) == 0
    assert explorer.page.evaluate("document.getAnimations().length") == 0
