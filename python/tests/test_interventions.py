"""Values that are set in the middle of a run."""

import pickle

import pytest
from command import EXAMPLES

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
SWAP = "Q B V D E A D E V B . Q F G H V K L A"
COUNT = psl.Program(
    """registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A, B, C}
system: {symbol: symbol, position: position, output: mark}
# start
where symbol[N] == A:
    mark[N] = A
repeat:
    # next
    where mark[N] == A:
        mark[N] = B
until NO_CHANGE
"""
)


def set_in(program, prompt, places, **options):
    return program.run(prompt, set=places, max_new=3, **options).text


def test_a_value_replaces_what_the_layer_wrote():
    assert set_in(COUNT, "A", {}) == "B B B"
    assert set_in(COUNT, "A", {("start", 1, "mark"): "C"}) == "C B B"
    assert set_in(COUNT, "A", {("next", 1, "mark"): "C"}) == "C B B"
    assert set_in(COUNT, "A", {("next", 1, "mark"): None}) == "∅ B B"
    assert set_in(COUNT, "A", {("next", 1, "m"): "new"}) == "new B B"


def test_one_pass_is_set():
    # The pass ends as it began, so that the block ends.
    assert set_in(COUNT, "A", {("next", 1, 1, "mark"): "A"}) == "A B B"
    assert set_in(COUNT, "A", {("next", (2,), 1, "mark"): "C"}) == "C B B"


def test_the_start_of_a_generated_cell_is_set():
    assert set_in(COUNT, "B", {}) == "∅ ∅ ∅"
    assert set_in(COUNT, "B", {(0, 2, "symbol"): "A"}) == "∅ B B"


def test_places_out_of_reach_are_listed():
    run = COUNT.run("A", set={("next", 9, 1, "mark"): "C", ("next", 1, 1, "mark"): "B", (1, 2, "mark"): "A"}, max_new=2, stop="B")
    assert (run.text, run.unreached) == ("B", [(2, [9], 1, "mark"), (1, None, 2, "mark")])
    assert COUNT.run("A").unreached == []


def test_a_recorded_run_has_the_value_from_then_on():
    run = PARGEN.run(SWAP, set={("P3a", 9, "region"): "XQ"}, record=True)
    assert run.state("P3a", 9)["region"] == "XQ" and run.text == PARGEN.run(SWAP, set={(9, 9, "region"): "XQ"}).text
    [link] = run.where_from("region", 9, run.index("P3a", cell=9)[0])
    assert (link.kind, link.value) == ("changed", "XQ")
    again = pickle.loads(pickle.dumps(run))
    assert again == run and (again.states == run.states).all()
    assert run != PARGEN.run(SWAP, record=True)


@pytest.mark.parametrize(
    ("places", "options", "error", "message"),
    [
        ({(1, 9, "mark"): "B"}, {}, psl.RunError, "cell 9 is out of range: the run has at most 3 cells"),
        ({(1, 0, "mark"): "B"}, {}, psl.RunError, "cell 0 is out of range"),
        ({(1, 1, "position"): "2"}, {}, psl.RunError, "`position` cannot be set"),
        ({(1, 1, "marc"): "B"}, {}, psl.RunError, "did you mean `mark`"),
        ({(1, 1, 1, "mark"): "B"}, {}, psl.RunError, "layer 1 has no repeat block around it"),
        ({(2, (1, 1), 1, "mark"): "B"}, {}, psl.RunError, "layer 2 has 1 repeat block around it"),
        ({(2, 0, 1, "mark"): "B"}, {}, psl.RunError, "give the pass of each, from 1"),
        ({(1, 1, "mark"): "B C"}, {}, psl.RunError, "several words"),
        ({(9, 1, "mark"): "B"}, {}, IndexError, "layer 9 is out of range"),
        ({(1, "mark"): "B"}, {}, TypeError, "keys"),
        ([(1, 1, "mark")], {}, TypeError, "`set` is a dict"),
        ({(1, 1, "mark"): "B"}, {"machine": "dat"}, ValueError, "needs the machine psm"),
        ({(1, 1, "mark"): "B"}, {"verify": True}, ValueError, "exclude each other"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_place_that_no_run_can_have_is_refused(places, options, error, message):
    with pytest.raises(error, match=message):
        COUNT.run("A", set=places, max_new=3, **options)


def test_a_value_that_nothing_else_has_is_noted():
    run = PARGEN.run(SWAP, set={("P3a", 9, "region"): "XQQ"})
    assert run.notes == ["neither the program nor the prompt has `XQQ`: a condition can match it only with itself; did you mean `XQ`?"]
    assert PARGEN.run(SWAP, record=True, set={("P3a", 9, "region"): "XQQ"}).notes == run.notes
    assert PARGEN.run(SWAP, set={("P3a", 9, "region"): "XQ", (0, 3, "symbol"): None}).notes == PARGEN.run(SWAP).notes == []
