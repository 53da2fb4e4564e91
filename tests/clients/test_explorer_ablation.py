"""Ablated layers in the explorer: they write nothing, stay ablated for the next prompt, and are in the link."""

from explorer_page import FAILING, ExplorerPage
from playwright.sync_api import Locator, expect
from workbench import until


def box(explorer: ExplorerPage, layer: int) -> Locator:
    return explorer.details.get_by_role("checkbox", name=f"Ablate layer {layer}: it attends, but writes nothing")


def without_layer_3(explorer: ExplorerPage):
    """Ablates the layer from the update of cell 1."""
    explorer.cell(explorer.row(3), 1).click()
    box(explorer, 3).check()
    expect(explorer.outcome.get_by_text("Without layer 3")).to_be_visible()


def test_a_layer_is_ablated_and_restored(opened, written):
    explorer = opened(written(FAILING))
    explorer.continuation("A", ".")
    expect(explorer.outcome.get_by_text("✗ wrong")).to_be_visible()
    without_layer_3(explorer)
    explorer.continuation("C", ".")
    expect(explorer.outcome.get_by_text("✓ right")).to_be_visible()
    expect(explorer.details).to_contain_text("The layer is ablated, so it writes nothing.")
    expect(box(explorer, 3)).to_be_checked()
    explorer.outcome.get_by_role("button", name="Restore").click()
    explorer.continuation("A", ".")
    expect(box(explorer, 3)).not_to_be_checked()
    expect(explorer.outcome.get_by_text("Without layer")).to_have_count(0)


def test_layers_stay_ablated_for_the_next_prompt_and_machine(opened, written):
    explorer = opened(written(FAILING))
    without_layer_3(explorer)
    explorer.enter("A C")
    explorer.continuation("C", ".")
    explorer.page.get_by_role("combobox", name="Machine", exact=True).select_option("full-dat")
    explorer.continuation("C", ".")
    explorer.cell(explorer.row(2), 1).click()
    box(explorer, 2).check()
    expect(explorer.outcome.get_by_text("Without layers 2, 3")).to_be_visible()


def test_the_whole_program_is_compared(opened, written):
    explorer = opened(written(FAILING), viewport={"width": 1600, "height": 1400})
    without_layer_3(explorer)
    explorer.outcome.get_by_role("button", name="Compare with the whole program").click()
    expect(explorer.panel("Compare").get_by_role("region", name="First difference")).to_contain_text("layer 3")
    explorer.continuation("C", ".")


def test_a_link_has_the_ablated_layers(opened, written):
    program = written(FAILING)
    explorer = opened(program, state="#test=0&machine=psm&ablate=3,3,x,0,99&panel=why&cell=1&row=2")
    explorer.continuation("C", ".")
    expect(box(explorer, 3)).to_be_checked()
    until(explorer.state, lambda state: "ablate=3%2C99" in state)
    explorer.page.reload()
    explorer.continuation("C", ".")
