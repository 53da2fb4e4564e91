"""The page around the editor of the playground: panels, menus, links, keys and accessibility."""

import re

import pytest
from command import psl
from explorer_page import FAILING
from paths import INDUCTION, ROOT
from playwright.sync_api import Page, expect
from workbench import until

ADDITION = (ROOT / "examples/addition.psl").read_text()
# The program that a new reader sees.
WELCOME = (ROOT / "psl-ide/src/skeleton.psl").read_text()
# Without a stop symbol that occurs, a run goes on to this many symbols.
ENDLESS = '//@ max-new 900000\n//@ stop "NEVER"\n' + INDUCTION.read_text()
NARROW = {"viewport": {"width": 390, "height": 780}}
# A program as it is typed, with words that are complete before Enter.
LINES = [
    "registers: {symbol: 's', position: 'p', mark: 'm'}",
    "constants: {A, B, END}",
    "causal_attn: true",
    "//@ max-new 3",
    "repeat:",
    "where position[n] == position[N]@pos_decrement:",
    "mark[N] = symbol[n]",
    "until NO_CHANGE",
    "//@ allow non-causal",
    "where symbol[N] == END:",
    "mark[N] = END",
]
# Those with a completion that equals what is typed.
LISTED = {"causal_attn: true", "until NO_CHANGE", "//@ allow non-causal", "mark[N] = END"}
# The shares of the page that have moved by themselves.
SHIFTS = """() => new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done([]), 500);
})"""
PANELS = ["Runs", "Tests", "Explorer", "QKVL", "Weights"]


@pytest.fixture
def playground(open_playground):
    """The page with a program that adds."""
    playground = open_playground()
    playground.choose("Examples", "addition")
    return playground


def focused(page: Page) -> str:
    """The name and the text of the focused element."""
    return page.evaluate(
        "() => { const it = document.activeElement;"
        " return [it.tagName, it.id, it.getAttribute('aria-label') ?? '', it.textContent.slice(0, 40)].join(' '); }"
    )


def test_a_fault_appears_in_the_problems_and_goes_with_its_fix(playground):
    expect(playground.problems).to_contain_text("none")
    playground.write("where x\n" + ADDITION)
    problem = playground.problems.get_by_role("listitem").first
    expect(problem).to_contain_text("expected [")
    # Enter on a problem moves to its place.
    problem.get_by_role("button").first.focus()
    playground.page.keyboard.press("Enter")
    expect(playground.editor).to_be_focused()
    assert playground.line() == "where x"
    problem.get_by_role("button", name="syntax").click()
    expect(playground.dialog.locator("p").first).to_be_visible()
    assert playground.findings() == []
    playground.page.keyboard.press("Escape")
    playground.editor.focus()
    playground.page.keyboard.press("Control+z")
    playground.page.keyboard.press("Control+z")
    expect(playground.problems).to_contain_text("none")


def test_a_prompt_runs_and_becomes_a_test(playground):
    playground.run("1 0 + 1 =")
    run = playground.page.get_by_role("listitem", name="Run of 1 0 + 1 =")
    expect(run).to_contain_text("1 1 .")
    expect(run).to_contain_text("ended by the stop symbol")
    run.get_by_text("Table").click()
    expect(run.get_by_role("textbox")).to_contain_text("symbol")
    run.get_by_role("button", name="Save as test").click()
    expect(run).to_contain_text("The program has changed since.")
    assert '//@ test "1 0 + 1 =" => "1 1 ."' in playground.text()
    # The prompt is offered again, after a reload, too.
    playground.page.reload()
    playground.settle()
    playground.show("runs")
    expect(playground.prompt).to_have_value("1 0 + 1 =")
    assert "1 0 + 1 =" in playground.page.locator("#prompts option").evaluate_all("all => all.map((it) => it.value)")


def test_a_program_that_cannot_run_says_why(playground):
    playground.write("where x\n" + ADDITION)
    playground.run("1 + 0 =")
    run = playground.page.get_by_role("listitem", name="Run of 1 + 0 =")
    expect(run.locator(".message.bad")).to_contain_text("line 1: expected [")
    playground.write(ADDITION)
    playground.run("1 + 1 =")
    expect(playground.page.get_by_role("listitem", name="Run of 1 + 1 =")).to_contain_text("1 0 .")


def test_a_failing_test_shows_why_and_leads_to_its_layer(playground):
    playground.write(FAILING)
    playground.page.keyboard.press("Control+Shift+Enter")
    bad = playground.test("bad")
    expect(playground.panel("Tests")).to_contain_text("2 tests: 1 passed, 1 failed")
    expect(bad.locator("dd").nth(0)).to_have_text("C .")
    expect(bad.locator("dd").nth(1)).to_have_text("A .")
    expect(bad.locator("mark")).to_have_text(["C", "A"])
    expect(bad).to_contain_text("layer 3")
    bad.get_by_role("button", name=re.compile("^line")).first.click()
    expect(playground.editor).to_be_focused()
    assert playground.line().strip() in ("symbol[N] = A", "where symbol[N] == C and parse[N] == 1:")
    # One test alone.
    playground.test("good").get_by_role("button", name="Run good").click()
    expect(playground.test("good")).to_contain_text("passed")


def test_what_the_page_asks_by_itself_does_not_keep_the_reader_from_running(playground):
    playground.write(FAILING)
    playground.page.keyboard.press("Control+Shift+Enter")
    expect(playground.test("bad")).to_contain_text("failed")
    # The server searches for repairs now.
    expect(playground.button("Run")).to_be_enabled(timeout=2_000)
    playground.run("A")
    expect(playground.page.get_by_role("listitem", name="Run of A")).to_contain_text("B .")


def test_a_repair_is_found_and_applied(playground):
    playground.write(FAILING)
    playground.page.keyboard.press("Control+Shift+Enter")
    playground.panel("Tests").get_by_role("button", name="Find a repair").click()
    apply = playground.page.get_by_role("region", name="Repairs").get_by_role("button", name=re.compile("^Apply"))
    apply.first.click(timeout=90_000)
    playground.page.keyboard.press("Control+Shift+Enter")
    expect(playground.panel("Tests")).to_contain_text("2 passed, 0 failed")


def test_an_endless_run_is_stopped_and_everything_works_on(playground):
    playground.write(ENDLESS)
    playground.run("a x . a")
    run = playground.page.get_by_role("listitem", name="Run of a x . a")
    expect(run).to_contain_text("Running")
    # The program can still be edited.
    playground.editor.focus()
    playground.page.keyboard.press("Control+Home")
    playground.page.keyboard.type("where x")
    expect(playground.problems).to_contain_text("expected [")
    playground.page.keyboard.press("Control+Shift+Period")
    expect(run).to_contain_text("Stopped.")
    playground.write(ADDITION)
    expect(playground.problems).to_contain_text("none")
    playground.run("1 + 1 =")
    expect(playground.page.get_by_role("listitem", name="Run of 1 + 1 =")).to_contain_text("1 0 .")


def test_the_panels_follow_the_edits(playground):
    playground.write(FAILING)
    playground.panel("QKVL").get_by_label("As a file").check()
    qkvl = playground.panel("QKVL").get_by_role("textbox")
    expect(qkvl).to_contain_text("register_map")
    # The text scrolls to the layer at the cursor.
    playground.editor.focus()
    playground.page.keyboard.press("Control+End")
    playground.page.keyboard.press("ArrowUp")
    expect(qkvl.locator(".marked-line").first).to_be_visible()
    expect(qkvl).to_contain_text("the next cell is generated")
    playground.write(FAILING.replace("the next cell", "another cell"))
    playground.page.keyboard.press("ArrowUp")
    expect(qkvl).to_contain_text("another cell is generated")
    playground.page.keyboard.press("Control+Home")
    playground.page.keyboard.type("where x\n")
    expect(playground.panel("QKVL")).to_contain_text("This is the last version that compiled")
    playground.write(FAILING)
    weights = playground.panel("Weights")
    expect(weights.get_by_role("textbox")).not_to_be_empty()
    tests = playground.panel("Tests")
    expect(tests).to_contain_text("2 tests")
    playground.write(FAILING.split("\n", 1)[1])
    expect(tests).to_contain_text("1 test:")


def test_the_explorer_follows_and_moves_the_cursor(playground):
    playground.write(FAILING)
    playground.panel("Tests")
    playground.test("bad").get_by_role("button", name="Explore bad").click()
    explorer = playground.explorer
    expect(explorer.locator("#prompt")).to_have_value("C")
    expect(explorer.locator("#why-title")).to_contain_text("layer 3")
    explorer.get_by_role("button", name="Controls").click()
    explorer.get_by_role("button", name="Program", exact=True).click()
    explorer.get_by_role("button", name=re.compile("^Layer 2: ")).click()
    until(playground.line, lambda line: "symbol[N] == A" in line or "A becomes B" in line)
    # The explorer keeps the focus, and F6 leaves it.
    assert "IFRAME" in focused(playground.page)
    playground.page.keyboard.press("Shift+F6")
    expect(playground.editor).to_be_focused()
    # An edit arrives without losing the prompt.
    playground.write(FAILING.replace("symbol[N] = A\n\n# the next", "symbol[N] = C\n\n# the next"))
    expect(explorer.locator(".outcome button.symbol")).to_have_text(["C", "."])
    expect(explorer.locator("#prompt")).to_have_value("C")


def test_a_link_opens_the_program_the_prompt_and_the_place(playground, open_playground):
    playground.write(FAILING)
    playground.run("A")
    playground.page.get_by_role("listitem", name="Run of A").get_by_role("button", name="Explore").click()
    title = playground.explorer.locator("#why-title")
    expect(title).to_contain_text("layer")
    playground.explorer.locator('[role="gridcell"][aria-colindex="2"]').first.click()
    expect(title).to_have_text(re.compile("Cell 1"))
    place = title.inner_text()
    link = playground.share()
    assert playground.page.evaluate("location.href") == link
    other = open_playground(link.removeprefix(playground.server))
    expect(other.page.get_by_role("tab", name="Explorer")).to_have_attribute("aria-selected", "true")
    expect(other.explorer.locator("#why-title")).to_have_text(place)
    expect(other.explorer.locator("#prompt")).to_have_value("A")
    assert other.text() == FAILING
    # It becomes a program of the reader with the first edit, and the address is that of the page again.
    other.button("Programs").click()
    expect(other.page.get_by_role("menuitemradio")).to_have_count(0)
    other.page.keyboard.press("Escape")
    other.write(FAILING + "\n# mine\n")
    assert other.page.evaluate("location.hash") == ""
    other.page.reload()
    other.settle()
    assert other.text().endswith("# mine\n")


def test_a_broken_link_says_so_and_opens_the_last_program(open_playground):
    playground = open_playground("#psl=1.AAAA")
    expect(playground.notices).to_contain_text("The link is incomplete")
    playground.notices.get_by_role("button", name="Dismiss").click()
    expect(playground.notices).to_be_empty()
    assert playground.text() == WELCOME
    # Its first prompt is there to run.
    playground.button("Run").click()
    expect(playground.page.get_by_role("listitem", name="Run of one two three . one")).to_contain_text("two three .")


def test_a_long_program_is_shared_as_a_file(playground):
    noise = "".join(f"# {hash(str(number))}\n" for number in range(2000))
    playground.write(noise + ADDITION)
    playground.button("Share").click()
    expect(playground.dialog).to_contain_text("too long for a link")
    with playground.page.expect_download() as download:
        playground.dialog.get_by_role("button", name="Save a file").click()
    assert download.value.suggested_filename == "addition.psl"


def test_a_program_offers_the_prompt_of_its_own_test(playground):
    playground.show("runs")
    expect(playground.prompt).to_have_value("0 + 0 =")
    playground.choose("Examples", "induction")
    expect(playground.prompt).to_have_value("one two three . one")


def test_the_prompt_follows_the_tests_until_the_reader_writes_one(playground):
    playground.show("runs")
    expect(playground.prompt).to_have_value("0 + 0 =")
    playground.write(WELCOME)
    expect(playground.prompt).to_have_value("one two three . one")
    playground.prompt.fill("a . a")
    playground.write(ADDITION)
    expect(playground.page.locator("#prompts option").first).to_have_attribute("value", "0 + 0 =")
    expect(playground.prompt).to_have_value("a . a")


def test_a_new_reader_sees_a_run_and_what_to_do_next(open_playground):
    playground = open_playground()
    assert playground.text() == WELCOME
    expect(playground.explorer.locator(".g-cell.generated")).to_have_count(2)
    expect(playground.explorer.locator("#where")).to_have_text("symbol three of cell 6: layer 2 copied it from symbol of cell 3, where it was in the prompt.")
    hint = playground.page.locator(".hint")
    expect(hint).to_contain_text("Change one in the prompt")
    expect(hint.get_by_role("link")).to_have_text(["tutorial", "book", "paper"])
    playground.write(WELCOME + "# mine\n")
    expect(hint).to_have_count(0)


@pytest.mark.parametrize("size", [{}, NARROW], ids=["wide", "narrow"])
def test_nothing_moves_while_the_page_loads(open_playground, size):
    playground = open_playground(**size)
    expect(playground.page.locator("#editor .psl-lens").first).to_have_text("▶ Run all tests")
    if not size:
        expect(playground.explorer.locator("#where")).to_be_visible()
    assert playground.page.evaluate(SHIFTS) == []


def test_weights_and_qkvl_are_those_of_the_explorer_and_follow_the_cursor(playground):
    playground.choose("Examples", "induction")
    playground.panel("Weights")
    weights = playground.explorer.get_by_role("region", name="Weights", exact=True)
    production = weights.get_by_label("Production")
    for text, layer in [("prev_symbol[N] = symbol[n]", 1), ("where eop[N] == EOP:", 2)]:
        playground.go_to(text)
        expect(production).to_have_value(str(layer))
        expect(weights).to_contain_text(f"Layer {layer} multiplies the vector")
    production.select_option("3")
    expect(weights).to_contain_text("Layer 3 multiplies the vector")
    qkvl = playground.panel("QKVL")
    for layer in [1, 2, 3]:
        expect(playground.explorer.get_by_role("note", name=f"Query, key and value of layer {layer}")).to_be_visible()
    expect(playground.explorer.locator(".code-line.inside").first).to_contain_text("where_rm prev_symbol")
    qkvl.get_by_label("As a file").check()
    expect(qkvl.get_by_role("textbox")).to_contain_text("register_map")
    expect(qkvl).to_contain_text("psl compile --emit qkvl")


def test_the_explorer_follows_the_cursor_until_it_is_pinned(playground):
    playground.choose("Examples", "induction")
    playground.show("explorer")
    title = playground.explorer.locator("#why-title")
    expect(title).to_contain_text("copy the symbol after")
    playground.go_to("prev_symbol[N] = symbol[n]")
    expect(title).to_contain_text("remember the symbol to the left")
    playground.explorer.get_by_role("button", name="Controls").click()
    playground.explorer.get_by_role("button", name="Pin").click()
    playground.go_to("symbol[N] = symbol[n]")
    title.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    expect(title).to_contain_text("remember the symbol to the left")
    playground.explorer.get_by_role("button", name="Pin").click()
    expect(title).to_contain_text("copy the symbol after")


def test_a_new_program_is_that_of_psl_new(playground):
    playground.choose("Programs", "New")
    assert playground.text() == psl("new", "-").stdout
    playground.button("Test").click()
    expect(playground.test("one two three . one")).to_contain_text("passed")
    expect(playground.problems).to_contain_text("none")


def test_the_explorer_opens_the_test_that_failed(playground):
    playground.write('//@ test right "a . a" => "."\n//@ test wrong "a . a" => "a"\n' + WELCOME)
    playground.button("Test").click()
    expect(playground.test("wrong")).to_contain_text("failed")
    playground.show("explorer")
    playground.explorer.get_by_role("button", name="Controls").click()
    expect(playground.explorer.locator("#test")).to_have_value("1")


@pytest.mark.parametrize("way", ["all", "alone"])
def test_a_broken_law_shows_its_symbols_and_opens_its_prompt(playground, way):
    laws = '//@ max-new 1\n//@ law keeps any "$a $b" => "$b"\n//@ law other "$a $b" => "$b"\n'
    rule = "where symbol[N] == A:\n    symbol[N] = B\n"
    playground.write(f"{laws}registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, B}}\n{rule}")
    if way == "all":
        playground.button("Test").click()
        expect(playground.test("other")).to_contain_text("holds for all different symbols but . and A")
    else:
        playground.show("tests")
        playground.test("keeps").get_by_role("button", name="Run keeps").click()
    keeps = playground.test("keeps")
    expect(keeps).to_contain_text("$a $b => $b")
    expect(keeps).to_contain_text("With $a = a, $b = A:")
    expect(keeps.locator("dd")).to_have_text(["a A", "A", "B"])
    keeps.get_by_role("button", name="Explore keeps").click()
    playground.explorer.get_by_role("button", name="Controls").click()
    expect(playground.explorer.locator("#prompt")).to_have_value("a A")
    expect(playground.explorer.get_by_text("✗ wrong: symbol 1 is B, expected A")).to_be_visible()


def test_a_completion_that_is_typed_already_takes_no_enter(open_playground):
    playground = open_playground("?embed")
    playground.write("")
    playground.editor.focus()
    for line in LINES:
        playground.page.keyboard.type(line, delay=20)
        if line in LISTED:
            expect(playground.page.locator(".cm-tooltip-autocomplete [aria-selected=true]")).to_be_visible()
        playground.page.keyboard.press("Enter")
    assert [line.strip() for line in playground.page.locator("#editor .cm-line").all_inner_texts()][: len(LINES)] == LINES


def test_programs_are_kept_renamed_compared_and_deleted(playground):
    page = playground.page
    playground.choose("Examples", "reverse")
    name = page.get_by_label("Name of the program")
    expect(name).to_have_value("reverse")
    playground.editor.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    name.fill("backwards")
    page.keyboard.press("Enter")
    expect(page).to_have_title("backwards – PSL playground")
    playground.choose("Programs", "Compare with the original")
    expect(playground.dialog).to_contain_text("# mine")
    page.keyboard.press("Escape")
    page.reload()
    playground.settle()
    expect(name).to_have_value("backwards")
    playground.choose("Programs", "New")
    expect(name).to_have_value("program")
    playground.choose("Programs", "backwards")
    expect(name).to_have_value("backwards")
    playground.choose("Programs", "All programs")
    playground.dialog.get_by_role("button", name="Delete backwards").click()
    page.keyboard.press("Escape")
    expect(name).to_have_value("program")
    playground.notices.get_by_role("button", name="Undo").click()
    expect(name).to_have_value("backwards")
    assert playground.text().startswith("# mine\n")


def test_a_name_is_kept_that_is_typed_while_the_first_edit_is_saved(playground):
    page = playground.page
    playground.choose("Examples", "reverse")
    name = page.get_by_label("Name of the program")
    expect(name).to_have_value("reverse")
    playground.editor.focus()
    name.evaluate(
        """async (field) => {
             document.execCommand('insertText', false, '# mine');
             field.select();
             document.execCommand('insertText', false, 'backwards');
             await new Promise((done) => setTimeout(done, 500));
           }"""
    )
    expect(name).to_have_attribute("title", "Saved in this browser")
    page.keyboard.press("Enter")
    expect(page).to_have_title("backwards – PSL playground")


def test_all_works_by_keyboard(playground):
    page = playground.page
    page.keyboard.press("Alt+1")
    expect(playground.prompt).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(playground.prompt).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("1 + 1 =")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("listitem", name="Run of 1 + 1 =")).to_contain_text("1 0 .")
    for number, title in enumerate(PANELS, start=1):
        page.keyboard.press(f"Alt+{number}")
        expect(page.get_by_role("tab", name=title)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=title)).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="Runs")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Weights")).to_be_focused()
    # F6 visits each part.
    page.keyboard.press("F6")
    assert "Problems" in until(lambda: focused(page))
    page.keyboard.press("F6")
    page.keyboard.press("F6")
    expect(playground.editor).to_be_focused()
    page.keyboard.press("Shift+F6")
    # Menus.
    playground.button("Examples").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("s")
    expect(page.get_by_role("menuitem", name=re.compile("^sort"))).to_be_focused()
    page.keyboard.press("Escape")
    expect(playground.button("Examples")).to_be_focused()
    # The borders.
    border = page.get_by_role("separator", name="Width of the panels")
    before = int(border.get_attribute("aria-valuenow"))
    border.focus()
    page.keyboard.press("ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", str(before + 3))
    page.keyboard.press("F1")
    expect(playground.dialog).to_contain_text("Run all tests")
    page.keyboard.press("Escape")
    expect(border).to_be_focused()
    page.reload()
    playground.settle()
    expect(border).to_have_attribute("aria-valuenow", str(before + 3))
    expect(page.get_by_role("tab", name="Weights")).to_have_attribute("aria-selected", "true")


def test_broken_storage_is_ignored(playground):
    playground.page.evaluate("localStorage.setItem('psl playground layout', '{\"version\": 1, \"panel\": 7, \"panels\": \"wide\"')")
    playground.page.reload()
    playground.settle()
    expect(playground.explorer.locator("#where")).to_be_visible()


def test_a_small_frame_has_a_small_toolbar(open_playground):
    playground = open_playground("?embed")
    expect(playground.button("Programs")).to_have_count(0)
    playground.run("a x . a")
    expect(playground.page.get_by_role("listitem", name="Run of a x . a")).to_contain_text("x .")
    assert playground.findings() == []


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("size", [{}, NARROW], ids=["wide", "narrow"])
def test_the_page_is_accessible(open_playground, size, colors):
    playground = open_playground(color_scheme=colors, **size)
    playground.write(FAILING)
    playground.page.keyboard.press("Control+Shift+Enter")
    expect(playground.test("bad")).to_contain_text("failed")
    playground.run("A")
    expect(playground.page.get_by_role("listitem", name="Run of A")).to_contain_text("B .")
    for title in PANELS:
        playground.panel(title)
        if title == "Explorer":
            playground.explorer.locator("#why-title").wait_for()
        elif title in ("QKVL", "Weights"):
            playground.explorer.locator(".alone .panel-body").wait_for()
        assert playground.findings() == [], title
    for name in ("Programs", "Examples", "Share", "Help and keys"):
        playground.button(name).click()
        assert playground.findings() == [], name
        playground.page.keyboard.press("Escape")
    for item in ("Compare with the original", "All programs"):
        playground.choose("Programs", item)
        assert playground.findings() == [], item
        playground.page.keyboard.press("Escape")


def test_a_narrow_page_shows_one_part_at_a_time(open_playground):
    playground = open_playground(**NARROW)
    playground.write(FAILING)
    playground.page.keyboard.press("Control+Shift+Enter")
    playground.test("bad").get_by_role("button", name=re.compile("^line")).first.click()
    expect(playground.editor).to_be_focused()
    assert "symbol[N] == C" in playground.line() or "symbol[N] = A" in playground.line()
    expect(playground.editor).to_be_visible()
    playground.panel("Runs")
    expect(playground.editor).to_be_hidden()
    playground.show("editor")
    expect(playground.editor).to_be_visible()
    assert playground.page.evaluate("document.documentElement.scrollWidth") <= 390
    small = playground.page.evaluate(
        "() => [...document.querySelectorAll('button, input, select, summary')].filter((it) => it.checkVisibility() && !it.closest('.cm-editor'))"
        ".map((it) => [it.textContent || it.id, it.getBoundingClientRect()])"
        ".filter(([, box]) => box.width < 24 || box.height < 24).map(([name]) => name)"
    )
    assert small == []
