"""Each command and each option of the command line has its counterpart here, or a reason why not."""

import inspect
import re

import pytest
from command import command, needs_command

import psl

# Options that many commands have, with the reason why no function takes them.
EVERYWHERE = {
    "help": "for a shell",
    "version": "`psl.__version__`",
    "color": "for a terminal",
    "format": "the answer is an object",
    "output": "the answer is returned",
    "jobs": "the package uses all cores",
    "watch": "for a terminal",
    "show": "the answer has all",
}

# Commands without a function, with the reason.
WITHOUT_FUNCTION = {
    "new": "for a shell: a program is a text",
    "mutate": "for a terminal: its JSON has all",
    "debug": "for a terminal: a recorded run answers the same questions",
    "dap": "for an editor",
    "lsp": "for an editor",
    "demo": "for a terminal",
    "schema": "for an editor",
    "man": "for a shell",
    "completions": "for a shell",
    "help": "for a shell",
    "minimize": "for a shell: it prints a program or a prompt",
}

# The functions of each command, and the arguments that its options are. A text in parentheses is a reason.
COMMANDS = {
    "check": (
        [psl.check, psl.Program.check, psl.fix],
        {
            "fix": "(`psl.fix`)",
            "deny": "(a diagnostic has its code and its severity)",
            "allow": "(a diagnostic has its code and its severity)",
            "max-diagnostics": "(the answer has all)",
            "heads": "(`program.schedule()` has the reasons)",
            "stdin-filename": "(`psl.load` reads `psl.toml`)",
        },
    ),
    "fmt": (
        [psl.fmt, psl.Program.format],
        {
            "check": "(compare the texts)",
            "diff": "(`difflib`)",
            "stdin-filename": "(`psl.load` reads `psl.toml`)",
        },
    ),
    "compile": (
        [psl.Program.compile, psl.Program.save_hf],
        {
            "emit": "emit",
            "heads": "heads",
            "max-heads": "heads",
            "positions": "positions",
            "vocabulary": "vocabulary",
            "sparse": "sparse",
            "dense": "(`weights(dense=True)`)",
            "max-prompt": "max_prompt",
            "max-new": "max_new",
            "passes": "passes",
            "force": "force",
            "dtype": "dtype",
        },
    ),
    "run": (
        [psl.Program.run, psl.Program.run_many],
        {
            "prompt": "prompt",
            "prompt-json": "prompt",
            "machine": "machine",
            "verify": "verify",
            "embedding": "embedding",
            "seed": "seed",
            "max-new": "max_new",
            "stop": "stop",
            "max-passes": "max_passes",
            "recompute": "recompute",
            "row": "row",
            "ablate": "ablate",
            "heads": "heads",
            "max-heads": "heads",
            "trace": "record",
            "table": "record",
            "layers": "(`run.layer`)",
            "cells": "(`run.cells`)",
            "registers": "(`run.states`)",
        },
    ),
    "test": (
        [psl.Program.test],
        {
            "test": "name",
            "machine": "machine",
            "weights": "(`psl.load` of weights)",
            "allow-none": "(the answer is an empty list)",
            "coverage": "(`psl test` on the command line)",
        },
    ),
    "fill": ([psl.fill], {"apply": "(each result has its text)", "limit": "limit", "seconds": "seconds"}),
    "repair": ([psl.Program.repair], {"apply": "(each result has its text)", "limit": "limit", "seconds": "seconds"}),
    "prove": (
        [psl.Program.prove, psl.Program.test],
        {
            "that": "that",
            "up-to": "up_to",
            "like": "like",
            "like-any": "like_any",
            "max-new": "max_new",
            "alphabet": "alphabet",
            "allow-symbols": "allow_symbols",
            "numbers": "numbers",
            "against": "against",
            "states": "states",
            "heads": "heads",
            "max-heads": "heads",
            "seconds": "(Ctrl-C)",
        },
    ),
    "schedule": ([psl.Program.schedule], {"max-heads": "max_heads"}),
    "explore": (
        [psl.explore],
        {
            "prompt": "run",
            "test": "run",
            "against": "(`run.trace_diff`)",
            "serve": "(for a browser)",
            "open": "(for a browser)",
        },
    ),
    "latent": (
        [psl.Program.latent],
        {
            "prompt": "prompt",
            "prompt-json": "prompt",
            "test": "prompt",
            "layer": "layers",
            "max-heads": "max_heads",
        },
    ),
    "patch": (
        [psl.Program.patch, psl.Program.minimal_patches],
        {
            "prompt": "base",
            "prompt-json": "base",
            "test": "base",
            "with": "donor",
            "with-json": "donor",
            "by": "by",
            "score": "score",
            "noising": "noising",
            "generated": "generated",
            "align": "align",
            "min": "(`minimal_patches`)",
            "max-new": "max_new",
            "stop": "stop",
            "max-passes": "max_passes",
        },
    ),
    "eval": (
        [psl.Program.eval],
        {
            "machine": "machine",
            "ablate": "ablate",
            "limit": "limit",
            "row": "row",
            "by": "(each line has its info)",
        },
    ),
    "tgt": (
        [psl.tgt, psl.check_tgt],
        {
            "split": "split",
            "shots": "shots",
            "words": "words",
            "count": "count",
            "seed": "seed",
            "check": "(`psl.check_tgt`)",
        },
    ),
    "nfe": (
        [psl.nfe, psl.check_nfe],
        {
            "depth": "depth",
            "count": "count",
            "seed": "seed",
            "check": "(`psl.check_nfe`)",
        },
    ),
    "turing": (
        [psl.turing, psl.run_turing],
        {
            "tape": "tape",
            "head": "head",
            "start": "start",
            "pad": "pad",
            "blank": "blank",
            "run": "(`psl.run_turing`)",
            "steps": "(`TuringRun.steps`)",
            "machine": "machine",
            "max-passes": "max_passes",
        },
    ),
    "trace": ([psl.Run.trace_diff], {}),
    "import": ([psl.import_], {"examples": "examples"}),
    "explain": ([psl.explain], {}),
}


@needs_command
def test_the_commands_are_those_of_the_command_line():
    listed = command("help").split("\nCommands:\n")[1].split("\n\n")[0]
    names = set(re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE))
    assert names == set(COMMANDS) | set(WITHOUT_FUNCTION)


@needs_command
@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_an_argument_or_has_a_reason(name):
    functions, options = COMMANDS[name]
    listed = re.findall(r"^ +(?:-\w, )?--([a-z-]+)", command(name, "--help"), re.MULTILINE)
    assert set(listed) - set(EVERYWHERE) == set(options)
    arguments = {argument for function in functions for argument in inspect.signature(function).parameters}
    unknown = {
        option: argument for option, argument in options.items() if not argument.startswith("(") and argument not in arguments
    }
    assert not unknown, sorted(arguments)
