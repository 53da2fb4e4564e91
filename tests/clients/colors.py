"""The color table, and the row of each word of a program according to the server."""

import asyncio
import tomllib
from pathlib import Path

from client import Client
from lsprotocol import types
from paths import ROOT

TABLE = tomllib.loads((ROOT / "grammars/colors.toml").read_text())
ROWS = {row["token"]: name for name, row in TABLE.items()}


def colored(program: Path) -> list[tuple[int, int, int, str]]:
    """The tokens of an ASCII program: 0-based line and column, length, and row of the table."""
    return asyncio.run(_colored(program))


async def _colored(program: Path) -> list[tuple[int, int, int, str]]:
    client = Client()
    await client.start("neovim")
    document = types.TextDocumentItem(program.as_uri(), "psl", 1, program.read_text(encoding="ascii"))
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(program.as_uri()))
    data = (await client.text_document_semantic_tokens_full_async(params)).data
    legend = client.server.semantic_tokens_provider.legend
    assert await client.finish() == 0
    tokens, line, column = [], 0, 0
    for at in range(0, len(data), 5):
        lines, columns, length, kind, modifiers = data[at : at + 5]
        column = column + columns if lines == 0 else columns
        line += lines
        names = [name for bit, name in enumerate(legend.token_modifiers) if modifiers >> bit & 1]
        tokens.append((line, column, length, ROWS[".".join([legend.token_types[kind], *names])]))
    return tokens
