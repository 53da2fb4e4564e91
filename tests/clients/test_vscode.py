"""The Visual Studio Code extension can be packed by the instructions in its README, with all its files."""

import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from command import execute
from paths import ROOT
from test_vscode_manifest import texts

NODE = Path(sys.executable).parent
# A file name in the manifest.
FILE = re.compile(r"[\w./-]+\.(?:js|json|md|png|svg)")


@pytest.mark.timeout(600)
def test_the_extension_packs(tmp_path):
    folder = tmp_path / "editors/vscode"
    made = shutil.ignore_patterns("node_modules", "dist", "*.vsix", "LICENSE.txt")
    shutil.copytree(ROOT / "editors/vscode", folder, ignore=made)
    shutil.copytree(ROOT / "grammars/textmate", tmp_path / "grammars/textmate")
    for license in ROOT.glob("LICENSE*"):
        shutil.copy(license, tmp_path)
    environment = os.environ | {"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}"}
    for command in (["npm", "ci"], ["npm", "run", "package"]):
        run = execute(*command, cwd=folder, env=environment)
    [package] = folder.glob("psl-*.vsix")
    assert "WARN" not in run.stdout + run.stderr
    with zipfile.ZipFile(package) as vsix:
        manifest = json.loads(vsix.read("extension/package.json"))
        files = set(vsix.namelist())
        readme = vsix.read("extension/readme.md").decode()
    named = {text.removeprefix("./") for text in texts(manifest["contributes"]) if FILE.fullmatch(text)}
    assert {"dist/psl.tmLanguage.json", "icons/file-dark.svg", "media/open.md", "snippets/psl.json"} <= named
    assert {f"extension/{name}" for name in named | {manifest["main"], manifest["icon"]}} <= files
    assert {"extension/LICENSE.txt", "extension/changelog.md"} <= files
    # Local images do not work on the page of an installed extension.
    assert "## Settings" in readme and "](images/" not in readme
