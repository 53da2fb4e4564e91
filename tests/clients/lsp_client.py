"""A client of `psl lsp`: sends messages, answers the server's requests, and decodes everything that it sends strictly."""

import json
import os
from contextlib import contextmanager

from command import binary
from framing import Connection, Failed, framed
from lsprotocol import types
from pytest_lsp import client_capabilities
from pytest_lsp.checks import PARAMS_CHECKS, RESULT_CHECKS
from strict import CONVERTER, decode

# The requests of the server that are accepted, besides that for the settings.
ACCEPTED = {
    types.CLIENT_REGISTER_CAPABILITY,
    types.WINDOW_WORK_DONE_PROGRESS_CREATE,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_DIAGNOSTIC_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
}


class LspClient(Connection):
    def __init__(self, *command, **options):
        super().__init__(*(command or (binary(), "lsp")), **options)
        #: Answers to `workspace/configuration`, by section.
        self.settings: dict[str, dict] = {}
        self.capabilities: types.ClientCapabilities | None = None
        self.server: types.ServerCapabilities | None = None
        self.published: list[types.PublishDiagnosticsParams] = []
        self.messages: list[types.ShowMessageParams] = []
        self.worked: list[dict] = []
        self._requests: dict[int | str, str] = {}

    def send_message(self, **message):
        """Sends a message as it is."""
        if "id" in message and "method" in message:
            self._requests[message["id"]] = message["method"]
        self.write(framed(CONVERTER.unstructure({"jsonrpc": "2.0", **message})))

    def notify(self, method: str, params=None):
        self.send_message(method=method, **_given(params))

    def send(self, method: str, params=None) -> int:
        """Sends a request, and returns its number."""
        number = len(self._requests) + 1
        self.send_message(id=number, method=method, **_given(params))
        return number

    def answer(self, number: int):
        """Waits for the answer to a request, and returns its result."""
        response = self.response(number)
        if isinstance(response, types.ResponseErrorMessage):
            raise Failed(response.error.message)
        self._check(RESULT_CHECKS, self._requests[number], response.result)
        return response.result

    def ask(self, method: str, params=None):
        """Sends a request and returns the result in its answer."""
        return self.answer(self.send(method, params))

    def keep(self, body: bytes):
        message = json.loads(body)
        number, method = message.get("id"), message.get("method")
        decoded = self.decoded(body, message)
        if method is None:
            self.responses[number] = decoded
        elif number is None:
            self.notice(method, decoded.params)
        else:
            self.send_message(id=number, result=self.accept(method, decoded.params))

    def decoded(self, body: bytes, message: dict):
        return decode(message, self._requests.get(message.get("id")))

    def notice(self, method: str, params):
        """Keeps a notification of the server."""
        if method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS:
            self.published.append(params)
        elif method == types.WINDOW_SHOW_MESSAGE:
            self.messages.append(params)
        elif method == types.PROGRESS:
            self.worked.append(params.value)

    def accept(self, method: str, params):
        """The result for a request of the server."""
        self._check(PARAMS_CHECKS, method, params)
        if method == types.WORKSPACE_CONFIGURATION:
            return [self.settings.get(item.section) for item in params.items]
        assert method in ACCEPTED, method
        return None

    def _check(self, checks: dict, method: str, content):
        """Checks that a message is within the capabilities of the client."""
        if self.capabilities and method in checks:
            checks[method](self.capabilities, content)

    def initialize(self, editor: str | None = None, options=None, folders=()) -> types.InitializeResult:
        """Begins a session like an editor with open folders, or like a client without capabilities."""
        self.capabilities = client_capabilities(editor) if editor else None
        params = types.InitializeParams(
            self.capabilities or types.ClientCapabilities(),
            process_id=os.getpid() if editor else None,
            initialization_options=options,
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
        )
        result = self.ask("initialize", params)
        self.server = result.capabilities
        self.notify("initialized", types.InitializedParams())
        return result

    def open(self, uri: str, text: str) -> types.TextDocumentIdentifier:
        """Opens a document with the version 1."""
        self.notify("textDocument/didOpen", types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "psl", 1, text)))
        return types.TextDocumentIdentifier(uri)

    def finish(self) -> int:
        """Ends the session as an editor does, and returns the server's exit code."""
        self.ask("shutdown")
        self.notify("exit")
        code = self.exit_code()
        while (body := self.receive()) is not None:
            self.decoded(body, json.loads(body))
        return code


def _given(params) -> dict:
    return {} if params is None else {"params": params}


@contextmanager
def session(editor: str, options=None, folders=(), settings=None):
    """A server that an editor starts, and ends without an error."""
    with LspClient() as client:
        client.settings = settings or {}
        client.initialize(editor, options, folders)
        yield client
        assert client.finish() == 0
