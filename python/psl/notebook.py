"""The extension of IPython: `%load_ext psl` adds the magic `%%psl` and completes names of tests and registers."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from ._psl import Program, Run, test_names
from .errors import Error, ProgramError
from .html import checked

CALL = re.compile(r"""([A-Za-z_]\w*)\.(test|where_from)\(\s*(?:name\s*=\s*|register\s*=\s*)?(?:"[^"]*|'[^']*)\Z""")
"""A call whose first argument is being typed, from the name of its object on."""


def load_ipython_extension(ipython: Any) -> None:
    """Adds the magic `%%psl` and completions to IPython. `%load_ext psl` calls it."""
    # Its types are incomplete, and it is there only if it calls this function.
    completer = import_module("IPython.core.completer")

    def magic(line: str, cell: str) -> None:
        psl_magic(ipython, line, cell)

    magic.__doc__ = psl_magic.__doc__
    ipython.register_magic_function(magic, "cell", "psl")

    def names(context: Any) -> dict[str, Any]:
        found = completions(context.text_until_cursor, ipython.user_ns)
        chosen = [completer.SimpleCompletion(text=name, type="str") for name in found if name.startswith(context.token)]
        # Files and magics make no sense there.
        return {"completions": chosen, "suppress": bool(chosen)}

    matchers = ipython.Completer.custom_matchers
    # A reload of the extension replaces its matcher.
    others = [other for other in matchers if getattr(other, "matcher_identifier", "") != "psl"]
    matchers[:] = [*others, completer.context_matcher(identifier="psl")(names)]


def psl_magic(ipython: Any, line: str, cell: str) -> None:
    """Compiles the program in the cell, binds it to a name, and runs its tests: `%%psl NAME`.

    Shows warnings and the outcome of the tests. A program with errors shows each of them at its line, and leaves the name as it was.
    """
    name = line.strip()
    if not name.isidentifier():
        raise import_module("IPython.core.error").UsageError("`%%psl` takes the name of the program: `%%psl copy`")
    try:
        program = Program(cell, name=name)
    except ProgramError as error:
        # The place that matters is in the message. A traceback would lead to this file.
        setattr(error, "_render_traceback_", str(error).splitlines)
        raise
    ipython.push({name: program})
    found = [it for it in program.check() if it.code != "failing-test"]
    show = import_module("IPython.display")
    show.display(show.HTML(checked(found, program.test())))


def completions(text: str, names: dict[str, Any]) -> list[str]:
    """Returns the names that a call before the cursor can take: of a program's tests, or of a recorded run's registers."""
    call = CALL.search(text)
    if call is None:
        return []
    shown = names.get(call[1])
    if isinstance(shown, Program) and call[2] == "test":
        return test_names(shown)
    if isinstance(shown, Run) and call[2] == "where_from":
        try:
            return list(shown.registers)
        except Error:
            return []
    return []
