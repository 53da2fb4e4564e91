"""The workbench of Visual Studio Code: served by code-server, shown in Chromium, and inspected by an extension."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import zipfile
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from command import execute
from npm import HEADERS, installed, installing, npm
from playwright.sync_api import FrameLocator, Locator, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

HERE = Path(__file__).with_name("workbench")
# The actual program: the `node` beside Python is a wrapper that does not end its child.
NODE = HEADERS / "bin/node"
CHROMIUM = Path("/usr/bin/chromium")
QUIET = """--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
           --disable-component-update --disable-sync""".split()
# Each new window loads two pages for its address bar, which cost as much as a page of ours. This list replaces that of
# Playwright, so the features that Playwright turns off follow.
QUIET += ["--disable-features=" + ",".join("""
    WebUIOmniboxPopup WebUIOmniboxAimPopup
    AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
    HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
    PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning""".split())]

# Turns off welcome pages, trust dialogs and chat, and fixes the look of screenshots.
SETTINGS = {
    "chat.disableAIFeatures": True,
    "editor.minimap.enabled": False,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "window.autoDetectColorScheme": False,
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


def until(look, holds=bool, seconds: float = 60):
    """Calls `look` until its result satisfies `holds`, and returns the result."""
    deadline = time.monotonic() + seconds
    while not holds(seen := look()):
        assert time.monotonic() < deadline, f"still seen after {seconds} s: {seen!r}"
        time.sleep(0.05)
    return seen


def code_server() -> Path:
    """Installs code-server, unless it is installed, and returns its folder."""
    folder = installed(HERE) / "code-server"
    inside = folder / "lib/vscode"
    with installing("code-server"):
        if not (inside / "node_modules/@vscode/spdlog/build/Release/spdlog.node").exists():
            npm(inside, "install", "--omit=dev", "--ignore-scripts")
            # The only native module that is needed: it writes the logs.
            npm(inside, "rebuild", "@vscode/spdlog")
    return folder


def packed_probe(folder: Path) -> Path:
    """Packs the probe extension."""
    package = folder / "probe.vsix"
    with zipfile.ZipFile(package, "w") as vsix:
        for file in (HERE / "probe").iterdir():
            vsix.write(file, f"extension/{file.name}")
    return package


class Workbench:
    """A workbench with a new profile and folder, without `psl` on its PATH."""

    # A document opened by the probe would stay open for minutes.
    DOCUMENT = "const document = vscode.workspace.textDocuments.find((it) => it.uri.path === uri(name).path);"

    def __init__(self, home: Path, *extensions: Path, **settings):
        self.home = home
        self.folder = home / "programs"
        self.folder.mkdir()
        self.socket = home / "probe"
        self.settings = home / "profile/User/settings.json"
        self.settings.parent.mkdir(parents=True)
        self.settings.write_text(json.dumps(SETTINGS | settings, indent=2))
        assert shutil.which("psl", path=os.defpath) is None
        self.environment = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "PROBE_SOCKET": str(self.socket)}
        self.command = [NODE, code_server() / "out/node/entry.js"]
        self.command += ["--user-data-dir", home / "profile", "--extensions-dir", home / "extensions"]
        self.command += ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
        for package in (*extensions, packed_probe(home)):
            self._call("--install-extension", package)

    def _call(self, *arguments):
        execute(*self.command, *arguments, env=self.environment, cwd=self.home)

    @contextmanager
    def running(self):
        """Starts and shows the workbench, and ends it afterwards."""
        with self._served() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
            self.page = browser.new_page(viewport={"width": 1280, "height": 800})
            self.address = f"{address}?folder={self.folder}"
            self.show()
            yield self
            browser.close()

    @contextmanager
    def _served(self):
        output = self.home / "code-server.log"
        with output.open("w") as log:
            command = [*self.command, "--bind-addr", "127.0.0.1:0", self.folder]
            # In a new process group, so that its children end with it.
            server = subprocess.Popen(
                command, env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )
        try:
            yield until(lambda: re.search(r"listening on (http://\S+)", output.read_text()))[1]
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()

    def show(self):
        """Opens the folder in the page as a new window."""
        self.socket.unlink(missing_ok=True)
        self.page.goto(self.address)
        until(self.socket.exists)

    def evaluate(self, code: str, **given):
        """Runs JavaScript in the extension host, with `vscode`, `uri(name)` and `given` in scope, and returns its result."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(100)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"code": code, "given": given}).encode())
            connection.shutdown(socket.SHUT_WR)
            answer = json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))
        assert "failure" not in answer, answer["failure"]
        return answer["result"]

    def write(self, name: str, text: str):
        """Writes a file in the folder."""
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def open(self, name: str, text: str | None = None):
        """Shows a file in the folder, with the cursor at its start."""
        if text is not None:
            self.write(name, text)
        self.evaluate(
            """const start = new vscode.Range(0, 0, 0, 0);
               await vscode.window.showTextDocument(uri(name), { preview: false, selection: start })""",
            name=name,
        )

    def text(self, name: str) -> str:
        """The text of a file in the editor."""
        return self.evaluate(f"{self.DOCUMENT} return document.getText()", name=name)

    def put_cursor(self, needle: str, offset: int = 0):
        """Moves the cursor `offset` characters into the first needle, and focuses the editor."""

        def moved() -> bool:
            line, column = self.evaluate(
                """const editor = vscode.window.activeTextEditor;
                   const index = editor.document.getText().indexOf(needle);
                   if (index < 0) throw new Error(`no ${needle} in ${editor.document.uri}`);
                   const at = editor.document.positionAt(index + offset);
                   editor.selection = new vscode.Selection(at, at);
                   editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
                   await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
                   return [at.line + 1, at.character + 1];""",
                needle=needle,
                offset=offset,
            )
            # The page is updated later than the extension host.
            with suppress(PlaywrightTimeout):
                self.page.locator(".statusbar-item", has_text=f"Ln {line}, Col {column}").wait_for(timeout=3000)
                return True
            return False

        # A debugger that ends and a file that is read again move the cursor too, at any time.
        until(moved)

    def diagnostics(self, name: str, holds=bool) -> list[dict]:
        """Waits until `holds` is true for the codes of a file's diagnostics, and returns the diagnostics."""
        code = """return vscode.languages.getDiagnostics(uri(name)).map((it) => ({
                    code: it.code?.value ?? it.code, message: it.message, severity: vscode.DiagnosticSeverity[it.severity],
                    line: it.range.start.line, word: document?.getText(it.range),
                  }))"""
        look = partial(self.evaluate, self.DOCUMENT + code, name=name)
        return until(look, lambda found: holds([each["code"] for each in found]))

    @property
    def status_item(self) -> Locator:
        return self.page.locator("[id='psl-tools.psl.psl.status'] [aria-label]").first

    def status(self) -> str:
        """The accessibility label of the server's item in the status bar."""
        return self.status_item.get_attribute("aria-label")

    def ready(self):
        """Waits until the server is ready."""
        until(self.status, lambda label: "ready" in label)

    def webview(self) -> FrameLocator:
        """The page in a panel, which is a frame inside a frame. Its successor is beside it while it loads."""
        return self.page.frame_locator("iframe.webview").frame_locator("#active-frame")

    def choose(self, command: str):
        """Runs a command from the palette."""
        self.page.keyboard.press("F1")
        self.page.locator(".quick-input-widget:visible").wait_for()
        self.page.keyboard.type(command)
        self.page.locator(".quick-input-widget .monaco-list-row.focused", has_text=command).wait_for()
        self.page.keyboard.press("Enter")

    def servers(self) -> list[int]:
        """The process ids of the packed server."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(FileNotFoundError, ProcessLookupError):
                command = (process / "cmdline").read_bytes().decode().split("\0")
                if command[0].startswith(str(self.home)) and command[1:2] == ["lsp"]:
                    found.append(int(process.name))
        return found

    def notification(self, words: str) -> Locator:
        """A visible notification that contains the words."""
        return self.page.locator(".notifications-toasts .notification-list-item", has_text=words)

    def color(self, word: str, line: str) -> str | None:
        """The color of a word in the first visible line that starts with `line`."""
        return self.page.evaluate(
            """([word, line]) => {
                 const plain = (node) => node.textContent.replaceAll('\u00a0', ' ').trim();
                 const rows = [...document.querySelectorAll('.view-line')].filter((row) => plain(row).startsWith(line));
                 const spans = rows.flatMap((row) => [...row.querySelectorAll('span span')]);
                 const span = spans.find((it) => plain(it) === word);
                 return span ? getComputedStyle(span).color : null;
               }""",
            [word, line],
        )

    def texts_after_lines(self) -> list[str]:
        """The decorations after the visible lines."""
        code = """spans => spans.map((it) => getComputedStyle(it, '::after').content).filter((it) => it !== 'none')"""
        return self.page.locator(".view-line span").evaluate_all(code)

    @contextmanager
    def setting(self, name: str, value):
        """Changes a user setting temporarily."""
        code = "await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global)"
        before = json.loads(self.settings.read_text()).get(name)
        self.evaluate(code, name=name, value=value)
        try:
            yield
        finally:
            # `undefined` removes the setting.
            self.evaluate(code.replace(", value", ", value ?? undefined"), name=name, value=before)

    def record(self, folder: Path):
        """Saves a screenshot and all logs in a folder."""
        self.page.screenshot(path=folder / "workbench.png")
        shutil.copytree(self.home / "profile/logs", folder / "logs", dirs_exist_ok=True)

    def clear(self):
        """Closes all editors and notifications, and empties the folder."""
        self.page.keyboard.press("Escape")
        self.evaluate(
            """for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
                 await vscode.window.showTextDocument(document);
                 await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
               }
               for (const command of ['action.closeAllEditors', 'action.closePanel', 'view.explorer']) {
                 await vscode.commands.executeCommand(`workbench.${command}`);
               }
               await vscode.commands.executeCommand('notifications.clearAll');"""
        )
        for file in self.folder.iterdir():
            shutil.rmtree(file) if file.is_dir() else file.unlink()
