"""Processes with programs: each way to start them, by multiprocessing and by concurrent.futures."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import pytest

import psl

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")

PARGEN = Path(__file__).parents[2] / "examples" / "pargen.psl"
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on Windows")
SWAP, SWAPPED = "Q B V D E A D E V B . Q F G H V K L A", "K L V F G H ."

# A child imports its functions, so they are in a file of their own.
CHILDREN = f"""
import multiprocessing, sys
from concurrent.futures import ProcessPoolExecutor
import psl

OWN = psl.load({str(PARGEN)!r})
PROMPTS = [{SWAP!r}] * 3

def complete(program):
    return [run.text for given in (program, OWN) for run in [given.run(PROMPTS[0]), *given.run_many(PROMPTS)]]

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    here = complete(OWN)
    with context.Pool(2) as processes:
        assert processes.map_async(complete, [OWN] * 4).get(60) == [here] * 4
        # Runs come back as well.
        assert processes.map_async(OWN.run, PROMPTS).get(60) == OWN.run_many(PROMPTS)
    with ProcessPoolExecutor(2, mp_context=context) as processes:
        assert list(processes.map(complete, [OWN] * 4, timeout=60)) == [here] * 4
    print(*set(here))
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_children_have_programs(method, tmp_path):
    (tmp_path / "children.py").write_text(CHILDREN)
    command = [sys.executable, tmp_path / "children.py", method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout) == (0, SWAPPED + "\n"), done.stderr


def forked(work):
    """Does work in a forked process, and returns its exit code."""
    child = os.fork()
    if child == 0:
        # A child that waits for a thread of its parent would wait forever, and could not call a handler of Python.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        # Without the rest of the tests.
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@FORKS
def test_a_process_is_forked_while_threads_run():
    program = psl.load(PARGEN)
    ended = threading.Event()

    def work():
        while not ended.is_set():
            program.run_many([SWAP] * 200)

    def in_child():
        assert program.run_many([SWAP] * 3)[2].text == SWAPPED

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(200):
            assert forked(in_child) == 0
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@FORKS
@pytest.mark.parametrize("use", ["check", "test"])
def test_a_process_is_forked_during_the_first_use(use):
    for attempt in range(100):
        program = psl.load(PARGEN)
        thread = threading.Thread(target=getattr(program, use))
        thread.start()
        # The first use takes about a millisecond.
        time.sleep(0.0003 + 0.00001 * attempt)
        assert forked(getattr(program, use)) == 0
        thread.join()
