"""Runs: continuations, options, refusals, threads and processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import psl

PARGEN = psl.load(Path(__file__).parents[2] / "examples" / "pargen.psl")
SWAP, SWAPPED = "Q B V D E A D E V B . Q F G H V K L A", "K L V F G H ."
COPY = psl.Program(
    "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n"
)
ENDLESS = psl.Program(
    "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nrepeat:\n"
    "    where symbol[N] == A:\n        mark[N] = A\nuntil mark[N] == B\n"
)


def test_a_prompt_is_completed():
    run = PARGEN.run(SWAP)
    assert (run.text, run.tokens, run.stop) == (SWAPPED, SWAPPED.split(), "stop-symbol")
    assert PARGEN.run([{"symbol": symbol} for symbol in SWAP.split()]).text == SWAPPED
    run = PARGEN.run(SWAP, max_new=2)
    assert (run.text, run.stop) == ("K L", "max-new")


@pytest.mark.parametrize(
    "options",
    [{"machine": name} for name in ["psm", "qkvm", "dat", "full-dat"]]
    + [{"verify": True}, {"recompute": True}, {"embedding": "semi-local", "seed": 7}, {"stop": "."}, {"record": True}],
    ids=str,
)
def test_each_way_to_run_gives_the_same(options):
    assert PARGEN.run(SWAP, **options).text == SWAPPED


def test_layers_are_ablated():
    assert COPY.run("A", max_new=1).text == "B"
    assert COPY.run("A", max_new=1, ablate="1").text == COPY.run("A", max_new=1, ablate=[1]).text == "A"
    assert COPY.run("A", max_new=1, ablate=[]).text == "B"


@pytest.mark.parametrize(
    ("prompt", "options", "error", "message"),
    [
        (None, {}, TypeError, "a prompt is a str of symbols or a list of cells"),
        (b"A", {}, TypeError, "found bytes"),
        ("\ud800", {}, ValueError, "surrogates"),
        ("", {}, psl.RunError, "the prompt is empty"),
        ("A " * 1_000_000, {}, psl.RunError, "the limit is 1000000"),
        ([{"none": "A"}], {}, psl.RunError, "unknown register `none`"),
        ([{"symbol": [1]}], {}, ValueError, "cell 1"),
        ([1], {}, ValueError, "cell 1"),
        ([{"symbol": object()}], {}, TypeError, "not JSON serializable"),
        ("A", {"machine": "dta"}, ValueError, "unknown machine `dta`; expected one of `psm`"),
        ("A", {"embedding": "dense"}, ValueError, "unknown embedding `dense`"),
        ("A", {"embedding": "local", "machine": "dat"}, ValueError, "needs the machine full-dat"),
        ("A", {"record": True, "verify": True}, ValueError, "exclude each other"),
        ("A", {"ablate": [0]}, ValueError, "the first number is 1"),
        ("A", {"ablate": "9"}, ValueError, "layer 9 is out of range: the program has 1 layer"),
        ("A", {"max_new": -1}, OverflowError, "negative"),
        ("A", {"max_new": 10**30}, OverflowError, "too"),
        ("A", {"max_new": 2**63}, psl.RunError, "the limit is 1000000"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_bad_argument_is_refused(prompt, options, error, message):
    with pytest.raises(error, match=message):
        COPY.run(prompt, **options)


def test_a_run_that_fails_names_its_block():
    with pytest.raises(psl.RunError, match="never stops") as caught:
        ENDLESS.run("A")
    assert (caught.value.line, caught.value.column, caught.value.code) == (3, 1, None)


def test_many_prompts_keep_their_order():
    prompts = [f"A x{number}" for number in range(2_000)]
    runs = COPY.run_many((prompt for prompt in prompts), max_new=1)
    assert [run.text for run in runs] == [f"x{number}" for number in range(2_000)]
    assert COPY.run_many([]) == []
    with pytest.raises(psl.RunError, match="prompt 3: the prompt is empty"):
        COPY.run_many(["A", "B", ""])
    with pytest.raises(TypeError, match="pass a list"):
        COPY.run_many("A B")
    with pytest.raises(TypeError):
        COPY.run_many(["A", None])
    with open(os.devnull) as file:
        assert COPY.run_many(file) == []
    with pytest.raises(ValueError, match="closed file"):
        COPY.run_many(file)


def test_threads_run_at_the_same_time():
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: PARGEN.run(SWAP).text, range(200))) == {SWAPPED}


def complete(_=None):
    return PARGEN.run(SWAP).text, [run.text for run in PARGEN.run_many([SWAP] * 3)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on Windows")
def test_a_forked_process_has_threads_of_its_own():
    assert complete() == (SWAPPED, [SWAPPED] * 3)
    with multiprocessing.get_context("fork").Pool(2) as processes:
        assert processes.map_async(complete, range(4)).get(60) == [complete()] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(
    "call",
    [
        "run('A ' * 60_000, machine='qkvm', max_new=1)",
        "run_many(['A B ' * 50] * 10_000_000)",
        "eval([('A ' * 60_000, 'A')] * 10, machine='qkvm')",
        "eval(psl.tgt('test', 10**12))",
    ],
)
def test_ctrl_c_interrupts(call):
    program = (
        # A process that a script starts in the background ignores the signal.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import psl; p = psl.Program('''registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\n"
        "where position[N] == position[N]:\n    mark[N] = B\nwhere symbol[n] == mark[N]:\n    mark[N] = symbol[n]\n''')\n"
        f"print('ready', flush=True)\np.{call}\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            threading.Event().wait(0.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
