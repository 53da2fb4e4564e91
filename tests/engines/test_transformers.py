"""transformers completes prompts by checkpoints like psl."""

import pytest
import torch
from engine import Engine, decoded, deviation
from programs import EXAMPLES, HALF, LONG, REFUSED, ROOT, Completion, Program, objects, psl
from transformers import GPT2LMHeadModel, pipeline


def quick(program, count):
    """The tests with the shortest prompts and continuations."""
    return dict(sorted(program.tests().items(), key=lambda test: sum(map(len, map(str.split, test))))[:count])


def test_each_example_is_tested_or_refused():
    examples = {file.stem for file in (ROOT / "examples").glob("*.psl")}
    assert examples == {*EXAMPLES, *REFUSED, "pargen"}


def test_the_model_is_a_stock_gpt2(engine):
    assert type(engine.model) is GPT2LMHeadModel
    assert engine.model.dtype == torch.float32
    assert engine.tokenizer.padding_side == "left"
    assert "token_type_ids" not in engine.encode(["a"])


def test_tests_alone(program, engine):
    tests = program.tests()
    assert tests
    for prompt, gold in tests.items():
        [found] = engine.complete([prompt])
        assert program.check([prompt], [found]) in ([], ["[out-of-positions]"])
        if found.end is None:
            # The bound of the checkpoint can be shorter than the gold.
            assert found.text.split() == gold.split()[: program.max_new], prompt


def test_random_prompts_in_batches(program, engine):
    prompts = program.prompts()
    program.check(prompts, engine.complete_in_batches(prompts))


def test_random_prompts_alone(program, engine):
    prompts = program.random_prompts()[::4]
    program.check(prompts, [engine.complete([prompt])[0] for prompt in prompts])


def test_without_cache(program, engine):
    prompts = list(quick(program, 2))
    program.check(prompts, engine.complete(prompts, use_cache=False))


def test_one_pass_over_all_tokens_gives_the_same_tokens(program, engine):
    for prompt in program.tests():
        tokens, length = engine.generate([prompt])
        with torch.no_grad():
            logits = engine.model(tokens, use_cache=False).logits[0]
        assert logits[length - 1 : -1].argmax(-1).equal(tokens[0, length:]), prompt


def test_sampling_gives_the_same(program, engine):
    prompts = list(quick(program, 4))
    torch.manual_seed(1)
    program.check(prompts, engine.complete(prompts, do_sample=True))


def test_the_pipeline_continues_the_prompt(program):
    generate = pipeline("text-generation", model=str(program.checkpoint))
    for prompt, expected in zip(tests := quick(program, 3), program.expected(list(tests))):
        [whole] = generate(prompt)
        assert whole["generated_text"] == f"{prompt} {expected.text}"
        [rest] = generate(prompt, return_full_text=False)
        assert rest["generated_text"] == f" {expected.text}"


def test_ends_are_visible(program, engine):
    known = program.symbols[0]
    too_long = " ".join((program.symbols * program.max_prompt)[: program.max_prompt + 1])
    expected = {
        "unheard-of": "[unknown-symbol]",
        f"{known} unheard-of": "[unknown-symbol]",
        f"<bos> {known}": "[unknown-symbol]",
        too_long: "[prompt-too-long]",
        "": "[empty-prompt]",
        "  \n": "[empty-prompt]",
    }
    for prompt, end in expected.items():
        assert engine.complete([prompt]) == [Completion("", end)], prompt
    assert engine.complete(list(expected)) == [Completion("", end) for end in expected.values()]


def test_without_special_tokens_it_ends_visibly(program, engine):
    for prompt in quick(program, 3):
        tokens = engine.tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
        found = engine.model.generate(**tokens)[0, tokens.input_ids.shape[1] :]
        assert engine.completion(found) == Completion("", "[not-a-prompt]"), prompt


def test_padding_that_is_not_masked_ends_visibly(program, engine):
    [prompt] = quick(program, 1)
    tokens = engine.encode([prompt]).input_ids
    padded = torch.cat([torch.full((1, 2), engine.tokenizer.pad_token_id), tokens], dim=1)
    found = engine.model.generate(padded, attention_mask=torch.ones_like(padded))[0, padded.shape[1] :]
    assert engine.completion(found) == Completion("", "[not-a-prompt]")


def test_white_space_does_not_matter(program, engine):
    prompt = next(iter(quick(program, 1)))
    spaced = "\n " + prompt.replace(" ", " \t ") + " \n"
    assert engine.complete([spaced]) == engine.complete([prompt])


@pytest.mark.parametrize("name", LONG)
def test_a_longer_continuation_ends_out_of_positions(name, tmp_path):
    tests = objects(psl("test", ROOT / f"examples/{name}.psl", "--format", "json"))
    longest = max(tests, key=lambda test: len(test["gold"].split()))
    prompt, gold = longest["prompt"], longest["gold"].split()
    bound = 2
    engine = Engine(Program(name, tmp_path, {"max-prompt": len(prompt.split()), "max-new": bound}))
    tokens, length = engine.generate([prompt], max_length=engine.model.config.n_positions, max_new_tokens=None)
    found = engine.completion(tokens[0, length:])
    symbols = found.text.split()
    assert (found.end, symbols) == ("[out-of-positions]", gold[: len(symbols)])
    assert bound <= len(symbols) < len(gold)


def test_registers_of_every_layer(program, engine):
    for prompt in quick(program, 2):
        assert registers_compared(program, engine, prompt) >= 20, prompt
    for prompt in program.random_prompts()[:2]:
        registers_compared(program, engine, prompt)


def registers_compared(program, engine, prompt):
    """Compares the residual stream after each block of a layer with the trace of a run. Returns the number of registers compared."""
    tokens, length = engine.generate([prompt])
    if engine.completion(tokens[0, length:]).end:
        return 0
    with torch.no_grad():
        streams = engine.model(tokens, output_hidden_states=True).hidden_states
    # A generated cell does not take these over, so they are free until they are set.
    dropped = {it["name"] for it in program.meaning["registers"] if it["short"] in program.meaning["dropped"]}
    fresh, compared = {}, 0
    for block, part, cell, token, update in program.updates(prompt, engine.cells(prompt, tokens, length)):
        stream = streams[block + 1][0, token]
        fresh.setdefault(cell, set()).update(update["set"])
        for register in program.meaning["registers"]:
            name = register["name"]
            if name in dropped - fresh[cell] and cell > len(prompt.split()):
                continue
            place = (prompt, part, cell, name)
            assert decoded(register, stream) == update["state"].get(name), place
            assert deviation(register, stream) < 0.01, place
            compared += 1
    return compared


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", EXAMPLES)
def test_half_precision(name, dtype, tmp_path):
    if name not in HALF[dtype]:
        with pytest.raises(AssertionError, match=f"in {dtype}, the checkpoint differs from the program on the prompt"):
            Program(name, tmp_path, {"dtype": dtype})
        return
    program = Program(name, tmp_path, {"dtype": dtype})
    engine = Engine(program)
    assert engine.model.dtype == getattr(torch, dtype)
    # A processor multiplies halves slowly.
    prompts = list(quick(program, 3))
    program.check(prompts, engine.complete(prompts))
