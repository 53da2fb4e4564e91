"""The page about Ray: its commands, its table by `psl eval`, and a worker that is killed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/how-to/ray.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "python/examples"
# Workers of Ray are nice, and a machine with other work would hardly run them.
ENVIRONMENT = os.environ | {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYTHONPATH": str(EXAMPLES),
    "RAY_worker_niceness": "0",
}

# The first worker that gets as far dies in the middle of a block.
KILLED = """
import json, os, signal, sys
import ray
from ray_eval import Scorer, score

class Killed(Scorer):
    scored = 0

    def is_correct(self, prompt, gold):
        self.scored += 1
        if self.scored == 1_500:
            try:
                os.close(os.open("killed", os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                pass
        return super().is_correct(prompt, gold)

ray.init(num_cpus=3)
with open("scores.json", "w") as file:
    json.dump(score("pargen.psl", "parquet", 2, Killed), file)
"""


def block(language: str) -> str:
    """The block of the page in a language."""
    return PAGE.split(f"```{language}\n")[1].split("```")[0]


def run(folder: Path, *command) -> str:
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def psl_eval(folder: Path, program: str, *options: str) -> dict[str, tuple[int, int]]:
    """The total and the number of correct lines of each split."""
    files = sorted(folder.glob("*.jsonl"))
    command = ["psl", "eval", program, *files, "--format", "json", "--show", "none", *options]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    scores = map(json.loads, done.stdout.splitlines())
    return {Path(score["data"]).stem: (score["total"], score["correct"]) for score in scores}


def test_the_page_shows_the_example():
    assert block("python") == (EXAMPLES / "ray_eval.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder in which the commands of the page ran."""
    folder = tmp_path_factory.mktemp("ray")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "python").symlink_to(ROOT / "python")
    scores = run(folder, "bash", "-ec", block("text"))
    (folder / "scores").write_text(scores)
    return folder


def test_the_commands_of_the_page_print_the_numbers_of_psl_eval(folder):
    scores = map(json.loads, (folder / "scores").read_text().splitlines())
    found = {Path(score["data"]).stem: (score["total"], score["correct"]) for score in scores}
    assert len(found) == 12 and found == psl_eval(folder, "examples/pargen.psl")
    rows = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| `")]
    assert {split.strip(" `"): (10_000, int(correct.replace(",", ""))) for split, correct in rows} == found


def test_a_killed_worker_is_survived(folder, tmp_path):
    (tmp_path / "parquet").symlink_to(folder / "parquet")
    program = (ROOT / "examples/pargen.psl").read_text(encoding="utf-8")
    # Without P5c, some answers are wrong, in each split another number.
    p5c = "region[n] == CQ and region[N] == XA and symbol[n] == symbol[N]"
    assert p5c in program
    (tmp_path / "pargen.psl").write_text(program.replace(p5c, p5c.replace("XA", "CA")))
    run(tmp_path, sys.executable, "-c", KILLED)
    scored = json.loads((tmp_path / "scores.json").read_text())
    assert (tmp_path / "killed").exists()
    found = {Path(path).stem: (counts["total"], counts["correct"]) for path, counts in scored.items()}
    expected = psl_eval(folder, str(tmp_path / "pargen.psl"))
    assert found == expected and len(set(expected.values())) > 1
