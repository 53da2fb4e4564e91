"""The snippets of the Visual Studio Code extension: with its defaults, each is valid code in the layout of `psl fmt`."""

import json
import re

import pytest
from command import formatted, psl
from paths import ROOT

SNIPPETS = json.loads((ROOT / "editors/vscode/snippets/psl.json").read_text())
# The server completes these, with places to fill in.
KEYWORDS = "where where_lm where_rm repeat registers constants system watch causal_attn".split()
DECLARATIONS = {"registers": "{symbol: 's', position: 'p', mark: 'm', copy: 'c'}", "constants": "{A, B}"}
PRODUCTION = "where symbol[N] == A:\n    mark[N] = B\n"
PLACE = re.compile(r"\$\{\d+:([^}]*)\}|\$\{\d+\|([^,|]*)[^|]*\|\}|\$\d+")


def expanded(body: str | list[str]) -> str:
    """The text of a snippet with its defaults."""
    text = body if isinstance(body, str) else "\n".join(body)
    return PLACE.sub(lambda place: (place[1] or place[2] or "").replace(r"\$", "$"), text).replace("\t", "    ") + "\n"


def program(body: str | list[str]) -> str:
    """A small program that contains the snippet."""
    text = expanded(body)
    word = text.split(":")[0]
    before = "".join(f"{name}: {value}\n" for name, value in DECLARATIONS.items() if name != word)
    if text.startswith("//@"):
        return before + "\n" + text + PRODUCTION
    return text + before + PRODUCTION if word in DECLARATIONS else before + text + PRODUCTION


@pytest.mark.parametrize("snippet", SNIPPETS.values(), ids=lambda snippet: snippet["prefix"])
def test_a_snippet_is_valid_and_formatted(snippet):
    text = program(snippet["body"])
    # `$a` is the variable of a law.
    assert "$" not in text.replace("$a", "")
    assert "unknown-directive" not in psl("check", "--format", "json", "-", input=text).stdout
    assert formatted(text) == text


def test_a_snippet_repeats_no_completion_of_the_server():
    prefixes = [snippet["prefix"] for snippet in SNIPPETS.values()]
    assert len(prefixes) == len(set(prefixes))
    assert not set(KEYWORDS) & set(prefixes)
    for snippet in SNIPPETS.values():
        assert snippet["description"].endswith(".")
        places = [int(place) for place in re.findall(r"\$\{?(\d+)", str(snippet["body"]))]
        assert 0 in places and set(places) == set(range(max(places) + 1))
