"""JupyterLab and Chromium for all tests."""

import pytest
from lab import Notebook, chromium, notebook, server, shut_down_kernels


@pytest.fixture(scope="session")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory):
    """The folder of a server, and its address."""
    folder = tmp_path_factory.mktemp("notebooks")
    with server(folder) as address:
        yield folder, address


@pytest.fixture
def file(jupyter, request):
    """The notebook of a test."""
    return jupyter[0] / f"{request.node.originalname}.ipynb"


@pytest.fixture
def opened(browser, jupyter, file):
    """Opens the notebook with cells of code, or as it is without any. A page that complains fails the test."""
    notebooks = []
    _, address = jupyter

    def open_notebook(*cells: str, theme: str = "JupyterLab Light") -> Notebook:
        if cells:
            notebook(file, *cells)
        notebooks.append(Notebook(browser, address, file.name, theme))
        return notebooks[-1]

    yield open_notebook
    shut_down_kernels(address)
    for opened in notebooks:
        assert opened.complaints == []
        opened.close()
