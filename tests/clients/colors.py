"""The color table, and the row of each word of a program according to the server."""

import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest
from lsp_client import LspClient, session
from lsprotocol import types
from paths import EXAMPLES, PROGRAMS, ROOT

TABLE = tomllib.loads((ROOT / "grammars/colors.toml").read_text())
ROWS = {row["token"]: name for name, row in TABLE.items()}
LAYOUTS = [*EXAMPLES, PROGRAMS / "layout.psl"]
every_program = pytest.mark.parametrize("program", LAYOUTS, ids=lambda program: program.stem)


def tokens(client: LspClient, uri: str, text: str) -> list[tuple[int, int, int, str]]:
    """The tokens of a program: 0-based line and column, length, and type with modifiers."""
    params = types.SemanticTokensParams(client.open(uri, text))
    data = client.ask("textDocument/semanticTokens/full", params).data
    legend = client.server.semantic_tokens_provider.legend
    found, line, column = [], 0, 0
    for down, right, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, right if down else column + right
        names = [name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1]
        found.append((line, column, length, ".".join([legend.token_types[kind], *names])))
    return found


def colored(program: Path) -> list[tuple[int, int, int, str]]:
    """The tokens of an ASCII program: 0-based line and column, length, and row of the table."""
    with session("neovim") as client:
        found = tokens(client, program.as_uri(), program.read_text(encoding="ascii"))
    return [(line, column, length, ROWS[token]) for line, column, length, token in found]


class Word(NamedTuple):
    """A word of a program in an editor: its 1-based line, what is shown for each letter, and the row of the table."""

    line: int
    text: str
    shown: list[str]
    row: str


def shown_words(program: Path, lines: list[dict], kind: str) -> list[Word]:
    """The words of a program in lines that an editor reports with one `kind` of value for each letter."""
    words = [
        Word(line + 1, *(lines[line][field][column : column + length] for field in ("text", kind)), row)
        for line, column, length, row in colored(program)
    ]
    assert len({word.row for word in words}) > 10
    return words
