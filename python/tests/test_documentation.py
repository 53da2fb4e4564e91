"""The docstrings: each public name has one, and their examples run."""

import ast
import doctest
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import psl


ROOT = Path(__file__).parents[2]


def docstrings() -> Iterator[tuple[str, str | None]]:
    """The package, its public names and their members, each with its docstring."""
    yield "psl", psl.__doc__
    for name in psl.__all__:
        value = getattr(psl, name)
        yield name, value.__doc__
        if isinstance(value, type):
            members = {member: it.__doc__ for member, it in vars(value).items() if not member.startswith("_")}
            for member, text in (members | fields(value)).items():
                yield f"{name}.{member}", text


def fields(value: type) -> dict[str, str | None]:
    """The fields that a class of Python declares, each with the string below it."""
    try:
        (declared,) = ast.parse(inspect.getsource(value)).body
    except (OSError, TypeError):  # a class in Rust
        return {}
    found = {}
    for field, below in zip(declared.body, [*declared.body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and not field.target.id.startswith("_"):
            has_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            found[field.target.id] = below.value.value if has_text else None
    return found


DOCSTRINGS = dict(docstrings())
WITH_EXAMPLES = [name for name, text in DOCSTRINGS.items() if ">>>" in (text or "")]


def test_each_public_name_has_a_docstring():
    assert len(DOCSTRINGS) > 50
    assert [name for name, text in DOCSTRINGS.items() if not text] == []


# The collector of pytest does not find the properties of the classes in Rust.
@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_an_example_runs(name):
    parsed = doctest.DocTestParser().get_doctest(DOCSTRINGS[name], {"psl": psl}, name, None, None)
    results = doctest.DocTestRunner().run(parsed)
    assert results.attempted and not results.failed


@pytest.mark.parametrize(("page", "folder"), [("README.md", "."), ("python/README.md", "examples")])
def test_the_program_of_a_readme_runs(page, folder, monkeypatch, capsys):
    programs = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    # tests/engines has Transformers.
    (program,) = [program for program in programs if "transformers" not in program]
    monkeypatch.chdir(ROOT / folder)
    exec(compile(program, page, "exec"), {})
    for line, shown in zip(capsys.readouterr().out.splitlines(), re.findall(r"print\(.*?\) +# (.*)", program), strict=True):
        assert line == shown or line.startswith("(")
