"""The debugger's stops and its `diff`, compared with the machine of this folder on random programs."""

from itertools import islice
from json import loads
from pathlib import Path

from disagreements import pairs
from machine import Machine
from psl import cases, psl, written

CATCHES = {"endless": "a repeat block that does not end", "wrong": "a continuation that differs from the test's"}
NO_MORE = {"forward": [], "back": ["this is the start of the run"]}


class Stops:
    """The places at which a test's run is at fault, with what the debugger says there."""

    def __init__(self, machine, gold):
        self.machine, self.gold = machine, gold
        self.symbols = ["∅" if symbol is None else symbol for symbol in machine.continuation]
        self.wrong = [*self.wrong_symbols()]
        #: The place and its catches.
        self.places = [(place, ["wrong"]) for place, _, _ in self.wrong]
        if machine.endless:
            if self.places and self.places[-1][0] is None:
                self.places[-1] = (None, ["endless", "wrong"])
            else:
                self.places.append((None, ["endless"]))

    def wrong_symbols(self):
        """The steps whose symbols differ, with what was expected and what came. The end of the run is None."""
        left = list(self.gold)
        for step, symbol in enumerate(self.symbols):
            words = symbol.split()
            expected, left = left[: len(words)], left[len(words) :]
            if expected != words:
                missing = [*expected, "the end"]
                yield step, next(gold for gold, word in zip(missing, [*words, None]) if gold != word), symbol
        if left:
            yield None, left[0], "the end"

    def shown(self, place):
        if place is not None:
            return f"step {place}, after the last layer: symbol {place + 1} is {self.symbols[place]}"
        if self.machine.endless:
            return f"the run failed: {self.machine.endless.message}"
        return f"the run is complete: {' '.join(self.symbols)}{' …' if self.machine.stopped == 'max-new' else ''}"

    def last_write(self, step):
        """The layer that wrote the symbol of a step, as a command: the cell's last, or that of the cell it is a copy of."""
        output = self.machine.program.roles["output"]
        for cell in range(self.machine.prompt_cells + step, self.machine.prompt_cells - 1, -1):
            writes = [update for update in self.machine.updates if update.cell == cell and output in update.written]
            if writes:
                update = writes[-1]
                path = f" pass {'.'.join(map(str, update.path))}" if update.path else ""
                return f"the last layer that wrote it: goto step {update.step} layer {update.layer}{path} cell {cell}"
            if output == self.machine.program.roles["position"]:
                break
        return None


def golds(case, symbols):
    """The continuation, or one that differs."""
    random, words = case.random("gold"), " ".join(symbols).split()
    kind = random.random()
    if kind < 0.2:
        return words or ["A"]
    if kind < 0.4:
        return words[: random.randint(1, max(1, len(words)))] or ["A"]
    if kind < 0.6:
        return [*words, random.choice("AB")]
    return [random.choice("ABC") if random.random() < 0.4 else word for word in words] or ["B"]


def answers(output):
    """The lines after each command, without those of the program."""
    for part in output.split("(psl) ")[1:]:
        yield [line for line in part.splitlines()[1:] if not line.startswith("> ")]


def check(folder, case):
    machine = Machine(case.program, case.prompt, case.max_new)
    stops = Stops(machine, golds(case, Stops(machine, []).symbols))
    test = f'//@ test one "{" ".join(case.prompt)}" => "{" ".join(stops.gold)}"'
    file = written(folder, case, test, f"//@ max-new {case.max_new}")
    count = len(stops.places)
    ways = ["continue"] * (count + 1) + ["rback"] * (count + 1)
    script = "\n".join([*[f"catch {name}" for name in CATCHES], "catch disagree", *ways, "diff"])
    kind = case.random("machine").choice(["psm", "qkvm", "dat", "full-dat"])
    run = psl("debug", file, "--test", "one", "--verify", "--machine", kind, "--script", "-", stdin=script)
    assert run.returncode == 0, (case.seed, run.stderr)
    told = [*answers(run.stdout)][3:]

    numbers = {name: number for number, name in enumerate(CATCHES, 1)}
    hits = [([f"breakpoint {numbers[name]}: {CATCHES[name]}" for name in names], stops.shown(place)) for place, names in stops.places]
    end = ([], stops.shown(None))
    before = hits[:-1] if stops.places and stops.places[-1][0] is None else hits
    back = [*reversed(before), (NO_MORE["back"], "step 0, cell 1 (")]
    back += [back[-1]] * (count + 1 - len(back))
    for (caught, place), lines in zip([*hits, end, *back], told):
        assert lines[: len(caught)] == caught and lines[len(caught)].startswith(place), (case.seed, lines, caught, place)

    differs = told[-1]
    if not stops.wrong:
        assert differs == [f"no difference: the continuation is {' '.join(stops.gold)}"], case.seed
        return count
    place, expected, got = stops.wrong[0]
    writer = stops.last_write(place) if place is not None else None
    first = [f"expected {expected}, got {got}", *([writer] if writer else [])]
    assert differs[: len(first)] == first and differs[len(first)].startswith(stops.shown(place)), (case.seed, differs, first)
    return count


def test_catches_and_diff(tmp_path):
    counts = [check(tmp_path, case) for case in cases()]
    print(f"\n{sum(counts)} stops in {len(counts)} runs")
    assert sum(counts) > 0


def test_the_file_of_disagreements_has_those_of_this_machine():
    """A test of the debugger reads it."""
    known = [loads(line) for line in Path(__file__).with_name("disagreements.jsonl").read_text().splitlines()]
    assert [*islice(pairs(), 40)] == known
