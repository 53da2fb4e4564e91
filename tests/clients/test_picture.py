"""The picture in the README."""

import os

from command import execute, with_psl
from paths import ROOT


def test_the_picture_shows_the_current_output(tmp_path):
    drawn = tmp_path / "session.svg"
    execute(ROOT / "scripts/picture", drawn, env=os.environ | {"PATH": with_psl()})
    assert drawn.read_text() == (ROOT / "docs/images/session.svg").read_text(), "run scripts/picture"
