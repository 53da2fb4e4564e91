"""The server reads the psl.toml of a folder."""

from editor import Editor
from lsprotocol import types

SOUND = """//@ allow syntax
registers: {symbol: 's', position: 'p'}
constants: {A}
where symbol[N] == A:
    symbol[N] = A
"""


def test_severities_come_from_the_configuration_and_an_error_in_it_is_reported_once(client, tmp_path):
    configuration = tmp_path / "psl.toml"
    configuration.write_text('[severity]\nunused-allow = "hint"\n')
    editor = Editor(client, SOUND, (tmp_path / "a.psl").as_uri())

    def severity():
        editor.replace_all(SOUND)
        return [one.severity for one in editor.diagnostics(until=bool) if one.code == "unused-allow"]

    assert severity() == [types.DiagnosticSeverity.Hint]
    configuration.write_text('[severity]\nunused-alow = "hint"\n')
    assert severity() == [types.DiagnosticSeverity.Warning]
    assert severity() == [types.DiagnosticSeverity.Warning]
    client.until(lambda: client.messages)
    assert [message.message.split("psl.toml:")[1] for message in client.messages] == [
        "2:1: unknown diagnostic `unused-alow`; did you mean `unused-allow`?"
    ]
    configuration.unlink()
    assert severity() == [types.DiagnosticSeverity.Warning]
