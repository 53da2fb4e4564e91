"""Showing and editing a program in the workbench of Visual Studio Code."""

import pytest
from paths import PARGEN
from workbench import Workbench, until

pytestmark = pytest.mark.timeout(300)

NAME = "prev_region[N] == XQ"
BROKEN = PARGEN.read_text().replace(NAME, "prev_regon[N] == XQ", 1)


def test_the_server_is_not_on_the_path(bench):
    found = bench.evaluate(
        """const { existsSync } = await import('node:fs');
           return process.env.PATH.split(':').filter((folder) => existsSync(`${folder}/psl`));"""
    )
    assert found == []


@pytest.mark.usefixtures("picture")
def test_an_error_is_underlined(bench: Workbench):
    bench.open("broken.psl", BROKEN)
    [error] = [it for it in bench.diagnostics("broken.psl") if it["severity"] == "Error"]
    assert (error["code"], error["word"]) == ("unknown-register", "prev_regon")
    bench.put_cursor("prev_regon")
    bench.page.locator(".squiggly-error").first.wait_for()


def test_a_quick_fix_changes_the_text(bench: Workbench):
    bench.open("broken.psl", BROKEN)
    bench.diagnostics("broken.psl", lambda codes: "unknown-register" in codes)
    bench.put_cursor("prev_regon")
    # The light bulb appears when code actions are available.
    bench.page.locator("[class*=lightbulb]:visible").first.wait_for()
    bench.page.keyboard.press("Control+Period")
    bench.page.locator(".action-widget .monaco-list-row", has_text="prev_region").first.wait_for()
    bench.page.keyboard.press("Enter")
    until(lambda: bench.text("broken.psl"), lambda text: text == PARGEN.read_text())
    bench.diagnostics("broken.psl", lambda codes: "unknown-register" not in codes)


@pytest.mark.usefixtures("theme", "picture")
def test_a_hover_describes_a_production(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.diagnostics("pargen.psl")
    bench.put_cursor("where symbol[n] == symbol[N] and position[n] == 1", 8)
    bench.page.locator(".codelens-decoration", has_text="layer 4").wait_for()

    def hover() -> str:
        # A redraw of the line closes the hover.
        bench.evaluate("await vscode.commands.executeCommand('editor.action.showHover')")
        return "".join(bench.page.locator(".monaco-hover:visible").all_inner_texts())

    until(hover, lambda text: "symbol" in text and "output" in text)


@pytest.mark.usefixtures("picture")
def test_names_are_completed_while_typing(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.diagnostics("pargen.psl")
    bench.put_cursor("where prev_position[N] == 0 and", len("where prev_position[N] == 0"))
    bench.page.keyboard.type(" and fie", delay=60)
    rows = bench.page.locator(".suggest-widget.visible .monaco-list-row")
    until(rows.all_inner_texts, lambda shown: any("field" in row for row in shown))
    bench.page.keyboard.press("Enter")
    until(lambda: bench.text("pargen.psl"), lambda text: "where prev_position[N] == 0 and field[N" in text)


def test_a_rename_changes_all_uses(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.diagnostics("pargen.psl")
    bench.put_cursor("prev_symbol[N] = symbol[n]")
    bench.page.keyboard.press("F2")
    name = bench.page.locator(".rename-box input")
    name.fill("left_symbol")
    name.press("Enter")
    renamed = until(lambda: bench.text("pargen.psl"), lambda text: "left_symbol" in text)
    assert renamed == PARGEN.read_text().replace("prev_symbol", "left_symbol")


def test_saving_formats_if_the_setting_is_on(bench: Workbench):
    indented = PARGEN.read_text().replace("    region[N] = R_INIT", "  region[N]   =  R_INIT", 1)
    bench.open("pargen.psl", indented)
    bench.diagnostics("pargen.psl")
    with bench.setting("editor.formatOnSave", True):
        bench.put_cursor("R_INIT\n", len("R_INIT"))
        bench.page.keyboard.type(" ")
        bench.page.keyboard.press("Control+S")
        until((bench.folder / "pargen.psl").read_text, lambda text: text == PARGEN.read_text())


def test_inlay_hints_are_shown(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.put_cursor("region[N] = R_INIT")
    lines = bench.page.locator(".view-line")
    until(lines.all_inner_texts, lambda shown: any("R_INIT⇒ 19: R │" in line.replace("\xa0", " ") for line in shown))


@pytest.mark.usefixtures("theme", "picture")
def test_read_and_written_registers_have_different_colors(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    line = "prev_symbol[N] = symbol[n]"
    bench.put_cursor(line)

    def colors():
        return [bench.color(word, line) for word in ("prev_symbol", "symbol")]

    until(colors, lambda seen: None not in seen and len(set(seen)) == 2)
