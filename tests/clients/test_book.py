"""The pages of docs as a site, built by mdBook and shown in Chromium."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from book import DOCS
from paths import ROOT

pytestmark = pytest.mark.long

LISTED = re.findall(r"\]\(([^)]+)\.md\)", (DOCS / "SUMMARY.md").read_text())
PAGES = [(DOCS / page).resolve().relative_to(ROOT).as_posix() for page in LISTED]

# The attributes with the address of something that a page loads.
LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src", "object": "data"}


class Page(HTMLParser):
    """The ids, links and loaded files of a page."""

    def __init__(self, file: Path):
        super().__init__()
        self.file, self.ids, self.links, self.loaded = file, set(), [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if address := attributes.get(LOADED.get(tag)):
            self.loaded.append(address)


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    return {file: Page(file) for file in site.rglob("*.html")}


def test_every_page_is_in_the_site(site, pages, measure):
    assert PAGES
    missing = [page for page in PAGES if (site / page).with_suffix(".html") not in pages]
    assert not missing
    measure(f"book: {len(PAGES)} pages")


def test_links_lead_to_headings(site, pages, measure):
    followed, broken = 0, []
    for page in PAGES:
        file = (site / page).with_suffix(".html")
        for link in pages[file].links:
            parts = urlsplit(link)
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if parts.scheme:
                continue
            followed += 1
            if not target.exists() or parts.fragment and unquote(parts.fragment) not in pages[target].ids:
                broken.append(f"{page}: {link}")
    assert followed
    assert not broken
    measure(f"book: {followed} links followed")


def test_pages_load_nothing_from_elsewhere(site, pages):
    loaded = [(page.file.name, address) for page in pages.values() for address in page.loaded]
    assert loaded
    assert not [it for it in loaded if urlsplit(it[1]).scheme not in ["", "data"] or it[1].startswith("//")]
    styles = list(site.rglob("*.css"))
    assert styles
    for style in styles:
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", style.read_text()), style


def test_a_browser_requests_only_files_of_the_site(site, browser):
    page = browser.new_page()
    requested, failed = [], []
    page.on("request", lambda request: requested.append(request.url))
    page.on("requestfailed", lambda request: failed.append(request.url))
    for name in ["index", "docs/diagnostics"]:
        page.goto((site / name).with_suffix(".html").as_uri())
        page.wait_for_load_state("networkidle")
    page.close()
    assert requested and not failed
    assert not [url for url in requested if not url.startswith((site.as_uri(), "data:"))]


def test_programs_are_colored(site, browser):
    page = browser.new_page()
    page.goto((site / "docs/diagnostics/stale-prev.html").as_uri())
    block = page.locator("code.language-psl").first
    assert block.locator(".hljs-keyword").all_inner_texts()[:2] == ["where", "where"]
    assert block.locator(".hljs-variable").all_inner_texts() == ["mark", "copy", "mark", "symbol"]
    assert set(block.locator(".hljs-title").all_inner_texts()) == {"N"}
    assert block.locator(".hljs-built_in").all_inner_texts() == ["@pos_decrement"]
    queries = (ROOT / "grammars/highlights.scm").read_text()
    keywords = {word for list in re.findall(r"\[(.*)\] @keyword", queries) for word in re.findall(r'"(\w+)"', list)}
    assert len(keywords) > 10
    colored = "word => hljs.highlight('psl', word).value"
    assert {page.evaluate(colored, word) for word in keywords} == {
        f'<span class="hljs-keyword">{word}</span>' for word in keywords
    }
    page.close()
