"""The workspace of an editor: folders, settings and progress."""

import asyncio
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
import pytest_asyncio
from client import Client
from lsprotocol import types
from paths import PARGEN
from pygls.exceptions import JsonRpcException

DECLARATIONS = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n"
SOUND = DECLARATIONS + "where symbol[N] == A:\n    symbol[N] = A\n"
SPARE = SOUND.replace("{A}", "{A, B}")
BROKEN = SOUND.replace("symbol[N] = A", "symbl[N] = A")
# Many layers and a continuation that takes longer than any timeout.
LONG = "//@ max-new 900000\n//@ stop \"NEVER\"\n" + "\n".join(
    line for line in PARGEN.read_text().splitlines() if not line.startswith("//@")
)
PROMPT = "Q B V D E A D E V B . Q F G H V K L A"


@pytest_asyncio.fixture
async def client(editor_name, tmp_path):
    """A client with two folders: one with a program that has a warning, one with a broken program."""
    for name, program in {"one/spare.psl": SPARE, "one/sound.psl": SOUND, "two/broken.psl": BROKEN}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(program)
    client = Client()
    await client.start(editor_name, folders=[tmp_path / "one", tmp_path / "two"])
    yield client
    assert await client.finish() == 0


async def reports(client, previous=()):
    """The codes of each file in the folders, or `unchanged`, and the ids for the next request."""
    params = types.WorkspaceDiagnosticParams(previous_result_ids=list(previous))
    items = (await client.workspace_diagnostic_async(params)).items
    found = {
        item.uri.split("/")[-1]: "unchanged" if item.kind == "unchanged" else [each.code for each in item.items]
        for item in items
    }
    return found, [types.PreviousResultId(item.uri, item.result_id) for item in items]


def open_document(client, uri: str, text: str):
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "psl", 1, text)))


async def test_the_programs_of_all_folders_are_checked(client, tmp_path):
    found, ids = await reports(client)
    assert found == {"broken.psl": ["unknown-register"], "sound.psl": [], "spare.psl": ["unused-constant"]}
    assert set((await reports(client, ids))[0].values()) == {"unchanged"}
    # An open file uses its buffer.
    open_document(client, (tmp_path / "two/broken.psl").as_uri(), SOUND)
    (tmp_path / "one/sound.psl").write_text(BROKEN + "\n")
    assert (await reports(client, ids))[0] == {
        "broken.psl": [],
        "sound.psl": ["unknown-register"],
        "spare.psl": "unchanged",
    }


async def test_an_unreadable_program_or_configuration_is_reported_and_the_others_are_checked(client, tmp_path):
    (tmp_path / "one/large.psl").write_text(SOUND + "#" * 1000)
    (tmp_path / "one/psl.toml").write_text("max-file-size = 500\n")
    (tmp_path / "two/psl.toml").symlink_to("/dev/zero")
    items = (await client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(previous_result_ids=[]))).items
    found = {item.uri.removeprefix(tmp_path.as_uri() + "/"): item.items for item in items}
    assert {file: [each.code for each in diagnostics] for file, diagnostics in found.items()} == {
        "one/large.psl": [None],
        "one/sound.psl": [],
        "one/spare.psl": ["unused-constant"],
        "two/broken.psl": ["unknown-register"],
        "two/psl.toml": [None],
    }
    why = "it is larger than 500 bytes; raise `max-file-size` in `psl.toml`"
    assert found["one/large.psl"][0].message == f"cannot read this file: {why}"
    assert found["two/psl.toml"][0].message == "cannot read this file: it is a device, not a file"


async def test_folders_can_be_added_and_removed(client, tmp_path):
    folder = types.WorkspaceFolder(uri=(tmp_path / "two").as_uri(), name="two")
    change = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(change))
    assert set((await reports(client))[0]) == {"sound.psl", "spare.psl"}


async def test_a_changed_configuration_applies_immediately(client, tmp_path):
    uri = (tmp_path / "one/spare.psl").as_uri()
    open_document(client, uri, SPARE)
    await client.until(lambda: [each for each in client.published if each.uri == uri])
    configuration = tmp_path / "one/psl.toml"
    configuration.write_text('[severity]\nunused-constant = "off"\n')
    event = types.FileEvent(uri=configuration.as_uri(), type=types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await client.until(lambda: [each for each in client.published if each.uri == uri][-1].diagnostics == ())
    assert (await reports(client))[0]["spare.psl"] == []


async def test_pull_diagnostics_of_a_document(client):
    uri = "untitled:Untitled-1"
    open_document(client, uri, BROKEN)
    document = types.TextDocumentIdentifier(uri)
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    [found] = report.items
    assert found.code == "unknown-register"
    # The link of the code leads to its section on the page.
    page, line = found.code_description.href.split("#L")
    text = Path(url2pathname(urlparse(page).path)).read_text()
    assert text.splitlines()[int(line) - 1] == "### unknown-register"
    params = types.DocumentDiagnosticParams(document, previous_result_id=report.result_id)
    assert (await client.text_document_diagnostic_async(params)).kind == "unchanged"
    # Pulled diagnostics are not published.
    await asyncio.sleep(0.5)
    sent = [each.diagnostics for each in client.published if each.uri == uri]
    assert sent[-1:] in ([], [()])


async def test_settings_apply_and_unknown_ones_are_reported(client, tmp_path):
    uri = (tmp_path / "one/spare.psl").as_uri()
    open_document(client, uri, SPARE)
    settings = {"psl": {"severity": {"unused-constant": "error"}, "inlayHint": {}}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))

    def severities():
        published = [each for each in client.published if each.uri == uri]
        return published and [each.severity for each in published[-1].diagnostics]

    await client.until(lambda: severities() == [types.DiagnosticSeverity.Error])
    await client.until(lambda: client.messages)
    assert [(message.type, message.message) for message in client.messages] == [
        (types.MessageType.Warning, "unknown setting `psl.inlayHint`; did you mean `psl.inlayHints`?")
    ]


async def test_the_server_requests_the_settings(tmp_path):
    client = Client()
    client.set_configuration({"psl": {"severity": {"unused-constant": "hint"}}})
    await client.start("visual-studio-code")
    open_document(client, "untitled:1", SPARE)
    hint = types.DiagnosticSeverity.Hint
    await client.until(
        lambda: client.published and [each.severity for each in client.published[-1].diagnostics] == [hint]
    )
    assert await client.finish() == 0


async def test_symbols_are_found_in_all_folders(client):
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("symbol"))
    assert {each.location.uri.split("/")[-1] for each in found} == {"broken.psl", "sound.psl", "spare.psl"}


async def test_a_long_run_reports_progress_and_can_be_cancelled(client):
    uri = "untitled:1"
    open_document(client, uri, LONG)
    arguments = [{"uri": uri, "prompt": PROMPT}]
    params = types.ExecuteCommandParams("psl.run", arguments, work_done_token="run")
    running = asyncio.ensure_future(client.workspace_execute_command_async(params))
    report = await client.until(lambda: [each["message"] for each in client.worked if "message" in each])
    assert "of 900000 symbols at most" in report[0]
    begin = client.worked[0]
    assert (begin["kind"], begin["cancellable"]) == ("begin", True)
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="run"))
    with pytest.raises(JsonRpcException, match="cancelled"):
        await running
    # With a token of the client, no progress may follow the response.
    assert client.worked[-1]["kind"] == "end"
