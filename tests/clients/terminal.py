"""The terminal's end of a pseudo-terminal."""

import os


def written(ours: int) -> str:
    """Everything that is written to a terminal until it is closed, without the carriage returns that it adds."""
    parts = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:  # The terminal is closed.
            some = b""
        if not some:
            break
        parts += some
    os.close(ours)
    return parts.decode().replace("\r\n", "\n")
