"""The sizes and times of the playground in Chromium. They are reported, and no time is asserted.

`SAMPLES=100` takes that many keys; a quiet machine is needed for figures.
"""

import gzip
import os
from statistics import median, quantiles

import pytest
from pargen import SWAP
from paths import PARGEN
from playground import FOLDER, Playground

pytestmark = [pytest.mark.timeout(900), pytest.mark.alone, pytest.mark.long]

SAMPLES = int(os.environ.get("SAMPLES", "8"))

# Keeps when the editor and the button to run are there, and how long tasks of 50 ms or more take, in ms.
START = """
  window.tasks = [];
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  new MutationObserver((_, observer) => {
    if (window.editorAt === undefined && document.querySelector('#editor .cm-line')) window.editorAt = performance.now();
    if (!document.querySelector('#toolbar button.primary:not(:disabled)')) return;
    window.readyAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true, attributes: true });
"""

# Keeps the time from each key until the marks of errors appear or vanish, and until they are painted, in ms.
KEYS = """() => {
  window.times = [];
  let [key, had] = [null, false];
  addEventListener('keydown', ({ timeStamp }) => { key = timeStamp; }, true);
  new MutationObserver(() => {
    const has = document.querySelector('.cm-lintRange-error') !== null;
    if (has === had) return;
    had = has;
    if (key === null) return;
    const [start, marked] = [key, performance.now()];
    key = null;
    requestAnimationFrame(() => {
      const next = new MessageChannel();
      next.port1.onmessage = () => window.times.push([marked - start, performance.now() - start]);
      next.port2.postMessage(null);
    });
  }).observe(document.querySelector('#editor'), { subtree: true, childList: true, attributes: true });
}"""

# Runs a prompt by Enter, and waits until its continuation is there, in ms.
RUN = """async (shown) => {
  const turn = () => new Promise((resolve) => { const next = new MessageChannel(); next.port1.onmessage = resolve; next.port2.postMessage(null); });
  const panel = document.querySelector('[role=tabpanel]');
  const start = performance.now();
  document.activeElement.form.requestSubmit();
  while (!panel.querySelector('li')?.textContent.includes(shown)) {
    if (performance.now() - start > 10_000) throw new Error(panel.textContent);
    await turn();
  }
  return performance.now() - start;
}"""


def report(what: str, times: list[float]):
    tail = quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    print(f"{what}: median {median(times):.1f} ms, p99 {tail:.1f} ms, maximum {max(times):.1f} ms of {len(times)}")


class Measured(Playground):
    def prepare(self):
        super().prepare()
        self.context.add_init_script(START)

    def quiet(self, ms: int = 3_000):
        self.page.wait_for_timeout(ms)

    def type_faults(self, count: int, pause: int):
        """Types a fault into the first production, and deletes it again, many times."""
        self.page.evaluate(KEYS)
        for _ in range(count):
            self.page.keyboard.press("q")
            self.page.wait_for_timeout(pause)
            self.page.keyboard.press("Escape")
            self.page.keyboard.press("Backspace")
            self.page.wait_for_timeout(pause)

    def go_to(self, text: str):
        """Moves the cursor to the end of the next occurrence of a text."""
        self.editor.focus()
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("Control+f")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("ArrowRight")


@pytest.fixture
def measured(browser, keep, address):
    def measured(**settings) -> Measured:
        page = keep(Measured(browser, address, **settings))
        page.settle()
        return page

    return measured


def test_the_size_of_the_page():
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in sorted(FOLDER.iterdir())}
    print({**sizes, "sum": sum(sizes.values())})


def test_the_first_load(measured):
    editor, ready = [], []
    for _ in range(7):
        page = measured(service_workers="block")
        page.page.wait_for_function("window.readyAt !== undefined")
        editor.append(page.page.evaluate("window.editorAt"))
        ready.append(page.page.evaluate("window.readyAt"))
        page.context.close()
    report("editor usable", editor)
    report("server ready", ready)


def test_a_key_in_pargen(measured):
    page = measured()
    page.write(PARGEN.read_text())
    page.go_to("where symbol[n] ==")
    page.quiet()
    page.type_faults(SAMPLES, 350)
    times = page.page.evaluate("window.times")
    assert len(times) > SAMPLES
    report("key to diagnostics, marked", [marked for marked, _ in times])
    report("key to diagnostics, painted", [painted for _, painted in times])


def test_swap_after_enter(measured):
    page = measured()
    page.write(PARGEN.read_text())
    page.quiet()
    page.show("runs")
    times = []
    for number in range(SAMPLES):
        page.prompt.fill(SWAP if number % 2 else SWAP.replace("K L", "L K"))
        page.prompt.focus()
        times.append(page.page.evaluate(RUN, "K L V F G H" if number % 2 else "L K V F G H"))
    report("continuation after Enter", times[2:])


def test_25_000_lines(measured):
    rules = "".join(
        f"where symbol[N] == A and position[n] == position[N]@pos_decrement: # {number}\n    symbol[N] = B\n\n" for number in range(8_330)
    )
    head = '//@ test "A" => "B"\n' + "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\n\n"
    page = measured()
    page.page.evaluate("window.tasks.length = 0")
    page.write(head + rules)
    page.quiet(10_000)
    opened = page.page.evaluate("window.tasks")
    print("open: tasks of 50 ms or more:", sorted(round(task) for task in opened)[-8:])
    page.go_to("# 4000")
    page.quiet(5_000)
    page.page.evaluate("window.tasks.length = 0")
    for letter in "some more words in a comment":
        page.page.keyboard.type(letter)
        page.quiet(150)
    page.quiet(5_000)
    print("type: tasks of 50 ms or more:", sorted(round(task) for task in page.page.evaluate("window.tasks"))[-8:])

