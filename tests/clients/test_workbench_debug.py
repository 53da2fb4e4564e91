"""The debugger in the workbench of Visual Studio Code: from lenses, the Test Explorer and F5, in both directions of time."""

import re
from contextlib import suppress

import pytest
from pargen import TEXT
from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from workbench import Workbench, until

P5B = "where region[n] == XQ and region[N] == CQ"
GOLD = '"K L V F G H ."'
# The first symbol that PARGEN generates is K.
FAILING = TEXT.replace(GOLD, '"K L V G F H ."')


@pytest.fixture
def bench(bench: Workbench):
    """The workbench, without sessions and breakpoints after the test."""
    yield bench
    bench.evaluate(
        """await vscode.debug.stopDebugging();
           vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
           await vscode.commands.executeCommand('workbench.debug.viewlet.action.removeAllBreakpoints');"""
    )
    bench.page.locator(".debug-toolbar").wait_for(state="hidden")


def open_program(bench: Workbench, text: str = TEXT):
    bench.open("pargen.psl", text)
    bench.ready()


def line_of(needle: str, text: str = TEXT) -> int:
    """The 0-based line of a needle."""
    return text[: text.index(needle)].count("\n")


def debug_lens(bench: Workbench, test: str):
    """Clicks the lens of a test."""
    bench.put_cursor(f"//@ test {test} ")
    lens = bench.page.locator(".codelens-decoration", has_text=re.compile(rf"Run test {test}\b|[✓✗]")).locator("a", has_text="Debug")
    lens.first.click()


def debug_swap(bench: Workbench, text: str = TEXT):
    """Opens a program, and debugs its first test from the start."""
    open_program(bench, text)
    debug_lens(bench, "swap")
    stops_at(bench, "cell 1 (Q)")


def insert_comment(bench: Workbench):
    bench.evaluate(
        """const edit = new vscode.WorkspaceEdit();
           edit.insert(uri('pargen.psl'), new vscode.Position(0, 0), '# edited\\n');
           await vscode.workspace.applyEdit(edit);"""
    )


def debug_in_test_explorer(bench: Workbench, name: str):
    # A file with a new name: the tests of a deleted one are removed late.
    bench.open(name, TEXT)
    bench.ready()
    bench.put_cursor("//@ test swap ")
    # The tests are listed.
    bench.page.locator(".testing-run-glyph").first.wait_for()
    bench.evaluate("void vscode.commands.executeCommand('testing.debugAtCursor')")
    stops_at(bench, "cell 1 (Q)", "P0")


def frames(bench: Workbench) -> list[str]:
    """The names of the shown frames, innermost first."""
    return bench.page.locator(".debug-call-stack .stack-frame .label").all_inner_texts()


def stops_at(bench: Workbench, *expected: str) -> list[str]:
    """Waits until the first frames have these names."""
    return until(lambda: frames(bench), lambda seen: all(map(str.startswith, seen, expected)) and len(seen) >= len(expected))


def press(bench: Workbench, button: str):
    """Clicks a button of the toolbar."""
    bench.page.locator(".debug-toolbar").get_by_role("button", name=re.compile(f"^{button}")).click()


def values_after_lines(bench: Workbench, *expected: str):
    """Waits for values of registers after the lines of the production."""
    for text in expected:
        bench.page.locator(".view-line", has_text=text).wait_for()


def add_breakpoint(bench: Workbench, needle: str, condition: str | None = None, text: str = TEXT):
    bench.evaluate(
        """const at = new vscode.Location(uri('pargen.psl'), new vscode.Position(line, 0));
           vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at, true, condition ?? undefined)]);""",
        line=line_of(needle, text),
        condition=condition,
    )


def column(bench: Workbench, cell: int) -> list[str]:
    """The values of a cell in the panel."""
    rows = bench.webview().locator("tbody tr")
    return rows.evaluate_all("(rows, cell) => rows.map((row) => row.children[cell].textContent)", cell)


def variable(bench: Workbench, name: str) -> Locator:
    """A register of the current cell."""
    return bench.page.locator(".debug-view-content, .debug-pane").locator(".monaco-list-row", has_text=f"{name} =").first


def break_on_change(bench: Workbench, register: str):
    """Sets a data breakpoint on a register of the current cell."""
    item = bench.page.locator(".context-view .action-label", has_text="Break on Value Change")
    breakpoint_row = bench.page.locator(".debug-breakpoints .monaco-list-row", has_text=f"{register}[")

    def is_set() -> bool:
        # A menu closes when the list below it is updated, and ignores the mouse at first.
        with suppress(PlaywrightTimeoutError):
            if not item.is_visible():
                variable(bench, register).click(button="right", timeout=5000)
            item.click(timeout=3000)
            breakpoint_row.wait_for(timeout=1000)
        return breakpoint_row.is_visible()

    until(is_set)


def command_of_console(bench: Workbench, command: str):
    code = "await vscode.debug.activeDebugSession.customRequest('evaluate', { expression, context: 'repl' })"
    bench.evaluate(code, expression=command)


@pytest.mark.usefixtures("theme", "picture")
def test_a_lens_debugs_a_test_from_its_start(bench):
    open_program(bench)
    debug_lens(bench, "swap")
    stops_at(bench, "cell 1 (Q)", "P0", "prompt")
    until(lambda: column(bench, 1), lambda seen: seen[:4] == ["Q", "∅→R", "∅→T", "∅→1"])


@pytest.mark.usefixtures("picture")
def test_a_conditional_breakpoint_and_a_step_back(bench):
    open_program(bench)
    add_breakpoint(bench, P5B, "cell == 16")
    debug_lens(bench, "swap")
    stops_at(bench, "cell 16 (V)", "P5b")
    values_after_lines(bench, "field[N] = 16, field[n] = 3", "type[N] = T")
    assert until(lambda: column(bench, 16)) == ["V", "CQ", "T→D", "16→3", "1"]
    assert bench.webview().locator(".attended button").inner_text() == "3"
    press(bench, "Step Into")
    stops_at(bench, "cell 17 (K)", "P5b")
    press(bench, "Step Back")
    stops_at(bench, "cell 17 (K)", "P5a")


def test_a_click_on_a_cell_goes_there(bench):
    debug_swap(bench)
    bench.webview().get_by_role("button", name="7", exact=True).click()
    stops_at(bench, "cell 7 (D)", "P0")


@pytest.mark.usefixtures("picture")
def test_a_data_breakpoint_stops_at_the_last_change_in_reverse(bench):
    open_program(bench)
    add_breakpoint(bench, P5B, "cell == 16")
    debug_lens(bench, "swap")
    stops_at(bench, "cell 16 (V)")
    break_on_change(bench, "field")
    bench.evaluate("vscode.debug.removeBreakpoints(vscode.debug.breakpoints.filter((it) => it instanceof vscode.SourceBreakpoint))")
    press(bench, "Continue")
    stops_at(bench, "end")
    press(bench, "Reverse")
    stops_at(bench, "cell 16 (V)", "P5b")
    press(bench, "Reverse")
    stops_at(bench, "cell 16 (V)", "P0")


@pytest.mark.usefixtures("picture")
def test_reverse_finds_the_production_that_wrote_the_wrong_symbol(bench):
    debug_swap(bench, FAILING)
    press(bench, "Continue")
    stops_at(bench, "symbol 4")
    bench.page.locator(".exception-widget", has_text="Wrong symbol").wait_for()
    break_on_change(bench, "symbol")
    press(bench, "Reverse")
    stops_at(bench, "cell 22 (V)", "G3", "symbol 4")
    until(lambda: column(bench, 22), lambda seen: seen[:1] == ["V→F"])


def test_reverse_from_the_end_goes_over_all_wrong_symbols(bench):
    debug_swap(bench, FAILING)
    command_of_console(bench, "goto end")
    stops_at(bench, "end")
    for symbol in (5, 4):
        press(bench, "Reverse")
        stops_at(bench, f"symbol {symbol}")


def test_a_restart_takes_the_newer_text(bench):
    debug_swap(bench)
    insert_comment(bench)
    press(bench, "Restart")
    code = "return (await vscode.debug.activeDebugSession.customRequest('source', { sourceReference: 1 })).content"
    until(lambda: bench.evaluate(code), lambda text: text == f"# edited\n{TEXT}")


@pytest.mark.parametrize("saves", [True, False], ids=["saved", "not saved"])
def test_a_program_edited_while_it_is_debugged_shows_the_text_that_runs(bench, saves):
    debug_swap(bench)
    insert_comment(bench)
    if saves:
        bench.evaluate("await vscode.workspace.saveAll()")
    press(bench, "Step Over")
    shown = "const shown = vscode.window.activeTextEditor?.document; return [shown?.uri.scheme, shown?.getText()]"
    until(lambda: bench.evaluate(shown), lambda seen: seen == ["debug", TEXT])
    bench.page.get_by_text("pargen.psl has changed since the launch").first.wait_for()
    press(bench, "Restart")
    until(lambda: bench.evaluate(shown), lambda seen: seen == ["file", f"# edited\n{TEXT}"])


def test_a_run_without_debugging_ends_by_itself(bench):
    open_program(bench)
    bench.evaluate(
        """const configuration = { type: 'psl', request: 'launch', name: 'run', program: uri('pargen.psl').fsPath, test: 'swap' };
           await vscode.debug.startDebugging(undefined, configuration, { noDebug: true });"""
    )
    bench.evaluate("await vscode.commands.executeCommand('workbench.debug.action.toggleRepl')")
    bench.page.locator(".repl-tree", has_text="K L V F G H .").wait_for()
    until(lambda: bench.evaluate("return vscode.debug.activeDebugSession === undefined"), lambda ended: ended)


def test_the_test_explorer_debugs_a_test(bench):
    debug_in_test_explorer(bench, "debugged.psl")
    press(bench, "Continue")
    stops_at(bench, "end")
    press(bench, "Continue")
    bench.page.locator(".codicon-testing-passed-icon:visible").first.wait_for()


def test_the_stop_button_ends_a_session_of_the_test_explorer(bench):
    debug_in_test_explorer(bench, "stopped.psl")
    press(bench, "Stop")
    bench.page.locator(".debug-toolbar").wait_for(state="hidden")


@pytest.mark.usefixtures("picture")
def test_f5_without_a_configuration_asks_for_a_prompt_or_a_test(bench):
    open_program(bench)
    bench.put_cursor("//@ test swap ")
    bench.page.keyboard.press("F5")
    question = bench.page.locator(".quick-input-widget:visible", has_text="Debug")
    question.locator(".monaco-list-row", has_text="john_loves_mary").wait_for()
    bench.page.keyboard.type("Q a A a . Q b A")
    bench.page.keyboard.press("Enter")
    stops_at(bench, "cell 1 (Q)", "P0")


def test_an_unsaved_program_is_debugged(bench):
    code = """const document = await vscode.workspace.openTextDocument({ language: 'psl', content });
              await vscode.window.showTextDocument(document);
              await vscode.commands.executeCommand('psl.debug', { uri: document.uri.toString(), test: 0 });"""
    bench.evaluate(code, content=TEXT)
    stops_at(bench, "cell 1 (Q)", "P0")
    assert bench.evaluate("return vscode.window.activeTextEditor.document.isUntitled")


def test_a_configuration_names_the_program_relative_to_the_folder(bench):
    configuration = {"type": "psl", "request": "launch", "name": "Swap", "program": "pargen.psl", "test": "swap", "stopOnEntry": True}
    open_program(bench)
    bench.evaluate("void vscode.debug.startDebugging(vscode.workspace.workspaceFolders[0], given)", given=configuration)
    stops_at(bench, "cell 1 (Q)", "P0")


def test_a_configuration_has_completion(bench):
    bench.write(".vscode/launch.json", '{ "version": "0.2.0", "configurations": [{ "type": "psl", "request": "launch", "name": "A",  }] }')
    labels = until(
        lambda: bench.evaluate(
            """const launch = uri('.vscode/launch.json');
               const document = await vscode.workspace.openTextDocument(launch);
               const at = document.positionAt(document.getText().indexOf('  }') + 1);
               const found = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', launch, at);
               return found.items.map(({ label }) => label.label ?? label);"""
        )
    )
    assert {"program", "prompt", "promptJson", "test", "machine", "verify", "stopOnEntry", "maxPasses", "ablate"} <= set(labels)


def test_the_debugged_prompt_is_the_current_one(bench: Workbench):
    open_program(bench)
    for index, test in [(1, "john_loves_mary"), (0, "swap")]:
        bench.evaluate("await vscode.commands.executeCommand('psl.debug', { uri: uri('pargen.psl').toString(), test })", test=index)
        stops_at(bench, "cell 1 (Q)")
        bench.page.locator(".statusbar-item", has_text=test).wait_for()
        bench.page.locator(".codelens-decoration", has_text="fired").first.wait_for()
        bench.evaluate("await vscode.debug.stopDebugging()")
        bench.page.locator(".debug-toolbar").wait_for(state="hidden")
