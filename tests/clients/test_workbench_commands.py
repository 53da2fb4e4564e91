"""The commands of the extension, from the palette of Visual Studio Code and by their keys."""

import pytest
from pargen import BROKEN, FAILING
from paths import INDUCTION, PARGEN, PROGRAMS
from workbench import Workbench, until


def beside(bench: Workbench, name: str) -> str:
    """Waits for a document of the extension beside the program, and returns its text."""
    code = """const editor = vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith(name));
              return editor && editor.viewColumn === vscode.ViewColumn.Two ? editor.document.getText() : ''"""
    return until(lambda: bench.evaluate(code, name=name))


def lines_shown(bench: Workbench, name: str) -> tuple[int, int]:
    """The first and the last visible line of a document, 0-based."""
    code = """const editor = vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith(name));
              const [{ start, end }] = editor.visibleRanges;
              return [start.line, end.line]"""
    return bench.evaluate(code, name=name)


def shows(bench: Workbench, name: str, line: int) -> bool:
    first, last = lines_shown(bench, name)
    return first <= line <= last


def test_run_the_test_at_the_cursor(pargen: Workbench):
    pargen.put_cursor("//@ test tgt_ex_2")
    pargen.choose("PSL: Run Test at Cursor")
    pargen.page.locator(".codelens-decoration a", has_text="✓ some light monkey .").wait_for()


@pytest.mark.usefixtures("picture")
def test_run_all_tests(bench: Workbench):
    bench.open("failing.psl", FAILING)
    bench.choose("PSL: Run All Tests in File")
    bench.page.locator(".codelens-decoration a", has_text="8 passed, 1 failed").wait_for()
    bench.page.locator(".statusbar-item", has_text="8 passed, 1 failed").wait_for()


@pytest.mark.usefixtures("picture")
def test_a_repair_is_chosen_by_its_diff(bench: Workbench):
    right = "where prev_region[N] == XQ and region[N] == R_INIT"
    bench.open("broken.psl", PARGEN.read_text().replace(right, right.replace("XQ", "CQ"), 1))
    bench.choose("PSL: Search for a Repair")
    bench.page.locator(".quick-input-list .monaco-list-row", has_text="replace `CQ` with `XQ`").first.click()
    bench.page.locator(".monaco-diff-editor").wait_for()
    bench.notification("replace `CQ` with `XQ`").get_by_role("button", name="Apply").click()
    until(lambda: bench.text("broken.psl"), lambda text: right in text)


def actions_here(bench: Workbench) -> list[str]:
    """Opens the list of code actions at the cursor, and closes it."""
    rows = bench.page.locator(".action-widget .monaco-list-row.action")
    bench.page.keyboard.press("Control+Period")
    rows.first.wait_for()
    titles = rows.all_inner_texts()
    bench.page.keyboard.press("Escape")
    rows.first.wait_for(state="hidden")
    return titles


@pytest.mark.usefixtures("picture")
def test_a_failing_test_offers_its_actions_on_its_whole_line(bench: Workbench):
    right = "where prev_region[N] == XQ and region[N] == R_INIT"
    bench.open("broken.psl", PARGEN.read_text().replace(right, right.replace("XQ", "CQ"), 1))
    bench.diagnostics("broken.psl", lambda codes: "failing-test" in codes)
    for place in "//@ test swap", '=> "K L V F G H ."':
        bench.put_cursor(place)
        titles = until(lambda: actions_here(bench), lambda found: any("replace `CQ` with `XQ`" in each for each in found))
        kinds = ["replace `CQ` with `XQ`", "Debug this test", "Explore this test", "Expect "]
        places = [next(at for at, title in enumerate(titles) if kind in title) for kind in kinds]
        assert places == sorted(places) and places[-1] == len(titles) - 1, titles


def test_what_belongs_in_a_hole_is_chosen_by_its_diff(bench: Workbench):
    right = "where prev_region[N] == XQ and region[N] == R_INIT"
    bench.open("hole.psl", PARGEN.read_text().replace(right, right.replace("XQ", "?"), 1))
    bench.choose("PSL: Search for What Belongs in the Holes")
    bench.page.locator(".quick-input-list .monaco-list-row", has_text="XQ").first.click()
    bench.page.locator(".monaco-diff-editor").wait_for()
    bench.notification("XQ").get_by_role("button", name="Apply").click()
    until(lambda: bench.text("hole.psl"), lambda text: right in text)


def test_a_test_of_what_no_test_notices_is_chosen_by_its_diff(bench: Workbench):
    program = """//@ max-new 1
//@ test "A" => "B"
registers: {symbol: 's', position: 'p'}
constants: {A, B}
system: {symbol: symbol, position: position, output: symbol}
where symbol[N] == A:
    symbol[N] = B
"""
    bench.open("marks.psl", program)
    bench.put_cursor("where symbol")
    bench.page.keyboard.press("Control+Period")
    bench.page.locator(".action-widget .monaco-list-row.action", has_text="what the tests do not notice here").click()
    bench.page.locator(".quick-input-list .monaco-list-row", has_text="Save as a test").first.click()
    bench.page.locator(".monaco-diff-editor").wait_for()
    bench.notification("Save as a test").get_by_role("button", name="Apply").click()
    until(lambda: bench.text("marks.psl"), lambda text: '//@ test "A ." => "."' in text)


def test_show_qkvl_beside_the_program_and_read_only(pargen: Workbench):
    pargen.choose("PSL: Show QKVL")
    assert '"register_map"' in beside(pargen, "pargen.qkvl.json")
    writable = "return vscode.workspace.fs.isWritableFileSystem('psl-view') ?? false"
    assert pargen.evaluate(writable) is False


@pytest.mark.usefixtures("theme", "picture")
def test_qkvl_and_the_program_follow_each_other_s_cursor(pargen: Workbench):
    pargen.choose("PSL: Show QKVL")
    lines = beside(pargen, "pargen.qkvl.json").splitlines()
    last = next(at for at, line in enumerate(lines) if "# G1: continue the current field" in line)
    assert not shows(pargen, "pargen.qkvl.json", last)
    pargen.put_cursor("# G1: continue the current field")
    pargen.page.keyboard.press("ArrowDown")
    until(lambda: shows(pargen, "pargen.qkvl.json", last))
    production = next(at for at, line in enumerate(PARGEN.read_text().splitlines()) if line.startswith("# P1a: start"))
    assert not shows(pargen, "pargen.psl", production)
    pargen.evaluate(
        """const editor = vscode.window.visibleTextEditors.find(({ viewColumn }) => viewColumn === vscode.ViewColumn.Two);
           await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn });"""
    )
    pargen.put_cursor("# P1a: start the example")
    pargen.page.keyboard.press("ArrowDown")
    until(lambda: shows(pargen, "pargen.psl", production))


def test_qkvl_follows_the_cursor_below_repeat_blocks(bench: Workbench):
    bench.open("blocks.psl", (PROGRAMS / "blocks.psl").read_text())
    bench.ready()
    bench.choose("PSL: Show QKVL")
    lines = beside(bench, "blocks.qkvl.json").splitlines()
    for name in "fifth", "first", "third":
        line = next(at for at, line in enumerate(lines) if f'"# {name}"' in line)
        bench.put_cursor(f"# {name}")
        bench.page.keyboard.press("ArrowDown")
        until(lambda: shows(bench, "blocks.qkvl.json", line))


def test_qkvl_updates_while_typing(pargen: Workbench):
    pargen.choose("PSL: Show QKVL")
    assert "P1a, changed" not in beside(pargen, "pargen.qkvl.json")
    pargen.put_cursor("# P1a: start", len("# P1a"))
    pargen.page.keyboard.type(", changed")
    until(lambda: beside(pargen, "pargen.qkvl.json"), lambda text: "P1a, changed" in text)


@pytest.mark.usefixtures("picture")
def test_show_the_trace_as_a_table(pargen: Workbench):
    pargen.choose("PSL: Show Trace as Table")
    table = beside(pargen, "pargen.table.txt")
    assert "region" in table and "P1a" in table


def test_keys(pargen: Workbench):
    pargen.put_cursor("registers")
    pargen.page.keyboard.press("Control+Semicolon")
    pargen.page.keyboard.press("q")
    beside(pargen, "pargen.qkvl.json")


@pytest.mark.usefixtures("picture")
def test_explain_the_diagnostic_at_the_cursor(bench: Workbench):
    bench.open("broken.psl", BROKEN)
    bench.diagnostics("broken.psl", lambda codes: "unknown-register" in codes)
    bench.put_cursor("prev_regon")
    bench.choose("PSL: Explain Diagnostic")
    # The preview is a frame inside a frame.
    pages = bench.page.frame_locator("iframe.webview").frame_locator("iframe")
    pages.get_by_role("heading", name="unknown-register").wait_for()


def test_restart_the_server(pargen: Workbench):
    [before] = pargen.servers()
    pargen.choose("PSL: Restart Server")
    until(pargen.servers, lambda pids: len(pids) == 1 and pids != [before])
    pargen.ready()


@pytest.mark.usefixtures("picture")
def test_show_the_log(pargen: Workbench):
    pargen.choose("PSL: Show Log")
    shown = pargen.page.locator(".output-view .view-line")
    until(shown.all_inner_texts, lambda lines: any("Starting\xa0psl" in line for line in lines))


@pytest.mark.usefixtures("picture")
def test_the_item_in_the_status_bar_opens_a_menu(pargen: Workbench):
    pargen.status_item.click()
    offered = pargen.page.locator(".quick-input-widget .monaco-list-row")
    choices = ["Show Log", "Restart Server", "Open Settings"]
    until(offered.all_inner_texts, lambda rows: [row.strip() for row in rows] == choices)


def test_a_new_program(bench: Workbench):
    bench.open("induction.psl", INDUCTION.read_text())
    bench.choose("PSL: New Program")
    rows = bench.page.locator(".quick-input-widget .monaco-list-row")
    rows.filter(has_text="skeleton").wait_for()
    bench.page.keyboard.type("from one example")
    until(rows.all_inner_texts, lambda shown: len(shown) == 1)
    bench.page.keyboard.press("Enter")
    code = """const { document } = vscode.window.activeTextEditor;
              return [document.isUntitled, document.languageId, document.getText()]"""
    until(lambda: bench.evaluate(code), lambda seen: seen == [True, "psl", PARGEN.read_text()])


@pytest.mark.parametrize("link, opened", [("Show Table", "failing.table.txt"), ("Explore", None)])
def test_the_hover_of_a_failing_test_has_links(bench: Workbench, link: str, opened: str | None):
    bench.open("failing.psl", FAILING)
    code = """const { document } = vscode.window.activeTextEditor;
              return vscode.languages.getDiagnostics(document.uri).map(({ code }) => code.value ?? code)"""
    until(lambda: bench.evaluate(code), lambda codes: "failing-test" in codes)
    bench.put_cursor('"K L V F G G ."', len('"K L V F G '))
    bench.evaluate("await vscode.commands.executeCommand('editor.action.showHover')")
    hover = bench.page.locator(".monaco-hover:visible")
    hover.locator("a", has_text=link).click()
    if opened:
        assert "layer 1 · " in beside(bench, opened)
    else:
        bench.page.get_by_role("tab", name="Explore failing.psl").wait_for()
