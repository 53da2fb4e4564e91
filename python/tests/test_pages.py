"""The sessions of the book's pages about Python."""

import doctest
import re

import pytest
from command import EXAMPLES, ROOT

PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if "\n```pycon\n" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_sessions_of_a_page_run(page, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    text = page.read_text()
    session = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, page.name, str(page), 0)
    said = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert tried and not failed, "".join(said)


def test_there_are_pages():
    assert PAGES
