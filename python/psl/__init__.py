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

from collections.abc import Callable

from ._psl import (
    Program,
    Run,
    check,
    check_nfe,
    check_tgt,
    explain,
    fill,
    fix,
    fmt,
    import_,
    load,
    nfe,
    run_turing,
    tgt,
    turing,
)
from .batch import Runs
from .data import (
    Changes,
    Condition,
    Counterexample,
    Diagnostics,
    Difference,
    Evaluation,
    Found,
    Imported,
    Layer,
    LayerRun,
    Layers,
    Line,
    Link,
    Proof,
    Register,
    ScoredLine,
    Search,
    SparseMatrix,
    TestResults,
    Turing,
    TuringRun,
    Weights,
    Why,
    WhyNot,
)
from .errors import Error, ProgramError, RunError
from .explorer import Explorer, explore
from .notebook import load_ipython_extension
from .patches import MinimalPatch, Patch, Patches
from .reports import Diagnostic, TestResult

__all__ = [
    "Changes",
    "Condition",
    "Counterexample",
    "Diagnostic",
    "Diagnostics",
    "Difference",
    "Error",
    "Evaluation",
    "Explorer",
    "Found",
    "Imported",
    "Layer",
    "LayerRun",
    "Layers",
    "Line",
    "Link",
    "MinimalPatch",
    "Patch",
    "Patches",
    "Program",
    "ProgramError",
    "Proof",
    "Register",
    "Run",
    "RunError",
    "Runs",
    "ScoredLine",
    "Search",
    "SparseMatrix",
    "TestResult",
    "TestResults",
    "Turing",
    "TuringRun",
    "Weights",
    "Why",
    "WhyNot",
    "check",
    "check_nfe",
    "check_tgt",
    "explain",
    "explore",
    "fill",
    "fix",
    "fmt",
    "import_",
    "load",
    "load_ipython_extension",
    "nfe",
    "prove",
    "run_turing",
    "tgt",
    "turing",
]

prove: Callable[..., Proof] = Program.prove
"""The method of a program as a function: `psl.prove(program, function)`."""
