"""The explorer beside its program, in a webview of Visual Studio Code."""

import re

import pytest
from pargen import TEXT
from workbench import Workbench, until

# The lines of the productions, 1-based.
LAYERS = [number for number, line in enumerate(TEXT.splitlines(), 1) if line.lstrip().startswith("where")]
CONTINUATIONS = {"swap": "K L V F G H .", "john_loves_mary": "bill hugs sue ."}


def explore(bench: Workbench, test: str):
    """Clicks the lens of a test."""
    bench.put_cursor(f"//@ test {test}")
    # A lens without a link is an earlier one that the editor shows while it waits for the server.
    bench.page.locator(".codelens-decoration", has_text=f"Run test {test}").locator("a", has_text="Explore").click()
    shows(bench, CONTINUATIONS[test])


def shows(bench: Workbench, continuation: str):
    """Waits until the page shows a continuation."""
    # The symbols are buttons without blanks between them.
    shown = re.compile("^" + re.escape(continuation.replace(" ", "")) + "$")
    bench.webview().locator(".outcome .symbols", has_text=shown).wait_for()


def program(bench: Workbench):
    """The program in the page, which a narrow page does not show at first."""
    shown = bench.webview().locator(".program-code")
    bench.webview().get_by_role("button", name="Controls").click()
    bench.webview().get_by_role("button", name="Program", exact=True).click()
    shown.wait_for()
    return shown


def cursor(bench: Workbench) -> list[int]:
    """The column of the program's editor and the line of its cursor, both 1-based."""
    return bench.evaluate(
        """const { viewColumn, selection } = vscode.window.visibleTextEditors.find(({ document }) => document.languageId === 'psl');
           return [viewColumn, selection.active.line + 1]"""
    )


@pytest.mark.usefixtures("theme", "picture")
def test_a_lens_opens_the_explorer_on_its_test(pargen: Workbench):
    explore(pargen, "john_loves_mary")
    pargen.page.get_by_role("tab", name="Explore pargen.psl").wait_for()


def test_the_lens_of_another_test_replaces_the_page(pargen: Workbench):
    explore(pargen, "john_loves_mary")
    explore(pargen, "swap")
    assert pargen.page.get_by_role("tab", name="Explore pargen.psl").count() == 1


def test_the_palette_opens_the_explorer_on_the_first_test(pargen: Workbench):
    pargen.choose("PSL: Explore")
    shows(pargen, CONTINUATIONS["swap"])


def test_a_click_on_a_layer_moves_the_cursor_to_its_production(pargen: Workbench):
    explore(pargen, "swap")
    pargen.webview().locator(".g-label", has_text="G3: start it").click()
    until(lambda: cursor(pargen), lambda at: at == [1, LAYERS[29]])
    shown = program(pargen)
    for layer in (1, 3):
        shown.locator(f"[data-layer='{layer}']").click()
        until(lambda: cursor(pargen), lambda at, line=LAYERS[layer - 1]: at == [1, line])


@pytest.mark.usefixtures("picture")
def test_the_page_follows_the_edits_and_keeps_its_test(pargen: Workbench):
    explore(pargen, "john_loves_mary")
    shown = program(pargen)
    pargen.evaluate("await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup')")
    pargen.put_cursor("# P1a: start", len("# P1a"))
    pargen.page.keyboard.type(", changed")
    shown.get_by_text("# P1a, changed").wait_for()
    shows(pargen, CONTINUATIONS["john_loves_mary"])


def test_the_page_of_a_broken_program_shows_its_error(pargen: Workbench):
    explore(pargen, "swap")
    pargen.put_cursor("prev_region[N] == XA", len("prev_reg"))
    pargen.page.keyboard.press("Delete")
    pargen.webview().locator(".outcome [role=alert]", has_text="prev_regon").wait_for()


def test_a_closed_page_opens_again(pargen: Workbench):
    explore(pargen, "swap")
    pargen.evaluate(
        """const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
           await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith('Explore ')))"""
    )
    explore(pargen, "john_loves_mary")


def test_the_page_opens_at_the_production_of_the_cursor_and_follows_it(pargen: Workbench):
    pargen.put_cursor("# P3a: start the answer")
    pargen.page.keyboard.press("ArrowDown")
    pargen.choose("PSL: Explore")
    title = pargen.webview().locator("#why-title")
    title.filter(has_text="P3a: start the answer").wait_for()
    pargen.put_cursor("# P1a: start the example")
    title.filter(has_text="P1a: start the example").wait_for()


@pytest.mark.usefixtures("theme", "picture")
def test_the_weights_are_those_of_the_production_at_the_cursor(pargen: Workbench):
    pargen.put_cursor("# P3a: start the answer")
    pargen.choose("PSL: Show Weights")
    weights = pargen.webview().get_by_role("region", name="Weights", exact=True)
    chosen = weights.get_by_label("Production").locator("option:checked")
    chosen.filter(has_text="P3a: start the answer").wait_for(state="attached")
    weights.get_by_role("region", name="W_q").wait_for()
    pargen.put_cursor("# P1a: start the example")
    chosen.filter(has_text="P1a: start the example").wait_for(state="attached")
    pargen.page.get_by_role("tab", name="Weights of pargen.psl").wait_for()


def test_a_prompt_that_runs_in_the_page_is_the_current_one(pargen: Workbench):
    explore(pargen, "swap")
    pargen.webview().locator("#prompt").fill("Q a A a . Q b A")
    pargen.webview().get_by_role("button", name="Run", exact=True).click()
    shows(pargen, "b .")
    # The status bar names it beside the program.
    pargen.evaluate("await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup')")
    pargen.page.locator(".statusbar-item", has_text="Q a A a . Q b A").wait_for()
    pargen.evaluate("await vscode.commands.executeCommand('psl.run', { uri: uri('pargen.psl').toString(), test: 0 })")
    pargen.page.locator(".statusbar-item", has_text="swap").wait_for()
