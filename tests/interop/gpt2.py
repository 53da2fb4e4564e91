"""GPT-2 in NumPy: loads a checkpoint by its standard files alone, and completes prompts greedily, without a cache."""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer


def exact(x):
    return x


def float16(x):
    return x.astype(np.float16).astype(np.float32)


def to_bits(x, bits):
    """Rounds to the nearest number whose significand has some bits of the 24."""
    step = 1 << (24 - bits)
    raw = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    even = (raw // step) & 1
    return ((raw + step // 2 - 1 + even) // step * step).astype(np.uint32).view(np.float32)


def bfloat16(x):
    return to_bits(x, 8)


def tf32(x):
    return to_bits(x, 11)


def int8(x):
    """The nearest of 255 multiples of a number, one number for each column."""
    scale = np.abs(x).max(0, keepdims=True) / 127
    return np.round(x / np.where(scale == 0, 1, scale)) * scale


#: What an engine rounds: its parameters, the matrices of products among them, the factors of a product, a product, and what any other
#: operation returns.
ROUNDED = {
    "float16": {"weights": float16, "products": float16, "others": float16},
    "bfloat16": {"weights": bfloat16, "products": bfloat16, "others": bfloat16},
    "autocast": {"factors": bfloat16, "products": bfloat16},
    "tf32": {"factors": tf32},
    "int8": {"matrices": int8},
}


class Gpt2:
    def __init__(self, folder, weights=exact, matrices=exact, factors=exact, products=exact, others=exact):
        folder = Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        self.generation = json.loads((folder / "generation_config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tensors = load_file(folder / "model.safetensors")
        self.weights = {name: weights(tensor) for name, tensor in tensors.items()}
        for name, matrix in self.weights.items():
            if name == "lm_head.weight":
                self.weights[name] = matrices(matrix.T).T
            elif matrix.ndim == 2 and not name.startswith("transformer.w"):
                self.weights[name] = matrices(matrix)
        self.factors, self.products, self.others = factors, products, others

    def product(self, left, right, bias=0):
        return self.products(self.factors(left) @ self.factors(right) + bias)

    def linear(self, name, x):
        return self.product(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def norm(self, name, x):
        centered = x - x.mean(-1, keepdims=True)
        scale = np.sqrt((centered**2).mean(-1, keepdims=True) + np.float32(self.config["layer_norm_epsilon"]))
        return self.others(centered / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"])

    def attention(self, name, x):
        length, width = x.shape
        # Heads, places, dimensions.
        heads = self.linear(f"{name}.c_attn", x).reshape(length, 3, self.config["n_head"], -1).transpose(1, 2, 0, 3)
        query, key, value = heads
        scores = self.product(query, key.transpose(0, 2, 1)) / np.sqrt(np.float32(query.shape[-1]))
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights = self.others(weights / weights.sum(-1, keepdims=True))
        return self.linear(f"{name}.c_proj", self.product(weights, value).transpose(1, 0, 2).reshape(length, width))

    def logits(self, tokens):
        """The logits of the token after the last one."""
        x = self.others(self.weights["transformer.wte.weight"][tokens] + self.weights["transformer.wpe.weight"][: len(tokens)])
        for block in range(self.config["n_layer"]):
            name = f"transformer.h.{block}"
            x = self.others(x + self.attention(f"{name}.attn", self.norm(f"{name}.ln_1", x)))
            hidden = np.maximum(self.linear(f"{name}.mlp.c_fc", self.norm(f"{name}.ln_2", x)), 0)
            x = self.others(x + self.linear(f"{name}.mlp.c_proj", hidden))
        return self.product(self.norm("transformer.ln_f", x)[-1], self.weights["lm_head.weight"].T)

    def continued(self, tokens):
        """The text of the continuation of tokens."""
        tokens, start = list(tokens), len(tokens)
        for _ in range(self.generation["max_new_tokens"]):
            tokens.append(int(self.logits(tokens).argmax()))
            if tokens[-1] in self.generation["eos_token_id"]:
                break
        return self.tokenizer.decode(tokens[start:], skip_special_tokens=True).strip()

    def complete(self, prompt):
        """The continuation of a prompt."""
        return self.continued(self.tokenizer.encode(prompt).ids)
