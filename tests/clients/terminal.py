"""A command on a pseudo-terminal."""

import codecs
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

WITHOUT_COLOR = os.environ | {"TERM": "xterm", "NO_COLOR": "1"}


class Terminal:
    """A command on a terminal. `written` is everything that it wrote there."""

    def __init__(self, folder, *command, columns=80, environment=WITHOUT_COLOR, stdin=None, stdout=None):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        files = {"stdin": stdin or theirs, "stdout": stdout or theirs, "stderr": theirs}
        self.process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **files)
        os.close(theirs)
        self.written = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._end = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def type(self, text: str):
        os.write(self.ours, text.encode())

    def read(self) -> bool:
        """Reads some text, or returns `False` if the terminal is closed."""
        try:
            some = os.read(self.ours, 65536)
        except OSError:
            some = b""
        self.written += self._decoder.decode(some)
        return some != b""

    def read_up_to(self, pattern: str) -> re.Match:
        """Reads until the pattern is in the text after the previous match."""
        while not (found := re.compile(pattern).search(self.written, self._end)):
            assert self.read(), self.written
        self._end = found.end()
        return found

    def read_all(self) -> str:
        """Reads until the terminal is closed. Returns the whole text, without the carriage returns that a terminal adds."""
        while self.read():
            pass
        return self.written.replace("\r\n", "\n")

    def left(self) -> str:
        """Reads until the terminal is closed. Returns the text without the lines that were deleted."""
        return "\n".join(line.rpartition("\x1b[2K")[2] for line in self.read_all().split("\n"))
