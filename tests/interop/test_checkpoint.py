"""A GPT-2 in NumPy that reads only the standard files of a checkpoint completes prompts like psl, or ends visibly."""

import json
import os
import re
from random import Random

import pytest
from gpt2 import ROUNDED, Gpt2
from psl import ROOT, output, psl

CASES = int(os.environ.get("CASES", 40))
INDUCTION = ROOT / "examples/induction.psl"
#: With one copy of the prompt, with several, and with a symbol of one token.
EXAMPLES = ["induction", "parity", "reverse", "sort", "pargen_kshot"]
ENDS = {"[unknown-symbol]", "[prompt-too-long]", "[empty-prompt]", "[more-passes-needed]", "[out-of-positions]"}
ENDS |= {"[not-a-prompt]", "[float32-needed]"}


def examples(file):
    """The prompts of the tests of a program, with their continuations."""
    objects = [json.loads(line) for line in psl("test", file, "--format", "json").stdout.splitlines() if line.startswith("{")]
    return [(test["prompt"], test["gold"]) for test in objects]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """Compiles a program once."""
    folders = {}

    def compiled(name):
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp(name)
            output("compile", ROOT / f"examples/{name}.psl", "--emit", "hf", "-o", folders[name])
            (folders[name] / "psl.json").unlink()
        return folders[name]

    return compiled


@pytest.fixture
def model(checkpoint):
    return Gpt2(checkpoint("induction"))


def test_it_passes_the_tests_of_the_program(model):
    expected = ["two three .", "y .", ".", "b .", "b ."]
    assert [model.complete(prompt) for prompt, _ in examples(INDUCTION)] == expected
    assert [gold for _, gold in examples(INDUCTION)] == expected


def test_it_stops_after_the_longest_continuation(model):
    expected = output("run", INDUCTION, "--prompt", "one", "--max-new", 16).strip()
    assert model.complete("one") == expected == " ".join(["one"] * 16)


@pytest.mark.parametrize("prompt, end", [("one nine", "[unknown-symbol]"), ("one " * 17, "[prompt-too-long]"), ("", "[empty-prompt]")])
def test_it_ends_visibly(model, prompt, end):
    assert model.complete(prompt) == end


@pytest.mark.parametrize("engine", ROUNDED)
@pytest.mark.parametrize("name", EXAMPLES)
def test_with_fewer_digits_it_is_right_or_ends_visibly(checkpoint, name, engine):
    rounded = Gpt2(checkpoint(name), **ROUNDED[engine])
    shortest = sorted(examples(ROOT / f"examples/{name}.psl"), key=lambda test: len(test[0] + test[1]))[:2]
    for prompt, gold in shortest:
        assert rounded.complete(prompt) in [gold, "[float32-needed]"], prompt


class Tokens:
    """The tokens of a checkpoint by their part in a sequence."""

    def __init__(self, model):
        self.id = model.tokenizer.get_vocab()
        special = [text for text in self.id if text.startswith((" <", "<"))]
        self.copies = sorted(text for text in special if re.fullmatch(r"<c\d>", text))
        self.symbols = [text[:-1] for text in self.id if text.endswith("⏎") and text != "⏎"]
        self.outputs = [text for text in self.id if text.startswith(" ") and text not in special and text.strip() not in ENDS]
        # The registers of a cell, in the order of their first tokens.
        registers = {text.split("=")[0]: [] for text in sorted(special, key=self.id.get) if "=" in text}
        for text in special:
            registers.get(text.split("=")[0], []).append(text)
        self.cell = [self.outputs, *registers.values()]

    def prompt(self, symbols):
        copy = [*symbols[:-1], f"{symbols[-1]}⏎"]
        return ["<bos>", *(token for start in [[it] for it in self.copies] or [[]] for token in [*start, *copy])]

    def part(self, text):
        """A letter for the part of a token: start, separator, symbol, last symbol, or the place in a cell."""
        if text in ["<bos>", "<pad>"]:
            return "S"
        if text in self.copies:
            return str(self.copies.index(text))
        if text in self.id and text.endswith("⏎"):
            return "L"
        if text in self.symbols:
            return "P"
        return chr(ord("a") + next(index for index, values in enumerate(self.cell) if text in values))

    def is_well_formed(self, texts):
        """Whether a sequence is a whole prompt with tokens of a continuation."""
        letters = "".join(map(self.part, texts))
        cell = "".join(chr(ord("a") + index) for index in range(len(self.cell)))
        tail = "|".join(cell[:length] for length in range(len(cell)))
        copies = "".join(f"{number}P*L" for number in range(len(self.copies))) or "P*L"
        found = re.fullmatch(f"S({copies})({cell})*({tail})", letters)
        if not found:
            return False
        parts = re.split(r"<c\d>", "\0".join(texts[1 : found.end(1)])) if self.copies else [texts[1]]
        return len({part.strip("\0") for part in parts if part}) == 1

    def changed(self, random):
        """A prompt with some tokens of a cell, some of which are lost, doubled, moved or replaced."""
        symbols = random.choices(self.symbols, k=random.randint(1, 5))
        texts = self.prompt(symbols) + [random.choice(values) for values in self.cell[: random.choice([0, 0, 0, 1, 9])]]
        every = [*self.symbols, *(f"{it}⏎" for it in self.symbols), "<bos>", "<pad>", *self.copies, *sum(self.cell, [])]
        if random.random() < 0.2:
            return random.choices(every, k=random.randint(1, 8))
        for _ in range(random.choice([1, 1, 1, 2, 3])):
            place = random.randrange(len(texts))
            kind = random.randrange(5)
            if kind == 0 and len(texts) > 1:
                del texts[place]
            elif kind == 1:
                texts.insert(place, random.choice([texts[place], random.choice(every)]))
            elif kind == 2:
                texts[place] = random.choice(every)
            elif kind == 3:
                other = random.randrange(len(texts))
                texts[place], texts[other] = texts[other], texts[place]
            else:
                texts = texts[place:] if random.random() < 0.5 else texts[: place + 1]
        return texts


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_not_a_prompt_ends_visibly(checkpoint, name):
    model, random = Gpt2(checkpoint(name)), Random(f"tokens {name} {os.environ.get('SEED', 0)}")
    tokens, ended = Tokens(model), 0
    for _ in range(2 * CASES):
        texts = tokens.changed(random)
        if tokens.is_well_formed(texts):
            continue
        found = model.tokenizer.id_to_token(int(model.logits([tokens.id[text] for text in texts]).argmax())).strip()
        assert found in ENDS, (texts, found)
        ended += 1
    assert ended > CASES // 2


@pytest.mark.parametrize("name", EXAMPLES)
def test_without_special_tokens_it_ends_visibly(checkpoint, name):
    model = Gpt2(checkpoint(name))
    for prompt, _ in examples(ROOT / f"examples/{name}.psl"):
        plain = model.tokenizer.encode(prompt, add_special_tokens=False).ids
        assert model.continued(plain) == "[not-a-prompt]", prompt
        started = [model.tokenizer.token_to_id("<bos>"), *plain]
        if started != model.tokenizer.encode(prompt).ids:
            assert model.continued(started) == "[not-a-prompt]", prompt
