"""The JSON schema of psl.toml accepts and refuses the same files as psl, in a TOML toolkit."""

import re
from pathlib import Path

import pytest
from command import execute, psl
from npm import NODE, installed

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


@pytest.fixture(scope="module")
def refused(tmp_path_factory) -> set[str]:
    """The texts that the schema refuses. One process checks them all: each would take a second to start."""
    folder = tmp_path_factory.mktemp("schema")
    schema = folder / "psl.json"
    schema.write_text(psl("schema").stdout)
    files = {f"{number}.toml": text for number, text in enumerate(ACCEPTED + REFUSED)}
    for name, text in files.items():
        (folder / name).write_text(text)
    taplo = installed(Path(__file__).with_name("schema")) / "@taplo/cli/dist/cli.js"
    lint = execute(NODE, taplo, "lint", "--schema", schema.as_uri(), *files, code=1, cwd=folder)
    assert f"found files total={len(files)} excluded=0" in lint.stderr, lint.stderr
    invalid = re.findall(r'invalid file error=schema validation failed path="(.*)"', lint.stderr)
    assert len(invalid) == lint.stderr.count("invalid file"), lint.stderr
    return {files[Path(path).name] for path in invalid}


@pytest.mark.parametrize("text", ACCEPTED + REFUSED)
def test_the_schema_agrees_with_psl(refused, tmp_path, text):
    (tmp_path / "psl.toml").write_text(text)
    (tmp_path / "a.psl").write_text(PROGRAM)
    psl("check", "a.psl", code=0 if text in ACCEPTED else 2, cwd=tmp_path)
    assert (text in refused) == (text in REFUSED)
