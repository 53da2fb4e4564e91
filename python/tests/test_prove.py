"""Proofs about all short prompts."""

import pytest
from command import EXAMPLES

import psl

REVERSE = psl.load(EXAMPLES / "reverse.psl")
INDUCTION = psl.load(EXAMPLES / "induction.psl")


def test_a_claim_is_proved():
    assert REVERSE.prove(up_to=4) == psl.Proof("answers", True, 4, None, 74, None, None)
    assert REVERSE.prove("copies", up_to=2).holds
    assert REVERSE.prove("machines", up_to=2, alphabet=["x"]).prompts == 3 + 10


def test_a_shortest_prompt_refutes_a_claim():
    proof = INDUCTION.prove(up_to=3, max_new=2)
    why = "the continuation is cut off after 2 symbols"
    assert not proof.holds and proof.up_to == 0
    assert proof.counterexample == psl.Counterexample("a", "a a", None, why)


def test_prompts_are_like_a_pattern():
    assert INDUCTION.prove(like=["$x $y..5 . $x"]) == psl.Proof("answers", True, None, None, 5, None, None)
    proof = INDUCTION.prove(like=["$x . $y"], like_any=True, max_new=2)
    assert not proof.holds and proof.counterexample is not None
    with pytest.raises(ValueError, match=r"`\$x\.\.0` has an invalid limit"):
        INDUCTION.prove(like=["$x..0"])


def test_numbers_are_left_out_where_the_program_compares_them():
    histogram = psl.load(EXAMPLES / "histogram.psl")
    assert histogram.prove(up_to=2, max_new=5).without_numbers_to == 8
    assert histogram.prove(up_to=2, max_new=5, numbers=True).without_numbers_to is None


def from_last_to_first(symbols: list[str]) -> list[str | None]:
    return [*reversed(symbols), "."]


def test_a_program_does_what_a_function_does():
    assert psl.prove(REVERSE, from_last_to_first, up_to=4) == psl.Proof("function", True, 4, None, 74, None, None)
    proof = psl.prove(REVERSE, lambda symbols: [*symbols, None], like=["$x $y.."], max_new=3)
    assert not proof.holds and proof.prompts > 0
    why = "symbol 1 is `b`, not `a`"
    assert proof.counterexample == psl.Counterexample("a b", "b a .", "a b ∅", why)
    # The list ends where a run does: after the stop symbol, and at the maximum length.
    endless = psl.prove(INDUCTION, lambda symbols: symbols * 9, up_to=1, max_new=3)
    assert endless.holds
    stopped = psl.prove(REVERSE, lambda symbols: [*from_last_to_first(symbols), "more"], up_to=3)
    assert stopped.holds


def test_the_exception_of_a_function_ends_the_proof():
    with pytest.raises(ZeroDivisionError):
        psl.prove(REVERSE, lambda symbols: [str(1 // 0)])
    with pytest.raises(TypeError):
        psl.prove(REVERSE, lambda symbols: 1)  # type: ignore[arg-type,return-value]


def test_a_program_does_what_another_one_does():
    proof = REVERSE.prove(against=REVERSE, states=True, up_to=3)
    assert proof.holds and proof.claim == "against" and proof.up_to == 3
    assert proof.tests is not None and "other symbols" in proof.tests
    other = REVERSE.prove(against=INDUCTION, max_new=2)
    assert not other.holds and other.counterexample is not None
    assert other.counterexample.expected == "a a" and other.counterexample.prompt == "a"


def test_the_program_that_runs_is_the_one_that_is_proved(tmp_path):
    path = tmp_path / "induction.json"
    path.write_text(INDUCTION.compile("qkvl"))
    loaded = psl.load(path)
    assert not loaded.prove(up_to=1, max_new=2).holds
    assert loaded.prove(against=INDUCTION, states=True, up_to=3, heads=True).holds
    assert not loaded.prove(against=REVERSE, up_to=2).holds
    assert loaded.prove("machines", heads=True, up_to=3).holds


def test_bad_arguments():
    with pytest.raises(ValueError, match="give a claim or `against`, not both"):
        REVERSE.prove("answers", against=REVERSE)
    with pytest.raises(ValueError, match="`states` needs `against`"):
        REVERSE.prove(states=True)
    with pytest.raises(ValueError, match="unknown claim `laws`; expected a function or one of answers, terminates"):
        REVERSE.prove("laws")
    with pytest.raises(ValueError, match="at least 1"):
        REVERSE.prove(up_to=0)
    with pytest.raises(psl.Error, match="choose fewer symbols"):
        REVERSE.prove(up_to=40)
