"""Fixtures: a server and a client with the capabilities of an editor, and the workbench of Visual Studio Code."""

import os
from pathlib import Path

import pytest
from lsp_client import session
from paths import PARGEN, PSL
from workbench import CHROMIUM, Workbench

# The modules with further fixtures.
pytest_plugins = ["book", "explorer", "explorer_page", "playground", "playground_parts"]

MEASURED = "measured"

LINES = Path(__file__).with_name("quick.txt").read_text().splitlines()
QUICK = {line for line in LINES if line and not line.startswith("#")}


# The three announce different capabilities, among them different units of columns.
@pytest.fixture(params=["neovim", "visual-studio-code", "emacs"])
def editor_name(request) -> str:
    return request.param


@pytest.fixture
def client(editor_name):
    with session(editor_name) as client:
        yield client


@pytest.fixture(scope="session")
def package() -> Path:
    """The extension with the server, built by scripts/package beside the folder of the binary."""
    if not CHROMIUM.exists():
        pytest.skip("Chromium is missing: apt-get install chromium")
    [package] = PSL.parents[1].glob("psl-*.vsix")
    return package


@pytest.fixture(scope="module")
def workbench(package, tmp_path_factory):
    with Workbench(tmp_path_factory.mktemp("workbench"), package).running() as workbench:
        yield workbench


@pytest.fixture
def bench(workbench, tmp_path):
    """The workbench of the module, cleared after the test."""
    yield workbench
    workbench.clear()


@pytest.fixture
def pargen(bench) -> Workbench:
    """The workbench with PARGEN."""
    bench.open("pargen.psl", PARGEN.read_text())
    bench.ready()
    return bench


@pytest.fixture(params=["Default Dark Modern", "Default Light Modern"], ids=["dark", "light"])
def theme(request, bench) -> str:
    """The current color theme."""
    with bench.setting("workbench.colorTheme", request.param):
        yield request.param


@pytest.fixture
def picture(bench, request):
    """Saves a screenshot after the test, if `WORKBENCH_SCREENSHOTS` names a folder."""
    yield
    if folder := os.environ.get("WORKBENCH_SCREENSHOTS"):
        bench.page.screenshot(path=Path(folder) / f"{request.node.name.removeprefix('test_')}.png")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and "bench" in item.funcargs:
        folder = item.funcargs["tmp_path"]
        item.funcargs["bench"].record(folder)
        report.sections.append(("screenshot and logs of the workbench", str(folder)))
    return report


def pytest_collection_modifyitems(items):
    for item in items:
        if QUICK & {item.path.name, f"{item.path.name}::{item.originalname}", f"{item.path.name}::{item.name}"}:
            item.add_marker("quick")
    # The files that take longest go first, so that the short ones fill both processes to the end.
    shows = {name: {item.path for item in items if name in item.fixturenames} for name in ("package", "browser")}
    # A test that waits for a browser gets more time.
    for item in items:
        if item.path in shows["package"] | shows["browser"] and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(300))
    items.sort(key=lambda item: (item.path not in shows["package"], item.path not in shows["browser"]))


@pytest.fixture
def measure(record_property):
    """Adds a line to the end of the report."""
    return lambda words: record_property(MEASURED, words)


def pytest_terminal_summary(terminalreporter):
    for report in [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]:
        for name, words in report.user_properties:
            if name == MEASURED:
                terminalreporter.write_line(words)
