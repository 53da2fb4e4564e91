"""The server reads the psl.toml of a folder."""

from lsprotocol import types

SOUND = """//@ allow syntax
registers: {symbol: 's', position: 'p'}
constants: {A}
where symbol[N] == A:
    symbol[N] = A
"""


async def test_severities_come_from_the_configuration_and_an_error_in_it_is_reported_once(client, tmp_path):
    configuration, program = tmp_path / "psl.toml", tmp_path / "a.psl"
    configuration.write_text('[severity]\nunused-allow = "hint"\n')
    uri = program.as_uri()
    version = 1

    def published():
        newest = [one for one in client.published if one.uri == uri and one.version == version]
        return newest[-1].diagnostics if newest else None

    async def severity():
        nonlocal version
        version += 1
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(SOUND)],
            )
        )
        await client.until(published)
        return [one.severity for one in published() if one.code == "unused-allow"]

    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "psl", version, SOUND))
    )
    assert await severity() == [types.DiagnosticSeverity.Hint]
    configuration.write_text('[severity]\nunused-alow = "hint"\n')
    assert await severity() == [types.DiagnosticSeverity.Warning]
    assert await severity() == [types.DiagnosticSeverity.Warning]
    await client.until(lambda: client.messages)
    assert [message.message.split("psl.toml:")[1] for message in client.messages] == [
        "2:1: unknown diagnostic `unused-alow`; did you mean `unused-allow`?"
    ]
    configuration.unlink()
    assert await severity() == [types.DiagnosticSeverity.Warning]
