"""The page of `psl explore` in Chromium: its requests, errors and accessibility."""

import json
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from command import psl
from npm import installed
from playwright.sync_api import Browser, Page, expect, sync_playwright
from workbench import CHROMIUM, QUIET, until

# The machines of the tests are slow.
expect.set_options(timeout=20_000)

AXE = Path(__file__).with_name("axe")


def explore(folder: Path, program: Path, *arguments: str) -> Path:
    """Writes the page of a program. `psl` exits with 1 if the program has errors."""
    page = folder / f"{program.stem}.html"
    run = psl("explore", program, *arguments, "-o", page, code=None)
    assert run.returncode in (0, 1) and page.exists(), run.stderr
    return page


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser():
    """A browser for all tests of a module."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def keep():
    """Keeps pages open until the end of a test."""
    with ExitStack() as stack:
        yield lambda page: stack.enter_context(closing(page))


class Explorer:
    """A page that is open. Everything that it requests is recorded, and what it complains about fails the test when it closes."""

    def __init__(self, browser: Browser, address: str, **settings):
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}} | settings)
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: line.type in ("error", "warning") and self.complaints.append(line.text))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.address = address
        self.prepare()
        self.page.goto(address)

    def prepare(self):
        """Called before the page is loaded."""

    def settle(self):
        """Waits until the run is shown, or the reason why there is none."""
        self.page.locator(".running").wait_for(state="detached")
        self.page.locator("#grid .g-cell, .message.bad").first.wait_for()

    def continuation(self) -> list[str]:
        """The symbols that the page shows as generated."""
        self.settle()
        return self.page.locator(".outcome .symbol").all_inner_texts()

    def enter(self, prompt: str):
        """Types a prompt and runs it."""
        self.page.locator("#prompt").fill(prompt)
        self.page.keyboard.press("Enter")

    def state(self) -> str:
        """The state in the address, once it has been written there."""
        return until(lambda: self.page.evaluate("location.hash"))

    def outside(self) -> list[str]:
        """The requests other than for the page itself and what it created."""
        own = self.address.partition("#")[0]
        return [url for url in self.requests if url.partition("#")[0] != own and not url.startswith(("blob:", "data:"))]

    def findings(self, part: str = "html") -> list[str]:
        """The violations that axe finds in a part of the page."""
        axe = (installed(AXE) / "axe-core/axe.min.js").read_text()
        self.page.evaluate(f"{axe};0")
        # Axe takes longer to describe the elements that pass than to find those that do not.
        found = self.page.evaluate("(part) => axe.run(part, { resultTypes: ['violations'] })", part)
        return [
            f"{violation['id']}: {node['html']} {json.dumps(node['failureSummary'])}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    def wrong(self) -> list[str]:
        """The reasons to fail the test."""
        return self.complaints

    def close(self):
        wrong = self.wrong()
        self.context.close()
        assert wrong == []
