"""Every message that the server sent in the Rust tests is valid.

`PSL_TRANSCRIPTS` names the folder of the transcripts, written by tests/server/client.rs.
"""

import copy
import json
import os
from pathlib import Path

import pytest
from lsp_client import LspClient
from strict import decode, with_plain_messages

pytestmark = pytest.mark.timeout(600)

FOLDER = os.environ.get("PSL_TRANSCRIPTS")

# The prefix of this server's custom methods.
OURS = "psl/"


def messages():
    """Each message of the server with its file and line and, for a response, the method of the request."""
    for file in sorted(Path(FOLDER).glob("*.jsonl")):
        methods = {}
        for number, line in enumerate(file.open(), 1):
            line = json.loads(line)
            message = line["message"]
            if line["from"] == "client":
                if "method" in message and "id" in message:
                    methods[message["id"]] = message["method"]
            else:
                yield f"{file.name}:{number}", message, methods.get(message.get("id"))


@pytest.mark.skipif(FOLDER is None, reason="PSL_TRANSCRIPTS is not set: tests/run sets it for the Rust tests and for this one")
def test_every_message_of_the_server_is_valid():
    seen, wrong = {}, {}
    for place, message, method in messages():
        kind = message.get("method", method)
        seen[kind] = seen.get(kind, 0) + 1
        if kind and kind.startswith(OURS) and "error" not in message:
            continue
        try:
            decode(with_plain_messages(message), method)
        except Exception as error:
            causes = getattr(error, "exceptions", None)
            wrong.setdefault(f"{kind}: {error} {causes or ''}", f"{place}: {json.dumps(message)[:500]}")
    print(seen)
    assert not wrong, "\n".join(f"{why}\n  {where}" for why, where in wrong.items())
    assert {"initialize", "textDocument/publishDiagnostics", "textDocument/hover"} <= seen.keys(), seen


RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
DIAGNOSTIC = {"range": RANGE, "severity": 1, "code": "syntax", "source": "psl", "message": "no", "tags": [1]}
DIAGNOSTICS = {
    "jsonrpc": "2.0",
    "method": "textDocument/publishDiagnostics",
    "params": {"uri": "file:///a.psl", "version": 1, "diagnostics": [DIAGNOSTIC]},
}
HOVER = {"jsonrpc": "2.0", "id": 1, "result": {"contents": {"kind": "markdown", "value": "A"}, "range": RANGE}}
COMPLETIONS = {"jsonrpc": "2.0", "id": 1, "result": [{"label": "A", "kind": 21, "insertTextFormat": 2}]}
TOKENS = {"jsonrpc": "2.0", "id": 1, "result": {"data": [0, 0, 5, 1, 0] * 3}}
REFUSAL = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}}

DELETED = object()


def mutated(message: dict, *path, value=DELETED) -> dict:
    """The message with a different value at a path, or without it."""
    message = copy.deepcopy(message)
    *path, last = path
    inner = message
    for step in path:
        inner = inner[step]
    if value is DELETED:
        del inner[last]
    else:
        inner[last] = value
    return message


def test_valid_messages_are_accepted():
    decode(DIAGNOSTICS)
    decode(HOVER, "textDocument/hover")
    decode(mutated(HOVER, "result", value=None), "textDocument/hover")
    decode(COMPLETIONS, "textDocument/completion")
    decode(TOKENS, "textDocument/semanticTokens/full")
    decode(REFUSAL)


def test_the_client_refuses_an_unknown_field():
    with LspClient("true") as client:
        client.keep(json.dumps(DIAGNOSTICS).encode())
        assert client.published[0].diagnostics[0].code == "syntax"
        with pytest.raises(ValueError, match="relatedInfo"):
            client.keep(json.dumps(mutated(DIAGNOSTICS, *FOUND, "relatedInfo", value=[])).encode())


FOUND = ("params", "diagnostics", 0)


@pytest.mark.parametrize(
    ("message", "method"),
    [
        (mutated(DIAGNOSTICS, *FOUND, "severity", value=5), None),
        (mutated(DIAGNOSTICS, *FOUND, "severity", value="error"), None),
        (mutated(DIAGNOSTICS, *FOUND, "tags", 0, value=3), None),
        (mutated(DIAGNOSTICS, *FOUND, "range"), None),
        (mutated(DIAGNOSTICS, *FOUND, "range", "end"), None),
        (mutated(DIAGNOSTICS, *FOUND, "range", "end", "line", value="0"), None),
        (mutated(DIAGNOSTICS, *FOUND, "range", "end", "line", value=-1), None),
        (mutated(DIAGNOSTICS, *FOUND, "message"), None),
        (mutated(DIAGNOSTICS, *FOUND, "message", value=7), None),
        (mutated(DIAGNOSTICS, *FOUND, "relatedInfo", value=[]), None),
        (mutated(DIAGNOSTICS, "params", "version", value=True), None),
        (mutated(DIAGNOSTICS, "params", "uri"), None),
        (mutated(DIAGNOSTICS, "method", value="textDocument/publishDiagnostic"), None),
        (mutated(HOVER, "result", "contents", "kind", value="mark-down"), "textDocument/hover"),
        (mutated(HOVER, "result", "contents", "value"), "textDocument/hover"),
        (mutated(HOVER, "result", "ranges", value=RANGE), "textDocument/hover"),
        (mutated(HOVER, "result"), "textDocument/hover"),
        (HOVER, None),
        (HOVER, "textDocument/definition"),
        (mutated(COMPLETIONS, "result", 0, "kind", value=26), "textDocument/completion"),
        (mutated(COMPLETIONS, "result", 0, "insertTextFormat", value=3), "textDocument/completion"),
        (mutated(COMPLETIONS, "result", 0, "kind", value="constant"), "textDocument/completion"),
        (mutated(COMPLETIONS, "result", 0, "label"), "textDocument/completion"),
        (mutated(COMPLETIONS, "result", 0, "documentations", value="A"), "textDocument/completion"),
        (mutated(TOKENS, "result", "data", 12, value="5"), "textDocument/semanticTokens/full"),
        (mutated(TOKENS, "result", "data", 12, value=-1), "textDocument/semanticTokens/full"),
        (mutated(TOKENS, "result", "data"), "textDocument/semanticTokens/full"),
        (mutated(REFUSAL, "error", "message"), None),
        (mutated(REFUSAL, "error", "code", value="-32700"), None),
    ],
)
def test_invalid_messages_are_refused(message, method):
    with pytest.raises(Exception):
        decode(message, method)
