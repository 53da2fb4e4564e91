"""Programs, runs and diagnostics as HTML for Jupyter: without scripts, in the colors of JupyterLab's theme."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ._psl import pieces, static_diagnostics
from .errors import Error

if TYPE_CHECKING:
    from ._psl import Program, Run
    from .reports import Diagnostic, TestResult

CHANGES = 40
"""The maximum number of changes in the table of a run."""
SYMBOLS = 200
"""The maximum number of symbols that are shown of a continuation."""

# The type of a token (see grammars/colors.toml), the variable of JupyterLab's editor for it, and its colors elsewhere.
COLORS = {
    "comment": ("comment", "#5b6472", "#98a1b0"),
    "enumMember": ("string-2", "#8a3d00", "#ffb37a"),
    "function": ("variable-3", "#0b6577", "#6fd0e4"),
    "keyword": ("keyword", "#8b1a8b", "#dda0f0"),
    "macro": ("variable-3", "#0b6577", "#6fd0e4"),
    "number": ("number", "#1d6b2c", "#93d69c"),
    "operator": ("operator", "#1a1d23", "#e4e7ec"),
    "property": ("property", "#1450a8", "#8cbcff"),
    "string": ("string", "#1d6b2c", "#93d69c"),
    "typeParameter": ("def", "#7a2aa8", "#d49bff"),
}

STYLE = (
    ".psl pre{margin:0;white-space:pre!important;overflow-x:auto;font-size:var(--jp-code-font-size,13px)}"
    ".psl table{margin:.6em 0 0;border-collapse:collapse}"
    ".psl th,.psl td{text-align:left!important;vertical-align:top;padding:2px 10px 2px 0!important}"
    ".psl p{margin:.3em 0 0}.psl small{opacity:.75}.psl td code{white-space:nowrap}"
    + "".join(
        f".psl-{kind}{{color:var(--jp-mirror-editor-{variable}-color,light-dark({light},{dark}))}}"
        for kind, (variable, light, dark) in COLORS.items()
    )
    + ".psl-keyword,.psl-property{font-weight:600}.psl-comment{font-style:italic}"
    ".psl-error,.psl-warning{font-weight:600}"
    ".psl-error{color:var(--jp-error-color1,light-dark(#b3211e,#ff9a92))}"
    ".psl-warning{color:var(--jp-warn-color1,light-dark(#7a5300,#f0c25c))}"
    ".psl-good{color:var(--jp-success-color1,light-dark(#1d6b2c,#7fd48f))}"
)


def program(shown: Program) -> str:
    """Returns the colored text and, below, its diagnostics."""
    text = "".join(_piece(text, kind) for text, kind in pieces(shown))
    found = static_diagnostics(shown)
    return _page(f"<pre>{text}</pre>{_diagnostics(found) if found else ''}")


def run(shown: Run) -> str:
    """Returns the continuation and, for a recorded run, the table of its first changes."""
    end = {
        "stop-symbol": "ends with the stop symbol",
        "max-new": "reaches its maximum length",
        "prompt-pass": "is a row, from the prompt alone",
    }[shown.stop]
    symbols = shown.tokens
    more = f"… {len(symbols) - SYMBOLS:,} more symbols, " if len(symbols) > SYMBOLS else ""
    head = f"<p><code>{escape(' '.join(symbols[:SYMBOLS]))}</code> <small>{more}{end}</small></p>"
    try:
        changes = shown.changes
    except Error:
        return _page(head)
    columns: list[list[Any]] = [column[:CHANGES].tolist() for column in vars(changes).values()]
    left = len(changes.row) - CHANGES
    rest = f"<p><small>{left:,} more in <code>run.changes</code></small></p>" if left > 0 else ""
    return _page(head + _changes(shown, columns) + rest)


def diagnostics(found: Sequence[Diagnostic]) -> str:
    """Returns a table of diagnostics."""
    return _page(_diagnostics(found) if found else "<p><small>no diagnostics</small></p>")


def results(found: Sequence[TestResult]) -> str:
    """Returns a table of the results of tests."""
    return _page(_results(found) if found else "<p><small>no tests</small></p>")


def checked(found: Sequence[Diagnostic], tested: Sequence[TestResult]) -> str:
    """Returns the diagnostics and the results of the tests."""
    failed = [result for result in tested if not result.passed]
    passed = len(tested) - len(failed)
    counts = f"<p>{passed} passed, {len(failed)} failed</p>" if tested else ""
    return _page((_diagnostics(found) if found else "") + counts + (_results(failed) if failed else ""))


def frame(page: str, name: str) -> str:
    """Returns a frame with a page. Its name marks the messages of the page.

    A viewer that removes frames leaves the text inside.
    """
    # The page has hardly any apostrophes, but thousands of quotes.
    source = page.replace("&", "&amp;").replace("'", "&#39;")
    style = "width:100%;height:100%;border:1px solid var(--jp-border-color1,#8888);box-sizing:border-box"
    hint = "The explorer is here if the notebook is trusted."
    inside = f"<iframe name=\"{name}\" title=\"PSL explorer\" sandbox=\"allow-scripts allow-forms allow-downloads allow-modals\" style=\"{style}\""
    return f'<div style="height:720px;resize:vertical;overflow:hidden">{inside} srcdoc=\'{source}\'>{hint}</iframe></div>'


def _changes(shown: Run, columns: list[list[Any]]) -> str:
    """The table of changes, from their columns. Outside of repeat blocks, a layer has no pass."""
    names, values = shown.registers, shown.values
    in_block = any(map(any, columns[2]))

    def value(index: int) -> str:
        return escape(values[index]) if index >= 0 else "∅"

    rows: list[list[str]] = []
    for row, layer, passes, cell, register, before, after in zip(*columns, strict=True):
        pass_ = [" ".join(str(number) for number in passes if number)] if in_block else []
        place = [str(row), str(layer), *pass_, str(cell)]
        rows.append([*place, escape(names[int(register)]), value(before), f"<b>{value(after)}</b>"])
    head = ["row", "layer", *["pass"] * in_block, "cell", "register", "before", "after"]
    return _table(head, rows)


def _piece(text: str, kind: str | None) -> str:
    return escape(text) if kind not in COLORS else f'<span class="psl-{kind}">{escape(text)}</span>'


def _diagnostics(found: Iterable[Diagnostic]) -> str:
    rows: list[list[str]] = []
    for it in found:
        help = f"<br><small>help: {_code(it.help)}</small>" if it.help else ""
        mark = f'<span class="psl-{escape(it.severity)}">{escape(it.severity)}</span>'
        rows.append([f"{it.line}:{it.column}", mark, f"<code>{escape(it.code)}</code>", _code(it.message) + help])
    return _table(["place", "severity", "code", "message"], rows)


def _results(found: Iterable[TestResult]) -> str:
    rows: list[list[str]] = []
    for it in found:
        outcome = '<span class="psl-good">passed</span>' if it.passed else '<span class="psl-error">failed</span>'
        got = "" if it.got is None else escape(it.got)
        rows.append([str(it.line), escape(it.name or ""), outcome, escape(it.expected), got, _code(it.message)])
    # Results without failures have no difference.
    columns = 6 if any(row[5] for row in rows) else 5
    return _table(["line", "test", "outcome", "expected", "got", "difference"][:columns], [row[:columns] for row in rows])


def _code(text: str) -> str:
    """Escapes a message. Its backquotes mark code."""
    parts = escape(text).split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr></thead><tbody>{body}</tbody></table>"


def _page(content: str) -> str:
    return f'<div class="psl"><style>{STYLE}</style>{content}</div>'
