"""Programs: their errors, diagnostics, format, tests and compiled form."""

import os
import pickle
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
