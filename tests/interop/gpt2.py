"""GPT-2 in NumPy: loads a checkpoint by its standard files alone, and completes prompts greedily, without a cache."""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer


class Gpt2:
    def __init__(self, folder):
        folder = Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        self.generation = json.loads((folder / "generation_config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.weights = load_file(folder / "model.safetensors")

    def linear(self, name, x):
        return x @ self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def norm(self, name, x):
        centered = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centered**2).mean(-1, keepdims=True) + np.float32(self.config["layer_norm_epsilon"]))
        return centered / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def attention(self, name, x):
        length, width = x.shape
        # Heads, places, dimensions.
        heads = self.linear(f"{name}.c_attn", x).reshape(length, 3, self.config["n_head"], -1).transpose(1, 2, 0, 3)
        query, key, value = heads
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[-1]))
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        return self.linear(f"{name}.c_proj", (weights @ value).transpose(1, 0, 2).reshape(length, width))

    def logits(self, tokens):
        """The logits of the token after the last one."""
        x = self.weights["transformer.wte.weight"][tokens] + self.weights["transformer.wpe.weight"][: len(tokens)]
        for block in range(self.config["n_layer"]):
            name = f"transformer.h.{block}"
            x = x + self.attention(f"{name}.attn", self.norm(f"{name}.ln_1", x))
            hidden = np.maximum(self.linear(f"{name}.mlp.c_fc", self.norm(f"{name}.ln_2", x)), 0)
            x = x + self.linear(f"{name}.mlp.c_proj", hidden)
        return self.weights["lm_head.weight"] @ self.norm("transformer.ln_f", x)[-1]

    def complete(self, prompt):
        """The continuation of a prompt."""
        tokens = self.tokenizer.encode(prompt).ids
        start = len(tokens)
        for _ in range(self.generation["max_new_tokens"]):
            tokens.append(int(self.logits(tokens).argmax()))
            if tokens[-1] in self.generation["eos_token_id"]:
                break
        return self.tokenizer.decode(tokens[start:], skip_special_tokens=True).strip()
