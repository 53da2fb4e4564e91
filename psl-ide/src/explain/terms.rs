//! The terms of the language, the levels that a program is compiled to, the machines that run them, and the terms of
//! a run.

use psl_syntax::glossary::{GlossaryEntry, Section, at, entry};

const MACHINES: Section = at("running", "Running");

const PRODUCTIONS: Section = at("productions", "Productions");

/// Terms of the language.
pub const LANGUAGE: &[GlossaryEntry] = &[
    entry(
        "production",
        PRODUCTIONS,
        "A rule: where these registers match, set those. Each production is one attention layer of a transformer.\n\n\
         ```psl\nwhere symbol[n] == symbol[N]:\n    mark[N] = symbol[n]\n```",
    ),
    entry(
        "cell",
        at("productions", "Cells"),
        "A place of the text, with the values of its registers. Each symbol of the prompt and of the continuation has one. `N` is the \
         cell that a production updates, and `n` the cell that it attends to.",
    ),
    entry(
        "register",
        at("programs", "Registers"),
        "A named value of a cell. All cells have the same registers, which `registers` declares.",
    ),
    entry(
        "role",
        at("roles", "Roles"),
        "The use that the machine makes of a register: `symbol`, `position`, `output`, `parse` or `eop`. `system` gives roles, and \
         without it, the short names do.",
    ),
    entry(
        "attention",
        PRODUCTIONS,
        "The choice of a cell `n` by each cell `N`, from which it takes values. A production attends to the leftmost cell that matches, \
         or with `where_rm` to the rightmost.",
    ),
    entry(
        "transformer",
        at("productions", "What a production compiles to"),
        "A network of layers in which each cell attends to other cells. `psl compile` writes a program as its weights, and with `--emit hf` \
         as a GPT-2.",
    ),
    entry(
        "head",
        at("compiled", "Layers"),
        "One attention of a layer: a query, a key and a value. A layer of a compiled program has one head, and `psl schedule` puts \
         several productions into one layer as its heads.",
    ),
    entry(
        "?",
        at("productions", "Holes"),
        "A hole: stands for a part that is not written yet. `psl fill` searches for what belongs there.",
    ),
];

/// Levels and machines.
pub const MACHINE: &[GlossaryEntry] = &[
    entry(
        "psl",
        at("programs", "Programs"),
        "The Production System Language: a program is a list of productions, and each production is one attention layer of a \
         transformer. `psl` is also the command.",
    ),
    entry(
        "qkvl",
        at("compiled", "Query, key and value"),
        "The language between PSL and weights: each layer as a map of queries, a map of keys and a map of values. \
         `psl compile` prints it.\n\n\
         ```json\n{\"q\": {\"p`\": \"p@pos_decrement\"}, \"k\": {\"p`\": \"p\"}, \"v\": {\"s*\": \"s\"}}\n```",
    ),
    entry(
        "psm",
        MACHINES,
        "The production system machine: runs the productions as they are written. `psl run --machine psm` chooses it.",
    ),
    entry("qkvm", MACHINES, "The query-key-value machine: runs the maps of QKVL. `psl run --machine qkvm` chooses it."),
    entry(
        "dat",
        MACHINES,
        "The discrete-attention-only transformer: runs the weights. A cell attends to exactly one cell or to none, there is no \
         softmax, and layers have no MLP. It is the default machine, and finds matches by lookups.",
    ),
    entry(
        "full-dat",
        MACHINES,
        "The same transformer as `dat`, in full arithmetic: its vectors and matrices are those of the paper.",
    ),
];

/// Terms of a run.
pub const RUN: &[GlossaryEntry] = &[
    entry(
        "prompt",
        at("running", "Prompt"),
        "The symbols that a run starts with, one a cell. White space separates them.",
    ),
    entry(
        "continuation",
        at("running", "Generation"),
        "The symbols that a run generates, one at a time, each in a new cell. It ends with the stop symbol.",
    ),
    entry(
        "layer",
        PRODUCTIONS,
        "A production after it is compiled. All cells go through the layers from top to bottom, and a layer updates all cells at once.",
    ),
    entry(
        "pass",
        at("repeat", "Repeat blocks"),
        "One time through the layers of a repeat block. After each pass, the condition after `until` decides whether another \
         one follows.",
    ),
    entry(
        "null",
        at("values", "Null"),
        "The absence of a value. Every register that neither the machine nor a layer has set is null. Null equals nothing, not \
         even null.",
    ),
];
