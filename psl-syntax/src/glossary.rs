//! What the language's own words mean, as Markdown: some lines each, with an example.

/// Keywords and operators.
pub const KEYWORDS: &[(&str, &str)] = &[
    (
        "registers",
        "Declares the registers of every cell: the long name, used here, and the short name, used in QKVL.\n\n\
         ```psl\nregisters: {symbol: 's', position: 'p', prev_symbol: 's*'}\n```",
    ),
    (
        "constants",
        "Declares the constants, by name and, where it differs, value. Two values are equal when their strings are.\n\n\
         ```psl\nconstants: {XQ, 0, SPACE: ' '}\n```",
    ),
    (
        "system",
        "Says which registers the machine sets and reads, by their roles. Left out, they go by short names: s is symbol and \
         output, p position, a parse and z eop.\n\n\
         ```psl\nsystem: {symbol: symbol, position: position, output: symbol}\n```",
    ),
    (
        "watch",
        "Lists the registers to show. To be watched counts as being read.\n\n```psl\nwatch: [region, field]\n```",
    ),
    (
        "where",
        "Starts a production, one attention layer. Each cell N attends to the leftmost visible cell n for which all conditions \
         hold; then the assignments change N. Without such a cell N stays as it is. Where no condition mentions n, cell N is \
         compared with itself.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    ("where_lm", "The same as `where`: of several matching cells n the leftmost is attended to."),
    (
        "where_rm",
        "Starts a production that attends to the rightmost of several matching cells n; else as `where`.\n\n\
         ```psl\nwhere_rm prev_symbol[n] == symbol[N]:\n    next_symbol[N] = symbol[n]\n```",
    ),
    (
        "repeat",
        "Starts a block of layers that run in order, again and again, until its `until` clause holds.\n\n\
         ```psl\nrepeat:\n    where position[n] == position[N]@pos_decrement and mark[n] == A:\n        mark[N] = A\nuntil NO_CHANGE\n```",
    ),
    (
        "until",
        "Ends a repeat block: `until NO_CHANGE`, or `until` with conditions. These end it after a pass from which they hold for \
         some cells n and N, whatever `causal_attn` says; without n, for some cell N.\n\n\
         ```psl\nuntil mark[N] == DONE\n```",
    ),
    ("NO_CHANGE", "The block ends after a pass that changes no register of any cell.\n\n```psl\nuntil NO_CHANGE\n```"),
    (
        "causal_attn",
        "Says which cells n a cell N sees: `true` those with n <= N, `reverse` those with n >= N, `false` all. It holds from here \
         to the next `causal_attn`, also into and out of repeat blocks; before the first, all cells are seen.\n\n\
         ```psl\ncausal_attn: true\n```",
    ),
    ("true", "Cell N sees the cells up to itself: n <= N."),
    ("false", "Cell N sees all cells."),
    ("reverse", "Cell N sees the cells from itself on: n >= N."),
    (
        "and",
        "Joins conditions: all of them must hold. There is no `or`: list the values, `in [A, B]`, or make a production of each.",
    ),
    ("not", "Stands before `in`: `x[N] not in [A, B]`. For a single value write `x[N] != A`."),
    (
        "==",
        "Holds where both sides have a value, the same one. Null equals nothing, not even null.\n\n\
         ```psl\nwhere region[n] == region[N] and type[n] == D:\n```",
    ),
    (
        "!=",
        "Holds where the left side has a value and the right side has another one; a register on the right may also have none.\n\n\
         ```psl\nwhere region[N] != XA:\n```",
    ),
    (
        "in",
        "Holds where the left side has a value, one of those listed. A list holds constants only.\n\n\
         ```psl\nwhere symbol[N] in [Q, A]:\n```",
    ),
    (
        "not in",
        "Holds where the left side has a value, none of those listed. A list holds constants only.\n\n\
         ```psl\nwhere symbol[N] not in [Q, A]:\n```",
    ),
];

/// Cells.
pub const CELLS: &[(&str, &str)] = &[
    (
        "n",
        "The cell attended to: of those that meet the conditions the leftmost or, after `where_rm`, the rightmost. It is read, \
         never written; once a condition mentions n, values come from cell n.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    (
        "N",
        "The cell that is updated. All cells are, at once, each from what the layer finds. Only N is written, and where no \
         condition mentions n, it is read as well.\n\n\
         ```psl\nwhere symbol[N] == Q:\n    region[N] = XQ\n```",
    ),
];

/// Functions.
pub const FUNCTIONS: &[(&str, &str)] = &[
    (
        "pos_increment",
        "The position to the right: k becomes k + 1. What is no position of the run, or leaves their range, becomes null.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_increment:\n```",
    ),
    (
        "pos_decrement",
        "The position to the left: k becomes k - 1. What is no position of the run, or leaves their range, becomes null.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n```",
    ),
];

/// Roles.
pub const ROLES: &[(&str, &str)] = &[
    ("symbol", "The machine puts the prompt's symbols into it."),
    ("position", "The machine puts each cell's position into it, from 1. It can not be written."),
    ("output", "What it holds in the last cell after the last layer is the next symbol."),
    ("parse", "The machine sets it to `1` in every cell of the prompt."),
    ("eop", "The machine sets it to `EOP` in the prompt's last cell."),
];

/// Signs.
pub const NOTATION: &[(&str, &str)] = &[
    (
        "@",
        "Puts a register's value through a function, as in `position[N]@pos_increment`. There are `pos_increment` and `pos_decrement`.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    (
        "=",
        "Writes a constant, or what a register holds, into a register of cell N. Conditions compare with `==`.\n\n\
         ```psl\nwhere symbol[N] == Q:\n    region[N] = XQ\n```",
    ),
    (
        "[]",
        "Says of which cell a register is read or written, `region[n]` or `region[N]`; after `in`, it lists constants.\n\n\
         ```psl\nwhere symbol[n] in [Q, A] and position[n] == position[N]:\n    region[N] = symbol[n]\n```",
    ),
    ("#", "Starts a comment up to the end of the line, as `//` does. One above a production is its label."),
    ("//@", "Starts a directive: a comment that the tools read, such as `//@ test` or `//@ allow`."),
];

/// Directives, without their `//@`.
pub const DIRECTIVES: &[(&str, &str)] = &[
    (
        "test",
        "A test: a prompt and the continuation that it must get. Symbols are separated by spaces; the name may be left out. \
         After `json` stands a file with a structured prompt, a JSON list of cells, relative to the program's folder.\n\n\
         ```psl\n//@ test swap \"Q B V D E A D E V B . Q F G H V K L A\" => \"K L V F G H .\"\n\
         //@ test add json \"add.json\" => \"_ 1 1 0 0 .\"\n```",
    ),
    (
        "stop",
        "The symbol that ends a continuation, in place of the full stop. It is part of the continuation.\n\n\
         ```psl\n//@ stop \"!\"\n```",
    ),
    (
        "max-new",
        "The bound on a continuation's length in symbols; by default the prompt's length, at least 16.\n\n\
         ```psl\n//@ max-new 64\n```",
    ),
    (
        "allow",
        "Accepts a warning in the statement or declaration below, a repeat block with all that is in it; inside one, in the next \
         entry, condition or assignment. A reason may follow a colon.\n\n\
         ```psl\n//@ allow non-causal: the answer is read ahead on purpose\n```",
    ),
    (
        "allow-file",
        "Accepts a warning in the whole file. A reason may follow a colon.\n\n\
         ```psl\n//@ allow-file unused-register\n```",
    ),
    (
        "input",
        "Declares registers, by their long names, that the cells of a structured prompt may set: there they can hold anything, or \
         nothing. Without it, what the warnings say of values, of firing and of overwritten values speaks of plain prompts: \
         symbols, positions, parse and eop, and every other register null.\n\n\
         ```psl\n//@ input head, state\n```",
    ),
];

/// What a table says of a word.
pub fn meaning(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning)
}
