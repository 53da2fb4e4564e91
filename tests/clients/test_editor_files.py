"""The files for Helix and Zed, compared with the documentation of these editors and with this repository.

No registry of this project's tests has the editors: `psl dap` is started with what they would send.
"""

import json
import tomllib

import jsonschema
import pytest
from debug_client import DebugClient
from paths import PARGEN, ROOT

HELIX = ROOT / "editors/helix"
ZED = ROOT / "editors/zed"

# From "Languages" in Helix's book, and from "Language Extensions" and "Developing Extensions" in Zed's documentation.
HELIX_KEYS = {
    "language": """name language-id scope injection-regex file-types shebangs roots auto-format diagnostic-severity
        comment-tokens block-comment-tokens indent language-servers grammar formatter soft-wrap text-width rulers
        path-completion word-completion workspace-lsp-roots persistent-diagnostic-sources debugger""",
    "debugger": "name transport command args port-arg quirks templates",
    "template": "name request completion args",
    "language-server": "command args config timeout environment required-root-patterns",
    "grammar": "name source",
}
ZED_KEYS = {
    "extension": """id name version schema_version authors description repository grammars language_servers
        debug_adapters""",
    "debug_adapter": "schema_path",
    "grammar": "repository rev commit path",
    "language_server": "name language languages language_ids",
    "language": """name grammar path_suffixes line_comments block_comment tab_size hard_tabs first_line_pattern
        autoclose_before brackets word_characters""",
}


def read(path) -> dict:
    return tomllib.loads(path.read_text())


def holds(table: dict, known: str):
    assert table and table.keys() <= set(known.split())


def test_helix_supports_every_key():
    settings = read(HELIX / "languages.toml")
    assert settings.keys() == {"language", "language-server", "grammar"}
    (language,), (grammar,) = settings["language"], settings["grammar"]
    holds(language, HELIX_KEYS["language"])
    holds(settings["language-server"]["psl"], HELIX_KEYS["language-server"])
    holds(grammar, HELIX_KEYS["grammar"])
    assert language["language-servers"] == list(settings["language-server"])
    assert language["name"] == grammar["name"] == "psl"


def test_helix_supports_every_key_of_the_debugger():
    (language,) = read(HELIX / "languages.toml")["language"]
    holds(language["debugger"], HELIX_KEYS["debugger"])
    for template in language["debugger"]["templates"]:
        holds(template, HELIX_KEYS["template"])
        asked = [value for value in template["args"].values() if value is not True]
        assert asked == [f"{{{index}}}" for index, _ in enumerate(template["completion"])]


def stops_on_entry(configuration: dict):
    with DebugClient() as client:
        client.launch(**configuration)
        assert client.event("stopped")["reason"] == "entry"
        assert client.stack()[0]["source"]["path"] == str(PARGEN)


@pytest.mark.parametrize(("name", "second"), [("prompt", "Q a A a . Q b A"), ("test", "swap")])
def test_the_adapter_takes_a_template_of_helix(name, second):
    (language,) = read(HELIX / "languages.toml")["language"]
    [template] = [it for it in language["debugger"]["templates"] if it["name"] == name]
    given = {"{0}": str(PARGEN), "{1}": second}
    stops_on_entry({key: given.get(value, value) for key, value in template["args"].items()})


def test_helix_finds_the_grammar_and_the_queries():
    (grammar,) = read(HELIX / "languages.toml")["grammar"]
    folder = grammar["source"]["path"].removeprefix("/path/to/this/repository/")
    assert (ROOT / folder / "src/parser.c").exists()
    assert (HELIX / "queries/highlights.scm").exists()


def test_zed_supports_every_key():
    extension = read(ZED / "extension.toml")
    holds(extension, ZED_KEYS["extension"])
    holds(extension["grammars"]["psl"], ZED_KEYS["grammar"])
    holds(extension["language_servers"]["psl"], ZED_KEYS["language_server"])
    holds(extension["debug_adapters"]["psl"], ZED_KEYS["debug_adapter"])
    language = read(ZED / "languages/psl/config.toml")
    holds(language, ZED_KEYS["language"])
    assert language["grammar"] in extension["grammars"]
    assert extension["language_servers"]["psl"]["languages"] == [language["name"]]


def test_zed_finds_the_grammar_the_queries_and_the_server():
    folder = read(ZED / "extension.toml")["grammars"]["psl"]["path"]
    assert (ROOT / folder / "src/parser.c").exists()
    assert (ZED / "languages/psl/highlights.scm").exists()
    crate = read(ZED / "Cargo.toml")
    assert crate["lib"]["crate-type"] == ["cdylib"] and "zed_extension_api" in crate["dependencies"]
    assert (ZED / "src/lib.rs").exists()


def configurations() -> list[dict]:
    """The configurations in the page about Zed, without the fields that Zed removes."""
    text = (ZED / "README.md").read_text().split("```json\n")[1].split("```")[0]
    found = json.loads(text)
    assert found and all(it.pop("adapter") == "psl" and it.pop("label") for it in found)
    return found


def test_zed_checks_the_configurations_of_the_readme():
    schema = json.loads((ZED / read(ZED / "extension.toml")["debug_adapters"]["psl"]["schema_path"]).read_text())
    for configuration in configurations():
        jsonschema.validate(configuration, schema | {"additionalProperties": False})


def test_the_adapter_takes_the_configurations_of_zed():
    for configuration in configurations():
        stops_on_entry(configuration | {"program": configuration["program"].replace("$ZED_FILE", str(PARGEN))})
