"""An editor session: open PARGEN, break it, run it and fix it."""

import json
import random
import re
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from editor import Editor
from framing import Failed
from lsp_client import session
from lsprotocol import types
from paths import PARGEN, ROOT

NAME = "prev_region[N] == XA"
BROKEN = "prev_regon[N] == XA"
SWAP = '"K L V F G H ."'


@pytest.fixture
def pargen(client) -> Editor:
    return Editor(client, PARGEN.read_text())


def codes(diagnostics) -> set[str]:
    return {each.code for each in diagnostics}


def failing(diagnostics) -> bool:
    return "failing-test" in codes(diagnostics)


def title(lenses, needle: str) -> str:
    """The title of the lens on the first line that contains the needle."""
    return next(command.title for line, command in lenses if needle in line)


def test_the_server_announces_its_capabilities(client):
    can = client.server
    assert can.text_document_sync.change == types.TextDocumentSyncKind.Incremental
    assert can.text_document_sync.open_close
    assert can.hover_provider and can.code_action_provider and can.code_lens_provider
    assert can.completion_provider
    assert can.document_formatting_provider and can.document_range_formatting_provider
    commands = {f"psl.{name}" for name in ["run", "trace", "table", "compile", "tests", "coverage", "saveTest", "explain"]}
    assert commands <= set(can.execute_command_provider.commands)


def test_pargen_has_no_errors(pargen):
    assert pargen.errors() == []


# A misspelled name.


def test_a_misspelled_register_is_an_error_at_its_place(pargen):
    pargen.edit((NAME, BROKEN))
    [error] = pargen.errors()
    assert error.code == "unknown-register"
    assert error.source == "psl"
    assert error.range == pargen.span("prev_regon")
    assert "prev_regon" in error.message


def test_the_quick_fix_inserts_the_nearest_name(pargen):
    pargen.edit((NAME, BROKEN))
    [error] = pargen.errors()
    fix = next(fix for fix in pargen.quick_fixes(error) if "prev_region" in fix.title)
    pargen.apply(fix)
    assert pargen.text == PARGEN.read_text()
    assert pargen.errors() == []


def test_the_other_productions_keep_their_hovers(pargen):
    def kept() -> str:
        # The possible values of registers and the schedule can depend on any other production.
        domains = re.compile(r"\nvalues before this layer:\n\n```text\n.*?```\n", re.DOTALL)
        schedule = re.compile(r"\nscheduled in layer .*\n")
        return schedule.sub("", domains.sub("", pargen.hover("where prev_position[N] == 0")))

    before = kept()
    pargen.edit((NAME, BROKEN))
    assert kept() == before


def test_the_error_is_gone_when_the_name_is_corrected(pargen):
    pargen.edit((NAME, BROKEN))
    assert codes(pargen.errors()) == {"unknown-register"}
    pargen.edit((BROKEN, NAME))
    assert pargen.errors() == []


# Hover.


def test_hover_on_a_production_shows_its_layer_and_its_weights(pargen):
    text = pargen.hover("where symbol[n] == symbol[N] and position[n] == 1")
    lines = [line.split() for line in text.splitlines()]
    assert ["q,", "at", "N", "k,", "at", "n", "v,", "at", "n"] in lines
    assert ["s`:", "s", "s`:", "s", "r:", "CQ"] in lines
    assert ["W_q[s", "→", "s`]", "identity", "62", "of", "62×62"] in lines
    assert "layer 4" in text.lower()
    assert "26 registers of size 62 (" in text and "vectors of size 1612" in text
    assert "causal" in text


def test_hover_shows_the_weights_of_a_shift(pargen):
    assert "shift" in pargen.hover("where position[n] == position[N]@pos_decrement")


def test_hover_on_a_register_shows_its_names_and_role(pargen):
    text = pargen.hover("symbol[n] == symbol[N]")
    assert "symbol" in text and "`s`" in text and "output" in text


def test_hover_on_a_constant_shows_its_value(pargen):
    text = pargen.hover("region[N] == R_INIT", len("region[N] == "))
    assert "R_INIT" in text and "`R`" in text


def test_the_link_of_a_hover_leads_to_its_section(pargen):
    text = pargen.hover("watch: [")
    [(section, page, line)] = re.findall(r"^Reference: \[(.*)\]\((.*)#L(\d+)\)$", text, re.MULTILINE)
    assert section == "Watch"
    lines = Path(url2pathname(urlparse(page).path)).read_text(encoding="utf-8").splitlines()
    assert lines[int(line) - 1] == f"## {section}"


def test_there_is_no_hover_between_words(pargen):
    params = types.HoverParams(pargen.document, pargen.at("\n\n//@ test swap", 1))
    assert pargen.client.ask("textDocument/hover", params) is None


# Completion.


def test_registers_are_offered_after_where(pargen):
    labels = pargen.completions("where symbol[n]", len("where "))
    assert {"symbol", "prev_region", "y_temp"} <= labels


def test_possible_constants_are_offered_after_a_comparison(pargen):
    labels = pargen.completions("region[N] == XQ", len("region[N] == "))
    assert {"XQ", "R_INIT"} <= labels and "EOP" not in labels


def test_functions_are_offered_after_an_at(pargen):
    labels = pargen.completions("position[N]@pos_decrement", len("position[N]@"))
    assert {"pos_increment", "pos_decrement"} <= labels


def test_keywords_are_offered_at_the_start_of_a_line(pargen):
    pargen.edit(("# P10:", "\n# P10:"))
    labels = pargen.completions("\n\n\n# P10:", 1)
    assert {"where", "where_rm", "repeat", "causal_attn"} <= labels


# Code lenses.


def test_the_first_line_runs_all_tests_or_a_prompt(pargen):
    first = pargen.text.splitlines()[0]
    commands = [command for line, command in pargen.lenses() if line == first]
    uri = {"uri": pargen.uri}
    assert [(each.command, *each.arguments) for each in commands] == [("psl.tests", uri), ("psl.run", uri)]


def test_each_test_line_runs_or_explores_its_test(pargen):
    on_tests = [command for line, command in pargen.lenses() if line.startswith(("//@ test", "//@ law"))]
    assert [command.title for command in on_tests[:2]] == ["▶ Run test swap", "◫ Explore"]
    expected = [
        (name, {"uri": pargen.uri, "test": index}) for index in range(10) for name in ("psl.run", "psl.explore")
    ]
    assert [(command.command, *command.arguments) for command in on_tests] == expected


def test_a_client_with_a_debugger_has_a_lens_for_each_test(editor_name):
    with session(editor_name, options={"showDebug": True}) as client:
        editor = Editor(client, PARGEN.read_text())
        debug = [command for _, command in editor.lenses() if command.command == "psl.debug"]
    assert [(it.title, *it.arguments) for it in debug] == [("⇄ Debug", {"uri": editor.uri, "test": i}) for i in range(10)]


def test_each_production_shows_its_layer(pargen):
    on_productions = [c for line, c in pargen.lenses() if line.strip().startswith("where")]
    assert [c.title.split(" · ")[0] for c in on_productions] == [f"Layer {n}" for n in range(1, 32)]
    first_test = {"uri": pargen.uri, "test": 0}
    assert all((c.command, *c.arguments) == ("psl.run", first_test) for c in on_productions)


def test_the_lens_of_a_layer_repeats_the_last_run(pargen):
    result = pargen.command("psl.run", prompt="Q a A a . Q b A")
    assert (result["continuation"], result["stopped"]) == ("b .", "stop-symbol")
    lens = next(command for line, command in pargen.lenses() if line.startswith("where"))
    assert [*lens.arguments] == [{"uri": pargen.uri, "prompt": "Q a A a . Q b A"}]


def test_the_lens_of_a_test_shows_its_continuation(pargen):
    pargen.command("psl.run", test=0)
    lenses = pargen.lenses()
    assert title(lenses, "//@ test swap") == "✓ K L V F G H ."
    assert "fired" in title(lenses, "where position[N] == position[N] and parse[N] == 1")


def test_a_failing_test_is_marked_on_its_line(pargen):
    pargen.edit((SWAP, '"K L V F G ."'))
    result = pargen.command("psl.run", test=0)
    assert result["passed"] is False
    [failed] = [d for d in pargen.diagnostics(until=failing) if d.code == "failing-test"]
    assert failed.range.start.line == pargen.at("//@ test swap").line
    assert title(pargen.lenses(), "//@ test swap").startswith("✗ K L V F G H .")


def test_a_test_passes_again_when_its_line_is_corrected(pargen):
    pargen.edit((SWAP, '"K L V F G ."'))
    pargen.command("psl.run", test=0)
    pargen.diagnostics(until=failing)
    pargen.edit(('"K L V F G ."', SWAP))
    pargen.command("psl.run", test=0)
    pargen.diagnostics(until=lambda found: not failing(found))


# Commands.


@pytest.mark.parametrize("machine", ["psm", "qkvm", "dat"])
def test_a_test_runs_on_each_machine(pargen, machine):
    result = pargen.command("psl.run", test=0, machine=machine)
    assert result["continuation"].split() == "K L V F G H .".split()
    assert result["passed"] is True
    assert result["gold"] == "K L V F G H ."
    assert result["steps"] > 0 and result["seconds"] >= 0


def test_a_prompt_runs(pargen):
    result = pargen.command("psl.run", prompt="Q a + b A b - a . Q c d + e A")
    assert result["continuation"] == "e - c d ."
    assert "passed" not in result


def test_a_run_uses_the_buffer_and_not_the_file(pargen):
    pargen.edit(("    symbol[N] = symbol[n]\n    field[N]", "    symbol[N] = XQ\n    field[N]"))
    result = pargen.command("psl.run", test=0)
    assert "XQ" in result["continuation"].split()


def test_a_trace_has_a_line_for_every_cell_of_every_layer(pargen):
    trace = pargen.command("psl.trace", test=0)
    first = [line for line in trace if (line["step"], line["layer"]) == (0, 1)]
    assert [line["cell"] for line in first] == list(range(1, 20))
    assert first[0]["set"]["region"] == "R"


def test_all_tests_are_listed_with_ranges_and_results(pargen):
    tests = pargen.command("psl.tests")
    assert len(tests) == 10
    assert tests[0]["name"] == "swap"
    assert all(test["passed"] for test in tests)
    assert tests[0]["range"]["start"]["line"] == pargen.at("//@ test swap").line


def test_compiled_layers_are_mapped_to_lines(pargen):
    compiled = pargen.command("psl.compile", emit="qkvl")
    golden = json.loads((ROOT / "tests/golden/qkvl/pargen.json").read_text())
    assert json.loads(compiled["text"])["system_map"] == golden["system_map"]
    assert len(compiled["layers"]) == 31
    first = pargen.at("where position[N] == position[N] and").line
    layer = compiled["layers"][0]
    assert (layer["layer"], layer["line"], layer["range"]["start"]["line"]) == (1, first, first)
    start, end = layer["text"]["start"]["line"], layer["text"]["end"]["line"]
    own = "\n".join(compiled["text"].split("\n")[start : end + 1]).rstrip(",")
    assert json.loads(own) == json.loads(compiled["text"])["weights"][0]


def test_explain_a_code(pargen):
    explanation = pargen.command("psl.explain", code="unknown-register")
    assert "unknown-register" in explanation and "```psl" in explanation


def test_a_result_also_arrives_as_a_message(pargen):
    pargen.command("psl.run", test=0)
    [message] = pargen.client.until(lambda: pargen.client.messages)
    assert "K L V F G H ." in message.message


def test_a_client_that_shows_results_itself_gets_no_message(editor_name):
    with session(editor_name, options={"showResults": False}) as client:
        editor = Editor(client, PARGEN.read_text())
        editor.command("psl.run", test=0)
        editor.command("psl.tests")
        assert client.messages == []


# Edits.


def test_several_edits_of_one_notification_apply_in_order(pargen):
    pargen.edit(("watch: [region,", "watch: [regions,"), ("watch: [regions,", "watch: [rergion,"))
    [error] = pargen.errors()
    assert error.range == pargen.span("rergion")


def test_columns_are_in_units_of_the_encoding(client):
    program = (
        "registers: {symbol: 's', position: 'p', mark: 'm'}\n"
        "constants: {'🙂', 'né', A}\n"
        "where symbol[N] in ['🙂', 'né'] and mark[N] != A: mark[N] = A\n"
    )
    editor = Editor(client, program)
    assert editor.errors() == []
    editor.edit(("mark[N] != A", "marc[N] != A"))
    [error] = editor.errors()
    assert error.range == editor.span("marc")
    editor.edit(("marc[N] != A", "mark[N] != A"), ("'🙂', 'né'] and", "'né'] and"))
    assert editor.errors() == []


def test_garbage_is_an_error_and_the_server_continues(pargen):
    pargen.replace_all("\0}{ where where \U0001f642 ]] \r until ( \\ \"")
    assert pargen.errors() != []
    pargen.replace_all(PARGEN.read_text())
    assert pargen.errors() == []


# Formatting.


def test_a_formatted_text_gets_no_edits(pargen):
    assert list(pargen.formatting()) == []


def test_formatting_reverts_changes_of_layout(pargen):
    pargen.edit(("constants: {XQ, XA,", "constants {XQ\t,XA,"), ("    region[N] = R_INIT", "region[N]=R_INIT  "))
    pargen.edit(("until NO_CHANGE\n", "until\nNO_CHANGE\n\n"), ("//@ test swap", "#@ test swap"))
    edits = pargen.formatting()
    assert len(edits) < 15, "only the differences"
    pargen.make(edits)
    assert pargen.text == PARGEN.read_text()
    assert pargen.errors() == []


def test_formatting_uses_the_client_s_encoding(pargen):
    pargen.edit(("# A cell can attend", '#"🙂é"  \n# A cell can attend'), ("{XQ, XA", "{'🙂é',XQ,XA"))
    pargen.make(pargen.formatting())
    assert '#"🙂é"\n# A cell can attend' in pargen.text
    assert "constants: {'🙂é', XQ, XA, CQ" in pargen.text


def test_a_selection_of_lines_is_formatted(pargen):
    pargen.edit(("    type[N] = T_INIT\n    field[N] =", "  type[N]=T_INIT\n  field[N]="))
    pargen.make(pargen.formatting("  type[N]=T_INIT\n"))
    assert "    type[N] = T_INIT\n  field[N]=" in pargen.text
    pargen.make(pargen.formatting("field[N]="))
    assert pargen.text == PARGEN.read_text()


def test_broken_syntax_is_not_formatted(pargen):
    pargen.edit(("    type[N] = T_INIT", "  type[N] ="))
    assert not pargen.formatting()
    assert not pargen.formatting("type[N] =")


def test_every_kind_of_line_end_is_formatted(pargen):
    for line_end in ["\r\n", "\n"]:
        text = PARGEN.read_text().replace("\n", line_end)
        pargen.replace_all(text.replace("\n    ", "\n\t"))
        pargen.make(pargen.formatting())
        assert pargen.text == text


PRODUCTIONS = PARGEN.read_text().partition("# P0:")[2]

ODD_TEXTS = {
    "an empty file": ("", ["empty-program"]),
    "a NUL": ("\0", ["syntax"]),
    "deep parentheses": (PARGEN.read_text() + "where " + "(" * 100_000, ["nested-too-deep"]),
    "deep repeats": (PARGEN.read_text() + "repeat:\n" * 100_000, ["nested-too-deep"]),
    "CRLF": (PARGEN.read_text().replace("\n", "\r\n"), []),
    "a byte order mark": ("\ufeff" + PARGEN.read_text(), []),
    "10 MB": (PARGEN.read_text() + ("# P0:" + PRODUCTIONS) * (10_000_000 // len(PRODUCTIONS)), []),
}


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_unusual_texts_are_diagnosed_and_the_server_continues(pargen, name):
    text, codes = ODD_TEXTS[name]
    pargen.replace_all(text)
    assert [error.code for error in pargen.errors()] == codes
    pargen.replace_all(PARGEN.read_text())
    assert pargen.errors() == []
    assert "layer 1" in pargen.hover("where position[N]")


def test_after_random_edits_the_server_agrees_with_a_new_one(pargen, editor_name):
    chance = random.Random(7)
    pieces = ["where ", "repeat:\n", "until NO_CHANGE\n", "[n]", "{", "}", "'", "\n", "é🙂", "", "", ""]
    for _ in range(150):
        start = chance.randrange(len(pargen.text) - 60)
        old = pargen.text[start : start + chance.randrange(1, 60)]
        pargen.edit((old, chance.choice(pieces)))
    edited = pargen.errors()
    assert edited

    with session(editor_name) as fresh:
        assert Editor(fresh, pargen.text, pargen.uri).errors() == edited


def test_a_closed_file_is_refused_with_a_message(client):
    editor = Editor(client, PARGEN.read_text())
    editor.uri = "file:///programs/never-opened.psl"
    with pytest.raises(Failed, match="never-opened.psl"):
        editor.command("psl.run", prompt="Q A")


def test_a_closed_file_has_no_diagnostics(pargen):
    pargen.edit((NAME, BROKEN))
    pargen.errors()
    pargen.client.notify("textDocument/didClose", types.DidCloseTextDocumentParams(pargen.document))
    pargen.client.until(lambda: not pargen.client.published[-1].diagnostics)
