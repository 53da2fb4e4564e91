"""The manifest of the Visual Studio Code extension: everything it refers to exists."""

import json
import re

import pytest
from paths import ROOT

FOLDER = ROOT / "editors/vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
CONTRIBUTES = MANIFEST["contributes"]
COMMANDS = {command["command"]: command for command in CONTRIBUTES["commands"]}
VIEWS = {view["id"] for views in CONTRIBUTES["views"].values() for view in views}
STEPS = [step for walkthrough in CONTRIBUTES["walkthroughs"] for step in walkthrough["steps"]]
CONFIGURATION = CONTRIBUTES["configuration"]
SECTIONS = CONFIGURATION if isinstance(CONFIGURATION, list) else [CONFIGURATION]
SETTINGS = {name: setting for section in SECTIONS for name, setting in section["properties"].items()}
# The commands of Visual Studio Code that links use.
BUILT_IN = {"workbench.actions.view.problems", "workbench.view.testing.focus"}


def texts(value) -> list[str]:
    """All strings in a value."""
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    if isinstance(value, list):
        return [text for part in value for text in texts(part)]
    return [value] if isinstance(value, str) else []


def test_every_command_in_menus_keys_and_links_exists():
    menus = [item["command"] for items in CONTRIBUTES["menus"].values() for item in items if "command" in item]
    keys = [binding["command"] for binding in CONTRIBUTES["keybindings"]]
    links = [link for text in texts(CONTRIBUTES) for link in re.findall(r"\(command:([\w.]+)", text)]
    events = [event.removeprefix("onCommand:") for step in STEPS for event in step.get("completionEvents", [])]
    offered = set(menus + keys + links + events)
    assert len(links) >= 3 and len(events) >= 3
    assert offered <= COMMANDS.keys() | BUILT_IN


def test_every_command_has_a_title_and_runs():
    sources = "\n".join(path.read_text() for path in (FOLDER / "src").glob("*.ts"))
    for name, command in COMMANDS.items():
        assert command["category"] == "PSL" and command["title"][0].isupper()
        assert f"'{name}'" in sources


def test_conditions_refer_to_existing_views_and_languages():
    conditions = " ".join(text for text in texts(CONTRIBUTES) if "==" in text)
    assert set(re.findall(r"\bview == ([\w.]+)", conditions)) <= VIEWS
    assert set(re.findall(r"\b(?:editor|resource)LangId == ([\w.]+)", conditions)) == {CONTRIBUTES["languages"][0]["id"]}


def test_keys_are_unique():
    keys = [(binding["key"], binding.get("when")) for binding in CONTRIBUTES["keybindings"]]
    assert len(keys) == len(set(keys))


def test_keys_do_not_clash_with_the_test_explorer():
    """The Test Explorer uses the same first key."""
    theirs = set("acdeflmo")
    ours = [binding["key"].split() for binding in CONTRIBUTES["keybindings"]]
    assert not [second for first, second in ours if first == "ctrl+;" and second in theirs]


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_has_a_description_and_a_default(name):
    setting = SETTINGS[name]
    description = setting.get("description") or setting["markdownDescription"]
    assert name.startswith("psl.") and description.endswith(".")
    kinds = {"string": str, "boolean": bool, "object": dict}
    assert isinstance(setting["default"], kinds[setting["type"]])
    assert len(setting.get("enumDescriptions", [])) in (0, len(setting.get("enum", [])))


def test_every_step_of_the_walkthrough_has_a_page():
    assert len(STEPS) == 9
    shown = [step["media"]["markdown"] for step in STEPS]
    assert sorted(FOLDER / path for path in shown) == sorted((FOLDER / "media").glob("*.md"))


def test_the_readme_shows_every_image():
    shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", (FOLDER / "README.md").read_text())
    assert len(shown) >= 3
    assert sorted(FOLDER / path for path in shown) == sorted((FOLDER / "images").glob("*"))


def rows(heading: str) -> list[str]:
    """The names in the first column of the table below a heading of the README."""
    section = (FOLDER / "README.md").read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` ", section, re.M)


def test_the_readme_lists_every_setting():
    assert rows("Settings") == list(SETTINGS)


def test_the_readme_lists_every_command_in_the_palette():
    hidden = {item["command"] for item in CONTRIBUTES["menus"]["commandPalette"] if item["when"] == "false"}
    palette = [f"{command['category']}: {command['title']}" for name, command in COMMANDS.items() if name not in hidden]
    assert rows("Commands") == palette
