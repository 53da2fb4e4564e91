"""Runs: continuations, options, refusals, threads and processes."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
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
    assert PARGEN.run(SWAP.split()).text == PARGEN.run(tuple(SWAP.split())).text == SWAPPED
    assert [it.text for it in PARGEN.run_many([SWAP.split()])] == [SWAPPED]
    assert COPY.run(COPY.run("A", max_new=2).tokens, max_new=1).text == "B"
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
    for ablate in [1, {1}, (1,), range(1, 2)]:
        assert COPY.run("A", max_new=1, ablate=ablate).text == "A"
    assert COPY.run("A", max_new=1, ablate=[]).text == "B"


@pytest.mark.parametrize(
    ("prompt", "options", "error", "message"),
    [
        (None, {}, TypeError, "a prompt is a str of symbols, a list of symbols, or a list of cells"),
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
        ("A", {"max_new": 10**30}, ValueError, "`max_new` is at most"),
        ("A", {"ablate": 1.5}, TypeError, '`ablate` is a str such as "P3a,20-27", a number, or several numbers and labels; found float'),
        ("A", {"max_new": 1.5}, TypeError, "`max_new` is a whole number; found float"),
        (["A", "B C"], {}, ValueError, "B C"),
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


RUN = COPY.run("A", record=True, max_new=1)


@pytest.mark.parametrize(
    ("call", "name"),
    [(lambda name=name: COPY.run("A", **{name: -1}), name) for name in ["max_new", "max_passes", "seed", "ablate"]]
    + [(lambda name=name: COPY.run_many(["A"], **{name: -1}), name) for name in ["max_new", "max_passes", "seed"]]
    + [(lambda name=name: COPY.eval([("A", "B")], **{name: -1}), name) for name in ["max_passes", "limit", "ablate"]]
    + [(lambda name=name: COPY.save_hf("none", **{name: -1}), name) for name in ["max_prompt", "max_new", "passes"]]
    + [
        (lambda: COPY.run("A", ablate=[1, -2]), "ablate"),
        (lambda: COPY.compile("weights", positions=-1), "positions"),
        (lambda: COPY.weights(positions=-1), "positions"),
        (lambda: COPY.edit(-1, ""), "layer"),
        (lambda: RUN.index(-1), "layer"),
        (lambda: RUN.index(1, -1), "pass_"),
        (lambda: RUN.index(1, [-1]), "pass_"),
        (lambda: RUN.index(1, cell=-1), "cell"),
        (lambda: RUN.why(1, source=-1), "source"),
        (lambda: RUN.why_not(1, source=-1), "source"),
        (lambda: RUN.where_from("symbol", -1), "cell"),
        (lambda: RUN.where_from("symbol", 1, -1), "row"),
        (lambda: psl.nfe(-1), "depth"),
        (lambda: psl.nfe(count=-1), "count"),
        (lambda: psl.nfe(seed=-1), "seed"),
        (lambda: psl.check_nfe([], depth=-1), "depth"),
        (lambda: psl.tgt("test", -1), "count"),
        (lambda: psl.tgt("test", shots=-1), "shots"),
        (lambda: psl.check_tgt([], "test", shots=-1), "shots"),
        (lambda: psl.turing("s a s a L", "a", head=-1), "head"),
        (lambda: psl.turing("s a s a L", "a", pad=-1), "pad"),
        (lambda: psl.run_turing("s a s a L", "a", max_passes=-1), "max_passes"),
    ],
)
def test_a_negative_number_is_refused_by_the_name_of_its_argument(call, name):
    with pytest.raises(ValueError, match=f"`{name}` is at least 0"):
        call()


@pytest.mark.parametrize("options", [{}, {"record": True}, {"record": True, "machine": "psm", "ablate": 1}], ids=str)
def test_a_run_is_copied(options):
    for prompt in ["A B", [{"symbol": "A"}]]:
        run = COPY.run(prompt, max_new=2, stop="C", **options)
        again = pickle.loads(pickle.dumps(run))
        assert again == run and hash(again) == hash(run) and copy.deepcopy(run) == run == copy.copy(run)
        assert (again.text, again.stop) == (run.text, run.stop)
        if options:
            assert (again.states == run.states).all() and again.rows == run.rows
        assert run != COPY.run(prompt, max_new=1, stop="C", **options) and run != 1
    assert COPY.run("A", max_new=1) != COPY.run("A", max_new=1, record=True)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(
    "call",
    [
        "run_many(['A ' * 20_000] * 40, machine='qkvm', max_new=1)",
        "run_many(['A ' * 2_000] * 400, machine='full-dat', max_new=1)",
        "run('A ' * 60_000, machine='qkvm', max_new=1, record=True)",
        "run('A ' * 60_000, verify=True, max_new=1)",
        "eval([('A ' * 60_000, 'A')] * 10, machine='qkvm', ablate='each')",
        "compile('weights', positions=900_000, sparse=True)",
        "weights(positions=900_000)",
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
            sent = time.monotonic()
            _, errors = process.communicate(timeout=20)
            # Within 0.2 seconds, and the time to end the process on a machine that does other work.
            assert time.monotonic() - sent < 2
        finally:
            process.kill()
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
