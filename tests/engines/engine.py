"""The completions of a checkpoint by transformers, and the registers in its residual stream."""

import torch
from programs import Completion
from transformers import AutoModelForCausalLM, AutoTokenizer


class Engine:
    """A checkpoint in transformers."""

    def __init__(self, program, **options):
        self.program = program
        self.tokenizer = AutoTokenizer.from_pretrained(program.checkpoint)
        self.model = AutoModelForCausalLM.from_pretrained(program.checkpoint, **options).eval()

    def encode(self, prompts):
        return self.tokenizer(prompts, return_tensors="pt", padding=True)

    @torch.no_grad()
    def generate(self, prompts, **options):
        """The tokens of prompts with their continuations, and the number of tokens of a prompt."""
        encoded = self.encode(prompts)
        return self.model.generate(**encoded, **options), encoded.input_ids.shape[1]

    def text(self, tokens):
        return self.tokenizer.decode(tokens, skip_special_tokens=True)

    def completion(self, tokens):
        """A completion from its decoded text alone."""
        symbols = self.text(tokens).split()
        if symbols and symbols[-1] in self.program.ends:
            return Completion(" ".join(symbols[:-1]), symbols[-1])
        return Completion(" ".join(symbols), None)

    def complete(self, prompts, **options):
        """Completes prompts in one batch."""
        tokens, length = self.generate(prompts, **options)
        return [self.completion(row[length:]) for row in tokens]

    def complete_in_batches(self, prompts, size=20):
        parts = (prompts[start : start + size] for start in range(0, len(prompts), size))
        return [completion for part in parts for completion in self.complete(part)]

    def cells(self, prompt, tokens, length):
        """The index of the token that stands for each cell."""
        symbols, each = len(prompt.split()), self.program.tokens_per_cell
        generated = (tokens.shape[-1] - length) // each
        of_prompt = {cell: length - symbols + cell - 1 for cell in range(1, symbols + 1)}
        return of_prompt | {symbols + cell: length + cell * each - 1 for cell in range(1, generated + 1)}


def decoded(register, stream):
    """The value of a register in a residual stream, by psl.json: `None` is null. Fails if there is no such value."""
    found = [first + int(stream[first:end].argmax()) for first, end in register["parts"]]
    if found == register["null"]:
        return None
    return next(value for value, components in register["values"].items() if components == found)


def deviation(register, stream):
    """The greatest distance of a component from 0 or 1."""
    parts = torch.cat([stream[first:end] for first, end in register["parts"]])
    return (parts - parts.round()).abs().max().item()
