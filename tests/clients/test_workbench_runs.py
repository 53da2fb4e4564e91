"""Runs in the workbench of Visual Studio Code: from lenses, with typed prompts, and from the view of past runs."""

import re

import pytest
from paths import PARGEN
from workbench import Workbench, until

PROMPT = "Q john loves mary A mary hugs john . Q sue loves bill A"
CONTINUATION = "bill hugs sue ."
# The text after the line below the lens.
RESULT = f"ended by the stop symbol · .*ms · {re.escape(PROMPT[:30])}"


def lens(bench: Workbench, words: str):
    return bench.page.locator(".codelens-decoration a", has_text=words)


def test_a_lens_runs_a_test_and_keeps_its_result(pargen: Workbench):
    pargen.put_cursor("//@ test john_loves_mary")
    # The test may have run automatically. Only a requested run is marked in the margin.
    lens(pargen, "Run test john_loves_mary").or_(lens(pargen, f"✓ {CONTINUATION}")).first.click()
    pargen.page.locator(".codicon-testing-passed-icon:visible").wait_for()
    lens(pargen, f"✓ {CONTINUATION}").wait_for()


@pytest.mark.usefixtures("picture")
def test_an_edit_updates_the_results_in_the_margin(pargen: Workbench):
    pargen.put_cursor("//@ test john_loves_mary")
    lens(pargen, "Run test john_loves_mary").or_(lens(pargen, f"✓ {CONTINUATION}")).first.click()
    pargen.page.locator(".codicon-testing-passed-icon:visible").wait_for()
    pargen.put_cursor(f'"{CONTINUATION}"', 1)
    pargen.page.keyboard.type("not ")
    pargen.page.locator(".testing-run-glyph.codicon-testing-failed-icon:visible").wait_for()
    for _ in "not ":
        pargen.page.keyboard.press("Backspace")
    pargen.page.locator(".testing-run-glyph.codicon-testing-passed-icon:visible").wait_for()


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
    """The row of a prompt in the view of past runs."""
    bench.evaluate("await vscode.commands.executeCommand('workbench.view.testing.focus')")
    return bench.page.locator(".pane", has_text="PSL Runs").locator(".monaco-list-row", has_text=prompt)


@pytest.mark.usefixtures("theme", "picture")
def test_a_lens_runs_a_typed_prompt(pargen: Workbench):
    run_prompt(pargen, PROMPT)
    lens(pargen, f"⇒ {CONTINUATION}").wait_for()
    until(pargen.texts_after_lines, lambda shown: any(re.search(RESULT, text) for text in shown))


def test_without_lenses_the_continuation_is_part_of_the_result(pargen: Workbench):
    with pargen.setting("editor.codeLens", False):
        # The command waits for the prompt.
        pargen.evaluate("void vscode.commands.executeCommand('psl.runOnPrompt')")
        type_prompt(pargen, PROMPT)
        result = f"⇒ {re.escape(CONTINUATION)} · {RESULT}"
        until(pargen.texts_after_lines, lambda shown: any(re.search(result, text) for text in shown))


@pytest.mark.usefixtures("picture")
def test_an_earlier_prompt_is_offered(pargen: Workbench):
    run_prompt(pargen, PROMPT)
    lens(pargen, "Run on a prompt").click()
    offered = pargen.page.locator(".quick-input-widget .monaco-list-row", has_text=PROMPT)
    offered.wait_for()
    offered.click()
    lens(pargen, f"⇒ {CONTINUATION}").wait_for()


def test_a_past_run_can_be_repeated(pargen: Workbench):
    run_prompt(pargen, PROMPT)
    pargen.put_cursor(PARGEN.read_text(), len(PARGEN.read_text()))
    pargen.page.keyboard.type("# edited")
    pargen.evaluate("await vscode.commands.executeCommand('cursorTop')")
    lens(pargen, "Run on a prompt").wait_for()
    row = run_of(pargen, PROMPT)
    row.hover()
    row.get_by_role("button", name="Run Again").click()
    until(pargen.texts_after_lines, lambda shown: any(re.search(RESULT, text) for text in shown))


def test_a_past_run_can_be_saved_as_a_test(pargen: Workbench):
    prompt = "Q a b A b a . Q c d A"
    run_prompt(pargen, prompt)
    row = run_of(pargen, prompt)
    row.hover()
    row.get_by_role("button", name="Save as Test").click()
    until(lambda: pargen.text("pargen.psl"), lambda text: f'"{prompt}" => ' in text)


def layers(bench: Workbench) -> list[str]:
    """The lenses in view that count how often a layer fired."""
    return bench.page.locator(".codelens-decoration a", has_text="Layer ").all_inner_texts()


@pytest.mark.usefixtures("theme", "picture")
def test_one_prompt_is_current_until_another_is_chosen(pargen: Workbench):
    pargen.put_cursor("//@ test john_loves_mary")
    lens(pargen, "Run test john_loves_mary").or_(lens(pargen, f"✓ {CONTINUATION}")).first.click()
    item = pargen.page.locator(".statusbar-item", has_text="john_loves_mary")
    item.wait_for()
    pargen.put_cursor("# P3a: start the answer")
    before = until(lambda: layers(pargen), lambda shown: any("fired" in text for text in shown))
    pargen.choose("PSL: Run All Tests in File")
    pargen.page.locator(".statusbar-item", has_text="0 failed").wait_for()
    assert layers(pargen) == before
    item.click()
    pargen.page.locator(".quick-input-list .monaco-list-row", has_text="swap").first.click()
    pargen.page.locator(".statusbar-item", has_text="swap").wait_for()
    until(lambda: layers(pargen), lambda shown: shown != before)


def test_a_new_server_has_the_results_and_the_current_prompt(pargen: Workbench):
    for test, continuation in ("swap", "K L V F G H ."), ("john_loves_mary", CONTINUATION):
        pargen.put_cursor(f"//@ test {test}")
        lens(pargen, f"Run test {test}").or_(lens(pargen, f"✓ {continuation}")).first.click()
        lens(pargen, f"✓ {continuation}").wait_for()
    [before] = pargen.servers()
    pargen.choose("PSL: Restart Server")
    until(pargen.servers, lambda now: len(now) == 1 and now != [before])
    lens(pargen, f"✓ {CONTINUATION}").wait_for()
    lens(pargen, "✓ K L V F G H .").wait_for()
    pargen.page.locator(".statusbar-item", has_text="john_loves_mary").wait_for()


def test_a_run_with_coverage_marks_what_no_test_reaches(pargen: Workbench):
    pargen.evaluate("await vscode.commands.executeCommand('testing.coverageAll')")
    pargen.page.locator(".test-coverage-bars:visible", has_text="%").first.wait_for()
    # The lines of productions are marked when the program comes into view.
    pargen.put_cursor("# P3a: start the answer")
    pargen.page.locator(".coverage-deco-gutter.coverage-deco-hit:visible").first.wait_for()
