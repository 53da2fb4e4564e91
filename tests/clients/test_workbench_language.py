"""What the manifest of the extension adds to Visual Studio Code: typing, snippets, settings, tasks, the walkthrough."""

import pytest
from paths import PARGEN
from workbench import Workbench, until

pytestmark = pytest.mark.timeout(300)

INDUCTION = PARGEN.with_name("induction.psl").read_text()
DECLARATIONS = INDUCTION[: INDUCTION.index("# remember")]
# Typed without any space at the start of a line.
TYPED = """where eop[N] == EOP:
    parse[N] = 0

repeat:
    where prev_symbol[N] == symbol[N]:
        parse[N] = 0

until NO_CHANGE
"""


def test_lines_indent_themselves_as_one_types(bench: Workbench):
    bench.open("typed.psl", DECLARATIONS)
    bench.diagnostics("typed.psl")
    bench.put_cursor(DECLARATIONS, len(DECLARATIONS))
    for line in TYPED.splitlines():
        bench.page.keyboard.type(line.strip(), delay=40)
        bench.page.keyboard.press("Enter")
    until(lambda: bench.text("typed.psl"), lambda text: text == DECLARATIONS + TYPED)


def test_a_snippet_is_filled_in_by_the_tabulator(bench: Workbench):
    bench.open("typed.psl", DECLARATIONS)
    bench.put_cursor(DECLARATIONS, len(DECLARATIONS))
    bench.page.keyboard.type("where_r", delay=40)
    rows = bench.page.locator(".suggest-widget.visible .monaco-list-row")
    until(rows.all_inner_texts, lambda shown: any("Production, rightmost match" in row for row in shown))
    rows.filter(has_text="Production, rightmost match").click()
    for word in ["prev_symbol", "symbol", "symbol", "symbol"]:
        bench.page.keyboard.type(word, delay=20)
        bench.page.keyboard.press("Escape")
        bench.page.keyboard.press("Tab")
    production = "where_rm prev_symbol[n] == symbol[N]:\n    symbol[N] = symbol[n]"
    until(lambda: bench.text("typed.psl"), lambda text: text == DECLARATIONS + production)


def test_the_form_of_severities_changes_what_is_reported(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.diagnostics("pargen.psl", lambda codes: "non-causal" in codes)
    bench.evaluate("await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:psl-tools.psl severity')")
    bench.page.locator(".setting-list-row", has_text="non-causal").dblclick()
    row = bench.page.locator(".setting-list-edit-row", has_text="non-causal")
    row.locator("select").select_option("off")
    row.get_by_role("button", name="OK").click()
    try:
        bench.diagnostics("pargen.psl", lambda codes: "non-causal" not in codes)
    finally:
        bench.page.keyboard.press("Escape")
        bench.evaluate("await vscode.workspace.getConfiguration('psl').update('severity', undefined, true)")
    bench.diagnostics("pargen.psl", lambda codes: "non-causal" in codes)


def run_task(bench: Workbench, name: str) -> int:
    """The exit code of a task."""
    return bench.evaluate(
        """const [task] = (await vscode.tasks.fetchTasks({ type: 'psl' })).filter((it) => it.name === name);
           const ended = new Promise((resolve) => vscode.tasks.onDidEndTaskProcess(resolve));
           await vscode.tasks.executeTask(task);
           return (await ended).exitCode""",
        name=name,
    )


def problems(bench: Workbench) -> list[str]:
    """The rows below the files in the view of problems."""
    bench.evaluate("await vscode.commands.executeCommand('workbench.actions.view.problems')")
    return bench.page.locator(".markers-panel .monaco-list-row[aria-level='2']").all_inner_texts()


def test_the_task_that_checks_adds_no_problem_twice(bench: Workbench):
    bench.write("broken.psl", PARGEN.read_text().replace("prev_region[N] == XQ", "prev_regon[N] == XQ", 1))
    bench.diagnostics("broken.psl", lambda codes: codes == ["unknown-register"])
    assert run_task(bench, "check") == 1
    # The server's and the task's.
    bench.diagnostics("broken.psl", lambda codes: codes == ["unknown-register"] * 2)
    [row] = until(lambda: problems(bench))
    assert "no register is called `prev_regon`" in row


def test_the_task_that_tests_puts_failures_among_the_problems(bench: Workbench):
    bench.write("failing.psl", PARGEN.read_text().replace('"K L V F G H ."', '"K L V F G G ."', 1))
    assert run_task(bench, "test") == 1
    until(lambda: problems(bench), lambda rows: any("swap" in row and "Ln 34" in row for row in rows))


def test_the_walkthrough_opens_the_program_that_it_speaks_of(bench: Workbench):
    bench.evaluate("await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'psl-tools.psl#start')")
    bench.page.locator(".gettingStartedContainer", has_text="Get Started with PSL").wait_for()
    bench.page.get_by_role("button", name="Open PARGEN").click()
    text = "return vscode.window.activeTextEditor?.document.getText()"
    until(lambda: bench.evaluate(text), lambda shown: shown == PARGEN.read_text())
