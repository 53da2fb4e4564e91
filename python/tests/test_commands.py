"""The functions of the other commands, beside the command line."""

import json

import pytest
from command import EXAMPLES, ROOT, command, needs_command

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
COPY = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n"
INCREMENT = (ROOT / "tests/turing/increment.tm").read_text()
BROKEN = COPY.replace("== A", "== AA")


def test_a_text_that_does_not_compile_is_checked_formatted_and_fixed():
    assert [it.code for it in psl.check(BROKEN)][:1] == ["unknown-constant"]
    assert psl.check(COPY) == psl.Program(COPY).check()
    assert psl.fmt(BROKEN.replace("    symbol", "  symbol")) == BROKEN
    with pytest.raises(psl.ProgramError, match="does not compile"):
        psl.fmt("where where")
    unused = COPY.replace("{A, B}", "{A, B, C}")
    assert "unused-constant" in [it.code for it in psl.check(unused)]
    assert psl.fix(unused) == COPY


@needs_command
def test_fixes_are_those_of_the_command_line(tmp_path):
    file = tmp_path / "p.psl"
    for text in [COPY, BROKEN, COPY.replace("{A, B}", "{A, B, C}"), COPY.replace("symbol[N] = B", "symbl[N] = B")]:
        file.write_text(text)
        status = 0 if not any(it.severity == "error" for it in psl.check(psl.fix(text))) else 1
        command("check", "--fix", file, status=status)
        assert psl.fix(text) == file.read_text()


def test_a_word_is_explained():
    assert psl.explain("repeat").startswith("#") and "`non-causal`" in psl.explain()
    with pytest.raises(ValueError, match="repeat"):
        psl.explain("repeet")


@needs_command
def test_explanations_are_those_of_the_command_line():
    for word in ["repeat", "non-causal", "@pos_increment", "reference/values"]:
        assert psl.explain(word) == command("explain", word)


@needs_command
@pytest.mark.parametrize("split", ["train", "ood_lexical", "dyn_ood_lexical"])
def test_lines_of_tgt_are_those_of_the_command_line(split):
    lines = psl.tgt(split, 20, shots=2, seed=7)
    expected = command("tgt", "--split", split, "--count", 20, "--shots", 2, "--seed", 7, "--format", "jsonl")
    assert [vars(line) for line in lines] == [json.loads(line) for line in expected.splitlines()]
    assert psl.check_tgt(lines, split, shots=2) == [None] * 20
    wrong = psl.Line(lines[0].prompt, "x " + lines[0].gold, lines[0].info)
    assert psl.check_tgt([wrong, (lines[1].prompt, lines[1].gold, lines[1].info)], split, shots=2)[1] is None
    assert psl.check_tgt([wrong], split, shots=2)[0]


@needs_command
def test_lines_of_nfe_are_those_of_the_command_line():
    lines = psl.nfe(3, 20, seed=7)
    expected = command("nfe", "--depth", 3, "--count", 20, "--seed", 7, "--format", "jsonl")
    assert [vars(line) for line in lines] == [json.loads(line) for line in expected.splitlines()]
    assert psl.check_nfe(lines, 3) == [None] * 20 and all(psl.check_nfe(lines, 2))


def test_a_program_is_scored():
    lines = psl.tgt("test", 300)
    evaluation = PARGEN.eval(lines)
    assert (evaluation.total, evaluation.correct, evaluation.malformed, evaluation.accuracy) == (300, 300, 0, 1.0)
    assert evaluation.failures == [] and evaluation.lines[0].info == lines[0].info
    ablated = PARGEN.eval(((line.prompt, line.gold) for line in lines), ablate=[12], limit=250)
    assert ablated.total == 250 and 0 < len(ablated.failures) == 250 - ablated.correct
    failure = ablated.failures[0]
    assert failure.got != failure.gold == lines[failure.line - 1].gold and failure.error is None
    assert PARGEN.eval([]).accuracy == 0


@needs_command
@pytest.mark.parametrize("name", ["data.tsv", "data.jsonl"])
def test_scores_are_those_of_the_command_line(name, tmp_path):
    file = tmp_path / name
    command("tgt", "--split", "ood_lexical", "--count", 200, "-o", file)
    with file.open("a") as data:
        data.write("\nno tab\n" if name.endswith("tsv") else "\n{}\n")
    found = PARGEN.eval(file, ablate="12-14")
    expected = json.loads(
        command("eval", EXAMPLES / "pargen.psl", file, "--ablate", "12-14", "--format", "json", "--show", "all")
    )
    for name in ["total", "correct", "malformed", "accuracy", "token_accuracy"]:
        assert getattr(found, name) == expected[name]
    for line, other in zip(found.lines, expected["lines"], strict=True):
        assert vars(line) == {"info": None, "error": None, "right_tokens": line.right_tokens} | other


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: psl.tgt("none"), ValueError, "unknown split `none`"),
        (lambda: psl.tgt("test", shots=0), ValueError, "`shots` is from 1 to 10"),
        (lambda: psl.tgt("test", words="x"), ValueError, "expected `rlw` or `eng`"),
        (lambda: psl.nfe(0), ValueError, "`depth` is from 1"),
        (lambda: psl.nfe(1, -1), ValueError, "at least 0"),
        (lambda: psl.check_nfe([("a",)]), TypeError, r"a tuple of a prompt, .* found \('a',\)"),
        (lambda: psl.check_nfe(None), TypeError, "NoneType"),
        (lambda: psl.turing(INCREMENT, "1", pad=10**9), ValueError, "`pad` is at most"),
        (lambda: psl.turing(INCREMENT, " "), ValueError, "the tape is empty"),
        (lambda: psl.turing(INCREMENT, "1", start="?"), ValueError, "unknown state"),
        (lambda: psl.turing(INCREMENT, "1", blank=""), ValueError, "not one symbol"),
        (lambda: PARGEN.eval("/none/data.tsv"), FileNotFoundError, "data.tsv"),
        (lambda: PARGEN.eval(None), TypeError, "NoneType"),
        (lambda: PARGEN.eval([], machine="x"), ValueError, "x"),
        (lambda: PARGEN.eval([], ablate="99"), ValueError, "99"),
    ],
)
def test_bad_arguments_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_turing_machine_is_compiled_and_run():
    machine = psl.turing(INCREMENT, "_ 1 0 1 1", head=5)
    run = psl.run_turing(INCREMENT, "_ 1 0 1 1", head=5)
    assert run.tape == "_ 1 1 0 0" and run.left is None and len(run.steps) > 3
    assert machine.program.run(machine.prompt, max_new=20).text.startswith(run.tape)
    assert psl.turing(INCREMENT).prompt is None
    with pytest.raises(psl.Error) as caught:
        psl.turing("a b\n" + INCREMENT)
    assert caught.value.line == 1
    with pytest.raises(ValueError, match="square 9 is not on the tape, which has 1 square"):
        psl.turing(INCREMENT, "1", head=9)
    with pytest.raises(psl.RunError, match="never halts"):
        psl.run_turing((ROOT / "tests/turing/cycle.tm").read_text(), "0 0")


@needs_command
def test_programs_and_steps_of_a_turing_machine_are_those_of_the_command_line():
    table = ROOT / "tests/turing/beaver3.tm"
    assert psl.turing(table.read_text()).program.text == command("turing", table)
    run = psl.run_turing(table.read_text(), "0", pad=4, blank="0")
    expected = command("turing", table, "--tape", "0", "--pad", 4, "--blank", "0", "--steps")
    steps = [f"{number} {state} | {tape}" for number, (state, tape) in enumerate(run.steps)]
    assert steps == expected.splitlines()[: len(steps)]


@needs_command
def test_an_imported_program_is_that_of_the_command_line():
    program, examples = EXAMPLES / "pargen.psl", ROOT / "tests/import/examples.yaml"
    imported = psl.import_(program.read_text(), examples.read_text())
    assert imported.text == command("import", program, "--examples", examples) and "//@ test" in imported.text
    assert imported.notes
    with pytest.raises(psl.ProgramError):
        psl.import_(BROKEN)
    with pytest.raises(psl.Error, match="1"):
        psl.import_(COPY, "a: [")


def test_two_runs_are_compared():
    prompt = "Q B V D E A D E V B . Q F G H V K L A"
    run = PARGEN.run(prompt, record=True)
    assert run.trace_diff(PARGEN.run(prompt, record=True, machine="psm")) is None
    other = PARGEN.run(prompt, record=True, ablate=[12])
    difference = run.trace_diff(other)
    assert difference.start is None and difference.kind == "writes" and run.rows[difference.row - 1][0] == 12
    assert difference.row == difference.other_row
    assert run.trace_diff(PARGEN.run("Q C" + prompt[3:], record=True)).start == 2
    with pytest.raises(ValueError, match="differ in their registers"):
        run.trace_diff(psl.Program(COPY).run("A", record=True))
    with pytest.raises(psl.Error, match="record=True"):
        run.trace_diff(PARGEN.run(prompt))


def test_why_not_names_the_first_condition_that_fails():
    run = PARGEN.run("Q B V D E A D E V B . Q F G H V K L A", record=True)
    rows = [(layer, passes) for layer, passes in run.rows]
    reasons = set()
    for layer, passes in rows[:60]:
        for source in [1, 5, 19]:
            why = run.why(layer, passes, cell=9, source=source) if run.ran[run.index(layer, passes, 9)] else None
            if why is None:
                continue
            answer = run.why_not(layer, passes, cell=9, source=source)
            reasons.add(answer.reason)
            matches = why.visible and all(condition.holds for condition in why.conditions)
            assert (answer.reason in ("attends", "other")) == matches
            assert answer.reason != "condition" or answer.condition in why.conditions and not answer.condition.holds
            assert str(answer).startswith("cell ")
    assert reasons >= {"condition", "hidden"}
