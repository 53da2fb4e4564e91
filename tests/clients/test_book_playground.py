"""The programs of the book: readers run and edit them, and solve exercises."""

import json
import re

import pytest
from book import DOCS
from explorer import Explorer
from playground import FOLDER, served
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.long

PAGES = sorted((DOCS / "tutorial").glob("*.md")) + [DOCS / "how-to/recipes.md"]
THEMES = ["light", "rust", "coal", "navy", "ayu"]


def solution(page: str, name: str) -> str:
    """The last program with this name on a page."""
    return re.findall(rf"<!-- file {name}\.psl.*? -->\n```psl\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)[-1]


class BookPage(Explorer):
    """A page of the book that is open."""

    def settle(self):
        expect(self.page.get_by_role("button", name="Run").first).to_be_visible()

    def run(self, title: str) -> Locator:
        """Runs the first program of a section, and returns the place of its result."""
        section = self.page.get_by_role("heading", name=title, exact=True)
        actions = section.locator("xpath=following::*[contains(@class, 'psl-actions')][1]")
        actions.get_by_role("button", name="Run").click()
        return actions.locator("xpath=following-sibling::*[@role='status'][1]")

    def edit(self, name: str = "Edit this exercise", nth: int = 0) -> "Frame":
        """Opens a program beside the page."""
        self.page.get_by_role("button", name=name, exact=True).nth(nth).click()
        return Frame(self)

    @property
    def state(self) -> Locator:
        """Whether the first exercise is solved."""
        return self.page.locator(".psl-state").first

    @property
    def pane(self) -> Locator:
        return self.page.get_by_role("region", name="Playground", exact=True)

    def wrong(self) -> list[str]:
        # The script of mdBook goes through the blocks before ours, without the language.
        return [line for line in self.complaints if not re.search("language 'psl'|no-highlight mode", line)]


class Frame:
    """The playground beside a page."""

    def __init__(self, book: BookPage):
        self.book, self.keyboard = book, book.page.keyboard
        self.frame = book.page.frame_locator("iframe[title=Playground]")
        self.editor = self.frame.get_by_role("textbox", name="Program", exact=True)
        expect(self.frame.get_by_role("button", name="Run", exact=True)).to_be_enabled()

    def write(self, program: str):
        self.editor.focus()
        self.keyboard.press("Control+a")
        self.keyboard.press("Delete")
        self.keyboard.insert_text(program)


@pytest.fixture(scope="module")
def address(site):
    """The address of the book, which is in a folder of its server."""
    if not FOLDER.exists():
        pytest.skip("the playground is missing: scripts/playground builds it")
    with served(site.parent) as address:
        yield f"{address}{site.name.replace(' ', '%20')}/docs/"


@pytest.fixture
def opened(browser, keep, address):
    """Opens pages of the book."""

    def open_page(page: str, **settings) -> BookPage:
        opened = keep(BookPage(browser, f"{address}{page}", **settings))
        opened.settle()
        return opened

    return open_page


def test_pages_are_readable_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}tutorial/tests.html")
    expect(page.get_by_text("repeat:").first).to_be_visible()
    assert page.get_by_role("button", name="Run").count() == 0
    assert "data-program" not in page.locator("main").inner_text()
    context.close()


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_each_program_has_buttons(opened, file):
    book = opened(file.relative_to(DOCS).with_suffix(".html").as_posix())
    blocks = len(re.findall(r"^```psl$", file.read_text().replace("\n````", "\0"), re.MULTILINE))
    assert book.page.locator(".psl-actions").count() in [blocks, blocks - 1]
    exercises = book.page.locator(".psl-state").all_inner_texts()
    assert set(exercises) <= {"Not solved yet"}
    assert exercises or file.stem == "recipes"


def test_the_playground_loads_when_a_reader_asks_for_it(opened):
    book = opened("tutorial/first-program.html")
    book.page.wait_for_load_state("networkidle")
    assert not [url for url in book.requests if "/playground/" in url]
    result = book.run("Stop")
    expect(result).to_contain_text("continuation: 12 .")
    expect(result).to_contain_text("2 passed, 0 failed")
    assert [url for url in book.requests if "/playground/psl.wasm" in url]
    assert not [url for url in book.requests if "/playground/main.js" in url]


@pytest.mark.parametrize(
    ("page", "title", "shown"),
    [
        ("tutorial/first-program.html", "Write", "key     ∅   *ann *12  *ben *34"),
        ("tutorial/first-program.html", "Break", "FAILED unknown: symbol 1 is `∅`, not `none`"),
        ("tutorial/cells-and-registers.html", "A misspelled name", "error[unknown-register]"),
        ("tutorial/null.html", "A closed door", "line 10: warning[ill-typed-condition]"),
        ("tutorial/repeat.html", "A block that never ends", "repeat block 1"),
        ("tutorial/holes.html", "Holes", "error[hole]"),
        ("how-to/recipes.html", "How do I count?", "continuation: 3 ."),
        ("how-to/recipes.html", "How do I spread a value?", "region  Q *Q *Q  A *A *A"),
    ],
)
def test_a_program_runs(opened, page, title, shown):
    expect(opened(page).run(title)).to_contain_text(shown)


def test_an_endless_run_is_stopped(browser, address):
    context = browser.new_context()
    page = context.new_page()

    def endless(route):
        # Each pass of the repeat block reaches one more cell.
        response = route.fetch()
        long = f"&quot;prompt&quot;: &quot;lobby {'up ' * 20_000}&quot;, &quot;table&quot;: false"
        body = response.text().replace("&quot;prompt&quot;: &quot;lobby up up down up&quot;, &quot;table&quot;: true", long)
        route.fulfill(response=response, body=re.sub("&quot;maxNew&quot;: 0", "&quot;maxNew&quot;: 20000", body))

    page.route("**/repeat.html", endless)
    page.goto(f"{address}tutorial/repeat.html")
    run = page.get_by_role("button", name="Run this program")
    result = page.locator(".psl-result")
    run.nth(0).click()
    page.wait_for_timeout(3_000)
    page.get_by_role("button", name="Stop this run").click()
    expect(result.nth(0)).to_have_text("Stopped")
    expect(run.nth(0)).to_be_focused()
    run.nth(1).click()
    expect(result.nth(1)).to_contain_text("repeat block 1")
    context.close()


def test_a_solved_exercise_is_green_and_stays_so(opened):
    book = opened("tutorial/tests.html")
    expect(book.state).to_have_text("Not solved yet")
    frame = book.edit()
    frame.write(solution("tutorial/tests.md", "exercise"))
    expect(book.state).to_have_text("✓ Solved")
    expect(book.pane.get_by_role("status")).to_have_text("✓ Solved: all tests pass")
    book.page.reload()
    expect(book.state).to_have_text("✓ Solved")
    expect(book.page.locator("#mdbook-sidebar").get_by_role("img", name="solved", exact=True)).to_have_count(1)
    # The reader's program is still there.
    expect(book.edit().editor).to_contain_text("down from floor 0: stay there")
    book.page.get_by_role("button", name="Start over").click()
    expect(Frame(book).editor).not_to_contain_text("down from floor 0: stay there")
    book.page.get_by_role("button", name="Close the playground").click()
    expect(book.state).to_have_text("✓ Solved")


@pytest.mark.parametrize(
    "program",
    ["", "//@ test bottom \"lobby\" => \".\"\n", "{solution}//@ test more \"lobby\" => \"up .\"\n"],
    ids=["nothing", "other-tests", "one-more-test-that-fails"],
)
def test_an_exercise_is_not_solved_by(opened, program):
    book = opened("tutorial/tests.html")
    frame = book.edit()
    frame.write(program.replace("{solution}", solution("tutorial/tests.md", "exercise")))
    frame.frame.get_by_role("button", name="Test", exact=True).click()
    book.page.wait_for_timeout(1_500)
    expect(book.state).to_have_text("Not solved yet")


def test_progress_is_forgotten(opened):
    book = opened("tutorial/tests.html")
    pages = {book.page.evaluate("location.pathname"): {"of": 1, "solved": ["exercise"], "texts": {}}}
    book.page.evaluate("kept => localStorage.setItem('psl book', kept)", json.dumps({"version": 1, "pages": pages}))
    book.page.reload()
    expect(book.state).to_have_text("✓ Solved")
    book.page.evaluate("window.confirm = () => true")
    book.page.get_by_role("button", name="Forget my progress").click()
    expect(book.state).to_have_text("Not solved yet")
    expect(book.page.get_by_role("button", name="Forget my progress")).to_be_hidden()
    expect(book.page.locator(".psl-mark")).to_have_count(0)


@pytest.mark.parametrize("kept", ["{", "null", "5", '{"pages": 5}', '{"pages": {"PATH": {"solved": 5, "texts": [1]}}}'])
def test_broken_progress_is_ignored(opened, kept):
    book = opened("tutorial/tests.html")
    path = book.page.evaluate("location.pathname")
    book.page.evaluate("kept => localStorage.setItem('psl book', kept)", kept.replace("PATH", path))
    book.page.reload()
    expect(book.state).to_have_text("Not solved yet")
    expect(book.run("Exercise")).to_contain_text("5 passed, 1 failed")


def test_a_browser_that_keeps_nothing_shows_progress_of_the_page(opened):
    book = opened("tutorial/tests.html")
    book.page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    book.edit().write(solution("tutorial/tests.md", "exercise"))
    expect(book.state).to_have_text("✓ Solved")


def test_the_focus_moves_in_and_back(opened):
    book = opened("tutorial/tests.html")
    frame = book.edit()
    expect(book.page.get_by_role("button", name="Close the playground")).to_be_focused()
    book.page.keyboard.press("Escape")
    expect(book.pane).to_be_hidden()
    expect(book.page.get_by_role("button", name="Edit this exercise")).to_be_focused()
    book.page.keyboard.press("Enter")
    frame = Frame(book)
    frame.editor.focus()
    book.page.keyboard.press("Escape")
    expect(book.pane).to_be_hidden()
    expect(book.page.get_by_role("button", name="Edit this exercise")).to_be_focused()


def test_a_narrow_page_shows_the_playground_over_it(opened):
    book = opened("tutorial/tests.html", viewport={"width": 390, "height": 780})
    book.edit()
    assert book.pane.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 780}


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(opened, theme):
    book = opened("tutorial/tests.html")
    book.page.evaluate("theme => localStorage.setItem('mdbook-theme', theme)", theme)
    book.page.reload()
    expect(book.run("Exercise")).to_contain_text("5 passed, 1 failed")
    book.edit().write(solution("tutorial/tests.md", "exercise"))
    expect(book.state).to_have_text("✓ Solved")
    book.page.mouse.move(0, 0)
    ours = [[".psl-actions"], [".psl-result"], [".psl-bar"], [".psl-mark"]]
    assert book.findings({"include": ours}) == []


def test_printed_pages_have_no_buttons(opened):
    book = opened("tutorial/tests.html")
    result = book.run("Exercise")
    expect(result).to_contain_text("5 passed, 1 failed")
    book.page.emulate_media(media="print")
    expect(book.page.get_by_role("button", name="Run").first).to_be_hidden()
    expect(result).to_be_hidden()


def test_a_page_in_a_file_says_what_it_needs(browser, site):
    if not FOLDER.exists():
        pytest.skip("the playground is missing: scripts/playground builds it")
    book = BookPage(browser, (site / "docs/tutorial/tests.html").as_uri())
    expect(book.run("Exercise")).to_contain_text("python3 -m http.server")
    book.context.close()
