"""The page docs/how-to/transformers.md, its programs and its table of sizes, and the checkpoint of the README. `PSL` is the binary."""

import json
import os
import re
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest
from programs import PSL, ROOT

TEXT = (ROOT / "docs/how-to/transformers.md").read_text()

# A block of the page: the directive above it, its language, and its text.
BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (\w+) \| (\d+ \+ \d+) \| (\d+) \| ([\d,]+) \| ([\d.]+ [kMG]B) \| (\d+) \|$", re.MULTILINE)
LINE = re.compile(
    r": (.*?), (\d+) blocks, (\d+) parameters, (\d+) tokens? a symbol; prompts of at most (\d+) symbols, continuations of at most (\d+) symbols(?:, repeat blocks of at most \d+ passes?)?\n"
)

# Runs programs one after another with the same names, and prints their outputs as JSON.
SESSION = """\
import contextlib, io, json, sys
names, outputs = {}, []
for program in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(program, names)
    outputs.append(output.getvalue())
print(json.dumps(outputs))
"""


def compile_in(folder, options):
    """Writes a checkpoint to a folder, and returns the compiler's report."""
    command = [PSL, "compile", *options.split()]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stderr


def programs():
    """The programs of the page, each with the output that the page shows, or `None`."""
    found = []
    for directive, language, text in BLOCK.findall(TEXT):
        if language == "python":
            found.append([text, None])
        elif directive == "prints":
            found[-1][1] = text
    return found


@pytest.mark.timeout(300)
def test_the_program_of_the_readme_repeats_what_followed(tmp_path):
    readme = (ROOT / "README.md").read_text()
    for command in re.findall(r"^psl (new .*?|compile .*? --emit hf .*?) +#", readme, re.MULTILINE):
        subprocess.run([PSL, *command.split()], cwd=tmp_path, check=True, timeout=100)
    [program] = [text for _, language, text in BLOCK.findall(readme) if language == "python" and "transformers" in text]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, " one two three . one two three .\n"), done.stderr


@pytest.mark.timeout(300)
def test_the_programs_of_the_page_print_what_it_shows(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    compile_in(tmp_path, "examples/induction.psl --emit hf -o induction")
    found = programs()
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    texts = json.dumps([text for text, _ in found])
    done = subprocess.run(
        [sys.executable, "-c", SESSION], cwd=tmp_path, env=environment, input=texts, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout.splitlines()[-1])
    shown = [expected if expected is not None else "" for _, expected in found]
    assert outputs == shown


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("program", "length", "blocks", "parameters", "size", "tokens"),
    [pytest.param(*row, id=row[0]) for row in ROW.findall(TEXT)],
)
def test_the_sizes_are_those_of_the_compiler(program, length, blocks, parameters, size, tokens):
    # pytest would keep the files, which are large.
    with TemporaryDirectory() as folder:
        report = compile_in(folder, f"{ROOT}/examples/{program}.psl --emit hf -o {program}")
    measured = LINE.search(report)
    assert measured, report
    prompt, new = length.split(" + ")
    assert measured.groups() == (size, blocks, parameters.replace(",", ""), tokens, prompt, new)


def test_the_table_has_the_examples_with_a_checkpoint():
    without = {"addition", "pargen", "subleq", "turing"}
    examples = {file.stem for file in (ROOT / "examples").glob("*.psl")}
    assert {row[0] for row in ROW.findall(TEXT)} == examples - without
