"""Weights as tensors and as files, beside those of the command line."""

import numpy as np
import pytest
from command import EXAMPLES, command, needs_command

import psl

PARGEN = psl.load(EXAMPLES / "pargen.psl")
INDUCTION = psl.load(EXAMPLES / "induction.psl")


def dense(tensor):
    return tensor.toarray() if isinstance(tensor, psl.SparseMatrix) else tensor


def test_a_matrix_is_sparse_or_dense():
    sparse, whole = INDUCTION.weights(), INDUCTION.weights(dense=True)
    assert list(sparse) == list(whole) and len(sparse) == len(sparse.tensors)
    side = len(sparse.registers) * len(sparse.values)
    for name in sparse:
        shape = (side, side) if ".W_" in name else (side,)
        assert whole[name].shape == shape and whole[name].dtype == np.float32
        assert (dense(sparse[name]) == whole[name]).all()
    matrix = sparse["layers.1.W_q"]
    assert matrix.shape == (side, side) and matrix.values.all()
    vectors = np.random.default_rng(0).normal(size=(3, side)).astype(np.float32)
    assert np.allclose(vectors @ matrix, vectors @ matrix.toarray(), atol=1e-5)
    with pytest.raises(ValueError, match="the last axis of"):
        vectors[:, 1:] @ matrix


def test_a_dense_matrix_that_is_too_large_is_refused():
    weights = PARGEN.weights(positions=4000)
    with pytest.raises(psl.Error, match="takes .* MB, and the limit is 4294 MB"):
        weights["layers.1.W_q"].toarray()


def test_each_component_has_a_register_and_a_value():
    weights = INDUCTION.weights(vocabulary=["new"], positions=5)
    assert weights.labels[weights.component("s", "new")] == ("s", "new")
    assert len(weights.labels) == len(weights.registers) * len(weights.values)
    assert [value for value in weights.values if value.isdigit()] == ["0", "1", "2", "3", "4", "5"]
    with pytest.raises(ValueError):
        weights.component("s", "old")


@needs_command
@pytest.mark.parametrize("options", [{}, {"positions": 90}, {"vocabulary": ["x", "y"]}], ids=str)
@pytest.mark.parametrize("sparse", [False, True])
def test_the_bytes_are_those_of_the_command_line(options, sparse, tmp_path):
    file, symbols = tmp_path / "w.safetensors", tmp_path / "symbols"
    arguments = ["--sparse"] if sparse else []
    for name, value in options.items():
        symbols.write_text(" ".join(value) if name == "vocabulary" else "")
        arguments += [f"--{name}", symbols if name == "vocabulary" else value]
    command("compile", "--emit", "weights", EXAMPLES / "induction.psl", "-o", file, *arguments)
    assert INDUCTION.compile("weights", sparse=sparse, **options) == file.read_bytes()


@needs_command
def test_text_is_that_of_the_command_line():
    for form in ["qkvl", "psl"]:
        assert PARGEN.compile(form) == command("compile", "--emit", form, EXAMPLES / "pargen.psl")


@pytest.mark.parametrize("form", ["qkvl", "weights"])
def test_compiled_programs_are_loaded(form, tmp_path):
    prompt = "Q B V D E A D E V B . Q F G H V K L A"
    file = tmp_path / ("p.json" if form == "qkvl" else "p.safetensors")
    text = PARGEN.compile(form, sparse=True) if form == "weights" else PARGEN.compile()
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    loaded = psl.load(file)
    expected, run = PARGEN.run(prompt, record=True), loaded.run(prompt, record=True)
    assert run.text == expected.text and run.rows == expected.rows
    names = [[run.values[value] if value >= 0 else None for value in run.states.ravel()] for run in [run, expected]]
    assert names[0] == names[1]
    assert run.where_from("region", cell=9)[0].value == expected.where_from("region", cell=9)[0].value
    assert psl.Program(loaded.text).qkvl()["weights"] == PARGEN.qkvl()["weights"]
    # QKVL has no tests, whose symbols weights have.
    assert loaded.weights().values == (PARGEN if form == "weights" else psl.Program(loaded.text)).weights().values


def test_symbols_that_a_vocabulary_lacks_are_all_named(tmp_path):
    file = tmp_path / "p.safetensors"
    file.write_bytes(PARGEN.compile("weights", vocabulary=["B"], sparse=True))
    with pytest.raises(psl.RunError, match="`new`.*`old`"):
        psl.load(file).run("Q new V old A")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"positions": 1}, ValueError, "`positions` is from 2"),
        ({"positions": 10**9}, ValueError, "`positions` is from 2"),
        ({"vocabulary": "A B"}, TypeError, "pass a list"),
        ({"vocabulary": ["A B", "", "C"]}, ValueError, r'not symbols.*"A B", ""'),
        ({"vocabulary": [None]}, TypeError, "str"),
        ({"positions": 4000, "dense": True}, psl.Error, "dense weights of positions 4000, .* and the limit is 1000 MB"),
    ],
)
def test_a_bad_vocabulary_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        PARGEN.weights(**options)


@pytest.mark.parametrize("form", ["QKVL", "safetensors"])
def test_an_unknown_form_is_refused(form):
    with pytest.raises(ValueError, match="expected `qkvl`, `weights` or `psl`"):
        PARGEN.compile(form)
    with pytest.raises(ValueError, match="only apply to weights"):
        PARGEN.compile("psl", positions=3)


@pytest.mark.parametrize("name", ["p.json", "p.safetensors"])
def test_wrong_content_is_refused_with_the_name_of_its_file(name, tmp_path):
    file = tmp_path / name
    file.write_bytes(b"\xff{}")
    with pytest.raises(psl.Error, match=name):
        psl.load(file)
    with pytest.raises(FileNotFoundError, match=name):
        psl.load(tmp_path / "none" / name)
