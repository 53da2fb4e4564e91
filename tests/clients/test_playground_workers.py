"""The playground goes on when a worker traps or is lost."""

import pytest
from paths import ROOT
from playground import Playground
from playground_parts import run_tests
from playwright.sync_api import Worker, expect
from workbench import until

# Traps before the next piece of work, once `TRAP` is set in a worker.
TRAPPING = """
const Instance = WebAssembly.Instance;
WebAssembly.Instance = function (module, imports) {
  const { exports } = new Instance(module, imports);
  const server_work = () => {
    if (!globalThis.TRAP) return exports.server_work();
    globalThis.TRAP = false;
    throw new WebAssembly.RuntimeError('unreachable');
  };
  return { exports: { ...exports, server_work } };
};
"""


class TrappingPlayground(Playground):
    def prepare(self):
        super().prepare()
        # It would check that the script is unchanged.
        self.context.add_init_script("delete Navigator.prototype.serviceWorker;")
        self.context.route("**/worker.js*", self.trapping)

    def trapping(self, route):
        response = route.fetch()
        route.fulfill(response=response, body=TRAPPING + response.text())

    def workers(self) -> list[Worker]:
        """The worker that knows the text, and the one that also runs programs."""
        until(lambda: len(self.seen()) == 2)
        return self.seen()

    def seen(self) -> list[Worker]:
        # News of workers arrive with the answers of the page.
        self.page.evaluate("null")
        # The explorer has a worker of its own.
        return [worker for worker in self.page.workers if "/worker.js" in worker.url]

    def trap(self, worker: Worker):
        worker.evaluate("globalThis.TRAP = true")


@pytest.fixture
def playground(browser, keep, address):
    playground = keep(TrappingPlayground(browser, address))
    playground.settle()
    return playground


def check_works(playground: Playground):
    """Checks that faults are found and prompts run."""
    text = playground.text()
    playground.write("where x\n" + text)
    expect(playground.problems).to_contain_text("expected [")
    playground.write(text)
    expect(playground.problems).to_contain_text("none")
    playground.run("one two three . one")
    expect(playground.page.get_by_role("listitem", name="Run of one two three . one").first).to_contain_text("two three .")


@pytest.mark.parametrize("index", [0, 1])
def test_a_trap_loses_nothing(playground, index):
    playground.editor.focus()
    playground.page.keyboard.press("Control+Home")
    playground.page.keyboard.type("# mine\n")
    old = playground.workers()[index]
    playground.trap(old)
    # Each key gives both workers something to do.
    playground.page.keyboard.type("# more\n")
    until(lambda: old not in playground.seen())
    check_works(playground)
    assert playground.text().startswith("# mine\n# more\n")


def test_a_server_that_always_traps_is_reported_and_the_text_stays(playground):
    playground.editor.focus()
    playground.page.keyboard.press("Control+Home")
    for number in range(3):
        old = playground.workers()[0]
        playground.trap(old)
        playground.page.keyboard.type(f"# {number}\n")
        until(lambda: old not in playground.seen())
    expect(playground.toolbar).to_contain_text("The server failed")
    # Another text may not break it.
    playground.page.wait_for_timeout(2_500)
    playground.page.keyboard.type("x")
    expect(playground.problems).to_contain_text("error")
    playground.page.keyboard.press("Backspace")
    expect(playground.problems).to_contain_text("none")
    check_works(playground)
    assert playground.text().startswith("# 0\n# 1\n# 2\n")


def test_each_worker_has_the_text_of_the_editor(tmp_path):
    run_tests(tmp_path, ROOT / "web/playground/src/server/languageServer.ts", "server")
