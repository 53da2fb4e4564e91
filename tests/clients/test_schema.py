"""The JSON schema of psl.toml accepts and refuses the same files as psl, in a TOML toolkit."""

import subprocess
from pathlib import Path

import pytest
from npm import NODE, installed
from paths import PSL

pytestmark = pytest.mark.timeout(300)

PROGRAM = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\nwhere symbol[N] == A:\n    symbol[N] = A\n"
ACCEPTED = [
    "",
    'stop = "!"\nmax-file-size = 1024\n',
    "max-file-size = 1073741824\n",
    '[severity]\nnon-causal = "off"\nunused-constant = "error"\nsyntax = "error"\n',
    '[paths]\ninclude = ["programs/"]\nexclude = []\n',
]
REFUSED = [
    "stop = 1\n",
    'stop = "a b"\n',
    'stop = ""\n',
    "max-file-size = 0\n",
    "max-file-size = 1073741825\n",
    'max-file-size = "1"\n',
    'other = "a"\n',
    'severity = "off"\n',
    '[severity]\nnon-casual = "off"\n',
    '[severity]\nnon-causal = "of"\n',
    '[severity]\nsyntax = "off"\n',
    '[paths]\nexclude = "drafts/"\n',
    "[paths]\nexclude = [1]\n",
    "[paths]\nother = []\n",
]


@pytest.fixture(scope="session")
def taplo():
    return installed(Path(__file__).with_name("schema")) / "@taplo/cli/dist/cli.js"


@pytest.fixture(scope="session")
def schema(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("schema") / "psl.json"
    file.write_bytes(subprocess.run([PSL, "schema"], capture_output=True, check=True).stdout)
    return file


@pytest.mark.parametrize("text", ACCEPTED + REFUSED)
def test_the_schema_agrees_with_psl(taplo, schema, tmp_path, text):
    config = tmp_path / "psl.toml"
    config.write_text(text)
    (tmp_path / "a.psl").write_text(PROGRAM)
    check = subprocess.run([PSL, "check", "a.psl"], cwd=tmp_path, capture_output=True, text=True)
    assert check.returncode == (0 if text in ACCEPTED else 2), check.stderr
    lint = subprocess.run(
        [NODE, taplo, "lint", "--schema", schema.as_uri(), "psl.toml"], cwd=tmp_path, capture_output=True, text=True
    )
    assert lint.returncode == (0 if text in ACCEPTED else 1), lint.stderr
