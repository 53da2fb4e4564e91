"""Programs of the playground on disk: pickers, uploads, downloads and drops."""

import pytest
from playwright.sync_api import Page

# Dispatches a drop of files that are made in the page, and collects what comes of it.
DROP = """async (files) => {
  const data = new DataTransfer();
  for (const [name, bytes] of files) data.items.add(new File([new Uint8Array(bytes)], name));
  const events = ["dragover", "drop"].map((kind) => new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
  const inside = document.querySelector("#target");
  const left = events.map((event) => inside.dispatchEvent(event));
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { left, seen: window.seen.splice(0) };
}"""
# A picker of the browser, which a test cannot use.
PICKER = """
window.showOpenFilePicker = async (options) => {
  window.asked = options;
  if (window.aborted) throw new DOMException("The user aborted a request.", "AbortError");
  return [{ getFile: async () => new File(["where x\\n"], "mine.psl") }];
};
window.showSaveFilePicker = async (options) => {
  window.asked = options;
  if (window.aborted) throw new DOMException("The user aborted a request.", "AbortError");
  window.written = [];
  // Each of the steps can fail.
  const step = (name) => async (...args) => {
    window.written.push(...args, name);
    if (window.fails === name) throw new DOMException("no space left", "QuotaExceededError");
  };
  const writable = { write: step("written"), close: step("closed"), abort: step("aborted") };
  return { name: "chosen.psl", createWritable: async () => step("created")().then(() => writable) };
};
"""
# The pickers choose files that only the page has, but that the browser writes as it does those on disk.
REAL = """
window.folder = () => navigator.storage.getDirectory();
window.showSaveFilePicker = async ({ suggestedName }) => (await folder()).getFileHandle(suggestedName, { create: true });
window.texts = async () => {
  const texts = {};
  for await (const [name, handle] of (await folder()).entries()) texts[name] = await (await handle.getFile()).text();
  return texts;
};
"""
WITHOUT = "delete window.showOpenFilePicker; delete window.showSaveFilePicker;"


@pytest.fixture
def opened(browser, probe):
    contexts = []

    def open_page(before: str) -> Page:
        context = browser.new_context()
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(before)
        page.goto(probe)
        return page

    yield open_page
    for context in contexts:
        context.close()


def test_the_pickers_of_the_browser(opened):
    page = opened(PICKER)
    assert page.evaluate("probe.openFile()") == {"name": "mine", "text": "where x\n"}
    assert page.evaluate("probe.saveFile({ name: 'a/b', text: 'where y' })") == "Saved chosen.psl."
    assert page.evaluate("[asked.suggestedName, ...written]") == ["a_b.psl", "created", "where y", "written", "closed"]
    page.evaluate("window.aborted = true")
    assert page.evaluate("probe.openFile()") is None
    assert page.evaluate("probe.saveFile({ name: 'a', text: '' })") is None


SAVE = "([name, text]) => probe.saveFile({ name, text }).catch((why) => `failed: ${why.message}`)"


@pytest.mark.parametrize("step", ["created", "written", "closed"])
def test_a_failed_write_is_reported_and_is_not_a_file(opened, step):
    page = opened(PICKER)
    page.evaluate("(step) => { window.fails = step; }", step)
    said = page.evaluate(SAVE, ["a", "where y"])
    assert said == "failed: chosen.psl was not saved: no space left. Save the program in another place: this page still has it."
    steps = {"created": ["created"], "written": ["created", "where y", "written", "aborted"], "closed": ["created", "where y", "written", "closed"]}
    assert page.evaluate("written") == steps[step]


def test_a_full_disk_leaves_the_file_and_its_neighbors(opened, probe):
    page = opened(REAL)
    assert page.evaluate(SAVE, ["mine", "old"]) == "Saved mine.psl."
    assert page.evaluate(SAVE, ["other", "other"]) == "Saved other.psl."
    devtools = page.context.new_cdp_session(page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": probe.rstrip("/"), "quotaSize": 1})
    said = page.evaluate(SAVE, ["mine", "new " * 1_000_000])
    assert said.startswith("failed: mine.psl was not saved: ")
    assert page.evaluate("texts()") == {"mine.psl": "old", "other.psl": "other"}
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": probe.rstrip("/")})
    assert page.evaluate(SAVE, ["mine", "new"]) == "Saved mine.psl."
    assert page.evaluate("texts()") == {"mine.psl": "new", "other.psl": "other"}


NAMES = {
    "a.psl": "a.psl",
    "../../etc/passwd": "_.._.._etc_passwd.psl",
    "..": "_...psl",
    ".profile": "_.profile.psl",
    "": "program.psl",
    " \n": "program.psl",
    "a\nb\x7f\x85\u2028c": "a_b___c.psl",
    "\u202elsp.exe": "_lsp.exe.psl",
    'a:b*c?d"e<f>g|h\\i': "a_b_c_d_e_f_g_h_i.psl",
    "CON": "_CON.psl",
    "lpt1.old": "_lpt1.old.psl",
    "console": "console.psl",
    "x" * 900_000: "x" * 200 + ".psl",
    "a" + "😀" * 100: "a" + "😀" * 49 + ".psl",
    "👩\u200d💻": "👩\u200d💻.psl",
}


def test_the_name_of_a_file_is_one_that_all_systems_accept(opened):
    page = opened(PICKER)
    suggested = {}
    for name in NAMES:
        page.evaluate(SAVE, [name, ""])
        suggested[name] = page.evaluate("asked.suggestedName")
    assert suggested == NAMES
    # Playwright cannot pass half a character.
    page.evaluate(r"probe.saveFile({ name: 'a\ud800b', text: '' })")
    assert page.evaluate("asked.suggestedName") == "a_b.psl"


def test_without_pickers_files_are_uploaded_and_downloaded(opened, tmp_path):
    page = opened(WITHOUT)
    file = tmp_path / "Mine.PSL"
    file.write_text("where ∅\n")
    with page.expect_file_chooser() as chooser:
        page.evaluate("() => { window.file = probe.openFile(); }")
    chooser.value.set_files(file)
    assert page.evaluate("window.file") == {"name": "Mine", "text": "where ∅\n"}
    with page.expect_download() as download:
        page.evaluate("probe.saveFile({ name: 'Größe: 1.psl', text: 'where ∅\\n' })")
    assert download.value.suggested_filename == "Größe_ 1.psl"
    assert download.value.path().read_text() == "where ∅\n"


def test_files_can_be_dropped(opened):
    page = opened("")
    page.evaluate("() => { window.seen = []; probe.onDrop(document.body, (file) => seen.push(file), (why) => seen.push(why)); }")
    inserted = "document.querySelector('#target').addEventListener('drop', () => seen.push('the editor got it'))"
    page.evaluate(inserted)

    def drop(*files: tuple[str, bytes]):
        result = page.evaluate(DROP, [[name, list(content)] for name, content in files])
        assert result["left"] == [False, False]
        return result["seen"]

    assert drop(("mine.psl", "where ∅".encode())) == [{"name": "mine", "text": "where ∅"}]
    assert drop(("bom.psl", b"\xef\xbb\xbfwhere x")) == [{"name": "bom", "text": "where x"}]
    assert drop(("notes.txt", b"")) == [{"name": "notes.txt", "text": ""}]
    assert drop(("a.psl", b""), ("b.psl", b"")) == ["Drop one file at a time."]
    assert drop(("image.png", b"\x89PNG\r\n\x1a\n\0")) == ["image.png is not text in UTF-8."]
    assert drop(("zeros.psl", b"a\0b")) == ["zeros.psl is not text in UTF-8."]
    large = page.evaluate(DROP.replace("new Uint8Array(bytes)", "new Uint8Array(5_000_001)"), [["large.psl", []]])
    assert large["seen"] == ["large.psl exceeds 5 MB."]


def test_text_that_is_dropped_is_left_to_the_editor(opened):
    page = opened("")
    page.evaluate("() => { window.seen = []; probe.onDrop(document.body, (file) => seen.push(file), (why) => seen.push(why)); }")
    dropped = """() => {
      const data = new DataTransfer();
      data.setData("text/plain", "where x");
      return document.querySelector("#target").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    assert page.evaluate(dropped) is True and page.evaluate("seen") == []
