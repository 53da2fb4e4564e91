"""Time in the explorer: a run is played, stepped and scrubbed through."""

import re

import pytest
from explorer_page import ExplorerPage
from paths import SORT
from playwright.sync_api import Locator, expect

WHOLE = "The whole run"


@pytest.fixture
def sort(opened) -> ExplorerPage:
    explorer = opened(SORT, "--test", "abc", viewport={"width": 1600, "height": 1600})
    explorer.place(7, "layer 7")
    return explorer


def button(explorer: ExplorerPage, name: str) -> Locator:
    return explorer.page.get_by_role("button", name=name, exact=True)


def now(explorer: ExplorerPage) -> Locator:
    """The words that name the moment."""
    return explorer.page.locator(".now")


def slider(explorer: ExplorerPage, name: str) -> Locator:
    return explorer.page.get_by_role("slider", name=name)


def veiled(explorer: ExplorerPage) -> list[dict]:
    """The parts of the grid that are in the future."""
    veils = explorer.grid.locator(".g-future").all()
    return [box for veil in veils if (box := veil.bounding_box()) and box["width"] > 1 and box["height"] > 1]


def test_a_run_plays_from_its_start_to_its_end(sort):
    expect(now(sort)).to_have_text(WHOLE)
    sort.page.get_by_role("combobox", name="Speed").select_option("20")
    button(sort, "▶ Play").click()
    expect(button(sort, "Pause")).to_be_visible()
    # Each generated cell follows the prompt, and then the run ends.
    expect(button(sort, "▶ Play")).to_be_visible()
    expect(now(sort)).to_have_text("cell 10 (c), layer 7")
    sort.place(10, "layer 7")


def test_play_pauses_and_continues(sort):
    sort.page.get_by_role("combobox", name="Speed").select_option("1")
    button(sort, "▶ Play").click()
    expect(now(sort)).to_have_text("the prompt, layer 1")
    expect(now(sort)).not_to_have_text("the prompt, layer 1")
    button(sort, "Pause").click()
    paused = now(sort).text_content()
    assert paused.startswith("the prompt, layer ")
    button(sort, "▶ Play").click()
    expect(now(sort)).not_to_have_text(paused)
    assert now(sort).text_content() != "the prompt, layer 1"


def test_space_plays_and_pauses(sort):
    sort.grid.focus()
    sort.page.keyboard.press("Space")
    expect(button(sort, "Pause")).to_be_visible()
    expect(now(sort)).to_have_text(re.compile("^the prompt, layer"))
    sort.page.keyboard.press("Space")
    expect(button(sort, "▶ Play")).to_be_visible()


def test_a_key_pauses(sort):
    button(sort, "▶ Play").click()
    sort.grid.focus()
    sort.page.keyboard.press("ArrowLeft")
    expect(button(sort, "▶ Play")).to_be_visible()


def test_steps_go_through_the_layers_that_fire(sort):
    slider(sort, "Layer").fill("0")
    slider(sort, "Symbol").fill("0")
    expect(now(sort)).to_have_text("the prompt, layer 1")
    button(sort, "Step forward").click()
    expect(now(sort)).to_have_text("the prompt, layer 2")
    # Layer 2 writes to the bar.
    sort.place(4, "layer 2")
    button(sort, "Step forward").click()
    expect(now(sort)).to_have_text("the prompt, layer 3")
    button(sort, "Step back").click()
    button(sort, "Step back").click()
    expect(now(sort)).to_have_text("the prompt, layer 1")


def test_steps_go_from_cell_to_cell(sort):
    slider(sort, "Symbol").fill("1")
    slider(sort, "Layer").press("End")
    expect(now(sort)).to_have_text("cell 8 (a), layer 7")
    sort.place(8, "layer 7")
    button(sort, "Step forward").click()
    expect(now(sort)).to_have_text(re.compile(r"^cell 9 \(c\), layer "))
    button(sort, "Step back").click()
    expect(now(sort)).to_have_text("cell 8 (a), layer 7")


def test_sliders_scrub_through_symbols_and_layers(sort):
    symbols = slider(sort, "Symbol")
    symbols.fill("2")
    expect(symbols).to_have_attribute("aria-valuetext", "cell 9 (c)")
    symbols.fill("0")
    expect(symbols).to_have_attribute("aria-valuetext", "the prompt")
    layers = slider(sort, "Layer")
    layers.fill("0")
    expect(layers).to_have_attribute("aria-valuetext", "1: find the next cell with the same symbol")
    expect(now(sort)).to_have_text("the prompt, layer 1")


def test_the_future_is_veiled(sort):
    assert veiled(sort) == []
    slider(sort, "Symbol").fill("0")
    slider(sort, "Layer").fill("0")
    expect(now(sort)).to_have_text("the prompt, layer 1")
    [below, right] = veiled(sort)
    first, generated = (sort.cell(sort.row(1), cell).bounding_box() for cell in (1, 8))
    assert abs(below["x"] - first["x"]) < 2 and abs(below["y"] - (first["y"] + first["height"])) < 2
    assert abs(right["x"] - generated["x"]) < 2 and abs(right["y"] - generated["y"]) < 2
    button(sort, "Show all").click()
    expect(now(sort)).to_have_text(WHOLE)
    assert veiled(sort) == []


def test_a_new_run_is_shown_whole(sort):
    slider(sort, "Symbol").fill("0")
    expect(button(sort, "Show all")).to_be_visible()
    sort.enter("b a | a b")
    sort.continuation("b", "a", ".")
    expect(now(sort)).to_have_text(WHOLE)


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_reduced_motion_stops_all_transitions(opened, motion, moves):
    explorer = opened(SORT, "--test", "abc", reduced_motion=motion)
    # A transition and smooth scrolling that later styles might have.
    lasting = explorer.grid.evaluate(
        """grid => {
             grid.style.transition = 'opacity 1s';
             grid.style.scrollBehavior = 'smooth';
             const { transitionDuration, scrollBehavior } = getComputedStyle(grid);
             return [transitionDuration === '1s', scrollBehavior === 'smooth'];
           }"""
    )
    assert lasting == [moves, moves]


def test_with_reduced_motion_a_reader_can_play_a_run(opened):
    explorer = opened(SORT, "--test", "abc", reduced_motion="reduce")
    expect(now(explorer)).to_have_text(WHOLE)
    button(explorer, "▶ Play").click()
    expect(now(explorer)).to_have_text(re.compile("^the prompt, layer"))
    assert explorer.page.evaluate("document.getAnimations().length") == 0
