"""The examples as checkpoints, and what psl's own machine does with prompts."""

import json
import os
import random
import subprocess
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PSL = Path(os.environ.get("PSL") or next(ROOT.glob("dist/psl-*/psl"), ROOT / "target/debug/psl")).resolve()
CASES = int(os.environ.get("CASES", 20))
SEED = int(os.environ.get("SEED", 0))

# The examples that have a checkpoint, with smaller lengths for one that takes long. The one of `pargen` would have 3.7 GB.
EXAMPLES = {
    "double_histogram": {},
    "dyck1": {},
    "dyck2": {},
    "histogram": {},
    "induction": {},
    "most_frequent": {},
    "nested_evaluation": {"max-prompt": 27, "max-new": 24},
    "pargen_kshot": {},
    "parity": {},
    "parity_log": {},
    "reverse": {},
    "scan": {},
    "sort": {},
}
# The examples with a test whose continuation has more than 4 symbols.
LONG = ["double_histogram", "dyck1", "dyck2", "histogram", "nested_evaluation", "pargen_kshot", "reverse", "scan", "sort"]
REFUSED = ["addition", "subleq", "turing"]
# The examples whose checkpoint is exact in half precision too.
HALF = {
    "bfloat16": ["dyck1", "induction", "parity", "reverse", "scan"],
    "float16": ["dyck1", "dyck2", "induction", "nested_evaluation", "parity", "parity_log", "reverse", "scan"],
}

# A continuation with the token that ended it early, if one did.
Completion = namedtuple("Completion", "text end")


def psl(*arguments, stdin=None, codes=(0,)):
    """Runs a command of psl. Returns its output."""
    done = subprocess.run([PSL, *map(str, arguments)], capture_output=True, text=True, input=stdin)
    assert done.returncode in codes, done.stderr
    return done.stdout


def objects(lines):
    return [json.loads(line) for line in lines.splitlines() if line.startswith("{")]


class Program:
    """An example with its checkpoint, in a folder."""

    def __init__(self, name, folder, options={}):
        self.name, self.folder = name, Path(folder)
        self.source = ROOT / "examples" / f"{name}.psl"
        self.checkpoint = self.folder / "checkpoint"
        arguments = [part for option, value in {**EXAMPLES[name], **options}.items() for part in (f"--{option}", value)]
        psl("compile", self.source, "--emit", "hf", "-o", self.checkpoint, *arguments)
        self.meaning = json.loads((self.checkpoint / "psl.json").read_text())
        self.symbols, self.ends = self.meaning["symbols"], self.meaning["ends"]
        self.max_prompt, self.max_new = self.meaning["max_prompt"], self.meaning["max_new"]
        self.passes, self.positions = self.meaning["passes"], self.meaning["positions"]
        self.tokens_per_cell = len(self.meaning["cell"])

    def tests(self):
        """The prompts of the program's tests that the checkpoint is built for, with their continuations."""
        # A law takes any symbols, and the checkpoint has those of the tests.
        tests = [it for it in objects(psl("test", self.source, "--format", "json")) if it.get("kind") != "law"]
        return {it["prompt"]: it["gold"] for it in tests if len(it["prompt"].split()) <= self.max_prompt}

    def random_prompts(self, count=CASES):
        """Random prompts: half of them random symbols, the others tests with a few symbols changed."""
        chance = random.Random(f"{self.name} {SEED}")
        tests = [prompt.split() for prompt in self.tests()]

        def of_symbols():
            return chance.choices(self.symbols, k=chance.randint(1, self.max_prompt))

        def of_test():
            prompt = list(chance.choice(tests))
            for _ in range(chance.randint(1, 3)):
                place = chance.randrange(len(prompt) + 1)
                prompt[place : place + chance.randint(0, 1)] = chance.choices(self.symbols, k=chance.randint(0, 1))
            return prompt[: self.max_prompt] or of_symbols()

        return [" ".join(of_test() if case % 2 else of_symbols()) for case in range(count)]

    def prompts(self):
        return [*self.tests(), *self.random_prompts()]

    def shortest(self, count):
        """The tests with the shortest prompts."""
        return sorted(self.tests(), key=lambda prompt: len(prompt.split()))[:count]

    def weights(self, positions):
        """The weights of the program with the positions 0 to `positions`."""
        file = self.folder / f"weights-{positions}.safetensors"
        if not file.exists():
            vocabulary = self.folder / "vocabulary"
            vocabulary.write_text(" ".join(self.symbols))
            options = ["--emit", "weights", "--sparse", "--positions", positions, "--vocabulary", vocabulary]
            psl("compile", self.source, *options, "-o", file)
        return file

    def run(self, prompts, *options, max_new=None):
        """Completes prompts on psl's own machine. Returns its objects."""
        standard = ["--format", "json", "--max-new", max_new or self.max_new, "--stop", self.meaning["stop"]]
        command = ["run", self.weights(self.positions), *standard, *options]
        done = objects(psl(*command, stdin="".join(f"{prompt}\n" for prompt in prompts), codes=(0, 1)))
        assert [it["prompt"] for it in done] == prompts
        return done

    def expected(self, prompts, *options, max_new=None):
        """The completions that the checkpoint must give, except where a value leaves the range of positions."""
        limited = self.run(prompts, "--max-passes", self.passes, *options, max_new=max_new)
        free = self.run(prompts, *options, max_new=max_new)

        def of(limited, free):
            if "error" not in limited:
                return Completion(limited["continuation"], None)
            assert "repeat block" in limited["error"], limited
            return Completion(free.get("continuation"), "[more-passes-needed]")

        return list(map(of, limited, free))

    def trace(self, prompt, *options, positions=None):
        """The updates of a run, by layer, pass and cell."""
        standard = ["--max-new", self.max_new, "--stop", self.meaning["stop"], "--prompt", prompt, "--trace", "-"]
        lines = objects(psl("run", self.weights(positions or self.positions), *standard, *options, codes=(0, 1)))
        return {(it["layer"], tuple(it["pass"]), it["cell"]): it for it in lines if "layer" in it}

    def updates(self, prompt, cells):
        """The updates of a run at the tokens of its cells: the block of the model, its description, the cell, its token, the update."""
        trace = self.trace(prompt)
        for block, part in enumerate(self.meaning["blocks"]):
            for cell, token in cells.items():
                if update := trace.get((part.get("layer"), tuple(part.get("pass", ())), cell)):
                    yield block, part, cell, token, update

    def leaves_positions(self, prompt, *options):
        """Whether a run with more positions has one that the checkpoint lacks."""
        beyond = {str(position) for position in range(self.positions + 1, 3 * self.positions + 1)}
        trace = self.trace(prompt, *options, positions=3 * self.positions)
        return any(not beyond.isdisjoint(it["state"].values()) for it in trace.values())

    def difference(self, prompt, expected, found, *options):
        """The first difference of a completion from the expected one, or `None`."""
        if found == expected:
            return None
        if found.end == "[out-of-positions]" and self.leaves_positions(prompt, *options):
            return None
        if found.end == expected.end == "[more-passes-needed]":
            # psl has no continuation at all if the block never ends.
            if expected.text is None or expected.text.split()[: len(found.text.split())] == found.text.split():
                return None
        return f"{prompt!r}: expected {expected}, got {found}"

    def check(self, prompts, found, expected=None, *options):
        """Compares completions with those of psl. Returns the reasons of those that ended early."""
        expected = expected or self.expected(prompts)
        assert len(found) == len(prompts)
        each = (self.difference(*it, *options) for it in zip(prompts, expected, found))
        differences = list(filter(None, each))
        assert not differences, f"{len(differences)} of {len(prompts)}: " + "\n".join(differences[:5])
        return [it.end for it in found if it.end]
