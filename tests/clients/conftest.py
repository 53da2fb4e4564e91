"""A server for each test, and a client that talks to it in the role of one of three editors; and the workbench of one."""

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
import pytest_asyncio
from client import Client
from npm import npm
from paths import PSL, ROOT
from workbench import Workbench

MEASURED = pytest.StashKey[list[str]]()


# The three differ in what they announce, not least in the units of columns that they prefer.
@pytest.fixture(params=["neovim", "visual-studio-code", "emacs"])
def editor_name(request) -> str:
    return request.param


@pytest_asyncio.fixture
async def client(editor_name):
    client = Client()
    await client.start(editor_name)
    yield client
    assert await client.finish() == 0


@pytest.fixture(scope="session")
def package(tmp_path_factory) -> Path:
    """The extension, packed with the server."""
    if "PSL_VSIX" in os.environ:
        return Path(os.environ["PSL_VSIX"])
    home = tmp_path_factory.mktemp("package")
    folder = home / "editors/vscode"
    shutil.copytree(ROOT / "editors/vscode", folder, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    shutil.copytree(ROOT / "grammars/textmate", home / "grammars/textmate")
    for licence in ROOT.glob("LICENSE*"):
        shutil.copy(licence, home)
    npm(folder, "ci")
    npm(folder, "run", "package")
    [package] = folder.glob("psl-*.vsix")
    with zipfile.ZipFile(package, "a") as vsix:
        vsix.write(PSL, "extension/server/psl")
    return package


@pytest.fixture(scope="module")
def workbench(package, tmp_path_factory):
    with Workbench(tmp_path_factory.mktemp("workbench"), package).running() as workbench:
        yield workbench


@pytest.fixture
def bench(workbench, request, tmp_path):
    """The workbench of the module, as empty as at its start."""
    yield workbench
    workbench.clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and "bench" in item.funcargs:
        folder = item.funcargs["tmp_path"]
        item.funcargs["bench"].record(folder)
        report.sections.append(("what the workbench shows and wrote", str(folder)))
    return report


@pytest.fixture
def measure(request, pytestconfig):
    """Takes words that stand at the end of the report."""
    return pytestconfig.stash.setdefault(MEASURED, []).append


def pytest_terminal_summary(terminalreporter, config):
    for words in config.stash.get(MEASURED, []):
        terminalreporter.write_line(words)
