"""Programs that the playground keeps: nothing is lost by closing, by a full disk, or by a second tab."""

import json

import pytest
from playground import leave
from playwright.sync_api import BrowserContext, Page
from workbench import until

MISSING = "Object.defineProperty(window, 'indexedDB', { value: undefined });"
BLOCKED = """
IDBFactory.prototype.open = () => { throw new DOMException("blocked", "SecurityError"); };
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
}
"""
SILENT = "IDBFactory.prototype.open = () => ({});"


@pytest.fixture
def context(browser):
    context = browser.new_context()
    yield context
    context.close()


class Tab:
    """A tab with the programs as a page would use them."""

    def __init__(self, context: BrowserContext, address: str, before: str = ""):
        self.page: Page = context.new_page()
        if before:
            self.page.add_init_script(before)
        self.page.goto(address)
        self.page.evaluate("async () => { window.programs = await probe.openPrograms(); }")

    def create(self, name: str, text: str, **others) -> str:
        program = {"name": name, "text": text, **others}
        return self.page.evaluate("async (program) => { const { id } = await programs.create(program); programs.opened(id); return id; }", program)

    def open(self, id: str) -> dict:
        return self.page.evaluate("async (id) => { const program = await programs.load(id); programs.opened(id); return program; }", id)

    def load(self, id: str) -> dict | None:
        return self.page.evaluate("(id) => programs.load(id)", id)

    def type(self, id: str, text: str):
        self.page.evaluate("([id, text]) => programs.save(id, { text })", [id, text])

    def signal(self, name: str):
        return self.page.evaluate(f"programs.{name}.value")

    def texts(self) -> dict[str, str]:
        """The programs by name."""
        all = self.page.evaluate("Promise.all(programs.list.value.map(({ id }) => programs.load(id)))")
        assert len({program["name"] for program in all}) == len(all)
        return {program["name"]: program["text"] for program in all}

    def settle(self):
        """Waits until everything is written."""
        self.page.wait_for_function("programs.pending.size === 0")

    def close(self):
        leave(self.page)


@pytest.fixture
def tab(context, probe):
    return lambda before="": Tab(context, probe, before)


@pytest.fixture
def fill(context, probe):
    """Leaves the browser no space, or as much as before."""
    devtools = context.new_cdp_session(context.new_page())

    def fill(is_full: bool = True):
        limit = {"quotaSize": 1} if is_full else {}
        devtools.send("Storage.overrideQuotaForOrigin", {"origin": probe.rstrip("/")} | limit)

    return fill


def test_what_is_typed_survives_closing_at_once(tab):
    first = tab()
    id = first.create("mine", "one", original="zero", prompt="a b")
    # The database does not write what follows in time, even if it tries.
    first.page.evaluate("([id]) => { for (let i = 0; i < 50; i++) programs.save(id, { text: 'two '.repeat(i), prompt: `c ${i}` }); }", [id])
    first.close()
    second = tab()
    found = second.load(id)
    assert second.page.evaluate("programs.last") == id
    assert (found["name"], found["text"], found["original"], found["prompt"]) == ("mine", "two " * 49, "zero", "c 49")
    assert list(second.texts()) == ["mine"]
    assert second.page.evaluate("localStorage.length") == 1


def test_a_reload_and_another_page_keep_what_is_typed(tab, probe):
    first = tab()
    id = first.create("mine", "one")
    first.type(id, "two")
    first.page.goto(probe + "missing.html")
    assert tab().load(id)["text"] == "two"


def test_a_hidden_tab_that_is_killed_loses_nothing(tab, fill):
    first = tab()
    id = first.create("mine", "one")
    fill()
    first.type(id, "two")
    first.page.evaluate("Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))")
    # Without events: the page is still there, but its text is in the journal.
    second = tab()
    assert second.load(id)["text"] == "two"


def test_a_new_program_survives_closing_at_once(tab):
    first = tab()
    first.page.evaluate("() => { const { id } = programs.add({ name: 'mine', text: 'one', prompt: 'a' }); programs.opened(id); programs.save(id, { text: 'two' }); }")
    first.close()
    second = tab()
    assert second.texts() == {"mine": "two"}
    assert second.load(second.page.evaluate("programs.last"))["prompt"] == "a"


def test_changes_are_written_within_300_ms(tab):
    first = tab()
    id = first.create("mine", "one")
    first.type(id, "two")
    first.page.wait_for_timeout(300)
    assert tab().load(id)["text"] == "two"


def test_any_text_is_kept(tab):
    first = tab()
    texts = ["", "\ud800 \udfff \U0001f600 \0 \u2028 \r\n"]
    # Playwright cannot pass lone surrogates, so the text is made in the page.
    made = [f"JSON.parse({json.dumps(json.dumps(text))})" for text in texts] + ["'x'.repeat(1_000_000)"]
    ids = [first.page.evaluate(f"() => programs.add({{ name: 'a', text: {text} }}).id") for text in made]
    first.close()
    second = tab()
    for id, text in zip(ids, made, strict=True):
        assert second.page.evaluate(f"async (id) => (await programs.load(id)).text === {text}", id)
    assert sorted(second.texts()) == ["a", "a 2", "a 3"]


def test_a_full_disk_is_reported_and_the_text_stays(tab, fill):
    fill()
    first = tab()
    id = first.create("mine", "one")
    first.type(id, "two")
    problem = until(lambda: first.signal("problem"))
    assert "no space left for “mine”" in problem and "save it to disk" in problem
    assert first.load(id)["text"] == "two" and first.texts() == {"mine": "two"}
    fill(False)
    first.type(id, "three")
    until(lambda: first.signal("problem"), lambda problem: problem is None)
    assert tab().texts() == {"mine": "three"}


def test_a_full_disk_loses_nothing_by_closing(tab, fill):
    fill()
    first = tab()
    id = first.create("mine", "one", original="zero")
    first.type(id, "two")
    first.close()
    still = tab()
    assert still.texts() == {"mine": "two"} and "no space left" in still.signal("problem")
    still.type(id, "three")
    still.close()
    fill(False)
    later = tab()
    assert later.texts() == {"mine": "three"} and later.load(id)["original"] == "zero" and later.signal("problem") is None
    assert later.page.evaluate("Object.keys(localStorage).filter((key) => key.includes('unsaved')).length") == 0


@pytest.mark.parametrize("browser_without", [MISSING, BLOCKED, SILENT], ids=["missing", "blocked", "silent"])
def test_the_page_works_without_a_database(tab, browser_without):
    first = tab(browser_without)
    problem = first.signal("problem")
    assert "keeps no data" in problem and "Save to disk" in problem
    id = first.create("mine", "one")
    first.type(id, "two")
    first.page.wait_for_timeout(300)
    assert first.load(id)["text"] == "two" and first.texts() == {"mine": "two"}
    assert first.signal("list")[0]["name"] == "mine"
    first.page.evaluate("(id) => programs.remove(id)", id)
    assert first.texts() == {}


def test_without_any_storage_the_browser_asks_before_closing(tab):
    first = tab(BLOCKED)
    first.page.mouse.click(10, 10)
    id = first.create("mine", "one")
    first.type(id, "two")
    dialogs = []
    first.page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.accept()))
    first.close()
    assert dialogs == ["beforeunload"]


def two(tab) -> tuple[Tab, Tab, str]:
    """Two tabs with the same program, and its id."""
    first = tab()
    id = first.create("mine", "one")
    second = tab()
    second.open(id)
    return first, second, id


def test_a_second_tab_with_the_same_program_is_noticed(tab):
    first, second = tab(), tab()
    id = first.create("mine", "one")
    other = second.create("other", "two")
    assert (first.signal("otherTab"), second.signal("otherTab")) == (False, False)
    second.open(id)
    until(lambda: first.signal("otherTab"))
    assert second.signal("otherTab")
    third = tab()
    third.open(id)
    until(lambda: third.signal("otherTab"))
    second.open(other)
    third.close()
    until(lambda: first.signal("otherTab"), lambda shared: not shared)


def test_two_tabs_keep_both_texts(tab):
    first, second, id = two(tab)
    first.type(id, "two")
    first.settle()
    assert "“mine (other tab)”" in until(lambda: second.signal("problem"))
    # The page of the second tab goes on with the same id.
    second.type(id, "three")
    second.settle()
    second.type(id, "four")
    second.settle()
    assert "Your text is now “mine (other tab)”" in second.signal("problem")
    copy = second.signal("open")
    assert copy != id and second.load(copy)["text"] == "four"
    first.type(id, "five")
    first.settle()
    assert first.texts() == second.texts() == {"mine": "five", "mine (other tab)": "four"}
    # Whoever opens the program itself changes it again.
    assert second.open(id)["text"] == "five" and second.signal("problem") is None
    second.type(id, "six")
    second.settle()
    assert tab().texts() == {"mine": "six", "mine (other tab)": "four"}


def test_two_tabs_that_type_at_once_keep_both_texts(tab):
    first, second, id = two(tab)
    first.type(id, "two")
    second.type(id, "three")
    first.close()
    second.settle()
    assert sorted(tab().texts().values()) == ["three", "two"]


def test_a_tab_that_is_reloaded_shows_its_own_text(tab):
    first, second, id = two(tab)
    first.type(id, "two")
    first.settle()
    second.type(id, "three")
    second.close()
    third = tab()
    assert third.texts() == {"mine": "two", "mine (other tab)": "three"}
    assert third.load(third.page.evaluate("programs.last"))["text"] == "three"


def test_a_copy_that_a_closing_tab_could_write_is_the_only_one(tab):
    first, second, id = two(tab)
    first.type(id, "two")
    first.settle()
    second.type(id, "three")
    # The tab is gone before it can forget what it has written.
    second.page.evaluate("Storage.prototype.removeItem = () => {}; dispatchEvent(new Event('beforeunload'));")
    second.settle()
    second.close()
    third = tab()
    assert third.texts() == {"mine": "two", "mine (other tab)": "three"}
    assert third.load(third.page.evaluate("programs.last"))["text"] == "three"


def test_a_program_with_the_text_and_name_of_a_copy_is_not_taken_for_one(tab):
    first = tab()
    id = first.create("mine", "one")
    first.create("mine (other tab)", "two")
    # The change is only in the journal.
    first.page.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw new Error('closed'); }; }")
    first.type(id, "two")
    first.close()
    assert tab().texts() == {"mine": "two", "mine (other tab)": "two"}


def test_two_tabs_may_change_different_things(tab):
    first, second, id = two(tab)
    first.page.evaluate("(id) => programs.save(id, { name: 'ours' })", id)
    first.settle()
    second.type(id, "two")
    second.settle()
    assert tab().texts() == {"ours": "two"}
    until(lambda: first.page.evaluate("programs.list.value.map(({ name }) => name)"), lambda names: names == ["ours"])


def test_the_same_text_in_two_tabs_is_one_program(tab):
    first, second, id = two(tab)
    for each in first, second:
        each.type(id, "two")
        each.settle()
    assert tab().texts() == {"mine": "two"}


def test_a_deleted_program_is_gone_unless_another_tab_goes_on(tab):
    first = tab()
    id, other = first.create("mine", "one"), first.create("other", "two")
    second = tab()
    second.open(id)
    for each in id, other:
        first.page.evaluate("(id) => programs.remove(id)", each)
    assert first.texts() == {} and first.load(id) is None
    until(lambda: second.signal("list"), lambda listed: [program["name"] for program in listed] == ["mine"])
    second.type(id, "three")
    second.settle()
    assert tab().texts() == {"mine": "three"}
