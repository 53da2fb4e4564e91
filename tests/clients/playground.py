"""The playground in Chromium: served from its folder, with its requests, complaints and parts."""

import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from explorer import Explorer
from paths import ROOT
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Locator, Page, expect

# The folder that scripts/playground builds.
FOLDER = ROOT / "web/dist/playground"

PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}"""
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const target = document.querySelector("#editor .cm-content");
  for (const kind of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, without a log."""

    def log_message(self, *_):
        pass


def leave(page: Page):
    """Closes a tab as a user does."""
    with page.expect_event("close", timeout=10_000):
        page.close(run_before_unload=True)


@contextmanager
def served(folder=FOLDER, handler=Quiet):
    """Serves a folder, and yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def address():
    """The address of the playground."""
    with served() as address:
        yield address


@pytest.fixture
def visit(browser, keep):
    """Opens the playground at an address, and waits until it is ready."""

    def visit(address: str, end: str = "", **settings) -> "Playground":
        playground = keep(Playground(browser, address, end, **settings))
        playground.settle()
        return playground

    return visit


@pytest.fixture
def open_playground(visit, address):
    """Opens the playground at the end of its address."""
    return partial(visit, address)


class Playground(Explorer):
    """A page that is open. Lines, layers and cells are 1-based."""

    def __init__(self, browser: Browser, address: str, end: str = "", **settings):
        self.server = address
        super().__init__(browser, address + end, **settings)

    def prepare(self):
        # A browser without these dialogs downloads and uploads, which tests can follow.
        self.context.add_init_script("delete window.showSaveFilePicker; delete window.showOpenFilePicker;")

    def settle(self):
        """Waits until the server is ready."""
        expect(self.button("Run")).to_be_enabled()

    def wrong(self) -> list[str]:
        return self.complaints + self.outside()

    def outside(self) -> list[str]:
        """The requests to other servers."""
        return [url for url in self.requests if not url.startswith((self.server, "blob:", "data:"))]

    @property
    def toolbar(self) -> Locator:
        return self.page.get_by_role("banner")

    def button(self, name: str) -> Locator:
        """A button of the toolbar."""
        return self.toolbar.get_by_role("button", name=name, exact=True)

    @property
    def editor(self) -> Locator:
        return self.page.get_by_role("textbox", name="Program", exact=True)

    @property
    def problems(self) -> Locator:
        return self.page.get_by_role("region", name="Problems", exact=True)

    @property
    def notices(self) -> Locator:
        return self.page.get_by_label("Notices", exact=True)

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    @property
    def prompt(self) -> Locator:
        return self.page.get_by_label("Prompt", exact=True)

    def text(self) -> str:
        """The program. Only lines in view are in the page, so this asks for a file."""
        with self.page.expect_download() as download:
            self.page.keyboard.press("Control+s")
        return download.value.path().read_text()

    def line(self) -> str:
        """The text of the line at the cursor."""
        return self.page.locator("#editor .cm-activeLine").inner_text()

    def write(self, program: str):
        """Replaces the program by a paste, in two steps to undo. To insert text as an input method does takes seconds for a long one."""
        self.show("editor")
        self.editor.focus()
        self.page.keyboard.press("Control+a")
        # Chromium itself would style a text that replaces lines, which the policy of the page blocks with a complaint.
        self.page.keyboard.press("Delete")
        self.page.evaluate(PASTE, program)

    def drop(self, name: str, text: str):
        """Drops a file on the editor."""
        self.page.evaluate(DROP, [name, text])

    def go_to(self, line: str):
        """Moves the cursor to the first line that starts with this text by a click. Hints may follow it."""
        start = re.compile(rf"^\s*{re.escape(line)}")
        self.page.locator("#editor .cm-line").filter(has_text=start).first.click()

    def append(self, text: str):
        """Types at the end of the program."""
        self.editor.focus()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(text)

    def choose(self, menu: str, item: str):
        """Chooses an item of a menu."""
        self.button(menu).click()
        self.page.get_by_role("menuitem", name=item).or_(self.page.get_by_role("menuitemradio", name=item)).first.click()

    def show(self, name: str):
        """Shows a panel, or the editor, by the end of its tab's id. A wide page always shows the editor."""
        tab = self.page.locator(f"#tab-{name}")
        if name != "editor" or tab.count():
            tab.click()

    def panel(self, title: str) -> Locator:
        """Shows a panel."""
        self.page.get_by_role("tab", name=title).click()
        panel = self.page.get_by_role("tabpanel", name=title)
        expect(panel).to_be_visible()
        return panel

    def run(self, prompt: str):
        """Runs a prompt."""
        self.show("runs")
        self.prompt.fill(prompt)
        self.page.keyboard.press("Enter")

    def test(self, name: str) -> Locator:
        """A test in its panel."""
        return self.page.get_by_role("listitem", name=f"Test {name}")

    @property
    def explorer(self) -> FrameLocator:
        return self.page.frame_locator("iframe[title=Explorer]")

    def share(self) -> str:
        """The link to the program."""
        self.button("Share").click()
        link = self.dialog.get_by_label("Link", exact=True).input_value()
        self.page.keyboard.press("Escape")
        return link


class Again(Playground):
    """Another tab of a browser."""

    def __init__(self, context: BrowserContext, address: str, end: str = ""):
        self.context, self.server, self.address = context, address, address + end
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: line.type in ("error", "warning") and self.complaints.append(line.text))
        self.page.goto(self.address)
        self.settle()

    def leave(self):
        leave(self.page)


@pytest.fixture
def tab(browser, address):
    """Opens tabs of one browser, which must not complain."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.add_init_script("delete window.showSaveFilePicker; delete window.showOpenFilePicker;")
    tabs = []

    def tab(end: str = "") -> Again:
        tabs.append(Again(context, address, end))
        return tabs[-1]

    yield tab
    complaints = [complaint for each in tabs for complaint in each.complaints]
    context.close()
    assert not complaints, complaints
