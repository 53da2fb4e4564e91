"""TransformerLens finds the productions of a program in its checkpoint: their attention, and what is missing without them."""

import pytest
import torch
from engine import Engine
from transformer_lens.model_bridge import TransformerBridge

# Symbols generated: enough to see the difference that a layer makes.
FEW = 3


class Lens(Engine):
    """A checkpoint in TransformerLens, which transformers also runs with its hooks."""

    def __init__(self, program):
        super().__init__(program)
        self.bridge = TransformerBridge.boot_transformers(str(program.checkpoint))
        self.model = self.bridge.original_model

    def complete(self, prompts, **options):
        # With a cache, version 4.3.0 also generates other tokens than transformers from a GPT-2 with random parameters.
        return super().complete(prompts, use_cache=False, **options)

    def blocks(self, production):
        """The blocks of a production, one for each pass of its repeat block."""
        return [block for block, it in enumerate(self.program.meaning["blocks"]) if it.get("layer") == production]

    def without(self, layer):
        """Hooks that let the blocks of a layer write nothing."""

        def nothing(output, hook):
            return torch.zeros_like(output)

        names = [f"blocks.{block}.hook_{part}_out" for block in self.blocks(layer) for part in ["attn", "mlp"]]
        assert names, layer
        return self.bridge.hooks(fwd_hooks=[(name, nothing) for name in names])


@pytest.fixture(scope="session")
def lens(program):
    return Lens(program)


def test_logits_are_those_of_transformers(program, engine, lens):
    for prompt in program.shortest(2):
        tokens, _ = engine.generate([prompt], max_new_tokens=FEW * program.tokens_per_cell)
        with torch.no_grad():
            expected = engine.model(tokens).logits
            found, _ = lens.bridge.run_with_cache(tokens)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-2)
        assert found.argmax(-1).equal(expected.argmax(-1))


def test_its_tokenizer_is_that_of_the_checkpoint_unless_prompts_are_repeated(program, lens):
    """TransformerLens replaces what the tokenizer puts around a prompt by the first token alone."""
    for prompt in program.tests():
        tokens = lens.encode([prompt]).input_ids
        assert lens.bridge.to_tokens(prompt).equal(tokens) == (program.meaning["copies"] == 1), prompt


def test_heads_attend_to_the_cells_of_the_run(program, engine, lens):
    prompts = [*program.shortest(2), *program.random_prompts(2)]
    compared = sum(attended(program, engine, lens, prompt) for prompt in prompts)
    assert compared > 20


def attended(program, engine, lens, prompt):
    """Compares the attention of the head of each production with the trace of a run. Returns the number of cells compared."""
    tokens, length = engine.generate([prompt], max_new_tokens=FEW * program.tokens_per_cell)
    if engine.completion(tokens[0, length:]).end:
        return 0
    with torch.no_grad():
        _, cache = lens.bridge.run_with_cache(tokens)
    cells = engine.cells(prompt, tokens, length)
    # A production that looks ahead reads the copy before.
    symbols, copies = len(prompt.split()), program.meaning["copies"]
    size = symbols + (copies > 1)
    cell_of = {token - back * size: cell for cell, token in cells.items() for back in range(copies if cell <= symbols else 1)}
    compared = 0
    for block, part, cell, token, update in program.updates(prompt, cells):
        for head in range(part["heads"]):
            weights = cache[f"blocks.{block}.attn.hook_pattern"][0, head, token]
            weight, key = weights.max(-1)
            # Without a match, a head attends to the start.
            assert cell_of.get(int(key)) == update["attends"], (prompt, part, cell)
            assert (weight > 0.999) and (update["attends"] or int(key) == 0), (prompt, part, cell)
        compared += 1
    return compared


def test_without_a_block_the_program_runs_without_its_production(program, lens):
    """Zeroes the blocks of each production that sets nothing that generated cells drop: these trust it to set it."""
    prompts = program.shortest(3)
    tokens = FEW * program.tokens_per_cell
    whole = program.expected(prompts, max_new=FEW)
    program.check(prompts, lens.complete(prompts, max_new_tokens=tokens), whole)
    different = 0
    for layer in sorted({it["layer"] for it in program.meaning["blocks"] if "layer" in it}):
        if not sets(program, layer).isdisjoint(program.meaning["dropped"]):
            continue
        options = ["--ablate", layer]
        expected = program.expected(prompts, *options, max_new=FEW)
        with lens.without(layer):
            found = lens.complete(prompts, max_new_tokens=tokens)
        program.check(prompts, found, expected, *options)
        different += expected != whole
    assert different, "each production was without effect"


def sets(program, layer):
    """The short names of the registers that a layer sets."""
    return set(layers(program.meaning["program"]["weights"])[layer - 1]["v"])


def layers(parts):
    """The matrices of the layers of QKVL, in which a repeat block is a list of its own."""
    nested = ([it["weights"]] if "q" in it["weights"] else layers(it["weights"]) for it in parts)
    return [layer for part in nested for layer in part]
