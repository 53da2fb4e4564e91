"""The debug adapter, `psl dap`, with a small client."""

import socket
import subprocess

import pytest
from debug_client import DebugClient, Failed, debugging
from paths import PARGEN, PSL

pytestmark = pytest.mark.timeout(120)

NESTED = """\
//@ test flip "A B" => "B"
//@ max-new 1
registers: {symbol: 's', position: 'p', mark: 'm', count: 'c'}
constants: {A, B, ON, OFF}

# start
where symbol[N] == symbol[N]:
    mark[N] = OFF

repeat:
    # turn on
    where mark[N] == OFF:
        mark[N] = ON
    # count
    where mark[N] == ON:
        count[N] = symbol[N]
until NO_CHANGE
"""


@pytest.fixture
def client():
    with debugging() as client:
        yield client


@pytest.fixture
def nested(client, tmp_path) -> DebugClient:
    program = tmp_path / "nested.psl"
    program.write_text(NESTED)
    client.program = program
    client.launch(program=str(program), test="flip", stopOnEntry=True)
    assert client.event("stopped")["reason"] == "entry"
    return client


def names(client: DebugClient) -> list[str]:
    return [frame["name"] for frame in client.stack()]


def variables(client: DebugClient, scope: str) -> dict[str, str]:
    """The variables of the first scope whose name starts with `scope`."""
    frame = client.stack()[0]["id"]
    scopes = client.ask("scopes", frameId=frame)["scopes"]
    reference = next(it["variablesReference"] for it in scopes if it["name"].startswith(scope))
    return {it["name"]: it["value"] for it in client.ask("variables", variablesReference=reference)["variables"]}


def test_steps_go_both_ways(nested):
    assert names(nested) == ["cell 1 (A)", "start", "prompt"]
    assert nested.move("stepIn")["reason"] == "step"
    assert names(nested)[0] == "cell 2 (B)"
    nested.move("stepBack")
    assert names(nested)[0] == "cell 2 (B)"
    assert nested.move("reverseContinue")["description"] == "The start of the run"
    assert names(nested)[0] == "cell 1 (A)"


def test_a_block_is_stepped_over_or_into(nested):
    nested.move("next")
    assert names(nested)[0].startswith("repeat block 1")
    nested.move("stepIn")
    assert names(nested) == ["cell 1 (A)", "turn on", "pass 1 of repeat block 1", "prompt"]
    nested.move("stepOut")
    assert names(nested)[0] == "pass 1 of repeat block 1"
    nested.move("stepOut")
    assert names(nested) == ["prompt"]
    nested.move("stepBack")
    assert names(nested)[0].startswith("repeat block 1")


def test_registers_before_and_after(nested):
    assert variables(nested, "cell 1")["mark"] == "∅"
    assert variables(nested, "cell 1 after")["mark"] == "OFF"


def test_a_breakpoint_moves_to_its_production(client, tmp_path):
    program = tmp_path / "nested.psl"
    program.write_text(NESTED)
    source = {"path": str(program)}
    client.ask("initialize", adapterID="psl")
    client.ask("launch", program=str(program))
    client.event("initialized")
    set_ = client.ask("setBreakpoints", source=source, breakpoints=[{"line": 14}, {"line": 12, "condition": "cell == 2"}])
    assert [(it["verified"], it["line"]) for it in set_["breakpoints"]] == [(True, 15), (True, 12)]
    client.ask("configurationDone")
    first = client.event("stopped")
    assert first["reason"] == "breakpoint" and first["hitBreakpointIds"] == [set_["breakpoints"][1]["id"]]
    assert names(client)[0] == "cell 2 (B)"
    client.move("continue")
    assert names(client)[1] == "count"
    client.move("reverseContinue")
    assert names(client)[1] == "turn on"


def test_data_breakpoints_stop_at_changes(nested):
    frame = nested.stack()[0]["id"]
    scope = nested.ask("scopes", frameId=frame)["scopes"][0]["variablesReference"]
    info = nested.ask("dataBreakpointInfo", name="mark", variablesReference=scope)
    assert info["dataId"] == "mark[1]"
    [found] = nested.ask("setDataBreakpoints", breakpoints=[{"dataId": "mark[1]"}])["breakpoints"]
    assert found["verified"]
    nested.move("continue")
    assert names(nested)[1] == "turn on"
    assert nested.move("continue")["description"].startswith("The end of the run")
    assert nested.move("reverseContinue")["reason"] == "data breakpoint"
    assert names(nested)[1] == "turn on"


def test_expressions(nested):
    frame = nested.stack()[0]["id"]
    value = lambda text: nested.ask("evaluate", expression=text, frameId=frame, context="watch")["result"]  # noqa: E731
    assert value("symbol[2]") == "B"
    assert value("symbol[N] == symbol[2]").startswith("false")
    with pytest.raises(Failed, match="cell 9"):
        value("symbol[9]")


def test_the_wrong_symbol_of_a_failing_test_is_found_from_the_end(client, tmp_path):
    program = tmp_path / "wrong.psl"
    program.write_text(NESTED.replace('=> "B"', '=> "A"'))
    faults = ("setExceptionBreakpoints", {"filters": ["gold"]})
    client.launch(faults, program=str(program), test="flip")
    stop = client.event("stopped")
    assert stop["reason"] == "exception"
    assert "differs" in client.ask("exceptionInfo", threadId=1)["description"]


def test_the_text_of_the_editor_counts(client, tmp_path):
    program = tmp_path / "none.psl"
    client.launch(program=str(program), text=NESTED, prompt="B A", stopOnEntry=True)
    client.event("stopped")
    assert names(client)[0] == "cell 1 (B)"
    assert client.ask("source", sourceReference=1)["content"] == NESTED
    client.ask("restart", arguments={"program": str(program), "text": NESTED, "prompt": "A A", "stopOnEntry": True})
    client.event("stopped")
    assert names(client)[0] == "cell 1 (A)"


def test_a_restart_finds_the_breakpoints_in_the_edited_text(client, tmp_path):
    program = str(tmp_path / "none.psl")
    breakpoints = ("setBreakpoints", {"source": {"path": program}, "breakpoints": [{"line": 7}]})
    client.launch(breakpoints, program=program, text=NESTED)
    assert client.event("stopped")["reason"] == "breakpoint"
    assert names(client)[1] == "start"
    first, edited = "registers:", "\n" * 5 + "registers:"
    client.ask("restart", arguments={"program": program, "text": NESTED.replace(first, edited)})
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.stack()[0]["line"] == 12
    with pytest.raises(Failed, match="line 1"):
        client.ask("restart", arguments={"program": program, "text": "registers: {"})
    assert client.stack()[0]["line"] == 12


def test_the_console_moves(nested):
    assert "step 0, cell 2" in nested.evaluate("step")
    assert nested.event("stopped")["reason"] == "goto"
    assert names(nested)[0] == "cell 2 (B)"
    assert nested.evaluate("mark[N]") == "∅"
    with pytest.raises(Failed, match="there is no cell 9"):
        nested.evaluate("cell 9")


@pytest.mark.parametrize("machine", ["psm", "qkvm", "dat", "full-dat"])
def test_a_structured_prompt_runs_on_each_machine(client, tmp_path, machine):
    program = str(tmp_path / "none.psl")
    cells = [{"symbol": "B", "count": "A"}, {"symbol": "A"}]
    client.launch(program=program, text=NESTED, promptJson=cells, machine=machine, stopOnEntry=True)
    client.event("stopped")
    assert variables(client, "cell 1")["count"] == "A"
    assert client.move("continue")["description"] == "The end of the run: A …"


def test_frames_of_an_earlier_stop_are_refused(nested):
    frame = nested.stack()[0]["id"]
    nested.move("next")
    for command, arguments in [("scopes", {"frameId": frame}), ("restartFrame", {"frameId": frame})]:
        with pytest.raises(Failed, match="current stop"):
            nested.ask(command, **arguments)


def test_faults_of_the_client(nested):
    with pytest.raises(Failed, match="there is no thread 7"):
        nested.ask("stackTrace", threadId=7)
    with pytest.raises(Failed, match="does not know"):
        nested.ask("nonsense")
    with pytest.raises(Failed, match="wrong arguments"):
        nested.ask("scopes", frameId="first")
    nested.write(b"Content-Length: 5\r\n\r\nabcde")
    assert "malformed" in nested.event("output")["output"]
    nested.write(b"Content-Length: 2\r\n\r\n[]")
    assert "malformed" in nested.event("output")["output"]
    assert names(nested)


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ({}, "the program is missing"),
        ({"program": "/none.psl"}, "cannot read /none.psl"),
        ({"program": str(PARGEN), "test": "none"}, "none"),
        ({"program": str(PARGEN), "test": 99}, "99"),
        ({"program": str(PARGEN), "prompt": "A", "test": "swap"}, "exclude each other"),
        ({"program": str(PARGEN), "machine": "gpu"}, "unknown machine"),
        ({"program": "a.psl", "text": "registers: {"}, "line 1"),
        ({"program": "a.psl", "text": NESTED.replace("//@ test", "#")}, "the prompt is missing"),
    ],
)
def test_a_launch_that_fails_says_why(client, arguments, expected):
    client.ask("initialize", adapterID="psl")
    with pytest.raises(Failed, match=expected):
        client.ask("launch", **arguments)


def test_a_request_before_the_launch_is_refused(client):
    client.ask("initialize", adapterID="psl")
    with pytest.raises(Failed, match="launch"):
        client.ask("continue", threadId=1)


ENDLESS = """\
registers: {symbol: 's', position: 'p', mark: 'm'}
constants: {A}
where symbol[N] == symbol[N]:
    mark[N] = symbol[N]
"""


def test_a_run_without_end_can_be_paused(client, tmp_path):
    program = tmp_path / "endless.psl"
    program.write_text("//@ max-new 900000\n" + ENDLESS)
    client.launch(program=str(program), prompt="A", stopOnEntry=True)
    client.event("stopped")
    moved, paused = client.send_together(("continue", {"threadId": 1}), ("pause", {"threadId": 1}))
    client.answer(moved)
    assert client.event("stopped")["reason"] == "pause"
    client.answer(paused)
    assert names(client)
    assert client.move("reverseContinue")["description"] == "The start of the run"


def test_a_client_that_vanishes_ends_the_adapter():
    process = subprocess.Popen([PSL, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    client = DebugClient(process)
    client.launch(program=str(PARGEN), prompt="A B", stopOnEntry=True)
    process.stdin.close()
    assert process.wait(timeout=20) == 0


def test_a_disconnect_ends_the_adapter(nested):
    nested.ask("disconnect")
    assert nested.process.wait(timeout=20) == 0


def test_a_port_serves_one_client(tmp_path):
    process = subprocess.Popen([PSL, "dap", "--port", "0"], stderr=subprocess.PIPE, text=True)
    port = int(process.stderr.readline().rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rwb", buffering=0) as stream:
        body = b'{"seq": 1, "type": "request", "command": "initialize", "arguments": {}}'
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert stream.readline().startswith(b"Content-Length:")
    assert process.wait(timeout=20) == 0
