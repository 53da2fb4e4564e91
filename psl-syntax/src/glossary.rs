//! What the language's own words mean, in a sentence or two each.

/// Keywords.
pub const KEYWORDS: &[(&str, &str)] = &[
    ("registers", "Declares the registers: `registers: {symbol: 's', position: 'p'}`, long name and short name."),
    ("constants", "Declares the constants: `constants: {A, B, SPACE: ' '}`, by name and, where it differs, value."),
    (
        "system",
        "Gives registers their roles: `system: {symbol: symbol, position: position, output: symbol}`. \
         Left out, the short names s, p, a and z have them.",
    ),
    ("watch", "Lists the registers to show in traces: `watch: [mark, copy]`."),
    (
        "where",
        "Starts a production, one attention layer: each cell N attends to the leftmost cell n for which all conditions \
         hold, and is changed by the assignments.",
    ),
    ("where_lm", "The same as `where`: of several matching cells n the leftmost is attended to."),
    ("where_rm", "A production that attends to the rightmost of several matching cells n."),
    ("repeat", "Starts a block of layers that run again and again, until its `until` clause holds."),
    ("until", "Ends a repeat block: `until NO_CHANGE`, or `until` and conditions, which are tested after each pass."),
    ("NO_CHANGE", "The block ends after a pass that changes no register of any cell."),
    (
        "causal_attn",
        "Says which cells are visible from here on: `true` those with n <= N, `reverse` those with n >= N, `false` all.",
    ),
    ("true", "Cell N sees the cells up to itself, n <= N."),
    ("false", "Cell N sees all cells."),
    ("reverse", "Cell N sees the cells from itself on, n >= N."),
    ("and", "Joins conditions: all of them must hold."),
    ("==", "Holds where both sides have a value, the same one."),
    ("!=", "Holds where the left side has a value that differs from the right side."),
    ("in", "Holds where the left side has one of the listed values."),
    ("not in", "Holds where the left side has a value that is none of those listed."),
];

/// Cells.
pub const CELLS: &[(&str, &str)] =
    &[("n", "The cell attended to. It is read, never written."), ("N", "The cell that is updated.")];

/// Functions.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("pos_increment", "The position to the right: k becomes k + 1. What is no position becomes null."),
    ("pos_decrement", "The position to the left: k becomes k - 1. What is no position becomes null."),
];

/// Roles.
pub const ROLES: &[(&str, &str)] = &[
    ("symbol", "The machine puts the prompt's symbol into it."),
    ("position", "Holds the cell's position, from 1; it can not be written."),
    ("output", "What it holds after the last layer is the next symbol."),
    ("parse", "Is `1` in every cell of the prompt."),
    ("eop", "Is `EOP` in the prompt's last cell."),
];

/// Directives, without their `//@`.
pub const DIRECTIVES: &[(&str, &str)] = &[
    ("test", "A test: `//@ test name \"prompt\" => \"gold\"`. The name may be left out."),
    ("stop", "The symbol that ends a continuation: `//@ stop \".\"`."),
    ("max-new", "The bound on a continuation's length: `//@ max-new 64`."),
    ("allow", "Accepts a warning in what stands on the next line: `//@ allow non-causal: the reason`."),
    ("allow-file", "Accepts a warning in the whole file: `//@ allow-file unused-register`."),
];

/// What a table says of a word.
pub fn meaning(table: &[(&str, &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning)
}
