"""The page shows what `psl run` computes: its grid is the trace, and its module's continuations are those of the binary."""

import json
from pathlib import Path

import pytest
from command import psl
from explorer import Explorer, explore
from paths import PARGEN, ROOT

pytestmark = pytest.mark.timeout(600)

GOLDEN = ROOT / "tests/golden"
# A swap with passes, nested blocks, a cell that rests, and several registers per cell of the prompt.
TRACED = {
    "pargen": (PARGEN, ["--test", "swap"], "Q B V D E A D E V B . Q F G H V K L A"),
    "nested": (GOLDEN / "programs/nested_repeat.psl", ["--prompt", "A B C A B"], "A B C A B"),
    "resting": (GOLDEN / "programs/repeat_block.psl", ["--prompt", "A"], "A"),
    "turing": (ROOT / "tests/programs/turing.psl", ["--test", "add"], ROOT / "tests/programs/turing.json"),
}

# Opens all passes, then scrolls through the whole grid and reads it: lines by index, and the cells of each.
READ = """async () => {
  const grid = document.getElementById('grid');
  const frame = () => new Promise(requestAnimationFrame);
  const size = (name) => Number(grid.getAttribute(name)) - 1;
  const lines = {}, symbols = {}, cells = {};
  const read = () => {
    const text = (part, selector) => part.querySelector(selector)?.textContent ?? '';
    for (const head of grid.querySelectorAll('.g-head')) symbols[head.dataset.cell] = text(head, '.g-symbol');
    for (const row of grid.querySelectorAll('.g-row[data-line]')) {
      const registers = [...row.querySelectorAll('.g-label .g-registers > span')].map((it) => it.textContent);
      lines[row.dataset.line] = { number: text(row, '.g-number'), title: text(row, '.g-title'), registers };
      for (const cell of row.querySelectorAll('.g-cell')) {
        const spans = [...cell.children];
        cells[`${row.dataset.line} ${cell.getAttribute('aria-colindex') - 1}`] = {
          texts: spans.map((it) => it.textContent),
          written: spans.map((it) => it.classList.contains('w')),
          rests: cell.classList.contains('rests'),
          generated: cell.classList.contains('generated'),
        };
      }
    }
  };
  const steady = async () => {
    let before = -1;
    for (let still = 0; still < 3; still += 1) {
      await frame();
      const drawn = grid.querySelectorAll('.g-row, .g-cell').length;
      if (drawn !== before) still = 0;
      before = drawn;
    }
  };
  for (let top = 0; top < grid.scrollHeight; top += grid.clientHeight / 2) {
    for (;;) {
      grid.scrollTo(0, top);
      await steady();
      const folded = [...grid.querySelectorAll('.g-fold')].find((it) => it.textContent === '▸');
      if (!folded) break;
      folded.click();
    }
  }
  const count = size('aria-rowcount') * size('aria-colcount');
  const complete = () => Object.keys(cells).length === count;
  for (let round = 0; round < 5 && !complete(); round += 1) {
    for (let top = 0; top < grid.scrollHeight; top += grid.clientHeight / 2) {
      for (let left = 0; left < grid.scrollWidth; left += grid.clientWidth / 2) {
        grid.scrollTo(left, top);
        await steady();
        read();
      }
    }
  }
  return { lines, symbols, cells };
}"""

# Asks a worker of the page's code, with the page's module.
ASK = """async ({ text, prompts }) => {
  const packed = document.getElementById('psl-module').textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const worker = new Worker(window.workers[0]);
  const ask = (id, request) => new Promise((resolve) => {
    worker.onmessage = ({ data: { response, trap } }) => resolve({ trap, ...(response && { response: JSON.parse(response) }) });
    worker.postMessage({ id, request });
  });
  worker.postMessage({ module });
  const opened = await ask(0, { op: 'open', text });
  if (!opened.response?.ok || opened.response.ok.error) throw new Error(JSON.stringify(opened));
  const answers = [];
  for (const prompt of prompts) {
    const { response, trap } = await ask(answers.length + 1, { op: 'run', slot: 0, prompt, machine: 'dat' });
    const run = response?.ok;
    answers.push(run ? { continuation: run.continuation.join(' '), stopped: run.stopped } : { trap, ...response });
  }
  worker.terminate();
  return answers;
}"""


def run(program: Path, *arguments, given: str = "") -> list[dict]:
    return [json.loads(line) for line in psl("run", program, *arguments, input=given).stdout.splitlines()]


def key(number: str, title: str) -> tuple[int, tuple[int, ...]]:
    """The layer and passes in the heading of a line."""
    _, found, passes = title.rpartition(", pass ")
    return int(number), tuple(map(int, passes.split("."))) if found else ()


@pytest.mark.parametrize("name", TRACED)
def test_the_grid_is_the_trace(browser, tmp_path, name):
    program, choice, prompt = TRACED[name]
    given = ["--prompt-json", prompt] if isinstance(prompt, Path) else ["--prompt", prompt]
    trace = {}
    for line in run(program, *given, "--trace", "-"):
        assert trace.setdefault((line["layer"], tuple(line["pass"]), line["cell"]), line) is line

    # A large window scrolls less.
    explorer = Explorer(browser, explore(tmp_path, program, *choice).as_uri(), viewport={"width": 1800, "height": 2400})
    explorer.settle()
    explorer.page.locator("#only-changes").uncheck()
    explorer.page.locator(".menu > summary").click()
    for box in explorer.page.locator(".menu-body input").all():
        box.check()
    explorer.page.locator(".menu > summary").click()
    seen = explorer.page.evaluate(READ)

    lines = {int(index): key(line["number"], line["title"]) for index, line in seen["lines"].items()}
    assert set(lines.values()) == {(layer, passes) for layer, passes, _ in trace}
    assert len(set(lines.values())) == len(lines)
    prompt_cells = max(cell for (_, _, cell), line in trace.items() if line["step"] == 0)
    cells = max(cell for _, _, cell in trace)
    assert set(seen["symbols"]) == {str(cell) for cell in range(1, cells + 1)}
    rested = set()
    state: dict[int, dict] = {}
    for index in range(len(lines)):
        layer, passes = lines[index]
        registers = seen["lines"][str(index)]["registers"]
        assert registers.pop() == "attends"
        for cell in range(1, cells + 1):
            shown = seen["cells"][f"{index} {cell}"]
            *values, attends = shown["texts"]
            update = trace.pop((layer, passes, cell), None)
            place = (name, layer, passes, cell)
            assert shown["generated"] == (cell > prompt_cells), place
            assert shown["rests"] == (update is None), place
            texts = {register: value for register, value in zip(registers, values, strict=True) if value}
            if update is None:
                rested.add(cell)
                # A cell that rests keeps its registers.
                assert texts == state.get(cell, texts) and attends == "", place
            else:
                assert texts == update["state"], place
                source = update["attends"]
                arrow = "" if source is None else "●" if source == cell else f"←{source}" if source < cell else f"→{source}"
                assert attends == arrow, place
                written = {register for register, changed in zip(registers, shown["written"], strict=False) if changed}
                changed = {register for register, value in update["set"].items() if state.get(cell, {}).get(register) != value}
                # The state before the first layer is not in the trace.
                assert written == changed if cell in state else written <= changed, place
            state[cell] = texts
    assert trace == {}
    assert bool(rested) == (name == "resting")
    explorer.close()


@pytest.fixture(scope="module")
def asked(browser, tmp_path_factory):
    """Asks the module for the continuations of prompts, in a worker like those of the page."""
    page = explore(tmp_path_factory.mktemp("page"), PARGEN)
    context = browser.new_context()
    context.add_init_script(
        """window.workers = [];
           window.Worker = class extends Worker {
             constructor(source) { super(source); window.workers.push(source); }
           };"""
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    opened.locator("#grid .g-cell").first.wait_for()
    opened.set_default_timeout(0)
    yield lambda program, prompts: opened.evaluate(ASK, {"text": program.read_text(), "prompts": prompts})
    context.close()


def agree(asked, program: Path, prompts: list[str]):
    """The module and the binary give the same continuations, and end them for the same reason."""
    lines = run(program, "--format", "json", given="\n".join(prompts) + "\n")
    expected = [{"continuation": line["continuation"], "stopped": line["stopped"]} for line in lines]
    assert len(expected) == len(prompts) > 0
    for prompt, answer, line in zip(prompts, asked(program, prompts), expected, strict=True):
        assert answer == line, prompt


@pytest.mark.parametrize("data", sorted(GOLDEN.glob("*.tsv")), ids=lambda path: path.stem)
def test_the_module_completes_golden_prompts_as_the_binary_does(asked, data):
    agree(asked, PARGEN, [line.split("\t")[0] for line in data.read_text().splitlines()])


@pytest.mark.parametrize("states", sorted((GOLDEN / "states").glob("*.json")), ids=lambda path: path.stem)
def test_the_module_completes_prompts_of_small_programs_as_the_binary_does(asked, states):
    program = GOLDEN / "programs" / f"{states.stem}.psl"
    agree(asked, program, [run["prompt"] for run in json.loads(states.read_text())["runs"]])
