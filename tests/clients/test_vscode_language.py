"""The language configuration of the Visual Studio Code extension: indentation, words and folds."""

import json
from itertools import takewhile

import pytest
from command import execute, formatted
from editor import Editor
from lsp_client import LspClient, session
from lsprotocol import types
from npm import NODE
from paths import EXAMPLES, PARGEN, ROOT
from vscode_typing import LEVEL, Typing, configuration, indent

CONFIGURATION = configuration(ROOT / "editors/vscode/language-configuration.json")
PROGRAMS = [*EXAMPLES, *sorted((ROOT / "tests/golden/programs").glob("*.psl"))]


class Typist:
    """Typing in the editor, with the server's formatting on type."""

    def __init__(self, client: LspClient):
        self.typing = Typing(CONFIGURATION)
        self.editor = Editor(client, "")

    def key(self, key: str):
        self.typing.enter() if key == "\n" else self.typing.key(key)
        formatting = self.editor.client.server.document_on_type_formatting_provider
        if key not in [formatting.first_trigger_character, *formatting.more_trigger_character]:
            return
        lines = self.typing.lines
        self.editor.replace_all("\n".join(lines))
        options = types.FormattingOptions(tab_size=4, insert_spaces=True)
        end = types.Position(len(lines) - 1, len(lines[-1]))
        params = types.DocumentOnTypeFormattingParams(self.editor.document, end, key, options)
        edits = self.editor.client.ask("textDocument/onTypeFormatting", params)
        if edits:
            self.editor.make(edits)
            self.typing.lines = self.editor.text.split("\n")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_typed_text_is_indented_like_psl_fmt(program):
    """The program is typed line by line without indentation."""
    expected = formatted(program.read_text()).splitlines()
    with session("visual-studio-code") as client:
        typist = Typist(client)
        for number, line in enumerate(expected):
            if number:
                typist.key("\n")
            above = expected[number - 1]
            if line.startswith("#") and above.startswith(LEVEL):
                # Directly below an assignment, a comment belongs to the production unless it is outdented.
                typist.typing.shift_tab()
            for key in line.strip():
                typist.key(key)
    assert typist.typing.lines == expected


def test_a_level_of_indentation_is_that_of_psl_fmt():
    manifest = json.loads((ROOT / "editors/vscode/package.json").read_text())
    defaults = manifest["contributes"]["configurationDefaults"]["[psl]"]
    assert defaults["editor.insertSpaces"] and defaults["editor.formatOnType"]
    [line] = [line for line in formatted("where symbol[N] == A: symbol[N] = A").splitlines() if line.startswith(" ")]
    assert indent(line) == LEVEL == " " * defaults["editor.tabSize"]


def typed(text: str) -> str:
    """The text after typing without a server."""
    typing = Typing(CONFIGURATION)
    for key in text:
        typing.enter() if key == "\n" else typing.key(key)
    return "\n".join(typing.lines)


@pytest.mark.parametrize(
    "expected",
    [
        PARGEN.read_text().rstrip("\n"),
        "registers: {\n    symbol: 's',\n    // about it\n    x: '{'\n}\nwatch: [\n    symbol\n]\n",
        "where x[N] == A and  # why\n    x[N] != B:\n    x[N] = C\n\n",
        "where x[N] == A: x[N] = B\n    y[N] = C\n\nwhere",
        "repeat:\n    repeat:\n        where x[N] == A:\n            x[N] = B\n    until NO_CHANGE\n"
        "\n    where x[N] == A:\n        x[N] = B\nuntil x[N] == A and\n    x[N] == B\n",
        "repeat  # again: {\n    where",
        "# where [\n",
        "where x[N] == A:\n    x[N] = B\n\n\n\nwhere",
    ],
)
def test_the_rules_are_sufficient_if_an_empty_line_ends_each_production(expected):
    assert typed("\n".join(line.lstrip() for line in expected.split("\n"))) == expected


@pytest.mark.parametrize(
    ("before", "rest", "expected"),
    [
        ("    # one ", "two", "    # "),
        ("    x[N] = '#'  // one ", "two", "    // "),
        ("    x[N] = '", "#'", "    "),
        ("//@ test 'a' ", "=> 'b'", ""),
        ("# one", "", ""),
    ],
)
def test_the_second_half_of_a_split_comment_is_a_comment(before, rest, expected):
    typing = Typing(CONFIGURATION)
    typing.lines = [before]
    typing.enter(rest)
    assert typing.lines == [before, expected + rest]


def test_words():
    text = "//@ allow non-causal: prév_9\nwhere_rm x2[n] == -1.5@pos_increment and 'it' != \"P5a' s*\":"
    pattern = CONFIGURATION["wordPattern"]
    script = (
        "const [{ pattern, flags }, text] = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(text.match(new RegExp(pattern, flags + 'g'))))"
    )
    run = execute(NODE, "-e", script, json.dumps([pattern, text]))
    expected = "allow non-causal prév_9 where_rm x2 n -1.5 pos_increment and it P5a s"
    assert json.loads(run.stdout) == expected.split()


def folds_of_indents(lines: list[str]) -> set[tuple[int, int]]:
    """The first and last line of each fold by indentation, without trailing blank lines."""
    written = [(number, len(indent(line))) for number, line in enumerate(lines) if line.strip()]
    folds = set()
    for at, (number, column) in enumerate(written[:-1]):
        inside = list(takewhile(lambda it: it[1] > column, written[at + 1 :]))
        if inside:
            folds.add((number, inside[-1][0]))
    return folds


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_folds_by_indentation_agree_with_the_server(program):
    """Except for comments. The folds of the server start after the conditions."""
    lines = formatted(program.read_text()).splitlines()
    with session("visual-studio-code") as client:
        document = client.open("file:///program.psl", "\n".join(lines))
        folds = client.ask("textDocument/foldingRange", types.FoldingRangeParams(document))

    def head(line: int) -> int:
        return head(line - 1) if lines[line - 1].endswith(" and") else line

    code = {(head(fold.start_line), fold.end_line) for fold in folds if fold.kind is None}
    assert folds_of_indents(lines) == code
