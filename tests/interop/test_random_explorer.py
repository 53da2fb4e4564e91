"""What the explorer's module answers about random programs, compared with the machine and the weights of this folder."""

import json
import os
import subprocess

import numpy as np
import pytest
from programs import Constant, other_prompt
from psl import ROOT, cases
from records import Record, difference
from tensors import Tensors, vocabulary

MACHINES = ["psm", "qkvm", "dat", "full-dat"]


class Module:
    """The module, compiled for this machine."""

    def __init__(self):
        cargo = "cargo run --quiet --package psl-explorer --example session".split()
        command = [os.environ["PSL_SESSION"]] if "PSL_SESSION" in os.environ else cargo
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, operation, **request):
        self.process.stdin.write(json.dumps({"op": operation, **request}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["ok"]

    def open(self, case):
        program = self.ask("open", text=case.program.text(f"//@ max-new {case.max_new}"))
        assert program["error"] is None, (case.seed, program["error"])

    def run(self, slot, case, prompt, kind):
        """The run on a machine, held against ours."""
        run = self.ask("run", slot=slot, prompt=" ".join(prompt), machine=kind)
        resting = [run["resting"].get(str(cell), []) for cell, _ in enumerate(run["symbols"], 1)]
        machine = Record(case.program, prompt, case.max_new, updates=sum(len(run["rows"]) - len(rows) for rows in resting))
        rows = [{"layer": layer, "pass": list(path)} for layer, path in machine.rows]
        assert (run["rows"], run["promptCells"], run["stopped"]) == (rows, len(prompt), machine.stopped), case.seed
        assert [*machine.resting()] == resting, case.seed
        if machine.endless:
            assert run["error"].startswith(machine.endless.message), case.seed
        else:
            assert run["error"] is None, (case.seed, run["error"])
        return machine

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


@pytest.fixture(scope="module")
def module():
    module = Module()
    yield module
    module.close()


def described(program, found, runs):
    """The answer about an update that differs."""
    (layer, path), cell, updates = found
    register, text = None, None
    if None in updates:
        text = f"only the {'first' if updates[0] else 'second'} run has this update"
    elif updates[0].attends != updates[1].attends:
        first, second = [f"cell {update.attends}" if update.attends else "no cell" for update in updates]
        text = f"cell {cell} attends to {first} in the first run, and to {second} in the second"
    else:
        names = [*program.registers]
        register = next(name for name in names if updates[0].written.get(name) != updates[1].written.get(name))
        values = [update.written.get(register) for update in updates]
        first, second = ["is not set" if value is None else f"becomes `{value}`" for value in values]
        text = f"`{register}` of cell {cell} {first} in the first run, and {second} in the second"
        register = names.index(register)
    step = max(cell - runs[0].prompt_cells, 0)
    place = {"cell": cell, "layer": layer, "pass": list(path), "register": register}
    place["text"] = f"step {step}, layer {layer}, pass [{', '.join(map(str, path))}], cell {cell}"
    places = [update and place | {"row": run.rows.index((layer, path))} for run, update in zip(runs, updates)]
    return {"first": places[0], "second": places[1], "text": text}


def test_difference(module):
    counts = dict.fromkeys(["none", "start", "attends", "becomes", "is not set", "only"], 0)
    for case in cases():
        random = case.random("difference")
        module.open(case)
        prompts = [case.prompt, other_prompt(random, case.prompt)]
        runs = [module.run(slot, case, prompt, random.choice(MACHINES)) for slot, prompt in enumerate(prompts)]
        start, found = difference(*runs)
        update = found and described(case.program, found, runs)
        assert module.ask("difference") == {"start": start, "update": update}, case.seed
        for word in counts:
            counts[word] += (word in update["text"]) if update else (word == "none")
        counts["start"] += start is not None
    print(f"\ndifference: {counts}")
    assert counts["none"] > 0 and counts["attends"] > 0


def kind_of(operator, sources):
    if operator in ["!=", "not in"]:
        return "complement"
    if operator == "in":
        return "many"
    if isinstance(sources[0], Constant):
        return "constant"
    return "shift" if sources[0].function else "identity"


def test_tensors_and_blocks(module):
    blocks = numbers = 0
    for case in cases():
        module.open(case)
        machine = module.run(1, case, case.prompt, "dat")
        for production in case.program.productions:
            told = module.ask("tensors", slot=1, layer=production.number)
            registers, d = told["registers"], told["dimension"]
            found = {letter: [] for letter in "qkv"}
            values = None
            for block in told["blocks"]:
                index = len(found[block["attribute"]])
                answer = module.ask("block", slot=1, layer=production.number, attribute=block["attribute"], index=index)
                assert (len(answer["weights"]), len(answer["bias"])) == (block["weights"], block["biases"]), case.seed
                assert registers[block["targetIndex"]] == block["target"], case.seed
                source = block["sourceIndex"]
                assert (source if source is None else registers[source]) == block["source"], case.seed
                found[block["attribute"]].append((block, answer))
                assert values in [None, answer["values"]], case.seed
                values = answer["values"]
            assert len(values) == d == len(set(values)), case.seed
            assert set(values) == vocabulary(case.prompt, machine.last_position), case.seed
            tensors = Tensors(case.program, values, machine.last_position + 1, registers)
            maps, instructions = tensors.layer(production), tensors.instructions(production)
            for letter, pairs in found.items():
                kinds = {block["target"]: block["kind"] for block, _ in pairs}
                expected = {slot: kind_of(*instruction) for slot, instruction in instructions[letter].items()}
                assert (kinds, len(pairs)) == (expected, len(expected)), (case.seed, production.number, letter)
                matrix, bias = np.zeros((tensors.size, tensors.size), np.float32), np.zeros(tensors.size, np.float32)
                for block, answer in pairs:
                    target = block["targetIndex"] * d
                    for row, column, entry in answer["weights"]:
                        matrix[block["sourceIndex"] * d + row, target + column] += entry
                    for column, entry in answer["bias"]:
                        bias[target + column] += entry
                for ours, theirs in zip((matrix, bias), maps[letter]):
                    assert np.array_equal(ours, theirs), (case.seed, production.number, letter)
                    numbers += theirs.size
                blocks += len(pairs)
    print(f"\ntensors and blocks: {blocks} blocks, {numbers} numbers")
    assert blocks > 0


def times(case, machine):
    """The start, the end, and times between."""
    last = len(machine.rows)
    return sorted({0, last, *(case.random("times").randint(0, last) for _ in range(3))})


@pytest.mark.parametrize("embedding", ["local", "distributed"])
def test_residual(module, embedding):
    components = 0
    for case in cases():
        module.open(case)
        machine = module.run(0, case, case.prompt, case.random("residual").choice(MACHINES))
        names, states, vectors = [*case.program.registers], [], []
        for time in times(case, machine):
            cells = range(1, len(machine.cells) + 1)
            told = module.ask("residual", slot=0, time=time, cells=[1, len(cells) + 1], embedding=embedding)
            assert told["registers"][: len(names)] == [*case.program.registers.values()], case.seed
            assert set(told["values"]) == vocabulary(case.prompt, machine.last_position), case.seed
            assert len(told["vectors"]) == len(cells), (case.seed, time)
            states += [machine.state(cell, time) for cell in cells]
            vectors += told["vectors"]
        vectors = np.array(vectors)
        assert vectors.shape[1] == told["dimension"] * len(told["registers"]), case.seed
        if embedding == "local":
            hot = {value: index for index, value in enumerate(told["values"])}
            expected = np.zeros_like(vectors)
            for vector, state in zip(expected, states):
                for index, name in enumerate(names):
                    if name in state:
                        vector[index * told["dimension"] + hot[state[name]]] = 1
            assert np.array_equal(vectors, expected), case.seed
        else:
            # Vectors of registers and values are orthonormal: the dot product of two states counts the registers that agree.
            agree = [[sum(one.get(name) == value for name, value in other.items()) for one in states] for other in states]
            assert np.allclose(vectors @ vectors.T, agree, atol=1e-5), case.seed
        components += vectors.size
    print(f"\nresidual, {embedding}: {components} components")
    assert components > 0
