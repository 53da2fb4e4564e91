//! The words of the language with their meaning as Markdown, a few lines and an example each, and their sections of the
//! reference.

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct GlossaryEntry {
    /// The word as written in a program.
    pub word: &'static str,
    /// The section of the reference that explains it in full.
    pub section: Section,
    /// The meaning, as Markdown.
    pub meaning: &'static str,
}

/// A section of the language reference, `docs/reference`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// The page, without `.md`.
    pub page: &'static str,
    /// The heading.
    pub title: &'static str,
}

/// An entry of a table of words.
pub const fn entry(word: &'static str, section: Section, meaning: &'static str) -> GlossaryEntry {
    GlossaryEntry { word, section, meaning }
}

/// The section of a page with this title.
pub const fn at(page: &'static str, title: &'static str) -> Section {
    Section { page, title }
}

const WHICH_MATCH: Section = at("productions", "Leftmost and rightmost match");
const CAUSAL_ATTENTION: Section = at("productions", "Causal attention");

/// Keywords and operators.
pub const KEYWORDS: &[GlossaryEntry] = &[
    entry(
        "registers",
        at("programs", "Registers"),
        "Declares the registers of every cell. Each has a long name, used in PSL, and a short name, used in QKVL.\n\n\
         ```psl\nregisters: {symbol: 's', position: 'p', prev_symbol: 's*'}\n```",
    ),
    entry(
        "constants",
        at("programs", "Constants"),
        "Declares the constants. Each has a name and a value, which by default is the name. Two values are equal if \
         their strings are.\n\n\
         ```psl\nconstants: {XQ, 0, SPACE: ' '}\n```",
    ),
    entry(
        "system",
        at("roles", "System"),
        "Gives registers their roles, by which the machine sets and reads them. Without it, short names give the \
         roles: `s` is symbol and output, `p` position, `a` parse and `z` eop.\n\n\
         ```psl\nsystem: {symbol: symbol, position: position, output: symbol}\n```",
    ),
    entry(
        "watch",
        at("programs", "Watch"),
        "Lists the registers to show. Watching a register counts as reading it.\n\n\
         ```psl\nwatch: [region, field]\n```",
    ),
    entry(
        "where",
        at("productions", "Productions"),
        "Starts a production, one attention layer. Each cell `N` attends to the leftmost visible cell `n` that \
         satisfies all conditions. Then the assignments update `N`. If no cell matches, `N` stays the same. If no \
         condition mentions `n`, cell `N` is compared with itself.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    entry("where_lm", WHICH_MATCH, "The same as `where`: attends to the leftmost of several matching cells."),
    entry(
        "where_rm",
        WHICH_MATCH,
        "Starts a production that attends to the rightmost of several matching cells, and otherwise works like \
         `where`.\n\n\
         ```psl\nwhere_rm prev_symbol[n] == symbol[N]:\n    next_symbol[N] = symbol[n]\n```",
    ),
    entry(
        "repeat",
        at("repeat", "Repeat blocks"),
        "Repeats a block of layers until its `until` clause holds.\n\n\
         ```psl\nrepeat:\n    where position[n] == position[N]@pos_decrement and mark[n] == A:\n        mark[N] = A\nuntil NO_CHANGE\n```",
    ),
    entry(
        "until",
        at("repeat", "Until conditions"),
        "Ends a repeat block: `until NO_CHANGE`, or `until` with conditions. The block ends after a pass if its conditions hold for \
         some cells `n` and `N`, whatever the value of `causal_attn`. Without `n`, they must hold for some cell `N`.\n\n\
         ```psl\nuntil mark[N] == DONE\n```",
    ),
    entry(
        "NO_CHANGE",
        at("repeat", "Until NO_CHANGE"),
        "Ends the block after a pass that changes no register of any cell.\n\n\
         ```psl\nuntil NO_CHANGE\n```",
    ),
    entry(
        "causal_attn",
        CAUSAL_ATTENTION,
        "Sets which cells `N` can attend to: `true` for cells with n <= N, `reverse` for cells with n >= N, `false` \
         for all cells. It applies up to the next `causal_attn`, into and out of repeat blocks. Before the first \
         `causal_attn`, `N` can attend to all cells.\n\n\
         ```psl\ncausal_attn: true\n```",
    ),
    entry("true", CAUSAL_ATTENTION, "Cell `N` can attend to itself and to the cells on its left: n <= N."),
    entry("false", CAUSAL_ATTENTION, "Cell `N` can attend to all cells."),
    entry("reverse", CAUSAL_ATTENTION, "Cell `N` can attend to itself and to the cells on its right: n >= N."),
    entry(
        "and",
        at("productions", "And"),
        "Joins conditions, which must all hold. PSL does not have `or`: list the values, as in `in [A, B]`, or write \
         one production for each case.",
    ),
    entry(
        "not",
        at("productions", "In"),
        "Negates `in`, as in `x[N] not in [A, B]`. For a single value, write `x[N] != A`.",
    ),
    entry(
        "==",
        at("productions", "Equal"),
        "Holds if both sides have the same value. Null equals nothing, not even null.\n\n\
         ```psl\nwhere region[n] == region[N] and type[n] == D:\n```",
    ),
    entry(
        "!=",
        at("productions", "Not equal"),
        "Holds if the left side has a value and the right side has a different one. A register on the right may also \
         be null.\n\n\
         ```psl\nwhere region[N] != XA:\n```",
    ),
    entry(
        "in",
        at("productions", "In"),
        "Holds if the left side has one of the listed values. A list contains only constants.\n\n\
         ```psl\nwhere symbol[N] in [Q, A]:\n```",
    ),
    entry(
        "not in",
        at("productions", "In"),
        "Holds if the left side has a value that is not listed. A list contains only constants.\n\n\
         ```psl\nwhere symbol[N] not in [Q, A]:\n```",
    ),
];

/// The cells `n` and `N`.
pub const CELLS: &[GlossaryEntry] = &[
    entry(
        "n",
        at("productions", "Cells"),
        "The cell attended to: the leftmost match or, after `where_rm`, the rightmost. Its registers can be read, but \
         not assigned. If a condition mentions `n`, assignments read from cell `n`.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    entry(
        "N",
        at("productions", "Cells"),
        "The cell being updated. A layer updates all cells at once. Only registers of `N` can be assigned. If no \
         condition mentions `n`, assignments also read from `N`.\n\n\
         ```psl\nwhere symbol[N] == Q:\n    region[N] = XQ\n```",
    ),
];

/// The functions of positions, without `@`.
pub const FUNCTIONS: &[GlossaryEntry] = &[
    entry(
        "pos_increment",
        at("values", "Functions"),
        "The position to the right: k becomes k + 1. A value that is not a position, or a result out of range, becomes \
         null.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_increment:\n```",
    ),
    entry(
        "pos_decrement",
        at("values", "Functions"),
        "The position to the left: k becomes k - 1. A value that is not a position, or a result out of range, becomes \
         null.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n```",
    ),
];

/// The roles of registers that the machine sets and reads.
pub const ROLES: &[GlossaryEntry] = &[
    entry("symbol", at("roles", "Symbol"), "The machine sets it to the symbols of the prompt."),
    entry(
        "position",
        at("roles", "Position"),
        "The machine sets it to the position of each cell, starting at 1. It cannot be assigned.",
    ),
    entry("output", at("roles", "Output"), "Its value in the last cell, after the last layer, is the next symbol."),
    entry("parse", at("roles", "Parse"), "The machine sets it to `1` in every cell of the prompt."),
    entry("eop", at("roles", "Eop"), "The machine sets it to `EOP` in the last cell of the prompt."),
];

/// Comments, quotes and other marks of the notation.
pub const NOTATION: &[GlossaryEntry] = &[
    entry(
        "@",
        at("values", "Functions"),
        "Applies a function to the value of a register, as in `position[N]@pos_increment`. The functions are \
         `pos_increment` and `pos_decrement`.\n\n\
         ```psl\nwhere position[n] == position[N]@pos_decrement:\n    prev_symbol[N] = symbol[n]\n```",
    ),
    entry(
        "=",
        at("productions", "Assignments"),
        "Assigns a constant, or the value of a register, to a register of cell `N`. Conditions compare with `==`.\n\n\
         ```psl\nwhere symbol[N] == Q:\n    region[N] = XQ\n```",
    ),
    entry(
        "[]",
        at("productions", "Cells"),
        "Selects the cell of a register, as in `region[n]` or `region[N]`. After `in`, it lists constants.\n\n\
         ```psl\nwhere symbol[n] in [Q, A] and position[n] == position[N]:\n    region[N] = symbol[n]\n```",
    ),
    entry(
        "#",
        at("programs", "Comments"),
        "Starts a comment that runs to the end of the line, as `//` does. A comment directly above a production is its \
         label.",
    ),
    entry(
        "//@",
        at("directives", "Directives"),
        "Starts a directive: a comment that the tools read, such as `//@ test` or `//@ allow`.",
    ),
];

/// Directives, without `//@`.
pub const DIRECTIVES: &[GlossaryEntry] = &[
    entry(
        "test",
        at("directives", "Test"),
        "Declares a test: a prompt and the expected continuation. Spaces separate the symbols. The name is optional. \
         After `json`, the string is a file that contains a structured prompt, a JSON list of cells. Its path is \
         relative to the program's folder.\n\n\
         ```psl\n//@ test swap \"Q B V D E A D E V B . Q F G H V K L A\" => \"K L V F G H .\"\n\
         //@ test add json \"add.json\" => \"_ 1 1 0 0 .\"\n```",
    ),
    entry(
        "law",
        at("directives", "Law"),
        "Declares a test that holds for all symbols in place of its variables. A variable is `$` and a name; with `..` it \
         stands for one to three symbols, with `..5` for one to five. One run for each number of symbols shows the law \
         for all different symbols that the program cannot tell apart. After `any`, runs show it for equal symbols, and \
         for those that the program compares, too.\n\n\
         ```psl\n//@ law swap \"Q $a.. d $b.. A $b.. e $a.. . Q $c.. d $d.. A\" => \"$d.. e $c.. .\"\n```",
    ),
    entry(
        "answer",
        at("directives", "Answer"),
        "Names the register that holds the answer in the cells of the prompt. A test or law with the word `row` compares \
         its values after the last layer with one value for each cell; `∅` is null. It runs only the prompt, so that no \
         symbol is generated.\n\n\
         ```psl\n//@ answer count\n//@ test row \"a b a\" => \"2 1 2\"\n```",
    ),
    entry(
        "stop",
        at("directives", "Stop"),
        "Sets the symbol that ends a continuation, instead of the full stop. The continuation includes it.\n\n\
         ```psl\n//@ stop \"!\"\n```",
    ),
    entry(
        "max-new",
        at("directives", "Max-new"),
        "Sets the maximum length of a continuation, in symbols. The default is the length of the prompt, but at least \
         16.\n\n\
         ```psl\n//@ max-new 64\n```",
    ),
    entry(
        "allow",
        at("directives", "Allow"),
        "Accepts a warning in the statement or declaration below. In a repeat block, that includes everything in the \
         block. Inside a statement or declaration, it accepts the warning in the next entry, condition or assignment. \
         A reason may follow a colon.\n\n\
         ```psl\n//@ allow non-causal: the answer is read ahead on purpose\n```",
    ),
    entry(
        "allow-file",
        at("directives", "Allow-file"),
        "Accepts a warning in the whole file. A reason may follow a colon.\n\n\
         ```psl\n//@ allow-file unused-register\n```",
    ),
    entry(
        "input",
        at("directives", "Input"),
        "Declares registers that the cells of a structured prompt may set, by their long names. In these cells, they \
         can have any value or be null. Without it, warnings about values, firing and overwritten values assume plain \
         prompts: symbols, positions, parse and eop are set, and every other register is null.\n\n\
         ```psl\n//@ input head, state\n```",
    ),
];

/// Returns the entry of a word, or `None` if the table does not contain the word.
pub fn find(table: &'static [GlossaryEntry], word: &str) -> Option<&'static GlossaryEntry> {
    table.iter().find(|entry| entry.word == word)
}

/// Returns the meaning of a word, or `None` if the table does not contain the word.
pub fn meaning(table: &'static [GlossaryEntry], word: &str) -> Option<&'static str> {
    find(table, word).map(|entry| entry.meaning)
}

#[cfg(test)]
mod tests {
    use super::DIRECTIVES;
    use crate::directive::WORDS;

    #[test]
    fn the_glossary_has_the_words_of_the_parser() {
        assert_eq!(DIRECTIVES.iter().map(|entry| entry.word).collect::<Vec<_>>(), WORDS);
    }
}
