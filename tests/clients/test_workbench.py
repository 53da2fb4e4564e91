"""Showing and editing a program in the workbench of Visual Studio Code."""

import re

import pytest
from pargen import BROKEN
from paths import PARGEN
from workbench import Workbench, until


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
def test_a_hover_describes_a_production(pargen: Workbench):
    pargen.diagnostics("pargen.psl")
    pargen.put_cursor("where symbol[n] == symbol[N] and position[n] == 1", 8)
    pargen.page.locator(".codelens-decoration", has_text="layer 4").wait_for()

    def hover() -> str:
        # A redraw of the line closes the hover.
        pargen.evaluate("await vscode.commands.executeCommand('editor.action.showHover')")
        return "".join(pargen.page.locator(".monaco-hover:visible").all_inner_texts())

    until(hover, lambda text: "symbol" in text and "output" in text)


@pytest.mark.usefixtures("picture")
def test_names_are_completed_while_typing(pargen: Workbench):
    pargen.diagnostics("pargen.psl")
    pargen.put_cursor("where prev_position[N] == 0 and", len("where prev_position[N] == 0"))
    pargen.page.keyboard.type(" and fie", delay=60)
    rows = pargen.page.locator(".suggest-widget.visible .monaco-list-row")
    until(rows.all_inner_texts, lambda shown: any("field" in row for row in shown))
    pargen.page.keyboard.press("Enter")
    until(lambda: pargen.text("pargen.psl"), lambda text: "where prev_position[N] == 0 and field[N" in text)


def test_a_rename_changes_all_uses(pargen: Workbench):
    pargen.diagnostics("pargen.psl")
    pargen.put_cursor("prev_symbol[N] = symbol[n]")
    pargen.page.keyboard.press("F2")
    name = pargen.page.locator(".rename-box input")
    name.fill("left_symbol")
    name.press("Enter")
    renamed = until(lambda: pargen.text("pargen.psl"), lambda text: "left_symbol" in text)
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


def test_inlay_hints_are_shown(pargen: Workbench):
    pargen.put_cursor("region[N] = R_INIT")
    lines = pargen.page.locator(".view-line")
    until(lines.all_inner_texts, lambda shown: any(re.search(r"R_INIT⇒ ….* R │ ", line.replace("\xa0", " ")) for line in shown))


@pytest.mark.usefixtures("theme", "picture")
def test_read_and_written_registers_have_different_colors(pargen: Workbench):
    line = "prev_symbol[N] = symbol[n]"
    pargen.put_cursor(line)

    def colors():
        return [pargen.color(word, line) for word in ("prev_symbol", "symbol")]

    until(colors, lambda seen: None not in seen and len(set(seen)) == 2)
