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


def test_a_lens_runs_a_prompt_that_is_typed(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    lens(bench, "Run on a prompt").click()
    bench.page.locator(".quick-input-widget:visible", has_text="Run on a Prompt").wait_for()
    bench.page.keyboard.type(PROMPT)
    bench.page.keyboard.press("Enter")
    lens(bench, f"⇒ {CONTINUATION}").wait_for()
    until(bench.behind_lines, lambda shown: any(CONTINUATION in text and "ended by the stop symbol" in text for text in shown))


def test_a_prompt_stays_in_the_list_and_in_the_view(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    lens(bench, "Run on a prompt").click()
    question = bench.page.locator(".quick-input-widget:visible", has_text="Run on a Prompt")
    question.wait_for()
    bench.page.keyboard.type(PROMPT)
    bench.page.keyboard.press("Enter")
    question.wait_for(state="hidden")
    open_explorer(bench)
    bench.page.get_by_role("treeitem", name=CONTINUATION).first.wait_for()
    lens(bench, "Run on a prompt").click()
    question.wait_for()
    until(question.inner_text, lambda text: PROMPT in text)


def test_the_explorer_lists_the_tests_of_files_that_are_not_open(bench: Workbench):
    bench.write("failing.psl", FAILING)
    bench.write("induction.psl", INDUCTION)
    open_explorer(bench)
    until(lambda: listed(bench), lambda names: names == ["failing.psl", "induction.psl"])


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
