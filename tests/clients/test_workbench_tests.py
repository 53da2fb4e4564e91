"""Tests and runs in the workbench of Visual Studio Code: lenses, the Test Explorer, the view of runs."""

import pytest
from paths import PARGEN
from workbench import Workbench, until

pytestmark = pytest.mark.timeout(300)

INDUCTION = PARGEN.with_name("induction.psl").read_text()
FAILING = PARGEN.read_text().replace('"K L V F G H ."', '"K L V F G G ."', 1)
PROMPT = "Q john loves mary A mary hugs john . Q sue loves bill A"
CONTINUATION = "bill hugs sue ."


def lens(bench: Workbench, words: str):
    return bench.page.locator(".codelens-decoration a", has_text=words)


def listed(bench: Workbench) -> list[str]:
    """The names in the Test Explorer."""
    labels = bench.page.locator(".test-explorer .monaco-list-row .label")
    return labels.evaluate_all("labels => labels.map((label) => label.firstChild.textContent)")


def open_explorer(bench: Workbench):
    bench.evaluate("await vscode.commands.executeCommand('workbench.view.testing.focus')")


def test_a_lens_runs_a_test_and_keeps_its_result(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    bench.put_cursor("//@ test john_loves_mary")
    # It may have run by itself; only what is asked for is marked in the margin.
    lens(bench, "Run test john_loves_mary").or_(lens(bench, f"✓ {CONTINUATION}")).first.click()
    bench.page.locator(".codicon-testing-passed-icon:visible").wait_for()
    lens(bench, f"✓ {CONTINUATION}").wait_for()


def run_prompt(bench: Workbench, prompt: str):
    """Clicks the lens above the program and types a prompt."""
    lens(bench, "Run on a prompt").click()
    question = bench.page.locator(".quick-input-widget:visible", has_text="Run on a Prompt")
    question.wait_for()
    bench.page.keyboard.type(prompt)
    bench.page.keyboard.press("Enter")
    question.wait_for(state="hidden")


def run_of(bench: Workbench, prompt: str):
    """The row of a prompt in the view of the runs."""
    open_explorer(bench)
    return bench.page.locator(".pane", has_text="PSL Runs").locator(".monaco-list-row", has_text=prompt)


@pytest.mark.usefixtures("theme", "picture")
def test_a_lens_runs_a_prompt_that_is_typed(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    run_prompt(bench, PROMPT)
    lens(bench, f"⇒ {CONTINUATION}").wait_for()
    until(bench.behind_lines, lambda shown: any(CONTINUATION in text and "ended by the stop symbol" in text for text in shown))


@pytest.mark.usefixtures("picture")
def test_a_prompt_that_was_run_is_offered_again(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    run_prompt(bench, PROMPT)
    lens(bench, "Run on a prompt").click()
    offered = bench.page.locator(".quick-input-widget .monaco-list-row", has_text=PROMPT)
    offered.wait_for()
    offered.click()
    lens(bench, f"⇒ {CONTINUATION}").wait_for()


def test_a_run_in_the_view_is_run_again(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    run_prompt(bench, PROMPT)
    bench.put_cursor(PARGEN.read_text(), len(PARGEN.read_text()))
    bench.page.keyboard.type("# edited")
    bench.evaluate("await vscode.commands.executeCommand('cursorTop')")
    lens(bench, "Run on a prompt").wait_for()
    row = run_of(bench, PROMPT)
    row.hover()
    row.get_by_role("button", name="Run Again").click()
    until(bench.behind_lines, lambda shown: any(CONTINUATION in text for text in shown))


def test_a_run_in_the_view_becomes_a_test(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    prompt = "Q a b A b a . Q c d A"
    run_prompt(bench, prompt)
    row = run_of(bench, prompt)
    row.hover()
    row.get_by_role("button", name="Save as Test").click()
    until(lambda: bench.text("pargen.psl"), lambda text: f'"{prompt}" => ' in text)


def test_the_explorer_lists_the_tests_of_files_that_are_not_open(bench: Workbench):
    bench.write("failing.psl", FAILING)
    bench.write("induction.psl", INDUCTION)
    open_explorer(bench)
    until(lambda: listed(bench), lambda names: names == ["failing.psl", "induction.psl"])


@pytest.mark.usefixtures("theme", "picture")
def test_all_tests_run_and_the_one_that_fails_shows_the_difference(bench: Workbench):
    bench.write("failing.psl", FAILING)
    bench.write("induction.psl", INDUCTION)
    open_explorer(bench)
    until(lambda: listed(bench), lambda names: names == ["failing.psl", "induction.psl"])
    bench.evaluate("await vscode.commands.executeCommand('testing.runAll')")
    summary = bench.page.locator(".result-summary")
    until(summary.inner_text, lambda text: text.startswith("10/11"))
    failed = bench.page.locator(".test-output-peek-tree .monaco-list-row", has_text="swap")
    failed.click()
    sides = bench.page.locator(".test-output-peek-message-container .monaco-diff-editor .view-line")
    shown = until(sides.all_inner_texts, lambda lines: len(lines) == 2)
    assert [side.replace("\xa0", " ") for side in shown] == ["K L V F G G .", "K L V F G H ."]
