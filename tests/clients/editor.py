"""The editor's side of a session: a buffer, its edits, and the server's results for each version."""

from lsp_client import LspClient
from lsprotocol import types


def units(text: str, encoding: str) -> int:
    """The width of a text in columns of a position encoding."""
    if encoding == types.PositionEncodingKind.Utf32:
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2


class Editor:
    """An open document. `text` and `version` are those last sent to the server."""

    def __init__(self, client: LspClient, text: str, uri: str = "file:///programs/program.psl"):
        self.client = client
        self.encoding = client.server.position_encoding
        self.text = text
        self.uri = uri
        self.version = 1
        self.document = client.open(uri, text)

    def at(self, needle: str, offset: int = 0) -> types.Position:
        """The position `offset` characters into the first `needle`."""
        index = self.text.index(needle) + offset
        line_start = self.text.rfind("\n", 0, index) + 1
        column = units(self.text[line_start:index], self.encoding)
        return types.Position(line=self.text.count("\n", 0, index), character=column)

    def _index(self, position: types.Position) -> int:
        """The inverse of `at`: the number of characters before a position."""
        lines = self.text.split("\n")
        line = lines[position.line]
        columns = [units(line[:width], self.encoding) for width in range(len(line) + 1)]
        return sum(len(before) + 1 for before in lines[: position.line]) + columns.index(position.character)

    def span(self, needle: str) -> types.Range:
        """The range of the first `needle`."""
        return types.Range(start=self.at(needle), end=self.at(needle, len(needle)))

    def edit(self, *replacements: tuple[str, str]):
        """Replaces the first occurrence of each old text, all in one notification."""
        changes = []
        for old, new in replacements:
            change = types.TextDocumentContentChangePartial(range=self.span(old), text=new)
            changes.append(change)
            self.text = self.text.replace(old, new, 1)
        self._send(changes)

    def apply(self, action: types.CodeAction):
        """Applies the edits of a code action."""
        files = action.edit.document_changes
        self.make([edit for file in files for edit in file.edits] if files else action.edit.changes[self.uri])

    def make(self, edits: list[types.TextEdit]):
        """Applies edits that all refer to the current text."""
        changes = []
        # From the last to the first, so that no edit moves another.
        for edit in sorted(edits, key=lambda edit: self._index(edit.range.start), reverse=True):
            start, end = self._index(edit.range.start), self._index(edit.range.end)
            changes.append(types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text))
            self.text = self.text[:start] + edit.new_text + self.text[end:]
        self._send(changes)

    def replace_all(self, text: str):
        """Sends a whole new text."""
        self.text = text
        self._send([types.TextDocumentContentChangeWholeDocument(text=text)])

    def _send(self, changes):
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        self.client.notify("textDocument/didChange", types.DidChangeTextDocumentParams(document, changes))

    def diagnostics(self, until=lambda diagnostics: True) -> list[types.Diagnostic]:
        """Waits until `until` holds for the newest diagnostics of the current version, and returns them."""
        current = (self.uri, self.version)

        def newest():
            published = [each for each in self.client.published if (each.uri, each.version) == current]
            return published and until(published[-1].diagnostics) and published[-1]

        return list(self.client.until(newest).diagnostics)

    def errors(self) -> list[types.Diagnostic]:
        found = self.diagnostics()
        return [each for each in found if each.severity == types.DiagnosticSeverity.Error]

    def hover(self, needle: str, offset: int = 0) -> str:
        """The Markdown of the hover at the needle."""
        params = types.HoverParams(self.document, self.at(needle, offset))
        hover = self.client.ask("textDocument/hover", params)
        assert hover is not None, f"no hover at {needle!r}"
        assert hover.contents.kind == types.MarkupKind.Markdown
        return hover.contents.value

    def completions(self, needle: str, offset: int) -> set[str]:
        """The labels offered with the cursor `offset` characters into the needle."""
        params = types.CompletionParams(self.document, self.at(needle, offset))
        answer = self.client.ask("textDocument/completion", params)
        items = answer.items if isinstance(answer, types.CompletionList) else answer
        return {item.label for item in items or []}

    def quick_fixes(self, diagnostic: types.Diagnostic) -> list[types.CodeAction]:
        context = types.CodeActionContext(diagnostics=[diagnostic], only=[types.CodeActionKind.QuickFix])
        params = types.CodeActionParams(self.document, diagnostic.range, context)
        return list(self.client.ask("textDocument/codeAction", params) or [])

    def formatting(self, needle: str | None = None) -> list[types.TextEdit] | None:
        """The edits that format the text, or the lines of the needle."""
        options = types.FormattingOptions(tab_size=8, insert_spaces=False)
        if needle is None:
            params = types.DocumentFormattingParams(self.document, options)
            return self.client.ask("textDocument/formatting", params)
        params = types.DocumentRangeFormattingParams(self.document, self.span(needle), options)
        return self.client.ask("textDocument/rangeFormatting", params)

    def lenses(self) -> list[tuple[str, types.Command]]:
        """The lenses in the order of their lines, each with the text of its line."""
        lenses = self.client.ask("textDocument/codeLens", types.CodeLensParams(self.document))
        lines = self.text.splitlines()
        ordered = sorted(lenses or [], key=lambda lens: lens.range.start.line)
        return [(lines[lens.range.start.line], lens.command) for lens in ordered]

    def command(self, name: str, **arguments):
        """The result of a command on this document."""
        params = types.ExecuteCommandParams(name, [{"uri": self.uri, **arguments}])
        return self.client.ask("workspace/executeCommand", params)
