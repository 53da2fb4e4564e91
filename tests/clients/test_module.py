"""The server's module for browsers gives the answers of `psl lsp`: messages of recorded sessions are sent to both.

`PSL_TRANSCRIPTS` names the folder of the sessions, written by tests/server/client.rs, and `PSL_MODULE` the module.
"""

import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest
from lsp_client import LspClient
from npm import NODE
from paths import ROOT

FOLDER, MODULE = os.environ.get("PSL_TRANSCRIPTS"), os.environ.get("PSL_MODULE")

# Requests whose answers depend on the results of tests, which run after a pause in typing.
AFTER_TESTS = {
    "textDocument/codeAction", "textDocument/codeLens", "textDocument/diagnostic", "textDocument/inlayHint", "workspace/diagnostic",
    "workspace/executeCommand",
}  # fmt: skip
# What a page cannot do: serve pages on loopback, read a configuration or the prompt of a test, and follow files.
ONLY_A_PROCESS = re.compile(
    r"psl\.explore|psl\.toml|workspace/didChangeWatchedFiles|workspace/didChangeWorkspaceFolders|//@\s*test\b[^\n]*?\bjson\b"
)
# Programs whose tests take minutes: what is published within seconds depends on the machine.
SLOW = "file:///load/"
# What may differ: the times of runs, ids of results, and where the documentation is.
TIME = re.compile(rb'"seconds":[0-9.e-]+')
RESULT_ID = re.compile(rb'"resultId":"([0-9a-f]{16})"')
KNOWN_RESULT = re.compile(rb'(?<=")[0-9a-f]{16}(?=")')
DOCUMENTATION = re.compile(rb'(file://[^\s")]*/(reference|diagnostics)-[0-9.]+[^\s")]*|psl:/(reference|explain)/[^\s")]*)')
# Seconds without a message, after which a server has nothing more to do.
QUIET = 0.8
# All of them take half an hour.
SESSIONS = int(os.environ.get("SESSIONS", "3"))


def opening(text):
    """The message that opens a program."""
    document = {"uri": "file:///program.psl", "languageId": "psl", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


class Server(LspClient):
    """A server whose messages are compared as bytes."""

    def __init__(self, *command):
        super().__init__(*command)
        self.latest = {}
        # The ids of this server's results, by those of the recorded ones.
        self.results = {}

    def write(self, content: bytes):
        super().write(KNOWN_RESULT.sub(lambda it: self.results.get(it[0], it[0]), content))

    def keep(self, body: bytes):
        message = json.loads(body)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.latest[message["params"]["uri"]] = comparable(body)
        elif "method" not in message:
            self.responses[message["id"]] = body
        elif "id" in message:
            items = message["params"]["items"] if message["method"] == "workspace/configuration" else None
            self.send_message(id=message["id"], result=items and [None for _ in items])


def needs_files(messages):
    """Whether a client sends what depends on files or on a process. Both servers have the same texts, but not the same files."""
    first = messages[0].get("params") if messages else None
    folders = isinstance(first, dict) and any(first.get(it) for it in ("workspaceFolders", "rootUri", "rootPath"))
    return folders or any(ONLY_A_PROCESS.search(text) for message in messages for text in texts(message))


def texts(value):
    """All strings in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def sessions():
    """The messages of clients that a page could send, and by the id of a request the ids of results in its recorded answer."""
    for file in sorted(Path(FOLDER).glob("*.jsonl")):
        lines = [json.loads(line) for line in file.open()]
        messages = [line["message"] for line in lines if line["from"] == "client"]
        text = json.dumps(messages)
        if needs_files(messages) or any(word in text for word in (SLOW, "$/cancelRequest")) or len(text) > 1_000_000:
            continue
        answers = [line["message"] for line in lines if line["from"] == "server" and "method" not in line["message"]]
        results = {answer.get("id"): RESULT_ID.findall(json.dumps(answer, separators=(",", ":")).encode()) for answer in answers}
        failed = {line["message"].get("id") for line in lines if line["message"].get("error", {}).get("code") == -32801}
        kept = [it for it in messages if "method" in it and ("id" not in it or it["id"] in results.keys() - failed)]
        if kept and kept[0]["method"] == "initialize":
            yield file.name, kept, results


def comparable(answer):
    """A message without what may differ."""
    return RESULT_ID.sub(b"ID", DOCUMENTATION.sub(b"DOCUMENTATION", TIME.sub(b"TIME", answer)))


def of_a_file(message, opened):
    """Whether a command is about a program that is not open, which a process reads."""
    arguments = (message.get("params") or {}).get("arguments") if message["method"] == "workspace/executeCommand" else None
    return bool(arguments) and isinstance(arguments[0], dict) and arguments[0].get("uri") not in opened


def wait(binary, module):
    """Waits until the servers have nothing more to do. The tests of a program may take longer in one of them."""
    binary.until_quiet(QUIET)
    module.until_quiet(QUIET)
    deadline = time.monotonic() + 60
    while module.latest != binary.latest and time.monotonic() < deadline:
        for server in (binary, module):
            with suppress(TimeoutError):
                server.take(0.1)


def replay(name, messages, results, binary, module):
    answers, opened, quiet = 0, set(), False
    for message in messages:
        method = message["method"]
        if method in ("shutdown", "exit"):
            break
        if method == "initialize" and isinstance(message.get("params"), dict):
            # Searches in the background end by the clock, and a process ends with its editor.
            options = message["params"].get("initializationOptions") or {}
            message["params"] |= {"initializationOptions": {**options, "backgroundSearch": False}, "processId": None}
        if method in AFTER_TESTS and not quiet:
            wait(binary, module)
            quiet = True
        if of_a_file(message, opened):
            continue
        if method == "textDocument/didOpen":
            opened.add((message.get("params") or {}).get("textDocument", {}).get("uri"))
        quiet = quiet and "id" in message and method != "workspace/executeCommand"
        binary.send_message(**message)
        module.send_message(**message)
        if "id" in message:
            expected, got = (server.response(message["id"]) for server in (binary, module))
            assert comparable(got) == comparable(expected), f"{name}: {json.dumps(message)[:1000]}"
            for server, answer in ((binary, expected), (module, got)):
                server.results.update(zip(results[message["id"]], RESULT_ID.findall(answer), strict=False))
            answers += 1
    wait(binary, module)
    assert module.latest == binary.latest, name
    return answers


@pytest.mark.parametrize(
    ("needs", "messages"),
    [
        (False, [{"method": "initialize", "params": {"rootUri": None}}]),
        (True, [{"method": "initialize", "params": {"rootUri": "file:///programs"}}]),
        (True, [{"method": "initialize", "params": {"workspaceFolders": [{"uri": "file:///programs", "name": "programs"}]}}]),
        (True, [{"method": "initialize"}, {"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}}]),
        (True, [{"method": "initialize"}, {"method": "workspace/executeCommand", "params": {"command": "psl.explore"}}]),
        (True, [{"method": "initialize"}, opening('//@ test json "prompt.json" => "A"\n')]),
        (True, [{"method": "initialize"}, opening('# a\n//@test first json "prompt.json" => "A"\n')]),
        (False, [{"method": "initialize"}, opening('//@ test "A" => "A"\n# json\n')]),
    ],
)
def test_sessions_that_need_files_are_left_out(needs, messages):
    assert needs_files(messages) == needs


@pytest.mark.timeout(3600)
@pytest.mark.skipif(FOLDER is None or MODULE is None, reason="PSL_TRANSCRIPTS or PSL_MODULE is not set: tests/run sets them")
def test_the_module_answers_like_the_binary():
    chosen = list(sessions())
    step = max(1, len(chosen) // SESSIONS)
    answers = 0
    for name, messages, results in chosen[::step]:
        with Server() as binary, Server(NODE, ROOT / "web/playground/stdio.mjs", MODULE) as module:
            answers += replay(name, messages, results, binary, module)
    print(f"{answers} answers in {len(chosen[::step])} of {len(chosen)} sessions")
    assert answers > 2 * len(chosen[::step]), "most sessions ask more than `initialize`"
