//! The notation of compiled programs, as hovers and `psl compile` show it: words and their meanings in Markdown.

use psl_syntax::glossary::{GlossaryEntry, Section, at, entry};

const QUERY_KEY_VALUE: Section = at("compiled", "Query, key and value");
const BLOCKS: Section = at("compiled", "Blocks of weights");

pub const QKVL: &[GlossaryEntry] = &[
    entry(
        "q",
        QUERY_KEY_VALUE,
        "The query of a layer, computed at cell N: slots, and what fills each. N attends to a cell if query and key agree in all \
         slots.\n\n\
         ```json\n{\"q\": {\"p`\": \"p@pos_decrement\"}, \"k\": {\"p`\": \"p\"}, \"v\": {\"s*\": \"s\"}}\n```",
    ),
    entry(
        "k",
        QUERY_KEY_VALUE,
        "The key of a layer, computed at cell n: the same slots as the query. A slot matches if both sides have a value, the \
         same one.\n\n\
         ```json\n{\"q\": {\"r\": \"r\"}, \"k\": {\"r\": \"XA\"}}\n```",
    ),
    entry(
        "v",
        QUERY_KEY_VALUE,
        "The value of a layer, computed at the cell that N attends to: registers of N, and what each is set to.\n\n\
         ```json\n{\"v\": {\"s*\": \"s\", \"m\": \"A\"}}\n```",
    ),
    entry(
        "s",
        at("compiled", "Short names"),
        "A short name: the name of a register in QKVL. The program gives it, as in `symbol: 's'`. Where the program lists no \
         roles, `s` is symbol and output, `p` position, `a` parse and `z` eop.",
    ),
    entry(
        "s*",
        at("compiled", "Short names"),
        "A short name like any other. By custom the star marks a copy from the cell to the left: `s*` is `prev_symbol`.\n\n\
         ```psl\nregisters: {symbol: 's', position: 'p', prev_symbol: 's*'}\n```",
    ),
    entry(
        "s`",
        at("compiled", "Primed names"),
        "A primed name: a slot of query and key that holds no state. A condition on cell n fills the primed slot: the key holds the \
         register, the query its right side. A condition on cell N fills the plain slot: the query holds the register. A second \
         condition on the same register and cell gets another prime.\n\n\
         ```json\n{\"q\": {\"r`\": \"XQ\", \"r\": \"r\"}, \"k\": {\"r`\": \"r\", \"r\": \"CQ\"}}\n```",
    ),
    entry(
        "p@pos_increment",
        at("compiled", "Functions"),
        "A function of a register, `pos_increment` or `pos_decrement`: the position to the right or to the left.\n\n\
         ```json\n{\"q\": {\"p`\": \"p@pos_increment\"}, \"k\": {\"p`\": \"p\"}}\n```",
    ),
    entry(
        "!=",
        at("compiled", "Operators"),
        "Matches every value except one, of a constant or a register.\n\n```json\n{\"k\": {\"r\": [\"!=\", \"XA\"]}}\n```",
    ),
    entry(
        "in",
        at("compiled", "Operators"),
        "Matches each of the constants listed.\n\n```json\n{\"k\": {\"r\": [\"in\", \"XQ\", \"XA\"]}}\n```",
    ),
    entry(
        "not_in",
        at("compiled", "Operators"),
        "Matches every value except the constants listed.\n\n```json\n{\"k\": {\"r\": [\"not_in\", \"XQ\", \"XA\"]}}\n```",
    ),
    entry(
        "null",
        at("values", "Null"),
        "The absence of a value. A register is null until it is set. Null equals nothing, not even null. In QKVL, \
         `\"causal_attn\": null` lets N attend to all cells.",
    ),
    entry(
        "register_map",
        at("compiled", "Maps"),
        "The short name of each register by its long name. Primed names are listed under `alt_`.\n\n```json\n{\"symbol\": \"s\", \"position\": \"p\", \"alt_s\": \"s`\"}\n```",
    ),
    entry(
        "constant_map",
        at("compiled", "Maps"),
        "The value of each constant by its name.\n\n```json\n{\"XQ\": \"XQ\", \"SPACE\": \" \"}\n```",
    ),
    entry(
        "system_map",
        at("compiled", "Maps"),
        "The short name of the register in each role.\n\n```json\n{\"symbol\": \"s\", \"position\": \"p\", \"output\": \"s\"}\n```",
    ),
    entry(
        "watch_list",
        at("compiled", "Maps"),
        "The short names of the registers to show.\n\n```json\n[\"r\", \"f\"]\n```",
    ),
    entry("layer_comment", at("compiled", "Layers"), "The label of a layer or a repeat block: the comment above it."),
    entry(
        "right_match",
        at("compiled", "Layers"),
        "Whether N attends to the rightmost of several matching cells instead of the leftmost, as after `where_rm`.",
    ),
];

/// Blocks of a layer's weights, table (72) of the paper.
pub const WEIGHTS: &[GlossaryEntry] = &[
    entry(
        "W_q",
        BLOCKS,
        "A block of the query's weights: `W_q[s → r]` maps register `s` of the residual stream to slot `r` of the query. `W_k` and \
         `W_v` are the same for key and value.",
    ),
    entry(
        "b_q",
        BLOCKS,
        "A part of the query's bias: `b_q[r]` is added to slot `r`. `b_k` and `b_v` are the same for key and value.",
    ),
    entry("identity", BLOCKS, "The block that copies a register."),
    entry(
        "shift",
        BLOCKS,
        "The block that moves each position to the next or the previous one, for `pos_increment` and `pos_decrement`.",
    ),
    entry("one-hot", BLOCKS, "The bias with a 1 for one constant: a slot that is this constant."),
    entry("many-hot", BLOCKS, "The bias with a 1 for each constant of a list: a slot that is `in` the list."),
    entry("ones except", BLOCKS, "The bias with a 1 for every value except some: `!=` a constant, or `not in` a list."),
    entry("ones, minus", BLOCKS, "The bias of ones and the block that subtracts a register: `!=` a register."),
];
