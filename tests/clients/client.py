"""A client that starts the server as an editor does, and records its notifications."""

import asyncio

from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from paths import PSL
from strict import checked


class Client(LanguageClient):
    """A client that also records the versions of diagnostics, and can wait for more."""

    def __init__(self):
        super().__init__(converter_factory=default_converter)
        decode = self.protocol.structure_message
        # Called for each object in a message, but only the outermost is a message.
        self.protocol.structure_message = lambda value: checked(value, decode(value)) if "jsonrpc" in value else value
        self.published: list[types.PublishDiagnosticsParams] = []
        self.worked: list[dict] = []
        self.server: types.ServerCapabilities | None = None
        self._arrived = asyncio.Event()

        def keep(ours: list):
            def append(params):
                ours.append(params)
                self._arrived.set()

            return append

        features = {
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: keep(self.published),
            types.WINDOW_SHOW_MESSAGE: keep(self.messages),
            types.PROGRESS: lambda params: keep(self.worked)(params.value),
        }
        # The requests of the server that the client accepts.
        for request in [
            types.CLIENT_REGISTER_CAPABILITY,
            types.WINDOW_WORK_DONE_PROGRESS_CREATE,
            types.WORKSPACE_CODE_LENS_REFRESH,
            types.WORKSPACE_DIAGNOSTIC_REFRESH,
            types.WORKSPACE_INLAY_HINT_REFRESH,
        ]:
            features[request] = lambda _: None
        register_lsp_features(self, DEFAULT_CLIENT_FEATURES | features)

    async def until(self, condition):
        """Waits until the condition returns a true value, and returns that."""
        while not (found := condition()):
            self._arrived.clear()
            await self._arrived.wait()
        return found

    async def start(self, editor: str, options=None, folders=()):
        """Starts a server and initializes it like an editor, with open folders."""
        assert PSL.exists(), f"{PSL} is missing: build it, or set PSL to the binary"
        await self.start_io(str(PSL), "lsp")
        params = types.InitializeParams(
            client_capabilities(editor),
            initialization_options=options,
            workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
        )
        self.server = (await self.initialize_session(params)).capabilities

    async def finish(self) -> int:
        """Ends the session as an editor does, and returns the server's exit code."""
        await self.shutdown_session()
        code = self._server.returncode
        await self.stop()
        return code
