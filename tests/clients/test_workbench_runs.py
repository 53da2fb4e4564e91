"""Runs in the workbench of Visual Studio Code: by lenses, on prompts that are typed, from the view of the runs."""

import re

import pytest
from paths import PARGEN
from workbench import Workbench, until

pytestmark = pytest.mark.timeout(300)

PROMPT = "Q john loves mary A mary hugs john . Q sue loves bill A"
CONTINUATION = "bill hugs sue ."
# What stands behind the line of the lens.
RESULT = f"ended by the stop symbol · .*ms · {re.escape(PROMPT[:30])}"


def lens(bench: Workbench, words: str):
    return bench.page.locator(".codelens-decoration a", has_text=words)


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
    type_prompt(bench, prompt)


def type_prompt(bench: Workbench, prompt: str):
    question = bench.page.locator(".quick-input-widget:visible", has_text="Run on a Prompt")
    question.wait_for()
    bench.page.keyboard.type(prompt)
    bench.page.keyboard.press("Enter")
    question.wait_for(state="hidden")


def run_of(bench: Workbench, prompt: str):
    """The row of a prompt in the view of the runs."""
    bench.evaluate("await vscode.commands.executeCommand('workbench.view.testing.focus')")
    return bench.page.locator(".pane", has_text="PSL Runs").locator(".monaco-list-row", has_text=prompt)


@pytest.mark.usefixtures("theme", "picture")
def test_a_lens_runs_a_prompt_that_is_typed(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    run_prompt(bench, PROMPT)
    lens(bench, f"⇒ {CONTINUATION}").wait_for()
    until(bench.behind_lines, lambda shown: any(re.search(RESULT, text) for text in shown))


def test_without_lenses_the_continuation_stands_with_the_rest(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    with bench.setting("editor.codeLens", False):
        # It ends with the answer to the question.
        bench.evaluate("void vscode.commands.executeCommand('psl.runOnPrompt')")
        type_prompt(bench, PROMPT)
        result = f"⇒ {re.escape(CONTINUATION)} · {RESULT}"
        until(bench.behind_lines, lambda shown: any(re.search(result, text) for text in shown))


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
    until(bench.behind_lines, lambda shown: any(re.search(RESULT, text) for text in shown))


def test_a_run_in_the_view_becomes_a_test(bench: Workbench):
    bench.open("pargen.psl", PARGEN.read_text())
    prompt = "Q a b A b a . Q c d A"
    run_prompt(bench, prompt)
    row = run_of(bench, prompt)
    row.hover()
    row.get_by_role("button", name="Save as Test").click()
    until(lambda: bench.text("pargen.psl"), lambda text: f'"{prompt}" => ' in text)
