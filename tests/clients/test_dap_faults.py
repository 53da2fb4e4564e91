"""The debug adapter with broken, hostile, vanished and very busy clients."""

import contextlib
import os
import re
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from debug_client import DebugClient, listening, request
from framing import Failed, piped
from paths import PARGEN, PSL

pytestmark = pytest.mark.timeout(300)

# A block with 30,000 passes.
PASSES = """\
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {ON, OFF}
where symbol[N] == symbol[N]:
    mark[N] = ON
repeat:
    where mark[N] == ON:
        mark[N] = OFF
    where mark[N] == OFF:
        mark[N] = ON
until NO_CHANGE
"""
SHORT = PASSES.replace("mark[N] = OFF", "mark[N] = ON")
# A run of minutes: 999,000 symbols with 50 layers each.
ENDLESS = """\
//@ max-new 999000
registers: {symbol: 's', position: 'p', mark: 'm'}
""" + 50 * "where symbol[N] == symbol[N]:\n    mark[N] = symbol[N]\n"


# The event of a stop.
STOPPED = b'"event":"stopped"'


@pytest.fixture
def client():
    with DebugClient() as client:
        yield client


def launch(client: DebugClient, text: str) -> DebugClient:
    client.enter(text=text, prompt="A")
    return client


@pytest.fixture
def stopped(client) -> DebugClient:
    """A client at the start of a short run."""
    return launch(client, SHORT)


@pytest.fixture
def endless(client) -> DebugClient:
    """A client at the start of a run that takes minutes."""
    return launch(client, ENDLESS)


def memory(process: subprocess.Popen) -> float:
    """The resident memory of a process in MB, or 0 after its end."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def works(client: DebugClient) -> bool:
    return client.stack() != []


@pytest.mark.parametrize("command", "stackTrace continue next stepIn stepOut stepBack reverseContinue".split())
def test_an_unknown_thread_is_refused(stopped, command):
    with pytest.raises(Failed, match="there is no thread 7"):
        stopped.ask(command, threadId=7)
    assert works(stopped)


def test_frames_and_scopes_of_an_earlier_stop_are_refused(stopped):
    frame = stopped.stack()[0]["id"]
    scope = stopped.ask("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    stopped.move("next")
    for number in [frame, scope, 0, -1, 2**53]:
        for command in ["scopes", "restartFrame", "variables"]:
            with pytest.raises(Failed, match="current stop"):
                stopped.ask(command, frameId=number, variablesReference=number)
    assert works(stopped)


def test_an_unknown_request_is_refused(stopped):
    with pytest.raises(Failed, match="does not know"):
        stopped.ask("nonsense")
    assert works(stopped)


GARBAGE = [
    b"Content-Length: 5\r\n\r\nabcde",
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: -1\r\n\r\n",
    b"Content-Length: 99999999999999999999999\r\n\r\n",
    b"Content-Length: 1073741825\r\n\r\n{}",
    b"Content-Length: 1000000000\r\n\r\n{}",
    b"Length: 2\r\n\r\n{}",
    b"\x00\xff\xfe" * 5000,
    b"Content-Length: 9\r\n\r\n" + b"[" * 9,
    b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000,
    b'Content-Length: 11\r\n\r\n{"seq": 1}',
    b'Content-Length: 21\r\n\r\n{"seq": 1, "type": 3}',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: repr(garbage[:30]))
def test_garbage_is_skipped_with_a_message(stopped, garbage):
    before = memory(stopped.process)
    stopped.write(garbage)
    assert works(stopped)
    assert "malformed" in stopped.event("output")["output"]
    assert memory(stopped.process) < before + 10


def test_a_message_that_is_too_long_is_refused_by_its_length_and_not_kept(stopped):
    before = memory(stopped.process)
    stopped.write(b"Content-Length: 1073741824\r\n\r\n")
    for _ in range(128):
        stopped.write(b"x" * 1_000_000)
    assert works(stopped)
    refusal = "a message of 1073741824 bytes is too long: the limit is 67108864"
    assert refusal in stopped.event("output")["output"]
    assert memory(stopped.process) < before + 10


WRONG = {"frameId": "x", "line": "y", "text": 3, "breakpoints": 3, "program": 3}


@pytest.mark.parametrize("command", "setBreakpoints scopes evaluate goto completions setDataBreakpoints launch".split())
@pytest.mark.parametrize("arguments", ["text", 7, WRONG], ids=["text", "number", "object"])
def test_wrong_arguments_are_refused(stopped, command, arguments):
    [number] = stopped.send_together((command, arguments))
    with pytest.raises(Failed, match="wrong arguments"):
        stopped.answer(number)
    assert works(stopped)


@pytest.mark.parametrize("command", "continue stackTrace setBreakpoints evaluate restart configurationDone".split())
def test_a_request_before_the_launch_is_refused(client, command):
    client.ask("initialize", adapterID="psl")
    with pytest.raises(Failed, match="send `launch` first"):
        client.ask(command, threadId=1, expression="mark[1]")
    assert works(launch(client, SHORT))


def test_a_second_launch_replaces_the_first(stopped):
    stopped.ask("launch", text=SHORT, prompt="B", stopOnEntry=True)
    stopped.ask("configurationDone")
    stopped.event("stopped")
    assert stopped.stack()[0]["name"] == "cell 1 (B)"


def test_a_launch_that_fails_keeps_the_session(stopped):
    with pytest.raises(Failed, match="unknown machine"):
        stopped.ask("launch", text=SHORT, prompt="B", machine="gpu")
    assert stopped.stack()[0]["name"] == "cell 1 (A)"


def test_a_named_pipe_is_refused(stopped, tmp_path):
    pipe = tmp_path / "a.psl"
    os.mkfifo(pipe)
    with pytest.raises(Failed, match="it is a named pipe, not a file"):
        stopped.ask("launch", program=str(pipe), prompt="A")
    assert stopped.stack()[0]["name"] == "cell 1 (A)"


BUSY = {
    "continue": ("continue", {"threadId": 1}),
    "pause": ("pause", {"threadId": 1}),
    "restart": ("restart", {"arguments": {"text": ENDLESS, "prompt": "A"}}),
}


# An earlier request to pause does not undo the end.
@pytest.mark.parametrize("requests", ["continue", "continue pause continue", "restart", "restart restart pause continue"])
def test_a_client_that_vanishes_from_an_endless_run_ends_the_adapter(endless, requests):
    endless.send_together(*(BUSY[name] for name in requests.split()))
    endless.process.stdin.close()
    assert endless.exit_code() == 0


@pytest.fixture
def port():
    with listening() as port:
        yield port


def test_a_client_that_vanishes_from_a_port_ends_the_adapter(port):
    process, address = port
    with socket.create_connection(address) as connection, connection.makefile("wb", buffering=0) as stream:
        launched = [("initialize", {}), ("launch", {"text": ENDLESS, "prompt": "A"}), ("configurationDone", {})]
        stream.write(b"".join(request(*each) for each in launched))
        time.sleep(0.5)
        assert process.poll() is None
    assert process.wait(timeout=20) == 0


INITIALIZE = request("initialize", {})
FOREIGN = {
    "a web page": b"POST / HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s"
    % (len(INITIALIZE), INITIALIZE),
    "a probe": b"",
    "a part of a header": b"Content-Len",
    "a part of a name": b"Content-Lengthy: 2\r\n\r\n{}",
    "bytes": b"\x16\x03\x01",
}


@pytest.mark.parametrize("sent", FOREIGN.values(), ids=FOREIGN)
def test_a_connection_without_a_message_is_closed_and_the_port_waits_on(port, sent):
    process, address = port
    idle = [socket.create_connection(address) for _ in range(20)]
    with socket.create_connection(address) as foreign:
        # The adapter resets the connection at the first byte that it refuses, maybe before `shutdown`.
        with contextlib.suppress(OSError):
            foreign.sendall(sent)
            foreign.shutdown(socket.SHUT_WR)
            assert foreign.recv(100) == b""
    with socket.create_connection(address) as connection:
        connection.sendall(INITIALIZE)
        assert connection.recv(15) == b"Content-Length:"
        assert process.poll() is None
    assert process.wait(timeout=20) == 0
    assert ("does not begin with" in process.stderr.read()) == (sent not in (b"", b"Content-Len"))
    for connection in idle:
        connection.close()


@pytest.mark.alone
@pytest.mark.parametrize("last", ["pause", "disconnect", "terminate"])
def test_each_of_many_interruptions_counts(endless, last):
    *_, end = endless.send_together(*[BUSY["continue"], BUSY["pause"]] * 3, BUSY["continue"], (last, {"threadId": 1}))
    start = time.monotonic()
    endless.answer(end)
    assert time.monotonic() - start < 5


def test_a_client_that_does_not_read_needs_little_memory():
    process = piped(PSL, "dap")
    os.set_blocking(process.stdin.fileno(), False)
    deadline = time.monotonic() + 60
    # The pipe stays full once the adapter waits for the client.
    waited = 0
    while waited < 10:
        assert time.monotonic() < deadline, "the adapter reads without end"
        try:
            os.write(process.stdin.fileno(), request("threads", {}) * 500)
            waited = 0
        except BlockingIOError:
            time.sleep(0.1)
            waited += 1
    assert memory(process) < 50
    process.stdin.close()
    process.stdout.close()
    assert process.wait(timeout=20) == 0


def test_an_endless_run_can_be_paused(endless):
    moved, paused = endless.send_together(BUSY["continue"], BUSY["pause"])
    endless.answer(moved)
    assert endless.event("stopped")["reason"] == "pause"
    endless.answer(paused)
    assert works(endless)
    assert endless.move("reverseContinue")["description"] == "The start of the run"


@pytest.mark.alone
def test_a_million_steps(measure):
    """Neither stops nor requests add memory."""
    arguments = {"text": PASSES, "prompt": "A B", "maxPasses": 30_000, "stopOnEntry": True}
    launched = [("initialize", {}), ("launch", arguments)]
    # Most steps go forward and back, so that the run is recorded early.
    cell = {"threadId": 1, "granularity": "instruction"}
    turn = [("next", cell)] * 1000 + [("stepBack", cell)] * 900 + [("stackTrace", cell)] * 100
    end = [("evaluate", {"expression": "step", "context": "repl"}), ("disconnect", {})]
    start, sizes = time.monotonic(), []
    process = piped(PSL, "dap")

    def send():
        for requests in [[*launched, ("configurationDone", {})], *[turn] * 527, end]:
            process.stdin.write(b"".join(request(*each) for each in requests))
        process.stdin.close()

    threading.Thread(target=send, daemon=True).start()
    stops, rest = 0, b""
    while chunk := process.stdout.read1(1 << 20):
        counted = rest + chunk
        stops += counted.count(STOPPED)
        rest = counted[-len(STOPPED) + 1 :]
        sizes.append(memory(process))
    assert process.wait() == 0
    assert stops > 1_000_000
    measure(f"psl dap: {stops:,} stops in {time.monotonic() - start:.0f} s, at most {max(sizes):.0f} MB")
    assert max(sizes[len(sizes) // 10 :]) < max(sizes[: len(sizes) // 10]) + 30


@pytest.mark.alone
@pytest.mark.parametrize("condition", [None, "cell == 2", "symbol[N] == A and mark[N] != A", "garbage ("])
def test_10_000_breakpoints(client, condition):
    wanted = [{"line": 1 + index % 500} | ({"condition": condition} if condition else {}) for index in range(10_000)]
    client.enter(program=str(PARGEN), test=1)
    start = time.monotonic()
    breakpoints = client.ask("setBreakpoints", source={"path": str(PARGEN)}, breakpoints=wanted)["breakpoints"]
    assert len(breakpoints) == len(wanted)
    client.move("continue")
    assert time.monotonic() - start < 30


CONDITIONS = ["(", "cell ==", "cell == -1", "field[N] ==", "where", "N]:\nmark[N]", "'", "\0"]
CONDITIONS += ["x" * 100_000, "cell == 2 and " * 5000, "[" * 100_000]


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: repr(condition[:15]))
@pytest.mark.parametrize("field", ["condition", "hitCondition", "logMessage"])
def test_garbage_in_a_breakpoint_is_explained(stopped, field, condition):
    garbage = {"line": 3, field: "{" + condition + "}" if field == "logMessage" else condition}
    [first, second] = stopped.ask("setBreakpoints", source={}, breakpoints=[garbage, {"line": 3}])["breakpoints"]
    assert not first["verified"] and first["message"]
    assert second["verified"]


EXPRESSIONS = ["", "(", "symbol[", "symbol[0]", "symbol[99999999999999999999]", "help nothing", "goto step 9 pass"]
EXPRESSIONS += ["next 99999999999999999999", "é[N] == ", "x" * 100_000, "[" * 100_000]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda expression: repr(expression[:15]))
@pytest.mark.parametrize("context", ["repl", "hover", "watch"])
def test_garbage_in_an_expression_is_explained(stopped, context, expression):
    try:
        stopped.evaluate(expression, context)
    except Failed as why:
        assert str(why)
    assert works(stopped)
