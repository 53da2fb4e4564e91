"""Messages framed by `Content-Length`, and a connection to a process that exchanges them."""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

SECONDS = 60


class Failed(Exception):
    """The answer to a request that failed, with the reason."""


def framed(message) -> bytes:
    """A message as bytes, from its JSON."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def bodies(stream) -> Iterator[bytes]:
    """The messages in a stream, without their headers."""
    while header := stream.readline():
        name, length = header.split(b": ")
        assert name == b"Content-Length" and stream.readline() == b"\r\n", header
        body = stream.read(int(length))
        assert len(body) == int(length), f"a message ends after {len(body)} bytes"
        yield body


def piped(*command, **options) -> subprocess.Popen:
    """Starts a process with pipes to its input and from its output."""
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)


class Connection:
    """A client of a process. A thread reads what arrives, so that each wait ends."""

    def __init__(self, *command, **options):
        self.process = piped(*command, **options)
        self.responses = {}
        #: When a message was last sent or received.
        self.last = time.monotonic()
        self._arrived: queue.Queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for body in bodies(self.process.stdout):
                self._arrived.put(body)
        finally:
            self._arrived.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def write(self, content: bytes):
        """Writes bytes as they are."""
        self.process.stdin.write(content)
        self.process.stdin.flush()
        self.last = time.monotonic()

    def receive(self, seconds: float = SECONDS) -> bytes | None:
        """Waits for a message. It is `None` if the process has ended."""
        try:
            body = self._arrived.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError(f"{self.process.args} sent no message in {seconds} s") from None
        self.last = time.monotonic()
        return body

    def take(self, seconds: float = SECONDS):
        """Waits for a message, and keeps it."""
        body = self.receive(seconds)
        assert body is not None, f"{self.process.args} sends no further message: {self.process.poll()}"
        self.keep(body)

    def keep(self, body: bytes):
        """Keeps a message: a response in `responses`, by the number of its request."""
        raise NotImplementedError

    def until(self, condition):
        """Takes messages until the condition returns a true value, and returns that."""
        while not (found := condition()):
            self.take()
        return found

    def until_quiet(self, seconds: float):
        """Takes messages until none was sent or received for some seconds."""
        with suppress(TimeoutError):
            while True:
                self.take(max(0, self.last + seconds - time.monotonic()))

    def response(self, number):
        """Waits for the response to a request."""
        self.until(lambda: number in self.responses)
        return self.responses.pop(number)

    def exit_code(self) -> int:
        return self.process.wait(timeout=20)
