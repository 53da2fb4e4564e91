"""Random programs give the diagnostics, the layout and the states of the command line.

`CASES=n` tries n programs (default: 40), and `SEED=n` sets the first seed.
"""

import json
import os
import sys

from command import ROOT, command, ended, needs_command

import psl

sys.path.append(str(ROOT / "tests/interop"))

from programs import Case  # noqa: E402


def cases():
    first, count = int(os.environ.get("SEED", 0)), int(os.environ.get("CASES", 40))
    return [Case.of(seed) for seed in range(first, first + count)]


def damaged(case):
    """The text of a program, or one with a piece cut out."""
    text, random = case.program.text(), case.random("damage")
    start = random.randrange(len(text))
    return text if random.random() < 0.3 else text[:start] + text[start + random.randint(1, 12) :]


@needs_command
def test_diagnostics_and_layout(tmp_path):
    files = {}
    for case in cases():
        file = tmp_path / f"{case.seed}.psl"
        file.write_text(damaged(case))
        files[str(file)] = [file.read_text(), []]
    checked = command("check", "--format", "json", "--max-diagnostics", 10**6, tmp_path, status=1)
    for found in map(json.loads, checked.splitlines()):
        files[found["file"]][1].append(found)
    formatted = {}
    for file, (text, expected) in files.items():
        found = psl.check(text)
        assert len(found) == len(expected), file
        for ours, theirs in zip(found, expected):
            assert (ours.severity, ours.code, ours.message) == (theirs["severity"], theirs["code"], theirs["message"]), file
            assert (ours.line, ours.column, ours.help) == (theirs["start"]["line"], theirs["start"]["column"], theirs["help"]), file
        try:
            formatted[file] = psl.fmt(text)
        except psl.ProgramError:
            formatted[file] = text
    ended("fmt", tmp_path)
    for file, text in formatted.items():
        with open(file) as opened:
            assert opened.read() == text, file


@needs_command
def test_states(tmp_path):
    file, trace, compared = tmp_path / "p.psl", tmp_path / "trace.jsonl", 0
    for case in cases():
        file.write_text(case.program.text())
        prompt = " ".join(case.prompt)
        options = ["--prompt", prompt, "--max-new", case.max_new, "--trace", trace]
        output = ended("run", file, *options, "--format", "json")
        try:
            run = psl.load(file).run(prompt, record=True, max_new=case.max_new)
        except psl.RunError as error:
            assert str(error).split(";")[0] in output.stderr, (case.seed, output.stderr)
            continue
        assert run.text == json.loads(output.stdout)["continuation"], case.seed
        for update in map(json.loads, trace.read_text().splitlines()):
            held = run.states[run.index(update["layer"], update["pass"], update["cell"])]
            named = {name: run.values[value] for name, value in zip(run.registers, held) if value >= 0}
            assert named == update["state"], (case.seed, update)
            compared += len(named)
    assert compared > 0
