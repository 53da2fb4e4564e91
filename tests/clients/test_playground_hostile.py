"""Nothing in a link, in the name of a file or in the data of the browser stops the playground: the editor is there, and a sentence says why."""

import base64
import json
import random
import zlib

import pytest
from playwright.sync_api import expect
from workbench import until


def packed(data: bytes) -> str:
    deflater = zlib.compressobj(9, wbits=-15)
    return "#psl=1." + base64.urlsafe_b64encode(deflater.compress(data) + deflater.flush()).decode().rstrip("=")


def link(**fields) -> str:
    """A link with fields as JSON, in which lone surrogates are escaped."""
    return packed(json.dumps({"n": "mine", "t": "# theirs\n"} | fields).encode())


REFUSED = {
    "half a character in the name": (link(n="a\ud800"), "The name in the link is not valid Unicode."),
    "half a character in the program": (link(t="# \udfff"), "The program in the link is not valid Unicode."),
    "half a character in the prompt": (link(p="\ud800 a"), "The prompt in the link is not valid Unicode."),
    "a name without an end": (link(n="x" * 900_000), "The name in the link exceeds 100 characters."),
    "a prompt without an end": (link(p="a " * 400_000), "The prompt in the link exceeds 100,000 characters."),
    "no name": (link(n=""), "The name in the link is empty, or cannot be that of a file."),
    "a folder": (link(n=".."), "cannot be that of a file"),
    "a path": (link(n="../../a"), "cannot be that of a file"),
    "a terminal's bytes": (link(n="\x1b[31m"), "cannot be that of a file"),
    "another order": (link(n="\u202elsp.a"), "cannot be that of a file"),
    "a layer": (link(l=1e300), "in place of a layer"),
    "a cell": (link(c=-1), "in place of a cell"),
    "a panel": (link(s="__proto__"), "in place of a panel"),
    "a prototype": (packed(b'{"__proto__":{"n":"a","t":"b"}}'), "in place of a name"),
    "depth": (packed(b"[" * 400_000 + b"]" * 400_000), "The link"),
    "a long version": ("#psl=" + "9" * 100_000 + ".AA", "The link is incomplete or was changed on its way."),
}
assert len(REFUSED["a name without an end"][0]) < 1_400


@pytest.mark.parametrize("name", REFUSED)
def test_a_link_that_is_refused_leaves_an_editor(tab, name):
    fragment, why = REFUSED[name]
    page = tab(fragment)
    expect(page.notices).to_contain_text(why)
    page.append("# mine")
    assert page.text().endswith("# mine")


OPENED = {
    "a prototype": ("__proto__", "# theirs\n"),
    "a property": ("constructor", "# theirs\n"),
    "markup": ("<img src=x onerror=window.ran=1>", "# theirs\n"),
    "a device": ("con", "# theirs\n"),
    "the longest name": ("😀" * 100, "# theirs\n"),
    "a long line": ("mine", "# " + "x" * 900_000),
    "many lines": ("mine", "#\n" * 250_000),
    "depth": ("mine", "where " + "(" * 300_000),
    "zeros": ("mine", "# \0\n"),
}


@pytest.mark.parametrize("case", OPENED)
def test_a_link_that_is_strange_opens(tab, case):
    name, text = OPENED[case]
    first = tab(link(n=name, t=text, p="a " * 40_000, s="runs", l=1_000_000, c=1_000_000))
    expect(first.page).to_have_title(f"{name} – PSL playground", timeout=60_000)
    assert first.page.evaluate("window.ran ?? null") is None
    first.append("# mine")
    # Otherwise the browser may reload the link.
    first.page.wait_for_timeout(400)
    first.page.reload()
    first.settle()
    expect(first.page).to_have_title(f"{name} – PSL playground", timeout=60_000)
    assert first.text() == text + "# mine"


def fragments(count: int) -> list[str]:
    """Fragments at random, and good ones with a few bytes changed."""
    choices = random.Random(1)
    good = json.dumps({"n": "a", "t": "where x", "p": "a b", "s": "explorer", "l": 1, "c": 2}).encode()

    def mutated(data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(choices.randint(1, 3)):
            changed[choices.randrange(len(changed))] = choices.choice([choices.randrange(256), *b'"\\/0{}[]'])
        return bytes(changed)

    ways = [
        lambda: packed(mutated(good)),
        lambda: packed(json.dumps({choices.choice("ntpslc"): choices.choice([None, "\ud800", [], {}, 10**400, "x" * 5000]) for _ in range(3)}).encode()),
        lambda: "#psl=1." + base64.urlsafe_b64encode(mutated(zlib.compress(good)[2:-4])).decode().rstrip("="),
        lambda: "#psl=" + "".join(choices.choices("0123456789.AZaz-_%=#&<\"é😀", k=20)),
        lambda: "#" + "".join(choices.choices("psl=1.%&?#/\\é😀", k=20)),
    ]
    return [choices.choice(ways)() for _ in range(count)]


def test_any_fragment_leaves_an_editor(tab):
    page = tab()
    for index, fragment in enumerate(fragments(300)):
        page.page.evaluate("(fragment) => { location.hash = fragment; }", fragment)
        if index % 20 == 0:
            page.append(f" # {index}")
            expect(page.editor).to_contain_text(f"# {index}")
    page.page.reload()
    page.settle()
    for fragment in fragments(8):
        tab(fragment)


def test_a_link_never_replaces_a_program_of_the_reader(tab):
    for text in ("# one", "# two"):
        page = tab(link(t=text))
        page.append(" mine")
        page.page.wait_for_timeout(400)
    page.button("Programs").click()
    expect(page.page.get_by_role("menuitemradio", name="mine", exact=True)).to_have_count(1)
    page.page.get_by_role("menuitemradio", name="mine", exact=True).click()
    expect(page.editor).to_contain_text("# one mine")
    page.choose("Programs", "mine 2")
    expect(page.editor).to_contain_text("# two mine")


NAMES = {"a/b\\c": "a_b_c", "..": "program", "\u202elsp": "_lsp", "x" * 200: "x" * 100, "\x1b[0m": "_[0m", " __proto__ ": "__proto__"}


@pytest.mark.parametrize("wanted", NAMES)
def test_a_program_gets_the_nearest_name_that_it_may_have(tab, wanted):
    page = tab()
    page.append("# mine")
    field = page.page.get_by_label("Name of the program", exact=True)
    # A field limits what is typed, but not what a script sets.
    field.evaluate("(field, name) => { field.value = name; field.dispatchEvent(new Event('input', { bubbles: true })); field.dispatchEvent(new Event('change', { bubbles: true })); }", wanted)
    expect(field).to_have_value(NAMES[wanted])
    again = tab(page.share().removeprefix(page.server))
    expect(again.page).to_have_title(f"{NAMES[wanted]} – PSL playground")
    assert again.text().endswith("# mine")


def test_a_file_of_any_name_opens(tab):
    page = tab()
    for name, shown in {".psl": "program", "a\nb.psl": "a_b", "con.psl": "con", "x" * 250 + ".psl": "x" * 100, "__proto__": "__proto__"}.items():
        page.drop(name, "# dropped\n")
        expect(page.page).to_have_title(f"{shown} – PSL playground")
        assert page.text() == "# dropped\n"


# Programs that an older or damaged page has kept. Lone surrogates are escaped for the script.
WHOLE = {"id": "whole", "name": "whole", "text": "# whole\n", "changed": 1, "original": None, "prompt": None, "revision": 1}
DAMAGED = [
    {"id": "bare", "text": "# bare\n"},
    {"id": "name", "name": {"toString": 1}, "text": "# name\n"},
    {"id": "half", "name": "a\ud800", "text": "# half\n"},
    {"id": "fields", "name": "fields", "text": "# fields\n", "changed": "x", "original": 5, "prompt": [], "revision": "1"},
    {"id": "later", **{key: value for key, value in WHOLE.items() if key != "id"}, "name": "later", "text": "# later\n", "folder": "mine"},
    {"id": "lost", "name": "lost", "text": None},
    {"id": "number", "name": 5, "text": 5},
]
STORE = """(rows) => new Promise((done, failed) => {
  const opening = indexedDB.open("psl-playground", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("programs", { keyPath: "id" });
  opening.onsuccess = () => {
    const writing = opening.result.transaction("programs", "readwrite");
    for (const row of JSON.parse(rows)) writing.objectStore("programs").put(row);
    writing.oncomplete = () => { opening.result.close(); done(); };
    writing.onabort = failed;
  };
})"""
ROWS = """() => new Promise((done) => {
  const opening = indexedDB.open("psl-playground", 1);
  opening.onsuccess = () => {
    const request = opening.result.transaction("programs").objectStore("programs").getAll();
    request.onsuccess = () => { opening.result.close(); done(request.result.map((row) => JSON.parse(JSON.stringify(row)))); };
  };
})"""


@pytest.fixture
def keeping(tab):
    """Opens the page with programs and entries of the journal that are there already."""

    def keeping(rows=(), journal=(), last="whole"):
        first = tab()
        first.page.evaluate(STORE, json.dumps([WHOLE, *rows]))
        for number, entry in enumerate(journal):
            first.page.evaluate("([number, entry]) => localStorage.setItem(`psl-playground unsaved tab ${number}`, entry)", [number, entry])
        first.page.evaluate("(last) => { sessionStorage.clear(); localStorage.setItem('psl-playground last', last); }", last)
        first.page.reload()
        first.settle()
        return first

    return keeping


@pytest.mark.parametrize("last", [row["id"] for row in DAMAGED])
def test_damaged_programs_do_not_stop_the_page(keeping, last):
    page = keeping(DAMAGED, last=last)
    expect(page.notices).to_contain_text("damaged data")
    page.append("# mine")
    assert page.text().endswith("# mine")
    page.page.wait_for_timeout(400)
    rows = {row["id"]: row for row in page.page.evaluate(ROWS)}
    # What cannot be read stays as it is, and so do fields of a later version.
    assert [rows["lost"], rows["number"]] == DAMAGED[-2:]
    assert rows["later"]["folder"] == "mine"
    for row in (WHOLE, *DAMAGED[:-2]):
        assert rows[row["id"]]["text"] == row["text"] + ("# mine" if row["id"] == last else "")


JOURNAL = [
    "",
    "null",
    "[]",
    "{",
    '{"known":null,"change":null}',
    '{"known":{"id":"a"},"change":null}',
    '{"known":{"id":5},"change":{"text":"b"}}',
    '{"known":{"id":"c"},"change":{"text":5}}',
    '{"known":{"id":"d"},"change":{"name":"d"}}',
    '{"known":{"id":"__proto__","name":"\\ud800"},"change":{"text":"# found\\n"}}',
]


def test_a_damaged_journal_does_not_stop_the_page(keeping):
    page = keeping(journal=JOURNAL)
    until(lambda: page.page.evaluate(ROWS), lambda rows: {row["id"]: row["text"] for row in rows} == {"whole": "# whole\n", "__proto__": "# found\n"})
    assert page.text() == "# whole\n"
    page.append("# mine")
    assert page.text() == "# whole\n# mine"
