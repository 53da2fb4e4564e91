"""Long runs, endless ones, traps and reloads: the page never freezes, and continues."""

import pytest
from explorer import Explorer, explore
from pargen import SWAP, SWAPPED
from paths import INDUCTION, PARGEN
from workbench import until

SHORT = "Q a A a . Q b A"
WORDS = " ".join(f"w{number}" for number in range(74))
COPIED = WORDS.replace("w", "v")
# 300 cells with the continuation.
LONG = f"Q {WORDS} A {WORDS} . Q {COPIED} A"
# Cells by the hundred thousand. A DAT is at the limit of a run within seconds, the PSM compares each pair of cells until then.
ENDLESS = "//@ max-new 900000\n//@ stop \"NEVER\"\n" + INDUCTION.read_text()
# An endless block: each pass changes the register.
BLOCK = """\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {A, B}
watch: [mark]
where position[n] == position[N]:
    mark[N] = A
repeat:
    where mark[N] == A:
        copy[N] = B
    where mark[N] == B:
        copy[N] = A
    where position[n] == position[N]:
        mark[N] = copy[n]
until NO_CHANGE
"""

# A heartbeat of the main thread, and the workers that are alive.
WATCH = """
  window.beats = 0;
  setInterval(() => { window.beats += 1; }, 20);
  window.workers = [];
  window.Worker = class extends Worker {
    constructor(source) {
      super(source);
      window.workers.push(this);
    }
    terminate() {
      window.workers = window.workers.filter((it) => it !== this);
      super.terminate();
    }
  };
"""


@pytest.fixture
def opened(browser, keep, tmp_path):
    """Opens a program with a heartbeat on the main thread."""

    def open_page(text: str, prompt: str) -> Explorer:
        program = tmp_path / "long.psl"
        program.write_text(text)
        explorer = keep(Explorer(browser, "about:blank"))
        explorer.context.add_init_script(WATCH)
        explorer.page.goto(explore(tmp_path, program, "--prompt", prompt).as_uri())
        return explorer

    return open_page


@pytest.fixture
def explorer(opened) -> Explorer:
    """The page with a short run of PARGEN."""
    explorer = opened(PARGEN.read_text(), SHORT)
    assert explorer.continuation() == ["b", "."]
    return explorer


def beats(explorer: Explorer) -> int:
    return explorer.page.evaluate("window.beats")


def open_file(explorer: Explorer, text: str):
    """Chooses a file in the page."""
    file = {"name": "endless.psl", "mimeType": "text/plain", "buffer": text.encode()}
    explorer.page.locator("input[type=file]").set_input_files(file)


def on_the_slowest_machine(explorer: Explorer):
    """Runs on the PSM from now on."""
    explorer.page.locator("#machine").select_option("psm")


def two_workers(explorer: Explorer):
    """Waits for both workers: the spare starts a moment after an answer."""
    until(lambda: explorer.page.evaluate("window.workers.length"), lambda workers: workers == 2)


def trap(explorer: Explorer, worker: str):
    """Makes a worker end its module as on a trap: the request cannot be written as JSON, which throws beside the module."""
    explorer.page.evaluate(f"{worker}.postMessage({{ id: -1, request: 1n }})")


def answers_while_it_runs(explorer: Explorer):
    """A run is under way, and meanwhile the page takes time, keys and clicks."""
    running = explorer.page.locator("#stop")
    running.wait_for()
    before = beats(explorer)
    until(lambda: beats(explorer), lambda now: now > before + 20)
    explorer.page.locator("#tab-compare").click()
    assert explorer.page.locator("#tab-compare").get_attribute("aria-selected") == "true"
    explorer.page.keyboard.press("?")
    explorer.page.locator("dialog[open]").wait_for()
    explorer.page.keyboard.press("Escape")
    assert running.is_visible()


def test_a_run_of_300_cells_is_shown_while_the_page_answers(explorer):
    explorer.enter(LONG)
    before = beats(explorer)
    until(explorer.continuation, lambda got: len(got) > 70, seconds=240)
    assert beats(explorer) > before
    assert " ".join(explorer.continuation()) == f"{COPIED} ."
    grid = explorer.page.locator("#grid")
    assert int(grid.get_attribute("aria-colcount")) - 1 >= 300
    # Only what is in view is drawn.
    grid.evaluate("(it) => it.scrollTo(it.scrollWidth, it.scrollHeight)")
    explorer.page.locator(f".g-head[data-cell='{LONG.count(' ') + 70}']").wait_for()
    assert grid.evaluate("(it) => it.querySelectorAll('.g-cell').length") < 3000
    assert explorer.page.locator(".g-head[data-cell='1']").count() == 0


def test_an_endless_run_is_stopped(opened):
    explorer = opened(ENDLESS, "a x . a")
    on_the_slowest_machine(explorer)
    answers_while_it_runs(explorer)
    explorer.page.locator("#stop").click()
    explorer.page.locator(".message.bad", has_text="stopped").wait_for()
    explorer.page.locator("#run").wait_for()


def test_an_endless_block_ends_with_its_reason(opened):
    explorer = opened(BLOCK, "A B")
    explorer.page.locator(".outcome .message.bad").wait_for()
    assert "pass" in explorer.page.locator(".outcome .message.bad").inner_text()
    # The earlier run is shown.
    assert explorer.page.locator("#grid .g-cell").first.is_visible()


def test_a_new_prompt_replaces_an_endless_run(explorer):
    on_the_slowest_machine(explorer)
    open_file(explorer, ENDLESS)
    explorer.page.locator("#stop").wait_for()
    explorer.page.locator("#program").select_option("long.psl")
    until(explorer.continuation, lambda got: got == ["b", "."])


def test_a_trap_in_a_run_is_reported_and_the_next_run_succeeds(explorer):
    two_workers(explorer)
    trap(explorer, "window.workers.at(-1)")
    explorer.enter("Q a A a . Q c A")
    explorer.page.locator(".outcome .message.bad").wait_for()
    explorer.enter("Q a A a . Q d A")
    until(explorer.continuation, lambda got: got == ["d", "."])


def test_a_trap_in_an_answer_is_healed_by_a_new_instance(explorer):
    two_workers(explorer)
    explorer.page.evaluate("window.old = window.workers[0]; 0")
    trap(explorer, "window.old")
    explorer.page.locator("#grid").focus()
    explorer.page.keyboard.press("ArrowUp")
    explorer.page.locator("#tab-cell").click()
    explorer.page.locator("#panel table").wait_for()
    until(lambda: explorer.page.evaluate("window.workers.includes(window.old)"), lambda alive: not alive)
    two_workers(explorer)
    assert explorer.continuation() == ["b", "."]


def test_reloading_in_the_middle_of_a_run_shows_what_was_shown(explorer):
    on_the_slowest_machine(explorer)
    explorer.page.locator("#tab-transformer").click()
    explorer.enter(SWAP)
    until(explorer.continuation, lambda got: got == SWAPPED)
    until(explorer.state, lambda state: "K+L" in state and "panel=transformer" in state)
    address = explorer.page.url
    open_file(explorer, ENDLESS)
    explorer.page.locator("#stop").wait_for()
    # Longer than the delay after which the address follows the page.
    explorer.page.wait_for_timeout(400)
    explorer.page.reload()
    until(explorer.continuation, lambda got: got == SWAPPED)
    assert explorer.page.locator("#prompt").input_value() == SWAP
    assert explorer.page.locator("#tab-transformer").get_attribute("aria-selected") == "true"
    assert explorer.page.url.partition("&cell")[0] == address.partition("&cell")[0]
