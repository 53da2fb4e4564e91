"""A session in Neovim, with the plugin installed by the instructions in its README."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from neovim import NEW, home_with_plugin, neovim, with_psl
from paths import PARGEN, PSL, ROOT

pytestmark = pytest.mark.timeout(300)

SESSION = Path(__file__).with_name("nvim_session.lua")
STEPS = re.findall(r"^step\('(.+?)',", SESSION.read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def session(tmp_path_factory) -> subprocess.CompletedProcess:
    home = home_with_plugin(tmp_path_factory.mktemp("home"))
    start = f"autocmd VimEnter * ++nested luafile {SESSION}"
    for program in "layout.psl", "blocks.psl":
        shutil.copy(ROOT / "tests/clients/programs" / program, home)
    return neovim(NEW, home, PARGEN, "-c", start, path=with_psl())


@pytest.mark.parametrize("name", STEPS)
def test_session(session, name):
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


def test_the_session_succeeds(session):
    assert session.returncode == 0


def test_a_missing_binary_is_reported(tmp_path):
    run = neovim(NEW, home_with_plugin(tmp_path), PARGEN, "+qall!", path=str(tmp_path))
    assert "cannot run 'psl'" in run.stderr


def test_the_health_check_suggests_how_to_find_the_binary(tmp_path):
    report = tmp_path / "report"
    arguments = ["+checkhealth psl", f"+write {report}", "+qall!"]
    neovim(NEW, home_with_plugin(tmp_path), PARGEN, *arguments, path=str(tmp_path))
    assert "ERROR cannot run `psl`" in report.read_text() and "put psl on the PATH" in report.read_text()


@pytest.mark.parametrize("block, folder", [(0, PSL.parents[1]), (1, ROOT)], ids=["a package", "source"])
def test_the_instructions_of_the_readme(tmp_path, block, folder):
    readme = (ROOT / "editors/nvim/README.md").read_text()
    commands = readme.split("```sh\n")[block + 1].split("```")[0].splitlines()
    steps = [line for line in commands if not line.startswith("cargo ")]
    assert len(steps) == 3 and steps[2].startswith("nvim ")
    report = tmp_path / "report"
    steps[2] = steps[2].replace("nvim ", f"'{NEW}' --headless -i NONE ") + f" +'write {report}' +qall"
    environment = {"HOME": str(tmp_path), "PATH": with_psl(), "LANG": "C.UTF-8"}
    run = subprocess.run(
        ["bash", "-ec", "\n".join(steps)], env=environment, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert "`psl lsp` answers" in report.read_text() and "ERROR" not in report.read_text()
    program = tmp_path / "a.psl"
    program.touch()
    shown = neovim(NEW, tmp_path, program, "+help psl", "+echo expand('%:t')", "+qall!", path=with_psl())
    assert "psl.txt" in shown.stderr
