"""A server for each test, and a client that talks to it in the role of one of three editors."""

import pytest
import pytest_asyncio
from client import Client


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
