"""The wire protocol: the server with a client that disconnects or sends invalid messages."""

import json
import subprocess
import time

import pytest
from paths import PSL

PARSE_ERROR = -32700
SERVER_NOT_INITIALIZED = -32002
HOVER = {"textDocument": {"uri": "file:///never-opened.psl"}, "position": {"line": 9, "character": 9}}


class Wire:
    """A server connected by two pipes, for single messages."""

    def __init__(self, *arguments):
        assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
        self.process = subprocess.Popen([PSL, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def answer(self, to: int) -> dict:
        """The response to a request. Skips all other messages."""
        while True:
            length = 0
            while (header := self.process.stdout.readline().strip()) != b"":
                name, value = header.split(b":")
                length = int(value) if name.lower() == b"content-length" else length
            assert length, "the server sent no further message"
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == to and "method" not in message:
                return message

    def initialize(self):
        self.send(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
        assert "result" in self.answer(to=0)
        self.send(method="initialized", params={})

    def exit_code(self) -> int:
        return self.process.wait(timeout=20)


@pytest.fixture
def wire():
    wire = Wire()
    yield wire
    with wire.process:
        wire.process.kill()


def test_a_late_or_repeated_response_is_ignored(wire):
    capabilities = {"workspace": {"configuration": True}}
    wire.send(id="a", method="initialize", params={"capabilities": capabilities})
    wire.answer(to="a")
    wire.send(method="initialized", params={})
    time.sleep(5.5)
    for _ in range(2):
        # The server's first request asks for the settings.
        wire.send(id=0, result=[None])
    wire.send(id="b", method="textDocument/hover", params=HOVER)
    assert wire.answer(to="b")["result"] is None


def test_an_unknown_method_before_initialize_is_refused(wire):
    wire.send(id=1, method="psl/noSuchMethod", params={})
    assert wire.answer(to=1)["error"]["code"] == SERVER_NOT_INITIALIZED


def test_an_unknown_command_is_refused(wire):
    wire.initialize()
    wire.send(id=1, method="workspace/executeCommand", params={"command": "psl.noSuchCommand", "arguments": []})
    assert "psl.noSuchCommand" in wire.answer(to=1)["error"]["message"]


def test_a_closed_file_has_no_hover(wire):
    wire.initialize()
    wire.send(id=1, method="textDocument/hover", params=HOVER)
    assert wire.answer(to=1)["result"] is None


def test_exit_without_shutdown_fails(wire):
    wire.initialize()
    wire.send(method="exit")
    assert wire.exit_code() == 1


def test_a_closed_input_ends_an_uninitialized_server(wire):
    wire.process.stdin.close()
    assert wire.exit_code() == 1


def test_a_session_is_logged(tmp_path):
    log = tmp_path / "session.jsonl"
    wire = Wire("--log", log)
    wire.initialize()
    wire.process.stdin.write(b"Content-Length: 2\r\n\r\n{]")
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


def test_the_server_has_a_version():
    version = subprocess.run([PSL, "--version"], capture_output=True, text=True).stdout.removeprefix("psl ")
    output = subprocess.run([PSL, "lsp", "--version"], capture_output=True, text=True)
    assert (output.returncode, output.stdout) == (0, f"psl-lsp {version}") and version[0].isdigit()
