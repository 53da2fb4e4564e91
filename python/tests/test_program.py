"""Programs: their errors, diagnostics, format, tests and compiled form."""

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import psl

EXAMPLES = Path(__file__).parents[2] / "examples"
COPY = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.psl")), ids=lambda path: path.stem)
def test_each_example_loads_and_its_tests_pass(path):
    program = psl.load(path)
    assert program.name == str(path)
    assert program.format() == program.text
    assert all(result.passed for result in program.test()) and program.test()
    assert all(diagnostic.severity != "error" for diagnostic in program.check())
    assert list(program.qkvl()["weights"][0]) != []


def test_a_program_that_does_not_compile_has_its_diagnostics():
    with pytest.raises(psl.ProgramError) as caught:
        psl.Program(COPY.replace("symbol[N] = B", "symbl[N] = B"), name="copy")
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.line, diagnostic.column, diagnostic.end_line, diagnostic.end_column) == (4, 5, 4, 10)
    assert (diagnostic.severity, diagnostic.code) == ("error", "unknown-register")
    error = caught.value
    assert (error.line, error.column, error.code, error.help) == (4, 5, diagnostic.code, diagnostic.help)
    assert str(error) == f"copy does not compile\n\n{diagnostic}"
    assert str(diagnostic).splitlines() == [
        "error[unknown-register]: unknown register `symbl`",
        "   ╭─[ copy:4:5 ]",
        " 4 │     symbl[N] = B",
        "   │     ━━━━━",
        "  help: did you mean `symbol`?",
    ]
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.diagnostics) == (str(error), error.diagnostics)


def test_a_failing_test_has_its_difference_and_a_diagnostic():
    program = psl.Program('//@ max-new 1\n//@ test "A" => "A"\n//@ test copy: "A" => "B"\n' + COPY)
    wrong, right = program.test()
    assert (wrong.name, wrong.line, wrong.expected, wrong.got, wrong.passed) == (None, 2, "A", "B", False)
    assert wrong.message and not right.message and right.passed
    assert program.test("copy") == [right]
    assert [it.line for it in program.check() if it.code == "failing-test"] == [2]
    with pytest.raises(ValueError, match="unknown test `none`"):
        program.test("none")


def test_a_text_is_formatted():
    assert psl.Program(COPY.replace("    symbol", "  symbol")).format() == COPY


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot read .*none.psl"):
        psl.load(tmp_path / "none.psl")
    with pytest.raises(OSError):
        psl.load(tmp_path)
    (tmp_path / "bytes.psl").write_bytes(b"# \xff\n")
    with pytest.raises(psl.ProgramError, match="byte 0xFF is not UTF-8"):
        psl.load(tmp_path / "bytes.psl")
    (tmp_path / "psl.toml").write_text("stop = 1")
    with pytest.raises(psl.Error, match="psl.toml:1:8"):
        psl.load(tmp_path / "bytes.psl")


@pytest.mark.parametrize("path", [None, 1, b"\xff", open(os.devnull)], ids=lambda path: type(path).__name__)
def test_a_file_has_a_path(path):
    with pytest.raises((TypeError, OSError)):
        psl.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of Unix")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path):
    for name in ["pipe.psl", "pipe.json", "pipe.safetensors"]:
        os.mkfifo(tmp_path / name)
        with pytest.raises(OSError, match=f"cannot read .*{name}"):
            psl.load(tmp_path / name)
    with pytest.raises(OSError, match="cannot read .*pipe.psl"):
        psl.Program(COPY).eval(tmp_path / "pipe.psl")


def test_a_line_of_data_that_is_too_long_or_not_utf_8_is_refused(tmp_path):
    data = tmp_path / "data.tsv"
    data.write_bytes(b"A\tB\r\n\n" + b"A " * (9 << 20))
    with pytest.raises(OSError, match="line 3 of .*data.tsv.*longer than"):
        psl.Program(COPY).eval(data)
    data.write_bytes(b"A\tB\n\xff\n")
    with pytest.raises(OSError, match="line 2 of .*data.tsv.*UTF-8"):
        psl.Program(COPY).eval(data)


def test_deep_nesting_is_refused():
    text = "registers: {symbol: 's', position: 'p'}\nconstants: {A}\n"
    text += "".join(" " * level + "repeat:\n" for level in range(2_000))
    with pytest.raises(psl.ProgramError):
        psl.Program(text)
    with pytest.raises(psl.ProgramError):
        psl.Program("([{" * 20_000)


@pytest.mark.parametrize("text", [None, b"bytes", 1])
def test_a_program_is_a_text(text):
    with pytest.raises(TypeError):
        psl.Program(text)
    with pytest.raises(ValueError):
        psl.Program("\ud800")


def test_a_production_is_replaced():
    program = psl.Program(COPY)
    edited = program.edit(1, "where symbol[N] == B:\n    symbol[N] = A\n")
    assert edited.text == COPY.replace("N] == A:", "N] == B:").replace("N] = B", "N] = A")
    assert (program.text, edited.run("B", max_new=1).text) == (COPY, "A")
    pargen = psl.load(EXAMPLES / "pargen.psl")
    nested = pargen.edit(5, "where position[N] == position[N]:\n    region[N] = symbol[N]")
    assert nested.format() == nested.text != pargen.text
    with pytest.raises(IndexError, match="layer 2 is out of range: the program has 1 layer"):
        program.edit(2, "")
    with pytest.raises(psl.ProgramError, match="expected `\\["):
        program.edit(1, "where x")


def test_a_program_is_pickled():
    edited = psl.load(EXAMPLES / "pargen.psl").edit(1, "where position[N] == position[N]:\n    region[N] = symbol[N]")
    for program in [psl.Program(COPY, name="copy"), edited]:
        again = pickle.loads(pickle.dumps(program))
        assert (again.text, again.name) == (program.text, program.name)
        assert again == program and hash(again) == hash(program) and copy.deepcopy(program) is program
    assert psl.Program(COPY) == psl.Program(COPY, name="copy") != psl.Program(COPY + "\n") and program != 1


@pytest.mark.parametrize("name", ["p.json", "p.safetensors"])
def test_a_loaded_program_is_pickled_with_what_it_was_loaded_from(name, tmp_path):
    program, file = psl.Program(COPY), tmp_path / name
    file.write_bytes(program.compile().encode() if name == "p.json" else program.compile("weights", vocabulary=["C"]))
    loaded = psl.load(file)
    pickled = pickle.dumps(loaded)
    file.unlink()
    again = pickle.loads(pickled)
    assert again == loaded != program and again.name == str(file)
    assert again.run("A C", max_new=1) == loaded.run("A C", max_new=1)
    assert again.compile("weights") == loaded.compile("weights")


def test_an_evaluation_ablates_each_layer():
    whole, without = psl.Program("//@ max-new 1\n" + COPY).eval([("A", "B"), ("B", "A")], ablate="each")
    assert (whole.ablated, without.ablated) == ((), (1,))
    assert repr(whole) == "Evaluation(correct=1, total=2, malformed=0, accuracy=0.5000)"
    assert repr(without) == "Evaluation(correct=0, total=2, malformed=0, accuracy=0.0000, ablated=(1,))"


MEMORY = """
import resource, numpy, psl
p = psl.load({path!r})
# Starts the threads, which need memory too.
p.weights()
limit = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + {room}
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    p.{call}
except MemoryError:
    print("MemoryError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize("call", ["compile('weights', positions=740)", "weights(positions=740, dense=True)"])
def test_weights_without_memory_are_an_error(call):
    text = MEMORY.format(path=str(EXAMPLES / "induction.psl"), room=1 << 20, call=call)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


LAWS = """//@ law same "$a $b" => "$b"
//@ law keeps any "$a $b" => "$b"
//@ max-new 1
registers: {symbol: 's', position: 'p'}
constants: {A, B}
system: {symbol: symbol, position: position, output: symbol}
where symbol[N] == A:
    symbol[N] = B
"""


def test_a_law_says_for_which_symbols_it_holds():
    same, keeps = psl.Program(LAWS).test()
    assert same.passed and (same.kind, same.prompt, same.runs, same.symbols) == ("law", "a b", 1, None)
    assert same.holds == "holds for all different symbols but `.` and `A`"
    assert not keeps.passed and keeps.holds is None and keeps.symbols == {"a": "a", "b": "A"}
    assert (keeps.prompt, keeps.expected, keeps.got, keeps.message) == ("a A", "A", "B", "symbol 1 is `B`, not `A`")


NEXT = """//@ answer next
//@ test row "a A b" => "∅ b b"
registers: {symbol: 's', position: 'p', next: 'x'}
constants: {A}
system: {symbol: symbol, position: position}
where position[n] == position[N]@pos_increment and symbol[n] != A:
    next[N] = symbol[n]
"""


def test_a_program_answers_with_rows():
    program = psl.Program(NEXT)
    [tested] = program.test()
    assert not tested.passed and (tested.expected, tested.got) == ("∅ b b", "∅ b ∅")
    assert tested.message == "value 3 of the row is `∅`, not `b`"
    assert program.run("c A d").text == "∅ d ∅"
    generating = psl.Program(NEXT.replace("position: position}", "position: position, output: symbol}"))
    assert generating.run("c A d", row=True, verify=True).text == "∅ d ∅"
    assert [run.text for run in generating.run_many(["c d", "d"], row=True)] == ["d ∅", "∅"]
    with pytest.raises(ValueError, match="name one, as in `//@ answer count`"):
        psl.Program(COPY).run("A", row=True)


def test_rows_are_scored_by_line_and_by_token():
    evaluation = psl.Program(NEXT).eval([("a b c", "b c ∅"), ("a A", "A a"), ("b c", "c")], row=True)
    assert (evaluation.correct, evaluation.token_accuracy) == (1, 4 / 6)
    assert [line.right_tokens for line in evaluation.lines] == [3, 0, 1]
