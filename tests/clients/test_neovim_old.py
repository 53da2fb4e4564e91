"""A session in Neovim before 0.11, with the plugin installed by the instructions in its README."""

import re
from pathlib import Path

import pytest
from neovim import OLD, home_with_plugin, needs_old, neovim, with_psl
from paths import PARGEN

pytestmark = [pytest.mark.timeout(300), needs_old]

SESSION = Path(__file__).with_name("nvim_old_session.lua")
STEPS = re.findall(r"^step\('(.+?)',", SESSION.read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    home = home_with_plugin(tmp_path_factory.mktemp("home"))
    return neovim(OLD, home, PARGEN, "-c", f"luafile {SESSION}", path=with_psl())


@pytest.mark.parametrize("name", STEPS)
def test_session(session, name):
    assert f"ok {name}" in session.stdout.splitlines(), session.stdout + session.stderr


def test_the_session_succeeds(session):
    assert session.returncode == 0 and "Error" not in session.stderr, session.stderr


def test_a_missing_binary_is_reported(tmp_path):
    run = neovim(OLD, home_with_plugin(tmp_path), PARGEN, "+qall!", path=str(tmp_path))
    assert "cannot run 'psl'" in run.stderr
