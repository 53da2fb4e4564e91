"""PSL, the Production System Language.

    >>> import psl
    >>> program = psl.Program('''
    ... registers: {symbol: 's', position: 'p'}
    ... constants: {A, B}
    ... where symbol[N] == A:
    ...     symbol[N] = B
    ... ''')
    >>> program.run("A", max_new=2).text
    'B B'

Lines, columns, layers, passes and cells are 1-based, as in traces. The axes of arrays are 0-based, and `Run.index`
converts. Bad arguments raise `ValueError` or `TypeError`, files that cannot be read `OSError`, and everything else that
is refused a subclass of `psl.Error`.
"""

from ._psl import Program, Run, load
from .data import Changes, Condition, Diagnostic, Diagnostics, Link, TestResult, TestResults, Why
from .errors import Error, ProgramError, RunError
from .explorer import Explorer, explore
from .notebook import load_ipython_extension

__all__ = [
    "Changes",
    "Condition",
    "Diagnostic",
    "Diagnostics",
    "Error",
    "Explorer",
    "Link",
    "Program",
    "ProgramError",
    "Run",
    "RunError",
    "TestResult",
    "TestResults",
    "Why",
    "explore",
    "load",
    "load_ipython_extension",
]
