"""Random programs run like on the machine of this folder, which is written from the paper and shares no code with psl.

`CASES=n` tries n programs (default: 40), and `SEED=n` sets the first seed.
"""

import json
from itertools import zip_longest

import numpy as np
import pytest
from machine import Machine
from programs import Causal, Production, other_prompt
from psl import cases, last_position, psl, weights, written
from safetensors import safe_open
from tensors import Slots, Tensors, vocabulary


def lines(case, machine):
    """The trace of a run, as psl prints it."""
    long = case.program.registers
    for update in machine.updates:
        yield {
            "step": update.step,
            "layer": update.layer,
            "pass": list(update.path),
            "cell": update.cell,
            "attends": update.attends,
            "production": None,
            "set": {name: update.written[name] for name in long if name in update.written},
            "state": {name: update.state[name] for name in long if name in update.state},
        }


def trace(file, case, prompt, *options):
    """The trace of psl, and what it said besides."""
    run = psl("run", file, "--prompt", " ".join(prompt), "--max-new", case.max_new, "--trace", "-", *options)
    return [json.loads(line) for line in run.stdout.splitlines()], run


def weights_of(folder, case, *options):
    """The weights of a case for its prompt."""
    return weights(folder, written(folder, case), case.prompt, case.max_new, *options)


def check_trace(file, case, *options, recompute=False):
    """Compares the traces of a run, and returns the continuation and the number of values."""
    found, run = trace(file, case, case.prompt, *options)
    machine = Machine(case.program, case.prompt, case.max_new, recompute=recompute, updates=len(found))
    for ours, theirs in zip_longest(found, lines(case, machine)):
        assert ours == theirs, (case.seed, options)
    if machine.endless:
        assert run.returncode == 1 and machine.endless.message in run.stderr, (case.seed, options, run.stderr)
    else:
        assert run.returncode == 0, (case.seed, options, run.stderr)
        assert ("note: stopped after" in run.stderr) == (machine.stopped == "max-new"), (case.seed, options, run.stderr)
    return machine.continuation, sum(len(line["state"]) for line in found)


EMBEDDINGS = ["local", "semi-local", "distributed"]


@pytest.mark.parametrize("embedding", EMBEDDINGS)
def test_embeddings(embedding, tmp_path):
    values = 0
    for case in cases():
        seed = case.random(embedding).randrange(2**64)
        file = weights_of(tmp_path, case, "--sparse") if case.seed % 2 else written(tmp_path, case)
        values += check_trace(file, case, "--machine", "full-dat", "--embedding", embedding, "--seed", seed)[1]
    print(f"\n{embedding}: {values} values")
    assert values > 0


def test_recompute(tmp_path):
    values = others = 0
    for case in cases():
        kind = case.random("recompute").choice(["psm", "qkvm", "dat", "full-dat"])
        options = ["--machine", kind, "--recompute"]
        continuation, count = check_trace(written(tmp_path, case), case, *options, recompute=True)
        values += count
        others += continuation != Machine(case.program, case.prompt, case.max_new).continuation
    print(f"\n--recompute: {values} values; {others} continuations differ from those without")
    assert values > 0


def test_programs_with_heads_in_text(tmp_path):
    scheduled = tmp_path / "scheduled.psl"
    states = 0
    for case in cases():
        file = written(tmp_path, case)
        compiled = psl("compile", file, "--heads", "--emit", "psl", "-o", scheduled)
        assert compiled.returncode == 0, (case.seed, compiled.stderr)
        found, _ = trace(scheduled, case, case.prompt)
        machine = Machine(case.program, case.prompt, case.max_new)
        for _ in machine.updates:
            pass
        run = psl("run", scheduled, "--prompt", " ".join(case.prompt), "--max-new", case.max_new, "--format", "json")
        if machine.endless:
            # Other layers run before the block that does not end.
            assert run.returncode == 1 and "never stops" in run.stderr, (case.seed, run.stderr)
            continue
        assert run.returncode == 0, (case.seed, run.stderr)
        shown = ["∅" if symbol is None else symbol for symbol in machine.continuation]
        assert json.loads(run.stdout)["continuation"] == " ".join(shown), case.seed
        # The last layer of a step ends with the same registers.
        ends = {line["cell"]: line["state"] for line in found}
        expected = {line["cell"]: line["state"] for line in lines(case, Machine(case.program, case.prompt, case.max_new))}
        assert ends == expected, case.seed
        states += len(ends)
    print(f"\nheads in text: {states} states")
    assert states > 0


def test_weights(tmp_path):
    numbers = 0
    for case in cases():
        program, last, file = case.program, last_position(case.prompt, case.max_new), weights_of(tmp_path, case)
        with safe_open(file, framework="numpy") as opened:
            info, found = json.loads(opened.metadata()["psl"]), {name: opened.get_tensor(name) for name in opened.keys()}
        values, registers = info["vocabulary"], info["registers"]
        assert len(values) == len(set(values)) and set(values) == vocabulary(case.prompt, last), case.seed
        assert info["positions"] == [values.index(str(position)) for position in range(last + 1)], case.seed
        assert registers[: info["state_registers"]] == [*program.registers.values()], case.seed
        tensors, expected, primed = Tensors(program, values, last + 1, registers), {}, set()
        for production in program.productions:
            expected |= named(f"layers.{production.number}", tensors.layer(production))
            primed |= {*Slots(program, production.conditions).q}
        for block in program.blocks:
            if block.until is not None:
                expected |= named(f"until.{block.number}", tensors.until(block.until))
                primed |= {*Slots(program, block.until).q}
        assert set(registers) == primed | {*program.registers.values()}, case.seed
        assert found.keys() == expected.keys(), case.seed
        for name, tensor in expected.items():
            assert np.array_equal(found[name], tensor), (case.seed, name)
            numbers += tensor.size
        check_blocks(info["blocks"], program.statements, program)
    print(f"\nweights: {numbers} numbers")
    assert numbers > 0


def named(place, maps):
    letters = {f"{place}.W_{letter}": matrix for letter, (matrix, _) in maps.items()}
    return letters | {f"{place}.b_{letter}": bias for letter, (_, bias) in maps.items()}


def check_blocks(found, statements, program):
    """The layers and repeat blocks, with what cannot be seen in the tensors."""
    statements = [statement for statement in statements if not isinstance(statement, Causal)]
    assert len(found) == len(statements)
    for block, statement in zip(found, statements):
        if isinstance(statement, Production):
            layer, slots = block["layer"], Slots(program, statement.conditions)
            right = statement.keyword == "where_rm"
            assert (layer["causal_attn"], layer["right_match"], layer["m"]) == (statement.causal, right, len(slots.q))
            assert sorted(layer["conditions"]) == sorted(slots.q)
            assert sorted(layer["sets"]) == sorted(program.registers[to] for to in statement.assignments)
        else:
            until = block["repeat"]["until"]
            assert (until and until["m"]) == (statement.until and len(Slots(program, statement.until).q))
            check_blocks(block["repeat"]["blocks"], statement.body, program)


def test_trace_diff(tmp_path):
    differ = 0
    for case in cases():
        of_psl, _ = trace(written(tmp_path, case), case, other_prompt(case.random("trace diff"), case.prompt))
        runs = [[*lines(case, Machine(case.program, case.prompt, case.max_new))], of_psl]
        traces = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
        for file, updates in zip(traces, runs):
            file.write_text("".join(json.dumps(update) + "\n" for update in updates))
        run, told = psl("trace", "diff", *traces), first_line(*runs)
        assert run.returncode == (1 if told else 0), (case.seed, run.stderr)
        if told:
            number, rest = told
            first, *others = run.stdout.removesuffix("\n").split("\n")
            assert f" differ in line {number}{rest[0]}" in first, (case.seed, run.stdout)
            assert sorted(others) == sorted(f"  {word}" for word in rest[1:]), (case.seed, run.stdout)
            differ += 1
        else:
            assert run.stdout == f"no difference in {len(runs[0])} lines\n", case.seed
    print(f"\ntrace diff: {differ} traces differ")
    assert differ > 0


def first_line(left, right):
    """The number of the first line of two traces that differs, and what `psl trace diff` says of it."""
    for number, (one, other) in enumerate(zip_longest(left, right), 1):
        if one == other:
            continue
        at = [line and f"step {line['step']}, layer {line['layer']}, pass {line['pass']}, cell {line['cell']}" for line in [one, other]]
        if None in at:
            ended, goes_on = ("A", f"B is at {at[1]}") if at[0] is None else ("B", f"A is at {at[0]}")
            return number, [f": {ended} has ended, {goes_on}"]
        if at[0] != at[1]:
            return number, [f": A is at {at[0]}, B is at {at[1]}"]
        words = []
        if one["attends"] != other["attends"]:
            cells = [f"cell {line['attends']}" if line["attends"] else "no cell" for line in [one, other]]
            words.append(f"the cell attends to {cells[0]} in A, to {cells[1]} in B")
        for kind, is_, to in [("set", "is set to", "to "), ("state", "is", "")]:
            for name in {*one[kind], *other[kind]}:
                values = [line[kind].get(name, "∅") for line in [one, other]]
                if values[0] != values[1]:
                    words.append(f"{name} {is_} {values[0]} in A, {to}{values[1]} in B")
        return number, [f", at {at[0]}:", *words]
    return None
