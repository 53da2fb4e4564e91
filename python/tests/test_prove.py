"""Proofs about all short prompts."""

import pytest
from command import EXAMPLES

import psl

REVERSE = psl.load(EXAMPLES / "reverse.psl")
INDUCTION = psl.load(EXAMPLES / "induction.psl")


def test_a_claim_is_proved():
    assert REVERSE.prove(up_to=4) == psl.Proof("answers", True, 4, 74, None, None)
    assert REVERSE.prove("copies", up_to=2).holds
    assert REVERSE.prove("machines", up_to=2, alphabet=["x"]).prompts == 3 + 10


def test_a_shortest_prompt_refutes_a_claim():
    proof = INDUCTION.prove(up_to=3, max_new=2)
    why = "the continuation is cut off after 2 symbols"
    assert not proof.holds and proof.up_to == 0
    assert proof.counterexample == psl.Counterexample("a", "a a", why)


def test_prompts_are_like_a_pattern():
    assert INDUCTION.prove(like=["$x $y..5 . $x"]) == psl.Proof("answers", True, None, 5, None, None)
    proof = INDUCTION.prove(like=["$x . $y"], like_any=True, max_new=2)
    assert not proof.holds and proof.counterexample is not None
    with pytest.raises(ValueError, match=r"`\$x\.\.0` has an invalid limit"):
        INDUCTION.prove(like=["$x..0"])


def test_numbers_are_left_out_where_the_program_compares_them():
    histogram = psl.load(EXAMPLES / "histogram.psl")
    assert histogram.prove(up_to=2, max_new=5).without_numbers_to == 8
    assert histogram.prove(up_to=2, max_new=5, numbers=True).without_numbers_to is None


def test_bad_arguments():
    with pytest.raises(ValueError, match="unknown claim `laws`; expected one of answers, terminates"):
        REVERSE.prove("laws")
    with pytest.raises(ValueError, match="at least 1"):
        REVERSE.prove(up_to=0)
    with pytest.raises(psl.Error, match="choose fewer symbols"):
        REVERSE.prove(up_to=40)
