"""Runs weights in NumPy, as docs/weights.md describes: python dat.py FILE.safetensors "PROMPT" MAX_NEW"""
import json, sys
from itertools import count
import numpy as np
from safetensors import safe_open

class Dat:
    def __init__(self, path):
        with safe_open(path, framework="numpy") as file:
            self.info = json.loads(file.metadata()["psl"])
            self.tensors = {name: file.get_tensor(name) for name in file.keys()}
        self.values = self.info["vocabulary"]
        self.one_hot = dict(zip(self.values, np.eye(len(self.values), dtype=np.float32)))
        numbers = {"layer": count(1), "repeat": count(1)}
        self.blocks = [self.load(block, numbers) for block in self.info["blocks"]]

    def load(self, block, numbers):
        (kind, entry), = block.items()
        if kind == "heads":
            return "layer", [head for layer in entry for head in self.load({"layer": layer}, numbers)[1]]
        number = next(numbers[kind])
        place, letters = {"layer": ("layers", "qkv"), "repeat": ("until", "qk" if entry.get("until") else "")}[kind]
        maps = [self.map(f"{place}.{number}.W_{letter}", self.tensors[f"{place}.{number}.b_{letter}"]) for letter in letters]
        if kind == "layer":
            return kind, [(number, entry, maps)]
        return kind, number, entry, maps, [self.load(inner, numbers) for inner in entry["blocks"]]

    def map(self, name, bias):
        if name not in self.tensors:
            self.tensors[name] = np.zeros((len(bias), len(bias)), np.float32)
            self.tensors[name][tuple(self.tensors[name + ".indices"])] = self.tensors[name + ".values"]
        return lambda cells: cells.reshape(len(cells), -1) @ self.tensors[name] + bias

    def run(self, symbols, max_new, stop="."):
        roles = {role: self.info["registers"].index(short) for role, short in self.info["system_map"].items()}
        self.cache, self.passes, self.path, self.resting, continuation = {}, {}, (), (), []
        wave = np.zeros((len(symbols), len(self.info["registers"]), len(self.values)), np.float32)
        for cell, symbol in enumerate(symbols):
            for role, value in {"symbol": symbol, "position": str(cell + 1), "parse": "1", "eop": "EOP"}.items():
                if role in roles and (role != "eop" or cell == len(symbols) - 1):
                    wave[cell, roles[role]] = self.one_hot[value]
        cells = wave[:0]
        while len(continuation) < max_new and stop not in continuation:
            self.first, self.new_passes = len(cells), {}
            cells = np.concatenate([cells, self.forward(self.blocks, wave)])
            self.passes |= self.new_passes
            continuation.append(self.decode(cells[-1, roles["output"]]))
            wave = cells[-1:].copy()
            wave[0, [roles[role] for role in roles if role == "position"]] = self.one_hot[str(len(cells) + 1)]
        state = lambda cell: {name: self.decode(block) for name, block in zip(self.info["registers"], cell) if block.any()}
        return {"continuation": continuation, "states": [state(cell) for cell in cells]}

    def decode(self, block):
        return self.values[block.argmax()] if block.any() else None

    def forward(self, blocks, cells):
        for kind, *block in blocks:
            cells = self.attend(cells, *block) if kind == "layer" else self.repeat(cells, *block)
        return cells

    def attend(self, cells, heads):
        value = sum(self.head(cells, *head) for head in heads)
        assert len(heads) == 1 or ((value > 0).sum(2) <= 1).all(), "heads set a register to different values"
        total = cells + 2 * value
        return np.eye(len(self.values), dtype=np.float32)[total.argmax(2)] * (total.max(2, keepdims=True) > 0)

    def head(self, cells, number, entry, maps):
        query, key, value = (map(cells) for map in maps)
        if self.first:  # Earlier cells that did not take this pass rest in their last one.
            earlier = self.cache.get((number, self.path)) or self.cache[number, self.resting]
            key, value = (np.concatenate([old[:self.first], new]) for old, new in zip(earlier, (key, value)))
        self.cache[number, self.path] = key, value
        n, N = np.arange(len(key)), self.first + np.arange(len(cells))[:, None]
        match = (query @ key.T == entry["m"]) & {"true": n <= N, "reverse": n >= N}.get(entry["causal_attn"], True)
        chosen = len(key) - 1 - match[:, ::-1].argmax(1) if entry["right_match"] else match.argmax(1)
        return (value[chosen] * match.any(1)[:, None]).reshape(cells.shape)

    def repeat(self, cells, number, entry, maps, inside):
        last, path, resting = self.passes.get((number, self.resting)), self.path, self.resting
        for turn in count(1):
            before, self.path, self.resting = cells, (*path, turn), (*resting, min(turn, last or turn))
            cells = self.forward(inside, cells)
            met = maps and (last or (maps[0](cells) @ maps[1](cells).T == entry["until"]["m"]).any())
            if turn >= (last or 1) and (met if maps else (cells == before).all()):
                self.path, self.resting, self.new_passes[number, path] = path, resting, turn
                return cells

if __name__ == "__main__":
    print(json.dumps(Dat(sys.argv[1]).run(sys.argv[2].split(), int(sys.argv[3]))))
