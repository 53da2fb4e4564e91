"""Sessions in Neovim and in a version before 0.11, with the plugin installed by the instructions in its README."""

import re
import shutil
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess
from tempfile import TemporaryDirectory

import pytest
from command import execute, with_psl
from neovim import NEW, OLD, both, home_with_plugin, needs_old, neovim
from paths import PARGEN, PROGRAMS, PSL, ROOT

pytestmark = pytest.mark.timeout(300)

TYPED = [
    "# a small program",
    "registers: {symbol: 's', position: 'p', eop: 'z', key: 'k', answer: 'w'}",
    "constants: {A, B, EOP, END: '.'}",
    "system: {symbol: symbol, position: position, output: answer, eop: eop}",
    "causal_attn: true",
    "//@ allow non-causal",
    "repeat:",
    "where symbol[n] == symbol[N] and eop[N] == EOP:",
    "symbol[N] = END",
    "answer[N] = symbol[n]",
    "until NO_CHANGE",
    "where key[n] == symbol[N]:",
    "answer[N] = A",
    '//@ test "a . a" => "."',
]

SESSIONS = {NEW: Path(__file__).with_name("nvim_session.lua"), OLD: Path(__file__).with_name("nvim_old_session.lua")}
STEPS = [
    pytest.param(nvim, name, marks=needs_old if nvim == OLD else [], id=f"{name}-{'old' if nvim == OLD else 'new'}")
    for nvim, session in SESSIONS.items()
    for name in re.findall(r"^step\('(.+?)',", session.read_text(), re.MULTILINE)
]


@cache
def session(nvim: Path) -> CompletedProcess:
    with TemporaryDirectory() as folder:
        home = home_with_plugin(Path(folder))
        for program in "layout.psl", "blocks.psl":
            shutil.copy(PROGRAMS / program, home)
        start = f"autocmd VimEnter * ++nested luafile {SESSIONS[nvim]}"
        return neovim(nvim, home, PARGEN, "-c", start, path=with_psl())


@pytest.mark.parametrize(("nvim", "name"), STEPS)
def test_session(nvim, name):
    assert f"ok {name}" in session(nvim).stdout.splitlines(), session(nvim).stdout + session(nvim).stderr


@both
def test_the_session_succeeds(nvim):
    run = session(nvim)
    # The newer version reports every message of an autocommand as an error.
    assert run.returncode == 0 and (nvim == NEW or "Error" not in run.stderr), run.stderr


@both
def test_a_missing_binary_is_reported(nvim, tmp_path):
    run = neovim(nvim, home_with_plugin(tmp_path), PARGEN, "+qall!", path=str(tmp_path))
    assert "cannot run 'psl'" in run.stderr


def test_the_health_check_suggests_how_to_find_the_binary(tmp_path):
    report = tmp_path / "report"
    arguments = ["+checkhealth psl", f"+write {report}", "+qall!"]
    neovim(NEW, home_with_plugin(tmp_path), PARGEN, *arguments, path=str(tmp_path))
    assert "ERROR cannot run `psl`" in report.read_text() and "put psl on the PATH" in report.read_text()


def test_the_health_check_tells_how_to_read_messages(tmp_path):
    report = tmp_path / "report"
    check = ["+checkhealth psl", f"+write! {report}"]
    neovim(NEW, home_with_plugin(tmp_path), PARGEN, *check, "+qall!", path=with_psl())
    assert "CTRL-W d" in report.read_text()
    shown = "+lua vim.diagnostic.config({ virtual_text = true })"
    neovim(NEW, tmp_path, PARGEN, shown, *check, "+qall!", path=with_psl())
    assert "CTRL-W d" not in report.read_text()


def test_enter_ends_each_line_while_completion_is_automatic(tmp_path):
    home, lines = home_with_plugin(tmp_path), tmp_path / "lines"
    program, settings = home / "typed.psl", home / "init.lua"
    program.touch()
    lines.write_text("\n".join(TYPED))
    settings.write_text((ROOT / "editors/nvim/README.md").read_text().split("```lua\n")[1].split("```")[0])
    start = ["-u", settings, "-c", f"autocmd VimEnter * ++nested luafile {Path(__file__).with_name('nvim_typing.lua')}"]
    session = neovim(NEW, home, program, *start, path=with_psl(), LINES=str(lines))
    assert [line.strip() for line in program.read_text().splitlines() if line.strip()] == TYPED, session.stderr
    assert int(session.stdout.split(" listed")[0]) >= 3


@pytest.mark.parametrize("block, folder", [(0, PSL.parents[1]), (1, ROOT)], ids=["a package", "source"])
def test_the_instructions_of_the_readme(tmp_path, block, folder):
    readme = (ROOT / "editors/nvim/README.md").read_text()
    commands = readme.split("```sh\n")[block + 1].split("```")[0].splitlines()
    steps = [line for line in commands if not line.startswith("cargo ")]
    assert len(steps) == 3 and steps[2].startswith("nvim ")
    report = tmp_path / "report"
    steps[2] = steps[2].replace("nvim ", f"'{NEW}' --headless -i NONE ") + f" +'write {report}' +qall"
    environment = {"HOME": str(tmp_path), "PATH": with_psl(), "LANG": "C.UTF-8"}
    execute("bash", "-ec", "\n".join(steps), env=environment, cwd=folder, stdin=DEVNULL)
    assert "`psl lsp` answers" in report.read_text() and "ERROR" not in report.read_text()
    program = tmp_path / "a.psl"
    program.touch()
    shown = neovim(NEW, tmp_path, program, "+help psl", "+echo expand('%:t')", "+qall!", path=with_psl())
    assert "psl.txt" in shown.stderr
