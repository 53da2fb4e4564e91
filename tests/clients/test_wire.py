"""The wire protocol: the server with a client that disconnects or sends invalid messages."""

import json
import time

import pytest
from command import psl
from framing import Failed
from lsp_client import LspClient
from paths import PSL

PARSE_ERROR = -32700
SERVER_NOT_INITIALIZED = -32002
HOVER = {"textDocument": {"uri": "file:///never-opened.psl"}, "position": {"line": 9, "character": 9}}


@pytest.fixture
def wire():
    with LspClient() as wire:
        yield wire


def test_a_late_or_repeated_response_is_ignored(wire):
    capabilities = {"workspace": {"configuration": True}}
    wire.send_message(id="a", method="initialize", params={"capabilities": capabilities})
    wire.answer("a")
    wire.notify("initialized", {})
    time.sleep(5.5)
    for _ in range(2):
        # The server's first request asks for the settings.
        wire.send_message(id=0, result=[None])
    wire.send_message(id="b", method="textDocument/hover", params=HOVER)
    assert wire.answer("b") is None


def test_an_unknown_method_before_initialize_is_refused(wire):
    assert wire.response(wire.send("psl/noSuchMethod", {})).error.code == SERVER_NOT_INITIALIZED


def test_an_unknown_command_is_refused(wire):
    wire.initialize()
    with pytest.raises(Failed, match="psl.noSuchCommand"):
        wire.ask("workspace/executeCommand", {"command": "psl.noSuchCommand", "arguments": []})


def test_a_closed_file_has_no_hover(wire):
    wire.initialize()
    assert wire.ask("textDocument/hover", HOVER) is None


def test_exit_without_shutdown_fails(wire):
    wire.initialize()
    wire.notify("exit")
    assert wire.exit_code() == 1


def test_a_closed_input_ends_an_uninitialized_server(wire):
    wire.process.stdin.close()
    assert wire.exit_code() == 1


def test_a_session_is_logged(tmp_path):
    log = tmp_path / "session.jsonl"
    with LspClient(PSL, "lsp", "--log", log) as wire:
        wire.initialize()
        wire.write(b"Content-Length: 2\r\n\r\n{]")
        wire.process.stdin.close()
        assert wire.exit_code() == 1
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    shown = [(line["from"], line.get("message", {}).get("method"), "malformed" in line) for line in lines]
    assert shown == [
        ("client", "initialize", False),
        ("server", None, False),
        ("client", "initialized", False),
        ("client", None, True),
        ("server", None, False),
    ]
    assert lines[1]["message"]["result"]["serverInfo"]["name"] == "psl"
    assert lines[4]["message"]["error"]["code"] == PARSE_ERROR


def test_the_log_has_the_times_of_work(tmp_path):
    log = tmp_path / "session.jsonl"
    uri = "file:///work.psl"
    with LspClient(PSL, "lsp", "--log", log) as wire:
        wire.initialize()
        wire.open(uri, "registers: {symbol: 's'}")
        number = wire.send("textDocument/foldingRange", {"textDocument": {"uri": uri}})
        wire.answer(number)
        wire.until(lambda: wire.published)
        wire.finish()
    work = [line for line in map(json.loads, log.read_text().splitlines()) if "work" in line]
    named = {(line["from"], line["work"], line.get("id"), line.get("document")) for line in work}
    assert {("server", "diagnostics", None, uri), ("server", "textDocument/foldingRange", str(number), None)} <= named
    assert all(line["waited"] >= 0 and line["took"] >= 0 for line in work)


def test_the_server_has_a_version():
    version = psl("--version").stdout.removeprefix("psl ")
    assert psl("lsp", "--version").stdout == f"psl-lsp {version}" and version[0].isdigit()
