"""Packages of npm, put into .tools as a lock file lists them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from paths import ROOT

NODE = Path(sys.executable).with_name("node")


def installed(listed: Path) -> Path:
    """Installs what the lock file in a folder lists, unless these very packages are there, and says where."""
    tools = ROOT / ".tools" / listed.name
    lock, wanted = tools / "node_modules/package-lock.json", listed / "package-lock.json"
    if not lock.exists() or lock.read_bytes() != wanted.read_bytes():
        shutil.copytree(listed, tools, dirs_exist_ok=True)
        environment = os.environ | {"PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
        run = subprocess.run(["npm", "ci"], cwd=tools, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr
        shutil.copy(wanted, lock)
    return tools / "node_modules"
