"""Indentation in Visual Studio Code by a language configuration: after Enter, and after a key that ends a block. It follows the
editor's documented rules, without automatic closing brackets."""

import json
import re
from pathlib import Path

LEVEL = "    "
STRING_OR_COMMENT = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|(?:#|//).*")


def configuration(path: Path) -> dict:
    """Reads JSON with comments on separate lines."""
    return json.loads(re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M))


def indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def read(line: str) -> str:
    """A line without the brackets in its strings and comments, as the rules see it."""
    return STRING_OR_COMMENT.sub(lambda unread: re.sub(r"[\[\]{}()]", "", unread[0]), line)


class Typing:
    """A text with typing at its end."""

    def __init__(self, configuration: dict):
        rules = configuration["indentationRules"]
        self.increases = re.compile(rules["increaseIndentPattern"])
        self.decreases = re.compile(rules["decreaseIndentPattern"])
        self.on_enter = configuration["onEnterRules"]
        self.opening = tuple(opening for opening, _ in configuration["brackets"])
        self.lines = [""]

    def key(self, key: str):
        """Types a character other than Enter."""
        before = self.lines[-1]
        self.lines[-1] += key
        if not self.decreases.search(read(before)) and self.decreases.search(read(self.lines[-1])):
            self.lines[-1] = self._of_block() + self.lines[-1].lstrip()

    def _of_block(self) -> str:
        """The indent of a line that ends a block: that of the line that started it, or one level less than a line that ended one."""
        above = [line for line in self.lines[:-1] if line.strip()]
        for line in reversed(above):
            if self.increases.search(read(line)):
                return indent(line)
            if self.decreases.search(read(line)):
                return indent(line).removesuffix(LEVEL)
        return indent(above[0]).removesuffix(LEVEL) if above else ""

    def shift_tab(self):
        self.lines[-1] = self.lines[-1].removeprefix(LEVEL)

    def enter(self, rest: str = ""):
        """Types Enter before the rest of the line."""
        line = self.lines[-1]
        start = self._start(line, rest, self.lines[-2] if len(self.lines) > 1 else "")
        if not line.strip():
            # The editor removes its own indentation from empty lines.
            self.lines[-1] = ""
        self.lines.append(start + rest)

    def _start(self, line: str, rest: str, above: str) -> str:
        for rule in self.on_enter:
            texts = {"beforeText": line, "afterText": rest, "previousLineText": above}
            if all(re.search(rule[of], read(text)) for of, text in texts.items() if of in rule):
                return self._moved(indent(line), rule["action"])
        if read(line).rstrip().endswith(self.opening):
            return indent(line) + LEVEL
        written = [line for line in self.lines if line.strip()]
        nearest = written[-1] if written else ""
        return indent(nearest) + (LEVEL if self.increases.search(read(nearest)) else "")

    def _moved(self, of: str, action: dict) -> str:
        moved = {"none": of, "indent": of + LEVEL, "outdent": of.removesuffix(LEVEL)}[action["indent"]]
        return moved + action.get("appendText", "")
