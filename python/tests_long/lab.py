"""A JupyterLab server, and notebooks in Chromium."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import nbformat
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
PACKAGE = Path(__file__).parents[1]
EXAMPLES = PACKAGE.parent / "examples"
TOKEN = "secret"

# The machines of the tests are slow.
expect.set_options(timeout=30_000)


def notebook(file: Path, *cells: str) -> Path:
    """Writes a notebook without outputs."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, file)
    return file


def environment() -> dict[str, str]:
    """The environment of a kernel: it imports the package that is installed, or else its sources."""
    return os.environ | ({} if find_spec("psl") else {"PYTHONPATH": str(PACKAGE)})


@contextmanager
def server(folder: Path):
    """A server for the notebooks in a folder. Yields its address."""
    settings = ["--no-browser", "--allow-root", f"--IdentityProvider.token={TOKEN}", "--ServerApp.port=0"]
    settings += [f"--ServerApp.root_dir={folder}"]
    runtime = folder / ".runtime"
    log = (folder / ".log").open("w")
    command = [sys.executable, "-m", "jupyterlab", *settings]
    state = {"JUPYTER_RUNTIME_DIR": str(runtime), "JUPYTER_CONFIG_DIR": str(folder / ".config"), "JUPYTERLAB_WORKSPACES_DIR": str(folder / ".workspaces")}
    process = subprocess.Popen(command, env=environment() | state, stdout=log, stderr=log)
    try:
        yield _address(process, runtime)
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def _address(process: subprocess.Popen, runtime: Path) -> str:
    for _ in range(300):
        for file in runtime.glob("jpserver-*.json"):
            try:
                address = json.loads(file.read_text())["url"]
                urllib.request.urlopen(f"{address}api?token={TOKEN}")
                return address
            except (OSError, ValueError):
                pass
        assert process.poll() is None, "JupyterLab ended: see .log"
        time.sleep(0.2)
    raise AssertionError("JupyterLab does not answer")


def shut_down_kernels(address: str):
    for kernel in json.load(urllib.request.urlopen(f"{address}api/kernels?token={TOKEN}")):
        request = urllib.request.Request(f"{address}api/kernels/{kernel['id']}?token={TOKEN}", method="DELETE")
        urllib.request.urlopen(request)


@contextmanager
def chromium():
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, browser: Browser, address: str, name: str, theme: str = "JupyterLab Light"):
        self.context = browser.new_context(viewport={"width": 1280, "height": 1000})
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        for plugin, settings in [("themes", {"theme": theme}), ("notification", {"fetchNews": "false", "checkForUpdates": False})]:
            place = f"{address}lab/api/settings/@jupyterlab/apputils-extension:{plugin}?token={TOKEN}"
            self.context.request.put(place, data=json.dumps({"raw": json.dumps(settings)}))
        self.page.goto(f"{address}lab/tree/{name}?reset&token={TOKEN}")
        self.page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for(timeout=60_000)
        expect(self.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_have_count(1, timeout=60_000)

    def run_all(self):
        first = self.page.locator(".jp-CodeCell .jp-InputArea-prompt").first
        # The menu does nothing until its extension is loaded.
        for _ in range(20):
            try:
                self.page.get_by_role("menuitem", name="Run", exact=True).click(timeout=3_000)
                self.page.locator('[data-command="runmenu:run-all"]').click(timeout=3_000)
                expect(first).not_to_have_text("[ ]:", timeout=3_000)
                break
            except (AssertionError, TimeoutError):
                self.page.keyboard.press("Escape")
        self.idle()

    def save(self):
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("ControlOrMeta+s")
        expect(self.page.locator(".lm-TabBar-tab.jp-mod-current.jp-mod-dirty")).to_have_count(0)

    def idle(self):
        """Waits until all cells have run."""
        prompts = self.page.locator(".jp-CodeCell .jp-InputArea-prompt")
        expect(prompts.filter(has_text="[*]")).to_have_count(0, timeout=60_000)
        expect(self.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_have_count(1, timeout=60_000)

    def cell(self, index: int) -> Locator:
        return self.page.locator(f'.jp-Notebook .jp-Cell[data-windowed-list-index="{index}"]')

    def output(self, index: int) -> Locator:
        """The output of a cell, scrolled into view."""
        cell = self.cell(index)
        cell.scroll_into_view_if_needed()
        return cell.locator(".jp-OutputArea-output")

    def type_and_run(self, index: int, text: str):
        """Replaces the text of a code cell and runs it."""
        editor = self.cell(index).locator(".cm-content")
        editor.scroll_into_view_if_needed()
        editor.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("ControlOrMeta+Enter")
        self.idle()

    def close(self):
        self.context.close()
