"""The playground without a network, from a file, in a new version, and its requests."""

import hashlib
import re
import shutil
from base64 import b64encode
from pathlib import Path

from pargen import SWAP
from playground import FOLDER, Playground, Quiet, served
from playwright.sync_api import expect

ONE_FILE = FOLDER.with_suffix(".html")
RESULT = "K L V F G H ."
INSTALLED = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  return active.state === "activated" || new Promise((resolve) => active.addEventListener("statechange", () => resolve(active.state === "activated")));
}"""


def example(playground: Playground):
    """Runs an example, and looks at it in the explorer."""
    playground.choose("Examples", "pargen")
    playground.run(SWAP)
    expect(playground.page.get_by_role("tabpanel", name="Runs")).to_contain_text(RESULT)
    playground.show("explorer")
    expect(playground.explorer.locator("#grid .g-cell").first).to_be_visible()


def test_after_the_first_load_the_page_needs_no_network(visit, tmp_path):
    # A folder inside another: the page works from any path.
    folder = tmp_path / "any/path"
    shutil.copytree(FOLDER, folder)
    with served(tmp_path) as address:
        playground = visit(address + "any/path/")
        assert playground.page.evaluate(INSTALLED)
    # The server is gone.
    playground.page.reload()
    playground.settle()
    example(playground)
    playground.page.goto(playground.address + "index.html?embed")
    playground.settle()
    kept = playground.page.evaluate("async () => (await (await caches.open((await caches.keys())[0])).keys()).map(({ url }) => url)")
    assert sorted(Path(url.partition("?")[0]).name for url in kept) == sorted(file.name for file in FOLDER.iterdir() if file.name not in ("sw.js", "book.js"))
    assert all(url.startswith(playground.address) for url in kept)


def renew(folder: Path, number: int):
    """Makes another version of the page: its style, and all that have the hash of the style."""
    page, script = folder / "index.html", folder / "sw.js"
    style = folder / "main.css"
    old = style.read_text()
    new = f"{old}\n:root {{ --release: {number}; }}"
    style.write_text(new)
    texts = {file: file.read_text() for file in (page, script)}

    def replace(before: bytes, after: bytes):
        for file, text in texts.items():
            for form in (lambda content: hashlib.sha256(content).hexdigest()[:12], base64):
                text = text.replace(form(before), form(after))
            texts[file] = text

    before = texts[page].encode()
    replace(old.encode(), new.encode())
    replace(before, texts[page].encode())
    page.write_text(texts[page])
    script.write_text(re.sub(r'"[0-9a-f]{12}"', f'"{number:012}"', texts[script]))


def base64(content: bytes) -> str:
    return b64encode(hashlib.sha256(content).digest()).decode()


def release(playground: Playground) -> str:
    return playground.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--release')")


def test_a_new_version_is_used_at_the_next_load(visit, tmp_path):
    folder = tmp_path / "playground"
    shutil.copytree(FOLDER, folder)
    with served(folder) as address:
        playground = visit(address)
        assert playground.page.evaluate(INSTALLED)
        expect(playground.page.get_by_text("A new version")).to_have_count(0)
        for number in (1, 2, 3):
            before = release(playground)
            renew(folder, number)
            playground.page.reload()
            assert release(playground) == before
            expect(playground.page.get_by_text("A new version of this page is ready")).to_be_visible()
            # The open page still has its own explorer.
            playground.settle()
            playground.show("explorer")
            playground.page.reload()
            playground.settle()
            assert release(playground) == str(number)
        assert len(playground.page.evaluate("caches.keys()")) == 2


def test_the_page_as_one_file(visit, tmp_path):
    file = tmp_path / "playground.html"
    shutil.copy(ONE_FILE, file)
    playground = visit(file.as_uri())
    example(playground)
    assert [url for url in playground.requests if not url.startswith((file.as_uri(), "blob:"))] == []
    playground.write("# mine\n")
    playground.page.wait_for_timeout(400)
    playground.page.reload()
    playground.settle()
    assert playground.text() == "# mine\n"


def test_a_host_that_does_not_know_webassembly(visit):
    class Old(Quiet):
        extensions_map = {"": "application/octet-stream", ".html": "text/html", ".js": "text/javascript", ".css": "text/css"}

    with served(handler=Old) as address:
        visit(address)


def test_no_request_has_content_or_leaves(visit):
    with served() as address:
        playground = visit(address)
        sent = []
        playground.context.on("request", lambda request: sent.append((request.method, request.post_data, request.url)))
        example(playground)
        playground.write("# SECRET\n")
        link = playground.share()
        playground.page.goto("about:blank")
        playground.page.goto(link)
        playground.settle()
        assert playground.text() == "# SECRET\n"
        assert {method for method, _, _ in sent} == {"GET"} and {content for _, content, _ in sent} == {None}
        # Chromium's tools show the fragment of a page, which is not sent.
        urls = {url.partition("#")[0] for _, _, url in sent if not url.startswith(("blob:", "data:", "about:"))}
        assert all(url.startswith(address) for url in urls) and not any("SECRET" in url for url in urls)
        names = {url.removeprefix(address).partition("?")[0] for url in urls}
        assert names <= {""} | {file.name for file in FOLDER.iterdir()}
