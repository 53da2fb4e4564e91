"""The wheel of `dist`, installed with pip, uv and pre-commit as users do, and a build from the clone."""

import os
import subprocess
import sys
import time
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
SWAP, SWAPPED = "Q B V D E A D E V B . Q F G H V K L A", "K L V F G H ."
RUN = f"import psl; print(psl.load({str(ROOT / 'examples/pargen.psl')!r}).run({SWAP!r}, record=True).states.ndim)"


@pytest.fixture(scope="module")
def wheel() -> Path:
    found = list((ROOT / "dist").glob("*.whl"))
    assert len(found) == 1, "scripts/package builds the wheel"
    return found[0]


def run(*command, code: int = 0, **options) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path) -> Path:
    """The folder of programs of a new environment."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin"


def check_installed(tools: Path):
    """Checks the module and the command in an environment."""
    assert run(tools / "python", "-c", RUN) == "3\n"
    version = run(tools / "psl", "--version")
    assert version == run(tools / "python", "-m", "psl", "--version") and version.startswith("psl ")
    assert run(tools / "python", "-m", "psl", "run", "--prompt", SWAP) == SWAPPED + "\n"
    run(tools / "python", "-m", "psl", "check", "none.psl", code=2)
    run(tools / "python", "-I", "-c", "from psl.__main__ import command; assert command()")


def test_the_index_shows_where_the_package_comes_from(wheel):
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(files.read(name))
    assert metadata["Author"] == "PSL tools developers" and metadata["License-Expression"] == "MIT OR Apache-2.0"
    links = dict(link.split(", ") for link in metadata.get_all("Project-URL"))
    assert links.keys() == {"Homepage", "Repository", "Issues", "Changelog"}
    assert all(link.startswith(links["Homepage"]) for link in links.values())
    assert "Programming Language :: Rust" in metadata.get_all("Classifier") and "transformer" in metadata["Keywords"]


def test_pip_installs_the_wheel_within_ten_seconds(wheel, tmp_path):
    tools = environment(tmp_path / "new")
    start = time.monotonic()
    run(tools / "pip", "install", "--disable-pip-version-check", wheel)
    assert run(tools / "python", "-c", RUN) == "3\n"
    seconds = time.monotonic() - start
    check_installed(tools)
    packages = {line.partition("==")[0] for line in run(tools / "pip", "list", "--format=freeze").splitlines()}
    assert packages - {"pip", "setuptools"} == {"numpy", "psl-lang"}
    assert seconds < 10, f"{seconds:.1f} s"
    run(tools / "pip", "uninstall", "--yes", "psl-lang")
    assert not (tools / "psl").exists()


def test_the_import_takes_at_most_50_milliseconds(wheel, tmp_path):
    tools = environment(tmp_path / "new")
    run(tools / "pip", "install", "--disable-pip-version-check", wheel)
    timed = "import time; start = time.perf_counter(); import psl; print(time.perf_counter() - start)"
    assert min(float(run(tools / "python", "-c", timed)) for _ in range(10)) < 0.05


def test_the_instructions_for_a_release(wheel, tmp_path):
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    steps = page.split("## Python")[1].split("```sh\n")[1].split("```")[0]
    tools = environment(tmp_path / "new")
    # Of the tools of the tests, only uvx.
    (tools / "uvx").symlink_to(TOOLS / "uvx")
    path = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(tmp_path), "UV_PYTHON": sys.executable}
    printed = run("bash", "-ec", steps, cwd=wheel.parent, env=os.environ | path)
    assert "\npsl 0." in printed and "Usage: psl" in printed
    check_installed(tools)


def test_pre_commit_installs_the_command(wheel, tmp_path):
    page = (ROOT / "docs/how-to/ci.md").read_text(encoding="utf-8")
    config = page.split("<!-- file with-wheel.yaml -->\n```yaml\n")[1].split("```")[0]
    assert "/path/to/psl_lang.whl" in config
    (tmp_path / ".pre-commit-config.yaml").write_text(config.replace("/path/to/psl_lang.whl", str(wheel)))
    (tmp_path / "broken.psl").write_text("where")
    # Without a psl on the PATH.
    hooks = {"PATH": f"{TOOLS}:/usr/bin:/bin", "HOME": str(tmp_path), "PRE_COMMIT_HOME": str(tmp_path / "home")}
    run("git", "init", "-q", cwd=tmp_path)
    run("git", "add", "-A", cwd=tmp_path)
    assert "broken.psl:1:1" in run(TOOLS / "pre-commit", "run", "--all-files", code=1, cwd=tmp_path, env=hooks)
    (tmp_path / "broken.psl").write_text((ROOT / "examples/pargen.psl").read_text())
    run(TOOLS / "pre-commit", "run", "--all-files", cwd=tmp_path, env=hooks)


# A build for the tests is faster than one for users.
def test_pip_builds_the_clone(tmp_path):
    tools = environment(tmp_path / "new")
    run(tools / "pip", "install", "--disable-pip-version-check", "--config-settings", "profile=dev", ROOT / "python")
    check_installed(tools)
