"""The checkpoint of a program."""

import json
import pickle
import zlib

import pytest
from command import EXAMPLES, command, needs_command

import psl

INDUCTION = psl.load(EXAMPLES / "induction.psl")


@needs_command
@pytest.mark.parametrize(
    "options", [{}, {"max_prompt": 20, "max_new": 4}, {"vocabulary": ["x"], "dtype": "float16"}], ids=str
)
def test_the_files_are_those_of_the_command_line(options, tmp_path):
    ours, theirs, symbols = tmp_path / "ours", tmp_path / "theirs", tmp_path / "symbols"
    INDUCTION.save_hf(ours, **options)
    symbols.write_text("x")
    values = {**options, "vocabulary": symbols} if "vocabulary" in options else options
    arguments = [part for name, value in values.items() for part in (f"--{name.replace('_', '-')}", value)]
    command("compile", EXAMPLES / "induction.psl", "--emit", "hf", "-o", theirs, *arguments)
    names = sorted(file.name for file in theirs.iterdir())
    assert names == sorted(file.name for file in ours.iterdir())
    for name in names:
        assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name


def test_a_checkpoint_is_loaded_as_its_program(tmp_path):
    INDUCTION.save_hf(tmp_path / "made")
    loaded = psl.load(tmp_path / "made")
    for prompt in ["a b c a", "b a b"]:
        assert loaded.run(prompt).text == INDUCTION.run(prompt).text
    assert loaded.qkvl()["weights"] == INDUCTION.qkvl()["weights"]
    assert pickle.loads(pickle.dumps(loaded)) == loaded != INDUCTION
    (tmp_path / "made" / "psl.json").write_text("{}")
    with pytest.raises(psl.Error, match="psl.json: `program` or `stop` is missing"):
        psl.load(tmp_path / "made")


@pytest.mark.parametrize("option", ["max_prompt", "max_new"])
def test_a_refusal_names_arguments_of_python(option, tmp_path):
    with pytest.raises(psl.Error) as caught:
        INDUCTION.save_hf(tmp_path / "made", **{option: 10**6})
    assert "`max_prompt`" in str(caught.value) and "--" not in str(caught.value)


def test_the_bounds_are_in_the_directory(tmp_path):
    INDUCTION.save_hf(str(tmp_path), max_prompt=5, max_new=7)
    meaning = json.loads((tmp_path / "psl.json").read_text())
    assert (meaning["max_prompt"], meaning["max_new"]) == (5, 7)


def test_what_has_no_checkpoint_is_refused(tmp_path):
    addition = psl.load(EXAMPLES / "addition.psl")
    with pytest.raises(psl.Error, match="a repeat block contains a production that can read a cell on its right") as refused:
        addition.save_hf(tmp_path / "never")
    assert refused.value.line == 71
    assert not (tmp_path / "never").exists()
    with pytest.raises(ValueError, match="unknown dtype `int8`; expected one of `float32`, `bfloat16`, `float16`"):
        INDUCTION.save_hf(tmp_path / "never", dtype="int8")
    with pytest.raises(ValueError, match="`max_new` is at least 1"):
        INDUCTION.save_hf(tmp_path / "never", max_new=0)
    with pytest.raises(TypeError, match="pass a list"):
        INDUCTION.save_hf(tmp_path / "never", vocabulary="a b")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        INDUCTION.save_hf(tmp_path / "file")


def test_files_of_others_are_not_replaced(tmp_path):
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(FileExistsError, match="README.md is not from a checkpoint of psl: choose another directory"):
        INDUCTION.save_hf(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["README.md"]
    INDUCTION.save_hf(tmp_path, force=True)
    INDUCTION.save_hf(tmp_path, max_new=3)
    listed = json.loads((tmp_path / "psl.json").read_text())["files"]
    for name, listing in listed.items():
        content = (tmp_path / name).read_bytes()
        assert listing == {"bytes": len(content), "crc32": f"{zlib.crc32(content):08x}"}, name
    assert len(listed) == len(list(tmp_path.iterdir())) - 1


def test_a_failed_write_leaves_the_directory_as_it_was(tmp_path):
    resource = pytest.importorskip("resource")
    INDUCTION.save_hf(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    _, hard = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            INDUCTION.save_hf(tmp_path, max_new=3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
