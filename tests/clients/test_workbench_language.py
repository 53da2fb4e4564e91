"""Contributions of the extension's manifest: typing, snippets, settings, tasks and the walkthrough."""

import json
from contextlib import suppress

import pytest
from pargen import BROKEN, FAILING
from paths import INDUCTION, PARGEN
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from workbench import Workbench, until

DECLARATIONS = INDUCTION.read_text().partition("# remember")[0]
# Typed without white space at the start of lines.
TYPED = """where eop[N] == EOP:
    parse[N] = 0

repeat:
    where prev_symbol[N] == symbol[N]:
        parse[N] = 0

until NO_CHANGE
"""


def test_lines_are_indented_while_typing(bench: Workbench):
    bench.open("typed.psl", DECLARATIONS)
    bench.diagnostics("typed.psl")
    bench.put_cursor(DECLARATIONS, len(DECLARATIONS))
    typed = DECLARATIONS
    for line in TYPED.splitlines(keepends=True):
        bench.page.keyboard.type(line.strip(), delay=40)
        bench.page.keyboard.press("Enter")
        typed += line
        # The editor drops the server's edits if more was typed before they came, so the typist looks up at each line's end.
        until(lambda: bench.text("typed.psl").rstrip(" "), lambda text: text == typed)
    until(lambda: bench.text("typed.psl"), lambda text: text == typed)


def test_tab_moves_through_a_snippet(bench: Workbench):
    bench.open("typed.psl", DECLARATIONS)
    bench.put_cursor(DECLARATIONS, len(DECLARATIONS))
    # Automatic suggestions would take the tab key.
    with bench.setting("editor.quickSuggestions", False):
        bench.page.keyboard.type("where-c")
        bench.page.keyboard.press("Control+Space")
        bench.page.locator(".suggest-widget.visible .monaco-list-row", has_text="Production within a cell").click()
        until(lambda: bench.text("typed.psl"), lambda text: "where" in text)
        for word in ["symbol", "A", "mark", "symbol"]:
            bench.page.keyboard.type(word)
            bench.page.keyboard.press("Tab")
    production = "where symbol[N] == A:\n    mark[N] = symbol[N]"
    until(lambda: bench.text("typed.psl"), lambda text: text == DECLARATIONS + production)


GUARDS = """registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}

where symbol[N] == A and copy[N] != B and position[n] == position[N]@pos_decrement:
    mark[N] = symbol[n]
where copy[N] != B and symbol[N] == A:
    copy[N] = C
"""


@pytest.mark.usefixtures("picture")
def test_an_extracted_register_gets_its_name_while_typing(bench: Workbench):
    bench.open("guards.psl", GUARDS)
    bench.diagnostics("guards.psl", lambda codes: codes is not None)
    bench.put_cursor("where copy[N]")
    bench.page.keyboard.press("Control+Shift+R")
    bench.page.locator(".action-widget .monaco-list-row", has_text="Extract the guard").first.wait_for()
    bench.page.keyboard.press("Enter")
    until(lambda: bench.text("guards.psl"), lambda text: "guard[N] = YES" in text)
    bench.page.keyboard.type("seen")
    until(lambda: bench.text("guards.psl"), lambda text: "seen: 'g'" in text and text.count("seen[N]") == 4)


def test_a_compiled_program_is_a_document_that_follows_the_edits(bench: Workbench):
    bench.open("guards.psl", GUARDS)
    bench.diagnostics("guards.psl", lambda codes: codes is not None)
    shown = """const query = `program=${uri('guards.psl')}`;
               const view = vscode.Uri.from({scheme: 'psl', path: '/qkvl/guards.qkvl.json', query});
               return (await vscode.workspace.openTextDocument(view)).getText();"""
    before = bench.evaluate(shown)
    assert "register_map" in json.loads(before)
    bench.put_cursor("    copy[N] = C", len("    copy[N] = "))
    bench.page.keyboard.press("Delete")
    bench.page.keyboard.type("A")
    until(lambda: bench.evaluate(shown), lambda text: text != before and "register_map" in json.loads(text))


@pytest.mark.usefixtures("picture")
def test_the_form_for_severities_changes_the_diagnostics(pargen: Workbench):
    pargen.diagnostics("pargen.psl", lambda codes: "non-causal" in codes)
    pargen.evaluate("await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:psl-tools.psl severity')")
    row = pargen.page.locator(".setting-list-edit-row", has_text="non-causal")

    def turned_off() -> bool:
        with suppress(PlaywrightTimeout):
            if row.count() == 0:
                pargen.page.locator(".setting-list-row", has_text="non-causal").dblclick(timeout=5000)
            row.locator("select").select_option("off", timeout=5000)
            row.get_by_role("button", name="OK").click(timeout=5000)
            return True
        return False

    # The form may be drawn again once, which ends the edit.
    until(turned_off)
    try:
        pargen.diagnostics("pargen.psl", lambda codes: "non-causal" not in codes)
    finally:
        pargen.page.keyboard.press("Escape")
        pargen.evaluate("await vscode.workspace.getConfiguration('psl').update('severity', undefined, true)")
    pargen.diagnostics("pargen.psl", lambda codes: "non-causal" in codes)


def run_task(bench: Workbench, name: str) -> int:
    """Waits for a task with this name, runs it and returns its exit code."""
    names = "return (await vscode.tasks.fetchTasks({ type: 'psl' })).map((task) => task.name)"
    until(lambda: bench.evaluate(names), lambda seen: name in seen)
    return bench.evaluate(
        """const [task] = (await vscode.tasks.fetchTasks({ type: 'psl' })).filter((it) => it.name === name);
           const ended = new Promise((resolve) => vscode.tasks.onDidEndTaskProcess(resolve));
           await vscode.tasks.executeTask(task);
           return (await ended).exitCode""",
        name=name,
    )


def problems(bench: Workbench, words: str) -> list[str]:
    """The rows of the Problems view that contain the words, without the rows of files."""
    bench.evaluate("await vscode.commands.executeCommand('workbench.panel.markers.view.focus')")
    rows = bench.page.locator(".markers-panel .monaco-list-row[aria-level='2']", has_text=words)
    return rows.all_inner_texts()


def test_the_check_task_adds_problems(bench: Workbench):
    # The server skips ignored files. A task checks them if they are named.
    task = {"type": "psl", "command": "check", "args": ["broken.psl"], "problemMatcher": "$psl", "label": "named"}
    bench.write(".vscode/tasks.json", json.dumps({"version": "2.0.0", "tasks": [task]}))
    bench.write(".ignore", "broken.psl")
    bench.write("broken.psl", BROKEN)
    assert run_task(bench, "named") == 1
    until(lambda: problems(bench, "`prev_regon`"))


def test_a_problem_of_the_task_and_the_server_is_listed_once(bench: Workbench):
    bench.write("broken.psl", BROKEN)
    bench.diagnostics("broken.psl", lambda codes: codes == ["unknown-register"])
    assert run_task(bench, "check") == 1
    assert len(until(lambda: problems(bench, "`prev_regon`"))) == 1


@pytest.mark.usefixtures("picture")
def test_the_test_task_adds_problems(bench: Workbench):
    bench.write("failing.psl", FAILING)
    assert run_task(bench, "test") == 1
    # The message of the server starts with "test `swap`".
    until(lambda: problems(bench, "swap: symbol 6 is"))


@pytest.mark.usefixtures("picture")
def test_the_walkthrough_opens_its_program(bench: Workbench):
    bench.evaluate("await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'psl-tools.psl#start')")
    bench.page.locator(".gettingStartedContainer", has_text="Get Started with PSL").wait_for()
    bench.page.get_by_role("button", name="Open PARGEN").click()
    text = "return vscode.window.activeTextEditor?.document.getText()"
    until(lambda: bench.evaluate(text), lambda shown: shown == PARGEN.read_text())
