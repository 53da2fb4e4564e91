"""A client of `psl dap`: sends requests and waits for answers and events."""

import json
import queue
import subprocess
import threading
from contextlib import contextmanager

from paths import PSL

SECONDS = 60


class Failed(Exception):
    """The answer to a request that failed, with the reason."""


def message(command: str, arguments, seq: int = 1) -> bytes:
    """A request as bytes."""
    body = json.dumps({"seq": seq, "type": "request", "command": command, "arguments": arguments}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class DebugClient:
    def __init__(self, process: subprocess.Popen):
        self.process = process
        self.seq = 0
        self.answers: dict[int, dict] = {}
        self.events: list[dict] = []
        self.messages: queue.Queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        out = self.process.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            assert out.readline() == b"\r\n"
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def _take(self):
        """Waits for a message, and keeps it."""
        message = self.messages.get(timeout=SECONDS)
        assert message is not None, f"psl dap ended: {self.process.wait()}"
        if message["type"] == "response":
            self.answers[message["request_seq"]] = message
        else:
            self.events.append(message)

    def write(self, content: bytes):
        """Writes bytes as they are."""
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def _message(self, command: str, arguments: dict) -> bytes:
        self.seq += 1
        return message(command, arguments, self.seq)

    def send(self, command: str, **arguments) -> int:
        """Sends a request, and returns its number."""
        self.write(self._message(command, arguments))
        return self.seq

    def send_together(self, *requests: tuple[str, dict]) -> list[int]:
        """Sends requests without a pause between them, and returns their numbers."""
        first = self.seq + 1
        self.write(b"".join(self._message(command, arguments) for command, arguments in requests))
        return list(range(first, self.seq + 1))

    def answer(self, seq: int) -> dict:
        """Waits for the answer to a request, and returns its body."""
        while seq not in self.answers:
            self._take()
        answer = self.answers.pop(seq)
        if not answer["success"]:
            raise Failed(answer["message"])
        return answer.get("body", {})

    def ask(self, command: str, **arguments) -> dict:
        """Sends a request and returns the body of its answer."""
        return self.answer(self.send(command, **arguments))

    def event(self, name: str) -> dict:
        """Waits for an event, and returns its body. Each event is returned once."""
        while not (found := next((event for event in self.events if event["event"] == name), None)):
            self._take()
        self.events.remove(found)
        return found.get("body", {})

    def launch(self, *breakpoints: tuple[str, dict], **arguments):
        """Launches a program. `breakpoints` are requests before the run begins."""
        abilities = {"linesStartAt1": True, "columnsStartAt1": True, "supportsInvalidatedEvent": True}
        self.ask("initialize", adapterID="psl", **abilities)
        self.ask("launch", **arguments)
        self.event("initialized")
        for command, given in breakpoints:
            self.ask(command, **given)
        self.ask("configurationDone")

    def stack(self) -> list[dict]:
        """The frames of the run, innermost first."""
        return self.ask("stackTrace", threadId=1)["stackFrames"]

    def move(self, command: str) -> dict:
        """Moves, and returns the event of the stop."""
        self.ask(command, threadId=1)
        return self.event("stopped")

    def evaluate(self, expression: str, context: str = "repl") -> str:
        return self.ask("evaluate", expression=expression, context=context)["result"]


@contextmanager
def debugging(*options: str):
    """Starts `psl dap` and ends it afterwards."""
    process = subprocess.Popen([PSL, "dap", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield DebugClient(process)
    finally:
        process.kill()
        process.wait()
