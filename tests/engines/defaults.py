"""What engines do with a checkpoint by default, or at a user's choice: other number formats, other tokens, other ways to search."""

import copy

import torch
from engine import Engine
from torch import nn
from torch.ao.quantization import quantize_dynamic
from transformers.pytorch_utils import Conv1D

NUMBERS = {"float16": torch.float16, "bfloat16": torch.bfloat16}


def in_int8(model):
    """The model with the matrices of all products in 8 bits."""
    model = copy.deepcopy(model)
    for block in model.transformer.h:
        for part in [block.attn, block.mlp]:
            for name, layer in part.named_children():
                if isinstance(layer, Conv1D):
                    linear = nn.Linear(*layer.weight.shape)
                    linear.weight.data, linear.bias.data = layer.weight.data.T.contiguous(), layer.bias.data
                    setattr(part, name, linear)
    return quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)


def complete(program, engine, default, prompts):
    """The completions of prompts by an engine with a default, one prompt at a time."""
    options = {}
    if default in NUMBERS:
        engine = Engine(program, dtype=NUMBERS[default])
    elif default == "int8":
        engine = copy.copy(engine)
        engine.model = in_int8(engine.model)
    elif default == "no special tokens":
        engine = copy.copy(engine)
        engine.encode = lambda prompts: engine.tokenizer(prompts, return_tensors="pt", add_special_tokens=False)
    elif default == "beams":
        options = {"num_beams": 3}
    elif default == "static cache":
        options = {"cache_implementation": "static"}
    else:
        assert default == "autocast"
    with torch.autocast("cpu", torch.bfloat16, enabled=default == "autocast"):
        return [engine.complete([prompt], **options)[0] for prompt in prompts]


def outcome(program, engine, default, prompts):
    """`right`, or the end of each continuation, or `wrong`."""
    found = complete(program, engine, default, prompts)
    expected = program.expected(prompts)
    if not any(program.difference(*it) for it in zip(prompts, expected, found)):
        return "right"
    ends = {completion.end for completion in found}
    return ends.pop() if len(ends) == 1 and None not in ends else "wrong"
