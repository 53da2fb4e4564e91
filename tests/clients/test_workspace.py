"""The workspace of an editor: folders, settings and progress."""

from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from framing import Failed
from lsp_client import session
from lsprotocol import types
from pargen import SWAP
from paths import PARGEN

DECLARATIONS = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n"
SOUND = DECLARATIONS + "where symbol[N] == A:\n    symbol[N] = A\n"
SPARE = SOUND.replace("{A}", "{A, B}")
BROKEN = SOUND.replace("symbol[N] = A", "symbl[N] = A")
# Many layers and a continuation that takes longer than any timeout.
LONG = "//@ max-new 900000\n//@ stop \"NEVER\"\n" + "\n".join(
    line for line in PARGEN.read_text().splitlines() if not line.startswith("//@")
)


@pytest.fixture
def client(editor_name, tmp_path):
    """A client with two folders: one with a program that has a warning, one with a broken program."""
    for name, program in {"one/spare.psl": SPARE, "one/sound.psl": SOUND, "two/broken.psl": BROKEN}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(program)
    with session(editor_name, folders=[tmp_path / "one", tmp_path / "two"]) as client:
        yield client


def reports(client, previous=()):
    """The codes of each file in the folders, or `unchanged`, and the ids for the next request."""
    params = types.WorkspaceDiagnosticParams(previous_result_ids=list(previous))
    items = client.ask("workspace/diagnostic", params).items
    found = {
        item.uri.split("/")[-1]: "unchanged" if item.kind == "unchanged" else [each.code for each in item.items]
        for item in items
    }
    return found, [types.PreviousResultId(item.uri, item.result_id) for item in items]


def published(client, uri: str) -> list:
    """The diagnostics of a file, for each time that they were published."""
    return [each.diagnostics for each in client.published if each.uri == uri]


def test_the_programs_of_all_folders_are_checked(client, tmp_path):
    found, ids = reports(client)
    assert found == {"broken.psl": ["unknown-register"], "sound.psl": [], "spare.psl": ["unused-constant"]}
    assert set(reports(client, ids)[0].values()) == {"unchanged"}
    # An open file uses its buffer.
    client.open((tmp_path / "two/broken.psl").as_uri(), SOUND)
    (tmp_path / "one/sound.psl").write_text(BROKEN + "\n")
    assert reports(client, ids)[0] == {"broken.psl": [], "sound.psl": ["unknown-register"], "spare.psl": "unchanged"}


def test_an_unreadable_program_or_configuration_is_reported_and_the_others_are_checked(client, tmp_path):
    (tmp_path / "one/large.psl").write_text(SOUND + "#" * 1000)
    (tmp_path / "one/psl.toml").write_text("max-file-size = 500\n")
    (tmp_path / "two/psl.toml").symlink_to("/dev/zero")
    items = client.ask("workspace/diagnostic", types.WorkspaceDiagnosticParams(previous_result_ids=[])).items
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


def test_folders_can_be_added_and_removed(client, tmp_path):
    folder = types.WorkspaceFolder(uri=(tmp_path / "two").as_uri(), name="two")
    change = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    client.notify("workspace/didChangeWorkspaceFolders", types.DidChangeWorkspaceFoldersParams(change))
    assert set(reports(client)[0]) == {"sound.psl", "spare.psl"}


def test_a_changed_configuration_applies_immediately(client, tmp_path):
    uri = (tmp_path / "one/spare.psl").as_uri()
    client.open(uri, SPARE)
    client.until(lambda: published(client, uri))
    configuration = tmp_path / "one/psl.toml"
    configuration.write_text('[severity]\nunused-constant = "off"\n')
    event = types.FileEvent(uri=configuration.as_uri(), type=types.FileChangeType.Created)
    client.notify("workspace/didChangeWatchedFiles", types.DidChangeWatchedFilesParams([event]))
    client.until(lambda: published(client, uri)[-1] == ())
    assert reports(client)[0]["spare.psl"] == []


def test_pull_diagnostics_of_a_document(client):
    uri = "untitled:Untitled-1"
    document = client.open(uri, BROKEN)
    report = client.ask("textDocument/diagnostic", types.DocumentDiagnosticParams(document))
    [found] = report.items
    assert found.code == "unknown-register"
    # The link of the code leads to its section on the page.
    page, line = found.code_description.href.split("#L")
    text = Path(url2pathname(urlparse(page).path)).read_text()
    assert text.splitlines()[int(line) - 1] == "### unknown-register"
    params = types.DocumentDiagnosticParams(document, previous_result_id=report.result_id)
    assert client.ask("textDocument/diagnostic", params).kind == "unchanged"
    # Pulled diagnostics are not published.
    client.until_quiet(0.5)
    assert published(client, uri)[-1:] in ([], [()])


def test_settings_apply_and_unknown_ones_are_reported(client, tmp_path):
    uri = (tmp_path / "one/spare.psl").as_uri()
    client.open(uri, SPARE)
    settings = {"psl": {"severity": {"unused-constant": "error"}, "inlayHint": {}}}
    client.notify("workspace/didChangeConfiguration", types.DidChangeConfigurationParams(settings))

    def severities():
        found = published(client, uri)
        return found and [each.severity for each in found[-1]]

    client.until(lambda: severities() == [types.DiagnosticSeverity.Error])
    client.until(lambda: client.messages)
    assert [(message.type, message.message) for message in client.messages] == [
        (types.MessageType.Warning, "unknown setting `psl.inlayHint`; did you mean `psl.inlayHints`?")
    ]


def test_the_server_requests_the_settings():
    with session("visual-studio-code", settings={"psl": {"severity": {"unused-constant": "hint"}}}) as client:
        client.open("untitled:1", SPARE)
        hint = types.DiagnosticSeverity.Hint
        client.until(lambda: client.published and [each.severity for each in client.published[-1].diagnostics] == [hint])


def test_symbols_are_found_in_all_folders(client):
    found = client.ask("workspace/symbol", types.WorkspaceSymbolParams("symbol"))
    assert {each.location.uri.split("/")[-1] for each in found} == {"broken.psl", "sound.psl", "spare.psl"}


def test_a_long_run_reports_progress_and_can_be_cancelled(client):
    uri = "untitled:1"
    client.open(uri, LONG)
    arguments = [{"uri": uri, "prompt": SWAP}]
    params = types.ExecuteCommandParams("psl.run", arguments, work_done_token="run")
    running = client.send("workspace/executeCommand", params)
    report = client.until(lambda: [each["message"] for each in client.worked if "message" in each])
    assert "of 900000 symbols at most" in report[0]
    begin = client.worked[0]
    assert (begin["kind"], begin["cancellable"]) == ("begin", True)
    client.notify("window/workDoneProgress/cancel", types.WorkDoneProgressCancelParams(token="run"))
    with pytest.raises(Failed, match="cancelled"):
        client.answer(running)
    # With a token of the client, no progress may follow the response.
    assert client.worked[-1]["kind"] == "end"
