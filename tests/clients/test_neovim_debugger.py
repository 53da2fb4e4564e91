"""The configurations for nvim-dap: `psl dap` takes them. nvim-dap itself comes only from GitHub."""

import json
from pathlib import Path

import pytest
from command import with_psl
from debug_client import DebugClient
from neovim import NEW, home_with_plugin, neovim
from paths import PARGEN

SCRIPT = Path(__file__).with_name("nvim_debugger.lua")


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> dict:
    home = home_with_plugin(tmp_path_factory.mktemp("home"))
    run = neovim(NEW, home, PARGEN, "-c", f"luafile {SCRIPT}", path=with_psl(), OUT=str(home / "out.json"))
    assert run.returncode == 0, run.stderr
    return json.loads((home / "out.json").read_text())


def test_the_adapter_is_psl_dap(written):
    assert written["adapter"] == {"type": "executable", "command": "psl", "args": ["dap"]}


@pytest.mark.parametrize("name", ["Run on prompt", "First test"])
def test_a_configuration_stops_on_entry(written, name):
    [found] = [it for it in written["configurations"] if it["name"] == name]
    configuration = {key: value for key, value in found.items() if key not in ("name", "type", "request")}
    assert (found["type"], found["request"]) == ("psl", "launch")
    with DebugClient() as client:
        client.launch(**configuration)
        assert client.event("stopped")["reason"] == "entry"
        assert client.stack()[0]["name"] == "cell 1 (Q)"
        assert client.stack()[0]["source"]["path"] == configuration["program"]
        assert client.ask("source", sourceReference=0)["content"].endswith("# not saved\n")


def test_without_nvim_dap_the_message_says_what_to_install(tmp_path):
    home = home_with_plugin(tmp_path)
    run = neovim(NEW, home, PARGEN, "+lua require('psl.debugger').setup()", "+qall!", path=with_psl())
    assert "psl: the debugger needs the plugin nvim-dap" in run.stderr and "stack traceback" not in run.stderr
