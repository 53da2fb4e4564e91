"""The Test Explorer in the workbench of Visual Studio Code."""

import pytest
from pargen import FAILING
from paths import INDUCTION
from workbench import Workbench, until


def listed(bench: Workbench) -> list[str]:
    """The names in the Test Explorer."""
    labels = bench.page.locator(".test-explorer .monaco-list-row .label")
    return labels.evaluate_all("labels => labels.map((label) => label.firstChild.textContent)")


@pytest.fixture
def bench(bench: Workbench) -> Workbench:
    """The workbench with the Test Explorer and two programs, one of them never opened."""
    bench.write("failing.psl", FAILING)
    bench.open("induction.psl", INDUCTION.read_text())
    bench.evaluate("await vscode.commands.executeCommand('workbench.view.testing.focus')")
    return bench


def test_the_explorer_lists_the_tests_of_closed_files(bench: Workbench):
    until(lambda: listed(bench), lambda names: {"failing.psl", "induction.psl"} <= set(names))


@pytest.mark.usefixtures("theme", "picture")
def test_all_tests_run_and_a_failing_one_shows_the_difference(bench: Workbench):
    until(lambda: listed(bench), lambda names: {"failing.psl", "induction.psl"} <= set(names))

    def run() -> str:
        bench.evaluate("await vscode.commands.executeCommand('testing.runAll')")
        return bench.page.locator(".result-summary").inner_text()

    # The tests of the last test's files are removed late, and with them those of the new files until they are listed again.
    until(run, lambda text: text.startswith("14/15"))
    failed = bench.page.locator(".test-output-peek-tree .monaco-list-row", has_text="swap")
    failed.click()
    sides = bench.page.locator(".test-output-peek-message-container .monaco-diff-editor .view-line")
    shown = until(sides.all_inner_texts, lambda lines: len(lines) == 2)
    assert [side.replace("\xa0", " ") for side in shown] == ["K L V F G G .", "K L V F G H ."]


@pytest.mark.usefixtures("picture")
def test_a_broken_law_shows_the_symbols_that_break_it(bench: Workbench):
    program = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n"
    laws = '//@ max-new 1\n//@ law any "$a $b" => "$b"\n//@ law keeps "$a $b" => "$b"\n'
    bench.open("laws.psl", laws + program)
    until(lambda: listed(bench), lambda names: "laws.psl" in names)
    bench.evaluate("void vscode.commands.executeCommand('testing.runCurrentFile')")
    failed = bench.page.locator(".test-output-peek-tree .monaco-list-row", has_text="$a $b => $b")
    until(failed.inner_text, lambda text: "With $a = a, $b = A: symbol 1 is" in text.replace("\xa0", " "))


def test_a_continuous_run_repeats_after_saving(bench: Workbench):
    until(lambda: listed(bench), lambda names: {"failing.psl", "induction.psl"} <= set(names))
    bench.evaluate("void vscode.commands.executeCommand('testing.startContinuousRun')")
    bench.page.locator(".test-explorer .codicon-testing-turn-continuous-run-on.disabled").first.wait_for()
    bench.open("failing.psl")
    bench.put_cursor('"K L V F G G ."', len('"K L V F G '))
    bench.page.keyboard.press("Delete")
    bench.page.keyboard.type("H")
    bench.evaluate("await vscode.window.activeTextEditor.document.save()")
    until(bench.page.locator(".result-summary").inner_text, lambda text: text.startswith("10/10"))
    bench.evaluate("await vscode.commands.executeCommand('testing.stopContinuousRun')")


def test_a_cancelled_run_ends(bench: Workbench):
    bench.open("endless.psl", f'//@ max-new 900000\n//@ stop "NEVER"\n{INDUCTION.read_text()}')
    until(lambda: listed(bench), lambda names: "endless.psl" in names)
    bench.evaluate("void vscode.commands.executeCommand('testing.runCurrentFile')")
    running = bench.page.locator(".test-explorer .computed-state.codicon-loading").first
    running.wait_for()
    bench.evaluate("await vscode.commands.executeCommand('testing.cancelRun')")
    running.wait_for(state="hidden")
