"""The steps of a Turing machine as progress on a terminal."""

from paths import PSL
from terminal import Terminal
from test_progress import RATE

COUNTER = """\
# Counts in binary for longer than anybody waits.
next  0 back  1 R
next  1 next  0 L
back  0 back  0 R
back  1 back  1 R
back  _ next  _ L
"""


def test_a_long_run_shows_its_steps(tmp_path):
    (tmp_path / "counter.tm").write_text(COUNTER)
    tape = " ".join("0" * 60 + "_")
    arguments = ["--tape", tape, "--head", "60", "--run", "--max-passes", "99999999"]
    with Terminal(tmp_path, PSL, "turing", "counter.tm", *arguments) as terminal:
        terminal.read_up_to(RATE.format("steps"))
