"""The Visual Studio Code extension packs, as its README says, into a file that holds what it needs."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from paths import ROOT

NODE = Path(sys.executable).parent


@pytest.mark.timeout(600)
def test_the_extension_packs(tmp_path):
    folder = tmp_path / "editors/vscode"
    made = shutil.ignore_patterns("node_modules", "dist", "*.vsix", "LICENSE.txt")
    shutil.copytree(ROOT / "editors/vscode", folder, ignore=made)
    shutil.copytree(ROOT / "grammars/textmate", tmp_path / "grammars/textmate")
    for licence in ROOT.glob("LICENSE*"):
        shutil.copy(licence, tmp_path)
    environment = os.environ | {"PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}"}
    for command in (["npm", "ci"], ["npm", "run", "package"]):
        run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
    [package] = folder.glob("psl-*.vsix")
    with zipfile.ZipFile(package) as vsix:
        manifest = json.loads(vsix.read("extension/package.json"))
        files = set(vsix.namelist())
    assert f"extension/{manifest['main']}" in files
    assert f"extension/{manifest['contributes']['languages'][0]['configuration'].removeprefix('./')}" in files
    assert {f"extension/{grammar['path']}" for grammar in manifest["contributes"]["grammars"]} <= files
    assert "extension/LICENSE.txt" in files
