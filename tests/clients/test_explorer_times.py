"""The sizes and times of the explorer's page in Chromium. They are reported, and no time is asserted."""

import gzip
import json
from base64 import b64decode
from statistics import median, quantiles

import pytest
from explorer import Explorer, explore
from paths import PARGEN
from workbench import until

pytestmark = [pytest.mark.timeout(300), pytest.mark.alone, pytest.mark.long]

# Keeps the time at which the first value is drawn; a frame later, it is on the screen.
FIRST_VALUE = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector('#grid .g-cell span')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.shown = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
"""

# Submits a prompt, and waits until the grid has its symbols and values, in ms.
NEW_GRID = """async (symbols) => {
  const prompt = document.getElementById('prompt');
  const grid = document.getElementById('grid');
  prompt.value = symbols.join(' ');
  prompt.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  const start = performance.now();
  prompt.form.requestSubmit();
  const seen = () => symbols.every((symbol, index) => grid.querySelector(`.g-head[data-cell='${index + 1}'] .g-symbol`)?.textContent === symbol)
    && grid.querySelector('.g-cell span');
  while (!seen()) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
}"""

# Scrolls through the columns, then through the lines, a bit in each frame.
SCROLL = """async () => {
  const grid = document.getElementById('grid');
  const frame = () => new Promise(requestAnimationFrame);
  for (let step = 0; step < 150; step += 1) {
    grid.scrollLeft += grid.scrollWidth / 150;
    await frame();
  }
  for (let step = 0; step < 150; step += 1) {
    grid.scrollTop += 40;
    await frame();
  }
}"""

# The tasks of the main thread that are ours: scripts, styles and layout.
OURS = {"FunctionCall", "FireAnimationFrame", "EvaluateScript", "TimerFire", "EventDispatch", "UpdateLayoutTree", "Layout", "HandlePostMessage"}


def frames(trace: list[dict]) -> list[float]:
    """The processor's time for scripts, styles and layout in each frame of the page's main thread, in ms."""
    threads = {(event["pid"], event["tid"]) for event in trace if event["name"] == "FireAnimationFrame"}
    [thread] = threads
    main = sorted((e for e in trace if (e["pid"], e["tid"]) == thread and e["ph"] == "X"), key=lambda e: (e["ts"], -e["dur"]))
    starts = sorted(event["ts"] for event in main if event["name"] == "FireAnimationFrame")
    times, frame, end = [0.0] * len(starts), -1, 0
    for event in main:
        if event["name"] not in OURS:
            continue
        while frame + 1 < len(starts) and event["ts"] >= starts[frame + 1]:
            frame += 1
        # An event inside another one is counted with it.
        if frame >= 0 and event["ts"] >= end:
            times[frame] += event["tdur"] / 1000
            end = event["ts"] + event["dur"]
    return times


def test_sizes(tmp_path, measure):
    page = explore(tmp_path, PARGEN, "--test", "swap")
    packed = page.read_text().partition('id="psl-module">')[2].partition("</script>")[0]
    module = b64decode(packed)
    assert gzip.decompress(module).startswith(b"\0asm")
    measure(f"explorer: page {page.stat().st_size / 1000:.0f} kB, module {len(module) / 1000:.0f} kB gzip")
    assert page.stat().st_size <= 2_000_000
    assert len(module) <= 450_000


def test_the_first_paint(browser, tmp_path, measure):
    page = explore(tmp_path, PARGEN, "--test", "swap").as_uri()
    contents, values = [], []
    for _ in range(5):
        explorer = Explorer(browser, "about:blank")
        explorer.context.add_init_script(FIRST_VALUE)
        explorer.page.goto(page)
        values.append(until(lambda: explorer.page.evaluate("window.shown")))
        contents.append(explorer.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        explorer.close()
    measure(f"explorer: first paint {median(contents):.0f} ms, PARGEN on swap in the grid {median(values):.0f} ms (median of 5)")
    assert all(content > 0 for content in contents)


def test_a_new_prompt(browser, tmp_path, measure):
    explorer = Explorer(browser, explore(tmp_path, PARGEN, "--test", "swap").as_uri())
    explorer.settle()
    times = []
    for number in range(20):
        symbols = f"Q B V D E A D E V B . Q F{number} G H V K L{number} A".split()
        times.append(explorer.page.evaluate(NEW_GRID, symbols))
        assert explorer.continuation() == f"K L{number} V F{number} G H .".split()
    measure(f"explorer: a new prompt of PARGEN in the grid after {median(times):.0f} ms (median of 20)")
    explorer.close()


def test_scrolling_through_1000_cells(browser, tmp_path, measure):
    words = [f"w{number}" for number in range(245)]
    prompt = ["Q", *words, "A", *words, ".", "Q", *(word.upper() for word in words), "A"]
    program = tmp_path / "long.psl"
    program.write_text(f"//@ max-new 300\n{PARGEN.read_text()}")
    explorer = Explorer(browser, explore(tmp_path, program, "--prompt", " ".join(prompt)).as_uri())
    explorer.page.locator("#grid .g-cell").first.wait_for(timeout=120_000)
    columns = int(explorer.page.locator("#grid").get_attribute("aria-colcount"))
    assert columns >= 980
    browser.start_tracing(page=explorer.page, categories=["devtools.timeline"])
    explorer.page.evaluate(SCROLL)
    times = frames(json.loads(browser.stop_tracing())["traceEvents"])
    measure(f"explorer: scrolling {columns - 1} cells takes {quantiles(times, n=20)[-1]:.1f} ms a frame (p95 of {len(times)})")
    assert len(times) > 100
    explorer.close()
