"""A client of `psl dap`: sends requests and waits for answers and events."""

import json
import subprocess
from contextlib import contextmanager

from command import binary
from framing import Connection, Failed, framed


def request(command: str, arguments, seq: int = 1) -> bytes:
    """A request as bytes."""
    return framed({"seq": seq, "type": "request", "command": command, "arguments": arguments})


class DebugClient(Connection):
    def __init__(self):
        super().__init__(binary(), "dap")
        self.seq = 0
        self.events: list[dict] = []

    def keep(self, body: bytes):
        message = json.loads(body)
        if message["type"] == "response":
            self.responses[message["request_seq"]] = message
        else:
            self.events.append(message)

    def _request(self, command: str, arguments) -> bytes:
        self.seq += 1
        return request(command, arguments, self.seq)

    def send(self, command: str, **arguments) -> int:
        """Sends a request, and returns its number."""
        return self.send_together((command, arguments))[0]

    def send_together(self, *requests: tuple) -> list[int]:
        """Sends requests without a pause between them, and returns their numbers."""
        first = self.seq + 1
        self.write(b"".join(self._request(*each) for each in requests))
        return list(range(first, self.seq + 1))

    def answer(self, seq: int) -> dict:
        """Waits for the answer to a request, and returns its body."""
        answer = self.response(seq)
        if not answer["success"]:
            raise Failed(answer["message"])
        return answer.get("body", {})

    def ask(self, command: str, **arguments) -> dict:
        """Sends a request and returns the body of its answer."""
        return self.answer(self.send(command, **arguments))

    def event(self, name: str) -> dict:
        """Waits for an event, and returns its body. Each event is returned once."""
        found = self.until(lambda: next((event for event in self.events if event["event"] == name), None))
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

    def enter(self, **arguments) -> dict:
        """Launches a program that stops at its start, and returns the event of the stop."""
        self.launch(**arguments, stopOnEntry=True)
        return self.event("stopped")

    def restart(self, **arguments) -> dict:
        """Restarts the run, and returns the event of the next stop."""
        self.ask("restart", **arguments)
        return self.event("stopped")

    def stack(self) -> list[dict]:
        """The frames of the run, innermost first."""
        return self.ask("stackTrace", threadId=1)["stackFrames"]

    def move(self, command: str) -> dict:
        """Moves, and returns the event of the stop."""
        self.ask(command, threadId=1)
        return self.event("stopped")

    def evaluate(self, expression: str, context: str = "repl", **place) -> str:
        return self.ask("evaluate", expression=expression, context=context, **place)["result"]


@contextmanager
def listening():
    """A `psl dap` that waits on a port, and its address."""
    process = subprocess.Popen([binary(), "dap", "--port", "0"], stderr=subprocess.PIPE, text=True)
    try:
        yield process, ("127.0.0.1", int(process.stderr.readline().rsplit(":", 1)[1]))
    finally:
        process.kill()
        process.wait()
