"""Runs with values in place of their own in the explorer: they are named, compared with the run as it is, and in the link."""

import json

from explorer_page import FAILING
from playwright.sync_api import expect
from workbench import until

# Layer 3 turns `C` into `A`, but has `B` here.
SET = [{"layer": 2, "pass": None, "cell": 1, "register": "symbol", "value": "B"}]


def test_a_link_has_the_set_values(opened, written):
    explorer = opened(written(FAILING), state=f"#test=0&machine=psm&set={json.dumps(SET)}")
    explorer.continuation("B", ".")
    expect(explorer.outcome.get_by_text("With symbol[1] = B after layer 2")).to_be_visible()
    until(explorer.state, lambda state: "set=" in state)
    explorer.page.reload()
    explorer.continuation("B", ".")
    explorer.outcome.get_by_role("button", name="Restore").click()
    explorer.continuation("A", ".")
    expect(explorer.outcome.get_by_text("With symbol")).to_have_count(0)


def test_the_run_as_it_is_is_compared(opened, written):
    explorer = opened(written(FAILING), state=f"#test=0&set={json.dumps(SET)}", viewport={"width": 1600, "height": 1400})
    explorer.outcome.get_by_role("button", name="Compare with the run as it is").click()
    expect(explorer.panel("Compare").get_by_role("region", name="First difference")).to_be_visible()
    explorer.continuation("B", ".")


def test_a_link_that_someone_has_changed_is_no_obstacle(opened, written):
    for field in ("[", "null", "[1]", json.dumps([{"layer": 1}])):
        explorer = opened(written(FAILING), state=f"#test=0&set={field}")
        explorer.continuation("A", ".")
