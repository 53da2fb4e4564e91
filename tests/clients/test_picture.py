"""The picture in the README."""

import os
import subprocess

from paths import PSL, ROOT


def test_the_picture_shows_the_current_output(tmp_path):
    environment = os.environ | {"PATH": f"{PSL.parent}:{os.environ['PATH']}"}
    drawn = tmp_path / "session.svg"
    subprocess.run([ROOT / "scripts/picture", drawn], env=environment, check=True)
    assert drawn.read_text() == (ROOT / "docs/images/session.svg").read_text(), "run scripts/picture"
