"""The debug adapter, `psl dap`, with a small client."""

import hashlib
import json
import socket

import pytest
from debug_client import DebugClient, listening, request
from framing import Failed, bodies
from paths import PARGEN, PROGRAMS

NESTED = (PROGRAMS / "nested.psl").read_text()


@pytest.fixture
def client():
    with DebugClient() as client:
        yield client


@pytest.fixture
def nested(client, tmp_path) -> DebugClient:
    program = tmp_path / "nested.psl"
    program.write_text(NESTED)
    client.program = program
    assert client.enter(program=str(program), test="flip")["reason"] == "entry"
    return client


def names(client: DebugClient) -> list[str]:
    return [frame["name"] for frame in client.stack()]


def scope(client: DebugClient, name: str) -> int:
    """The number of the first scope whose name starts with `name`."""
    frame = client.stack()[0]["id"]
    scopes = client.ask("scopes", frameId=frame)["scopes"]
    return next(it["variablesReference"] for it in scopes if it["name"].startswith(name))


def variables(client: DebugClient, name: str) -> dict[str, str]:
    """The variables of the first scope whose name starts with `name`."""
    found = client.ask("variables", variablesReference=scope(client, name))["variables"]
    return {it["name"]: it["value"] for it in found}


def test_steps_go_both_ways(nested):
    assert names(nested) == ["cell 1 (A)", "start", "prompt"]
    assert nested.move("stepIn")["reason"] == "step"
    assert names(nested)[0] == "cell 2 (B)"
    nested.move("stepBack")
    assert names(nested)[0] == "cell 2 (B)"
    assert nested.move("reverseContinue")["description"] == "The start of the run"
    assert names(nested)[0] == "cell 1 (A)"


def test_the_table_has_all_cells_with_their_changes(nested):
    table = nested.ask("psl/table")
    assert (table["current"], table["layer"], table["total"], table["isChanged"]) == (1, 1, 2, False)
    values = [dict(zip(table["registers"], cell["values"], strict=True)) for cell in table["cells"]]
    assert [cell["symbol"] for cell in values] == [{"value": "A"}, {"value": "B"}]
    assert [cell["mark"] for cell in values] == [{"value": "∅", "after": "OFF"}] * 2
    nested.move("next")
    table = nested.ask("psl/table")
    assert (table["layer"], table["attends"]) == (None, None)
    assert [cell["values"][2] for cell in table["cells"]] == [{"value": "OFF"}] * 2


def test_a_frame_without_a_production_shows_the_test(nested):
    frames = nested.stack()
    assert [frame["line"] for frame in frames] == [7, 7, 1]
    assert all("endLine" not in frame for frame in frames)


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


@pytest.mark.parametrize(("arguments", "passes"), [({}, ["pass 1"]), ({"stopEverywhere": True}, ["pass 1", "pass 2"])])
def test_a_breakpoint_stops_where_its_production_fires(client, tmp_path, arguments, passes):
    program = tmp_path / "nested.psl"
    program.write_text(NESTED)
    breakpoints = ("setFunctionBreakpoints", {"breakpoints": [{"name": "turn on"}]})
    client.launch(breakpoints, program=str(program), **arguments)
    stopped = client.event("stopped")
    found = []
    while stopped["reason"] == "function breakpoint":
        found.append(names(client)[2].split(" of ")[0])
        stopped = client.move("continue")
    assert found == passes


def test_data_breakpoints_stop_at_changes(nested):
    info = nested.ask("dataBreakpointInfo", name="mark", variablesReference=scope(nested, "cell 1"))
    assert info["dataId"] == "mark[1]"
    [found] = nested.ask("setDataBreakpoints", breakpoints=[{"dataId": "mark[1]"}])["breakpoints"]
    assert found["verified"]
    nested.move("continue")
    assert names(nested)[1] == "turn on"
    assert nested.move("continue")["description"].startswith("The end of the run")
    assert nested.move("reverseContinue")["reason"] == "data breakpoint"
    assert names(nested)[1] == "turn on"


def test_a_data_breakpoint_on_a_watched_register_stops_at_all_cells(client, tmp_path):
    text = NESTED.replace("constants:", "watch: [mark]\nconstants:")
    client.enter(program=str(tmp_path / "none.psl"), text=text)
    info = client.ask("dataBreakpointInfo", name="mark", variablesReference=scope(client, "watched"))
    assert info["dataId"] == "mark"
    [found] = client.ask("setDataBreakpoints", breakpoints=[{"dataId": "mark"}])["breakpoints"]
    assert found["verified"]
    stops = []
    for _ in range(3):
        assert client.move("continue")["reason"] == "data breakpoint"
        stops.append(names(client)[:2])
    assert stops == [["cell 2 (B)", "start"], ["cell 1 (A)", "turn on"], ["cell 2 (B)", "turn on"]]


def test_a_register_can_be_changed(nested):
    assert nested.move("continue")["description"] == "The end of the run: B …"
    nested.restart()
    changed = nested.ask("setVariable", variablesReference=scope(nested, "cell 1"), name="symbol", value="C")
    assert changed == {"value": "C"}
    assert nested.event("invalidated") == {"areas": ["all"]}
    assert names(nested) == ["cell 1 (C)", "start", "prompt (changed run)"]
    assert "changed" in nested.ask("threads")["threads"][0]["name"]
    assert nested.ask("setExpression", expression="symbol[2]", value="D") == {"value": "D"}
    assert nested.move("continue")["description"] == "The end of the run: D …"
    nested.restart()
    assert names(nested) == ["cell 1 (A)", "start", "prompt"]


def test_layers_are_ablated_from_the_console_and_at_the_launch(client, tmp_path):
    program = str(tmp_path / "none.psl")
    client.enter(program=program, text=NESTED)
    assert "without layer 1, the continuation stays" in client.evaluate("ablate start")
    assert client.event("invalidated") == {"areas": ["all"]}
    assert names(client) == ["cell 1 (A)", "start (ablated)", "prompt (run without layer 1)"]
    assert client.ask("threads")["threads"][0]["name"] == "run without layer 1 on dat"
    assert client.ask("psl/table")["isChanged"]
    assert client.evaluate("why").endswith("layer 1 is ablated: it writes nothing")
    client.restart(arguments={"program": program, "text": NESTED, "stopOnEntry": True, "ablate": [2, 3]})
    assert names(client) == ["cell 1 (A)", "start", "prompt (run without layers 2-3)"]


@pytest.mark.parametrize(
    "scope_name, name, why", [("cell 1 after", "mark", "before the layer"), ("continuation", "none", "register")]
)
def test_only_a_register_before_the_layer_can_be_changed(nested, scope_name, name, why):
    with pytest.raises(Failed, match=why):
        nested.ask("setVariable", variablesReference=scope(nested, scope_name), name=name, value="A")


def test_two_machines_run_beside_each_other(client, tmp_path):
    program = str(tmp_path / "none.psl")
    client.enter(program=program, text=NESTED, verify=True, machine="psm")
    assert [it["name"] for it in client.ask("threads")["threads"]] == ["run on psm", "run on dat"]
    stacks = [client.ask("stackTrace", threadId=thread)["stackFrames"] for thread in (1, 2)]
    for frames in zip(*stacks, strict=True):
        assert frames[0]["name"] == frames[1]["name"] and frames[0]["id"] != frames[1]["id"]
    second = client.ask("scopes", frameId=stacks[1][0]["id"])["scopes"][1]["variablesReference"]
    after = client.ask("variables", variablesReference=second)["variables"]
    assert {it["name"]: it["value"] for it in after}["mark"] == "OFF"
    assert client.evaluate("symbol[2]", "watch", frameId=stacks[1][0]["id"]) == "B"
    client.ask("next", threadId=2)
    client.event("stopped")
    client.ask("setExpression", expression="symbol[1]", value="B")
    assert client.event("thread") == {"reason": "exited", "threadId": 2}
    with pytest.raises(Failed, match="there is no thread 2"):
        client.ask("stackTrace", threadId=2)


def test_watched_registers_have_a_value_for_each_cell(client, tmp_path):
    text = NESTED.replace("constants:", "watch: [mark, symbol]\nconstants:")
    client.enter(program=str(tmp_path / "none.psl"), text=text)
    watched = client.ask("variables", variablesReference=scope(client, "watched"))["variables"]
    assert [(it["name"], it["value"], it["indexedVariables"]) for it in watched] == [("mark", "∅ ∅", 2), ("symbol", "A B", 2)]
    cells = client.ask("variables", variablesReference=watched[1]["variablesReference"])["variables"]
    assert [(it["name"], it["value"], it["evaluateName"]) for it in cells] == [("1", "A", "symbol[1]"), ("2", "B", "symbol[2]")]
    reference = watched[1]["variablesReference"]
    part = client.ask("variables", variablesReference=reference, filter="indexed", start=1, count=1)["variables"]
    assert [it["name"] for it in part] == ["2"]
    assert client.ask("dataBreakpointInfo", name="2", variablesReference=reference)["dataId"] == "symbol[2]"
    assert client.ask("setVariable", variablesReference=reference, name="2", value="D") == {"value": "D"}


@pytest.mark.parametrize("verify", [False, True])
def test_of_many_watched_registers_the_first_are_shown(client, tmp_path, verify):
    names = [f"r{number}" for number in range(401)]
    registers = ", ".join(f"{name}: '{name}'" for name in names)
    program = f"registers: {{symbol: 's', position: 'p', {registers}}}\nconstants: {{A}}\nwatch: [{', '.join(names)}]\nwhere symbol[N] == A:\n    r0[N] = A\n"
    client.enter(program=str(tmp_path / "none.psl"), text=program, prompt="A A", verify=verify)
    *watched, note = client.ask("variables", variablesReference=scope(client, "watched"))["variables"]
    assert [it["name"] for it in watched] == names[:400]
    assert note["value"] == "the first 400 of 401 watched registers; `table` in the console shows all"
    assert note["variablesReference"] == 0
    cells = client.ask("variables", variablesReference=watched[-1]["variablesReference"])["variables"]
    assert [it["evaluateName"] for it in cells] == ["r399[1]", "r399[2]"]
    assert "r400" in client.evaluate("table")


def test_expressions(nested):
    frame = nested.stack()[0]["id"]
    assert nested.evaluate("symbol[2]", "watch", frameId=frame) == "B"
    assert nested.evaluate("symbol[N] == symbol[2]", "watch", frameId=frame).startswith("false")
    with pytest.raises(Failed, match="cell 9"):
        nested.evaluate("symbol[9]", "watch", frameId=frame)


def test_a_condition_takes_a_value_that_the_run_does_not_have(nested):
    note = "this run has no value `three`"
    condition = 'symbol[N] == "three"'
    source = {"path": str(nested.program)}
    lines = [{"line": 7, "condition": "position[N] == 2"}, {"line": 7, "condition": condition}, {"line": 7, "logMessage": f"{{{condition}}}"}]
    found = nested.ask("setBreakpoints", source=source, breakpoints=lines)["breakpoints"]
    assert [(it["verified"], it.get("message")) for it in found] == [(True, None), (True, note), (True, note)]
    functions = nested.ask("setFunctionBreakpoints", breakpoints=[{"name": "count", "condition": condition}])
    data = nested.ask("setDataBreakpoints", breakpoints=[{"dataId": "mark[1]", "condition": condition}])
    faults = nested.ask("setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "wrong", "condition": condition}])
    for [it] in (functions["breakpoints"], data["breakpoints"], faults["breakpoints"]):
        assert it["verified"] and it["message"] == note
    nested.move("continue")
    assert names(nested)[0] == "cell 2 (B)"
    frame = nested.stack()[0]["id"]
    for context in ("watch", "hover", "repl"):
        assert nested.evaluate(condition, context, frameId=frame) == f"false: B == three ({note})"


def test_the_wrong_symbol_of_a_failing_test_is_found_from_the_end(client, tmp_path):
    program = tmp_path / "wrong.psl"
    program.write_text(NESTED.replace('=> "B"', '=> "A"'))
    faults = ("setExceptionBreakpoints", {"filters": ["wrong"]})
    client.launch(faults, program=str(program), test="flip")
    stop = client.event("stopped")
    assert stop["reason"] == "exception"
    assert "differs" in client.ask("exceptionInfo", threadId=1)["description"]


def test_faults_keep_their_earlier_names(nested):
    found = nested.ask("setExceptionBreakpoints", filters=["gold", "right", "machines", "none"])["breakpoints"]
    assert [it["verified"] for it in found] == [True, True, True, False]


def test_the_text_of_the_editor_counts(client, tmp_path):
    program = tmp_path / "none.psl"
    client.enter(program=str(program), text=NESTED, prompt="B A")
    assert names(client)[0] == "cell 1 (B)"
    assert client.ask("source", sourceReference=1)["content"] == NESTED
    client.restart(arguments={"program": str(program), "text": NESTED, "prompt": "A A", "stopOnEntry": True})
    assert names(client)[0] == "cell 1 (A)"


def test_a_restart_finds_the_breakpoints_in_the_edited_text(client, tmp_path):
    program = str(tmp_path / "none.psl")
    breakpoints = ("setBreakpoints", {"source": {"path": program}, "breakpoints": [{"line": 7}]})
    client.launch(breakpoints, program=program, text=NESTED)
    assert client.event("stopped")["reason"] == "breakpoint"
    assert names(client)[1] == "start"
    first, edited = "registers:", "\n" * 5 + "registers:"
    assert client.restart(arguments={"program": program, "text": NESTED.replace(first, edited)})["reason"] == "breakpoint"
    assert client.stack()[0]["line"] == 12
    with pytest.raises(Failed, match="line 1"):
        client.ask("restart", arguments={"program": program, "text": "registers: {"})
    assert client.stack()[0]["line"] == 12


def test_a_restart_after_an_edit_keeps_the_breakpoints_on_registers(nested):
    nested.ask("setDataBreakpoints", breakpoints=[{"dataId": "mark[1]"}])
    assert nested.restart(arguments={"program": str(nested.program), "text": "\n" + NESTED, "test": "flip"})["reason"] == "data breakpoint"


@pytest.mark.parametrize(
    "gold, code, printed",
    [("B", 0, [("stdout", "B …\n")]), ("A", 1, [("stdout", "B …\n"), ("stderr", "the test fails: expected A\n")])],
)
def test_a_run_without_debugging_ends_its_session(client, tmp_path, gold, code, printed):
    text = NESTED.replace('=> "B"', f'=> "{gold}"')
    program = str(tmp_path / "none.psl")
    breakpoints = ("setBreakpoints", {"source": {"path": program}, "breakpoints": [{"line": 7}]})
    faults = ("setExceptionBreakpoints", {"filters": ["wrong"]})
    client.launch(breakpoints, faults, program=program, text=text, test="flip", noDebug=True, stopOnEntry=True)
    client.event("terminated")
    assert [(it["body"]["category"], it["body"]["output"]) for it in client.events if it["event"] == "output"] == printed
    assert client.event("exited") == {"exitCode": code}
    assert not [it for it in client.events if it["event"] == "stopped"]
    client.ask("disconnect")
    assert client.exit_code() == 0


def test_a_run_without_debugging_that_fails_says_why(client, tmp_path):
    text = NESTED.replace("where mark[N] == ON:\n        count[N] = symbol[N]", "where mark[N] == ON:\n        mark[N] = OFF")
    text = text.replace("until NO_CHANGE", "until count[N] == ON")
    client.launch(program=str(tmp_path / "none.psl"), text=text, noDebug=True)
    output = client.event("output")
    assert output["category"] == "stderr" and "repeat" in output["output"]
    assert client.event("exited") == {"exitCode": 1}
    client.event("terminated")


@pytest.mark.parametrize("by_uri", [False, True])
def test_files_have_the_names_of_the_client(client, tmp_path, by_uri):
    program = tmp_path / "a b\u00e9.psl"
    program.write_text(NESTED)
    name = program.resolve().as_uri() if by_uri else str(program.resolve())
    client.ask("initialize", adapterID="psl", pathFormat="uri" if by_uri else "path")
    client.ask("launch", program=program.as_uri() if by_uri else str(program), stopOnEntry=True)
    client.event("initialized")
    [found] = client.ask("setBreakpoints", source={"path": name}, breakpoints=[{"line": 12}])["breakpoints"]
    assert found["verified"]
    client.ask("configurationDone")
    client.event("stopped")
    source = client.stack()[0]["source"]
    assert (source["name"], source["path"]) == (program.name, name)


def test_breakpoints_in_other_files_change_nothing(nested):
    ours = nested.ask("setBreakpoints", source={"path": str(nested.program)}, breakpoints=[{"line": 12}])
    other = {"path": str(PARGEN)}
    theirs = nested.ask("setBreakpoints", source=other, breakpoints=[{"line": 7}, {"line": 9}])
    assert ours["breakpoints"][0]["verified"]
    assert theirs["breakpoints"] == [{"verified": False, "message": "the program that is debugged is nested.psl"}] * 2
    assert nested.ask("breakpointLocations", source=other, line=1, endLine=99) == {"breakpoints": []}
    with pytest.raises(Failed, match="the program that is debugged is nested.psl"):
        nested.ask("gotoTargets", source=other, line=7)
    assert nested.move("continue")["hitBreakpointIds"] == [ours["breakpoints"][0]["id"]]


def source_of(client: DebugClient) -> dict:
    return client.stack()[0]["source"]


def printed(client: DebugClient) -> list[tuple[str, str]]:
    """The outputs so far, with their categories. Each is returned once."""
    found = [event for event in client.events if event["event"] == "output"]
    client.events = [event for event in client.events if event not in found]
    return [(event["body"]["category"], event["body"]["output"]) for event in found]


def test_the_frames_of_an_edited_program_show_the_text_that_runs(nested):
    path = str(nested.program.resolve())
    checksums = [{"algorithm": "MD5", "checksum": hashlib.md5(NESTED.encode()).hexdigest()}]
    assert source_of(nested) == {"name": "nested.psl", "path": path, "checksums": checksums}
    nested.program.write_text("# new\n" + NESTED)
    nested.move("next")
    old = source_of(nested)
    assert old.pop("origin")
    name = "nested.psl (text at the launch)"
    assert old == {"name": name, "path": path, "sourceReference": 1, "checksums": checksums}
    assert nested.ask("source", source=old, sourceReference=1)["content"] == NESTED
    [(category, text)] = printed(nested)
    assert category == "important" and "nested.psl has changed since the launch" in text and "Restart" in text
    nested.move("stepIn")
    assert printed(nested) == []
    nested.program.write_text(NESTED)
    assert source_of(nested)["name"] == "nested.psl"
    nested.program.write_text(NESTED.replace('"A B"', '"B B"'))
    source_of(nested)
    assert len(printed(nested)) == 1
    nested.restart()
    assert names(nested)[0] == "cell 1 (B)" and source_of(nested)["name"] == "nested.psl"
    assert printed(nested) == []


def test_breakpoints_in_an_edited_file_find_the_unchanged_productions(nested):
    path = {"path": str(nested.program)}
    nested.ask("setBreakpoints", source=path, breakpoints=[{"line": 7}])
    edited = "# new\n" + NESTED.replace("mark[N] = OFF", "mark[N] = A", 1)
    nested.program.write_text(edited)
    lines = [{"line": 8}, {"line": 13}, {"line": 99}]
    start, turn_on, none = nested.ask("setBreakpoints", source=path, breakpoints=lines, sourceModified=True)["breakpoints"]
    assert not start["verified"] and "has changed since the launch: restart" in start["message"]
    assert (turn_on["verified"], turn_on["line"]) == (True, 13)
    assert not none["verified"]
    assert [it["line"] for it in nested.ask("breakpointLocations", source=path, line=1, endLine=99)["breakpoints"]] == [13, 16]
    old = {"path": str(nested.program), "sourceReference": 1}
    [count] = nested.ask("setBreakpoints", source=old, breakpoints=[{"line": 15}])["breakpoints"]
    assert (count["verified"], count["line"]) == (True, 15)
    assert nested.move("continue")["hitBreakpointIds"] == [turn_on["id"]]
    assert nested.move("continue")["hitBreakpointIds"] == [count["id"]]
    [target] = nested.ask("gotoTargets", source=path, line=13)["targets"][:1]
    assert target["line"] == 13 and "layer 2" in target["label"]
    with pytest.raises(Failed, match="restart the session"):
        nested.ask("gotoTargets", source=path, line=8)
    nested.ask("restart", arguments={"program": str(nested.program)})
    assert names(nested)[1] == "start" and nested.event("stopped")["reason"] == "breakpoint"


def test_a_text_that_is_not_saved_is_the_file_until_that_changes(client, tmp_path):
    program = tmp_path / "nested.psl"
    program.write_text("# saved\n")
    client.enter(program=str(program), text=NESTED)
    for saved in ("# saved\n", NESTED):
        program.write_text(saved)
        assert "sourceReference" not in source_of(client)
    newer = NESTED.replace('"A B"', '"B A"')
    program.write_text(newer)
    assert source_of(client)["sourceReference"] == 1
    program.unlink()
    assert source_of(client)["sourceReference"] == 1
    with pytest.raises(Failed, match="cannot read"):
        client.ask("restart")
    program.write_text(newer)
    client.restart()
    assert names(client)[0] == "cell 1 (B)"


def test_an_editor_reports_a_text_that_is_not_saved(nested):
    newer = "# new\n" + NESTED.replace('"A B"', '"B B"')
    assert nested.ask("psl/text", text=NESTED) == {} and printed(nested) == []
    nested.ask("psl/text", text=newer)
    assert len(printed(nested)) == 1
    assert source_of(nested)["sourceReference"] == 1
    [start] = nested.ask("setBreakpoints", source={"path": str(nested.program)}, breakpoints=[{"line": 8}])["breakpoints"]
    assert (start["verified"], start["line"]) == (True, 8)
    nested.ask("psl/text", text=NESTED)
    assert "sourceReference" not in source_of(nested)
    nested.ask("psl/text", text=newer)
    nested.ask("psl/text", text=None)
    assert "sourceReference" not in source_of(nested)
    nested.ask("psl/text", text=newer)
    nested.restart()
    assert names(nested)[0] == "cell 1 (B)" and "sourceReference" not in source_of(nested)


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
    client.enter(program=program, text=NESTED, promptJson=cells, machine=machine)
    assert variables(client, "cell 1")["count"] == "A"
    assert client.move("continue")["description"] == "The end of the run: A …"


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ({}, "the program is missing"),
        ({"program": "/none.psl"}, "cannot read /none.psl"),
        ({"program": str(PARGEN), "test": "none"}, "none"),
        ({"program": str(PARGEN), "test": 99}, "99"),
        ({"program": str(PARGEN), "prompt": "A", "test": "swap"}, "exclude each other"),
        ({"program": str(PARGEN), "machine": "gpu"}, "unknown machine"),
        ({"program": str(PARGEN), "ablate": [31, 32]}, "`ablate` has layer 32: the layers are 1 to 31"),
        ({"program": "a.psl", "text": "registers: {"}, "line 1"),
        ({"program": "a.psl", "text": NESTED.replace("//@ test", "#")}, "the prompt is missing"),
    ],
)
def test_a_launch_that_fails_says_why(client, arguments, expected):
    client.ask("initialize", adapterID="psl")
    with pytest.raises(Failed, match=expected):
        client.ask("launch", **arguments)


def test_a_disconnect_ends_the_adapter(nested):
    nested.ask("disconnect")
    assert nested.exit_code() == 0


def test_a_port_serves_one_client():
    with listening() as (process, address):
        with socket.create_connection(address) as connection, connection.makefile("rwb", buffering=0) as stream:
            stream.write(request("initialize", {}))
            assert json.loads(next(bodies(stream)))["success"]
        assert process.wait(timeout=20) == 0
