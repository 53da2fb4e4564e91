"""The TextMate grammars in the engine of Visual Studio Code: they agree with the server, and recover in broken programs."""

import json
import os
import random
import re
from pathlib import Path

import pytest
from colors import TABLE, tokens
from command import execute, psl
from lsp_client import LspClient, session
from npm import NODE, installed
from paths import PARGEN, ROOT

pytestmark = pytest.mark.timeout(300)

HERE = Path(__file__).with_name("textmate")
TOOLS = ROOT / ".tools/textmate"
PACKAGES = TOOLS / "node_modules/@codingame"
MARKDOWN = PACKAGES / "monaco-vscode-markdown-basics-default-extension/resources/markdown.tmLanguage.json"
THEMES = PACKAGES / "monaco-vscode-theme-defaults-default-extension/resources"
GRAMMARS = ROOT / "grammars/textmate"
GOLDEN = ROOT / "tests/grammars"
HARD = sorted((GOLDEN / "textmate").glob("*.psl"))
# The scopes by the tokens of the server. TextMate sees one line at a time, so a label is a comment.
SCOPES = {row["token"]: row["textmate"] for row in TABLE.values()} | {
    TABLE["label"]["token"]: TABLE["comment"]["textmate"]
}
# The start of a declaration or a statement.
SEGMENT = re.compile(r"\s*(registers|constants|system|watch|causal_attn|where|where_lm|where_rm|repeat|until)\b")
# The scopes of uncolored words in a program and in Markdown.
UNCOLORED = {"source.psl", "meta.embedded.block.psl"}


@pytest.fixture(scope="session")
def engine():
    """Installs the engine with the grammars and themes of Visual Studio Code, and returns a function that tokenizes texts."""
    modules = installed(HERE)
    contributed = json.loads((ROOT / "editors/vscode/package.json").read_text())["contributes"]["grammars"]
    injections = {into: [it["scopeName"]] for it in contributed for into in it.get("injectTo", [])}

    def tokenize(texts: list[str], scope="source.psl", theme=None) -> list[list]:
        asked = {"texts": [[scope, text] for text in texts], "injections": injections, "theme": theme}
        grammars = [*GRAMMARS.glob("*.json"), MARKDOWN]
        environment = os.environ | {"NODE_PATH": str(modules)}
        return json.loads(execute(NODE, HERE / "tokens.js", *grammars, input=json.dumps(asked), env=environment).stdout)

    return tokenize


def words(tokens: list) -> list[str]:
    """The colored words without surrounding white space, each as position, word and scope."""
    found = []
    for line, column, text, scopes, _ in tokens:
        start = column + len(text) - len(text.lstrip())
        if text.strip() and scopes[-1] not in UNCOLORED:
            found.append(f"{line}:{start} {text.strip()} {scopes[-1].removesuffix('.psl')}")
    return found


def valid_programs() -> list[Path]:
    """The programs of the repository without errors."""
    run = psl("check", "--format", "json", "tests", code=None, cwd=ROOT)
    found = map(json.loads, run.stdout.splitlines())
    broken = {ROOT / it["file"] for it in found if it["severity"] == "error"}
    return sorted(path for path in (ROOT / "tests").glob("**/*.psl") if path not in broken)


def asked_of_the_server(client: LspClient, path: Path) -> list[str]:
    """The colored words of a program according to the server."""
    text = path.read_text()
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    found = []
    for line, column, length, token in tokens(client, path.as_uri(), text):
        word = lines[line][2 * column : 2 * (column + length)].decode("utf-16-le")
        found.append(f"{line + 1}:{column + 1} {word} {SCOPES[token]}")
    return found


def test_every_valid_program_has_the_colors_of_the_server(engine):
    paths = valid_programs()
    assert len(paths) > 100
    with session("visual-studio-code") as client:
        for path, found in zip(paths, engine([path.read_text() for path in paths]), strict=True):
            assert words(found) == asked_of_the_server(client, path), path


@pytest.mark.parametrize("path", HARD, ids=lambda path: path.stem)
def test_hard_texts(engine, path):
    """Compares the words with a file beside the text. UPDATE=1 writes that file."""
    [tokens] = engine([path.read_text()])
    found = "\n".join(words(tokens)) + "\n"
    golden = path.with_suffix(".scopes")
    if "UPDATE" in os.environ:
        golden.write_text(found)
    assert golden.read_text() == found


def test_line_ends_make_no_difference(engine):
    texts = [path.read_text() for path in [PARGEN, *HARD]]
    other = engine([text.replace("\n", "\r\n") for text in texts])
    assert [words(tokens) for tokens in other] == [words(tokens) for tokens in engine(texts)]


def test_an_error_does_not_change_the_colors_of_the_next_statement(engine):
    """The next declaration or statement at the start of a line, and everything after it, keep their colors."""
    rng = random.Random(1)
    text = PARGEN.read_text()
    lines = text.splitlines()
    starts = [index for index, line in enumerate(lines) if SEGMENT.match(line)]
    broken, following = [], []
    for _ in range(200):
        at = rng.randrange(starts[0], len(lines))
        line = lines[at]
        start, end = sorted(rng.randrange(len(line) + 1) for _ in range(2))
        written = rng.choice(["", "", "'", '"', "[", "{", "(", ":", "where", "in ["])
        broken.append("\n".join([*lines[:at], line[:start] + written + line[end:], *lines[at + 1 :]]))
        following.append(next((start for start in starts if start > at), len(lines)))

    def from_line(tokens: list, first: int) -> list[str]:
        return words(token for token in tokens if token[0] > first)

    [whole] = engine([text])
    for text, first, found in zip(broken, following, engine(broken), strict=True):
        assert from_line(found, first) == from_line(whole, first), text.splitlines()[first - 10 : first]


@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_blocks_in_markdown(engine, fence):
    program = "registers: {symbol: 's', open\nwhere symbol[n] == A: # why\n    symbol[N] = 'A\n"
    lines = ["A *program*:", f"{fence}psl", *program.splitlines(), fence, "*After* it", "- in a list", f"  {fence} psl"]
    line_in_list = len(lines) + 1
    lines += ["  symbol[N] = A", f"  {fence}", "*After* the list", f"{fence}pslx", "where", fence]
    [page] = engine(["\n".join(lines)], scope="text.html.markdown")
    [alone] = engine([program])
    found = words(token for token in page if "meta.embedded.block.psl" in token[3])
    expected = words([2 + line, *token] for line, *token in alone)
    in_list = words([line_in_list, column + 2, *token] for _, column, *token in engine(["symbol[N] = A"])[0])
    assert found == expected + in_list
    italic = [text for _, _, text, scopes, _ in page if "markup.italic.markdown" in scopes and text != "*"]
    assert italic == ["program", "After", "After"]


def theme(name: str) -> dict:
    """A theme of Visual Studio Code, including the themes that it extends."""
    read = json.loads((THEMES / f"{name}.json").read_text())
    settings = theme(read["include"].removesuffix(".json"))["settings"] if "include" in read else []
    colors = read.get("colors", {})
    if "editor.foreground" in colors:
        settings = [{"settings": {"foreground": colors["editor.foreground"]}}, *settings]
    return {"settings": settings + read.get("tokenColors", [])}


@pytest.mark.parametrize("name", ["dark_modern", "light_modern", "2026-dark", "2026-light"])
def test_read_and_written_registers_have_different_colors(engine, name):
    [tokens] = engine(["where symbol[n] == A: mark[N] = symbol[n]"], theme=theme(name))
    colors = {text: color for _, _, text, _, color in tokens}
    assert colors["mark"] != colors["symbol"]
    assert colors["N"] != colors["n"]
    assert colors["A"] != colors["symbol"]


