//! The table of diagnostic codes: `psl explain`, the editors' links and the documentation come from it.
//!
//! Invariant: every code has one entry, whose example gets that code and whose repair gets no diagnostic.

use crate::diagnostic::Severity;

/// What is known about a diagnostic code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code's name, such as `unknown-register`.
    pub name: &'static str,
    /// How bad it is unless configured otherwise.
    pub severity: Severity,
    /// Whether it is left out unless asked for.
    pub off: bool,
    /// What it says, in one sentence.
    pub summary: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// A program, or the part of one that follows [`DECLARATIONS`], that gets it.
    pub example: &'static str,
    /// The same, repaired.
    pub repair: &'static str,
}

/// Stands before each example and repair that has no declarations of its own.
pub const DECLARATIONS: &str = "\
registers: {symbol: 's', position: 'p', mark: 'm', copy: 'c'}
constants: {\"A\", \"B\"}
watch: [mark, copy]
";

impl Entry {
    /// The example as a whole program.
    pub fn example_program(&self) -> String {
        whole(self.example)
    }

    /// The repair as a whole program.
    pub fn repair_program(&self) -> String {
        whole(self.repair)
    }

    /// The entry as Markdown.
    pub fn markdown(&self) -> String {
        self.section("#")
    }

    /// The entry as a section of Markdown, below this mark of a heading.
    fn section(&self, heading: &str) -> String {
        let Self { name, summary, why, example, repair, .. } = self;
        let severity = self.severity.as_str();
        let off = if self.off { ", off unless asked for" } else { "" };
        format!(
            "{heading} {name}\n\n**{severity}{off}**: {summary}\n\n{why}\n\n\
             For example:\n\n```psl\n{example}\n```\n\nInstead:\n\n```psl\n{repair}\n```\n"
        )
    }
}

/// The entries of each severity that has some, the worst first.
pub fn by_severity() -> Vec<(Severity, Vec<Entry>)> {
    let of = |severity| Code::ALL.iter().map(|code| code.entry()).filter(move |entry| entry.severity == severity);
    let groups = [Severity::Error, Severity::Warning, Severity::Info, Severity::Hint]
        .map(|severity| (severity, of(severity).collect::<Vec<_>>()));
    groups.into_iter().filter(|(_, entries)| !entries.is_empty()).collect()
}

/// The whole table as a page of Markdown.
pub fn page() -> String {
    let mut page = String::from(
        "# Diagnostics\n\n\
         What `psl check` and the editors report. `psl explain CODE` shows the same. This page is made from the table in\n\
         `psl-syntax/src/codes.rs`; a test keeps it so.\n\n\
         An example without declarations of its own follows these:\n\n",
    );
    page.extend(["```psl\n", DECLARATIONS, "```\n"]);
    for (severity, entries) in by_severity() {
        page.extend(["\n## Severity: ", severity.as_str(), "\n\n"]);
        page.extend(
            entries
                .iter()
                .map(|entry| format!("- [{}](#{}): {}\n", entry.name, entry.name.to_lowercase(), entry.summary)),
        );
        page.extend(entries.iter().map(|entry| format!("\n{}", entry.section("###"))));
    }
    page
}

fn whole(program: &str) -> String {
    if program.contains("registers") || program.is_empty() {
        program.to_owned()
    } else {
        format!("{DECLARATIONS}{program}")
    }
}

/// Whether `(off)` stands in a row of the table.
macro_rules! is_off {
    () => {
        false
    };
    (off) => {
        true
    };
}

/// The table; a row is a code's variant, name and severity, `(off)` where it is left out unless asked for, and texts.
macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $(($off:ident))?
        summary: $summary:literal
        why: $why:literal
        example: $example:literal
        repair: $repair:literal;)*) => {
        /// A kind of diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// What is known about it.
            pub const fn entry(self) -> Entry {
                match self {
                    $(Self::$variant => Entry {
                        name: $name,
                        severity: Severity::$severity,
                        off: is_off!($($off)?),
                        summary: $summary,
                        why: $why,
                        example: $example,
                        repair: $repair,
                    },)*
                }
            }
        }
    };
}

impl Code {
    /// Its name, such as `unknown-register`.
    pub const fn as_str(self) -> &'static str {
        self.entry().name
    }

    /// Whether a program with such a diagnostic does not compile, whatever is configured.
    pub fn is_error(self) -> bool {
        self.entry().severity == Severity::Error
    }

    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

codes! {
    Syntax "syntax" Error
        summary: "The text is no PSL here."
        why: "Only the statement or declaration that holds the mistake is lost; everything around it is still checked."
        example: "where symbol[N] = A:\n    mark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = B";
    NestedTooDeep "nested-too-deep" Error
        summary: "Parentheses or repeat blocks are nested more than 256 deep."
        why: "No program needs it, and a bound keeps every tool that reads PSL safe from running out of stack."
        example: "where \
                  ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\
                  ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\
                  (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((\
                  symbol[N] == A:\n    mark[N] = B"
        repair: "where (symbol[N] == A):\n    mark[N] = B";
    UnknownRegister "unknown-register" Error
        summary: "A register is used that is not declared."
        why: "A production reads and writes registers by their long names; a misspelt one would be a register that is always null."
        example: "where symbl[N] == A:\n    mark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = B";
    UnknownConstant "unknown-constant" Error
        summary: "A constant is used that is not declared."
        why: "Names without a cell are constants. Declaring them keeps a misspelt value from being a condition that never holds."
        example: "where symbol[N] == C:\n    mark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = B";
    UnknownRole "unknown-role" Error
        summary: "The system declaration names a role that does not exist."
        why: "The roles are symbol, position, output, parse and eop: what the machine itself sets and reads."
        example: "registers: {symbol: 's', position: 'p'}\nconstants: {\"A\", \"B\"}\nsystem: {symbol: symbol, position: position, ouput: symbol}\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p'}\nconstants: {\"A\", \"B\"}\nsystem: {symbol: symbol, position: position, output: symbol}\nwhere symbol[N] == A:\n    symbol[N] = B";
    UnknownFunction "unknown-function" Error
        summary: "The function after `@` does not exist."
        why: "There are two: pos_increment and pos_decrement, the neighbouring positions."
        example: "where position[n] == position[N]@pos_decrease and symbol[N] in [A, B]:\n    copy[N] = symbol[n]"
        repair: "where position[n] == position[N]@pos_decrement and symbol[N] in [A, B]:\n    copy[N] = symbol[n]";
    DuplicateRegister "duplicate-register" Error
        summary: "A register is declared twice."
        why: "Which of the two short names it has would depend on the tool."
        example: "registers: {symbol: 's', position: 'p', mark: 'm', mark: 'k'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B";
    DuplicateConstant "duplicate-constant" Error
        summary: "A constant is declared twice."
        why: "Which of the two values it has would depend on the tool."
        example: "registers: {symbol: 's', position: 'p'}\nconstants: {\"A\", \"B\", \"A\"}\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p'}\nconstants: {\"A\", \"B\"}\nwhere symbol[N] == A:\n    symbol[N] = B";
    DuplicateShortName "duplicate-short-name" Error
        summary: "Two registers have the same short name."
        why: "QKVL knows registers by their short names only: the two would be one."
        example: "registers: {symbol: 's', position: 'p', mark: 'p'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B";
    BadShortName "bad-short-name" Error
        summary: "A short name does not start with a lower-case letter, or holds a backquote or `@`."
        why: "QKVL tells registers from constants by their short names, marks the primed ones with a backquote and functions with `@`."
        example: "registers: {symbol: 's', position: 'p', mark: 'M'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B";
    MissingRole "missing-role" Error
        summary: "No register has a role that the program needs."
        why: "The machine puts the prompt into `symbol` and reads the continuation from `output`; a production without `n` finds its own cell by `position`. Without a system declaration the roles go to the short names s, p, s, a and z."
        example: "registers: {symbol: 's', mark: 'm'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B";
    LateDeclaration "late-declaration" Error
        summary: "A declaration stands after a statement."
        why: "Declarations hold for the whole program, so they come before it."
        example: "where symbol[N] == A:\n    mark[N] = B\nwatch: [mark]"
        repair: "watch: [mark]\nwhere symbol[N] == A:\n    mark[N] = B";
    AmbiguousName "ambiguous-name" Error
        summary: "A constant is named like a register, or has the value of a short name."
        why: "In QKVL a string is a register when it is a short name, else a constant; and a reader would take the one for the other."
        example: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", mark: \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = A"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {\"A\", Marked: \"B\"}\nwatch: [mark]\nwhere symbol[N] == A:\n    mark[N] = Marked";
    AssignToN "assign-to-n" Error
        summary: "An assignment writes cell n."
        why: "A layer of attention updates the cell that attends, N; the cell attended to stays as it is."
        example: "where symbol[n] == A and position[n] == position[N]@pos_decrement:\n    mark[n] = B"
        repair: "where symbol[n] == A and position[n] == position[N]@pos_decrement:\n    mark[N] = B";
    AssignToPosition "assign-to-position" Error
        summary: "An assignment, or a role, writes something else into the position register."
        why: "The position says which cell it is; with another one a cell could no longer be found."
        example: "where symbol[n] == symbol[N] and symbol[N] in [A, B]:\n    position[N] = position[n]"
        repair: "where symbol[n] == symbol[N] and symbol[N] in [A, B]:\n    mark[N] = position[n]";
    AssignedTwice "assigned-twice" Error
        summary: "A production writes the same register twice."
        why: "All assignments happen at once, so neither is the last."
        example: "where symbol[N] == A:\n    mark[N] = A\n    mark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = A\n    copy[N] = B";
    UnboundN "unbound-n" Error
        summary: "An assignment reads cell n, but no condition mentions n."
        why: "Without a condition on n there is no cell that it could be: the production compares cell N with itself."
        example: "where symbol[N] in [A, B]:\n    mark[N] = symbol[n]"
        repair: "where symbol[N] in [A, B] and position[n] == position[N]@pos_decrement:\n    mark[N] = symbol[n]";
    ActionReadsN "action-reads-N" Error
        summary: "An assignment reads cell N although a condition binds n."
        why: "The value that attention brings comes from the cell attended to. To use a register of N, copy it in a production of its own."
        example: "where symbol[n] == symbol[N] and symbol[N] in [A, B]:\n    mark[N] = symbol[N]"
        repair: "where symbol[n] == symbol[N] and symbol[N] in [A, B]:\n    mark[N] = symbol[n]";
    SameCellComparison "same-cell-comparison" Error
        summary: "Two registers of one cell are compared where QKVL can only compare n with N."
        why: "A query is compared with a key, never a register with another of its own cell; the reference compiler makes a test across cells of it."
        example: "where position[n] == position[N]@pos_decrement:\n    copy[N] = symbol[n]\nwhere copy[N] == symbol[N] and symbol[n] == B:\n    mark[N] = A"
        repair: "where position[n] == position[N]@pos_decrement:\n    copy[N] = symbol[n]\nwhere copy[N] == symbol[N] and symbol[N] != B:\n    mark[N] = A";
    FunctionOnLeft "function-on-left" Error
        summary: "A function stands on the left of a comparison."
        why: "QKVL maps the right side only; the reference compiler drops the function without a word."
        example: "where position[n]@pos_increment == position[N] and symbol[N] in [A, B]:\n    mark[N] = symbol[n]"
        repair: "where position[N] == position[n]@pos_increment and symbol[N] in [A, B]:\n    mark[N] = symbol[n]";
    RegisterInList "register-in-list" Error
        summary: "A register stands in the list of an `in` condition."
        why: "A list becomes a fixed many-hot vector, so it holds constants only."
        example: "where symbol[N] in [A, mark[N]]:\n    mark[N] = B"
        repair: "where symbol[N] in [A, B]:\n    mark[N] = B";
    EmptyProduction "empty-production" Error
        summary: "A production has no assignment."
        why: "A layer that writes nothing does nothing."
        example: "where symbol[N] == A:"
        repair: "where symbol[N] == A:\n    mark[N] = B";
    EmptyRepeat "empty-repeat" Error
        summary: "A repeat block has no production."
        why: "There is nothing to repeat."
        example: "where symbol[N] == A:\n    mark[N] = B\nrepeat:\nuntil NO_CHANGE"
        repair: "repeat:\n    where symbol[N] == A:\n        mark[N] = B\nuntil NO_CHANGE";
    EmptyProgram "empty-program" Error
        summary: "The program has no production."
        why: "Without a layer the continuation is the prompt's last symbol for ever."
        example: "registers: {symbol: 's', position: 'p'}"
        repair: "registers: {symbol: 's', position: 'p'}\nconstants: {\"A\", \"B\"}\nwhere symbol[N] == A:\n    symbol[N] = B";
    IllTypedCondition "ill-typed-condition" Warning
        summary: "A condition can never hold."
        why: "By all that the program writes, the register never has such a value there, so the production never fires. Mostly a value is misspelt, or was forgotten. Null on the left fails every condition, `!=` included; null on the right fails `==` and makes `!=` hold. This speaks of plain prompts, and of structured ones that set no registers but those declared with `//@ input`."
        example: "where symbol[N] == A:\n    mark[N] = A\nwhere mark[N] == B:\n    symbol[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = A\nwhere mark[N] == A:\n    symbol[N] = B";
    NotAPosition "not-a-position" Warning
        summary: "A function is applied to a register that can hold something other than a position."
        why: "`@pos_increment` and `@pos_decrement` count positions and turn every other value into null. The production may still fire: `!=` holds against null, and a symbol such as `1` is a position too. Values that only `//@ input` lets in are not reported."
        example: "where position[n] == position[N]@pos_decrement and symbol[N] in [A, B]:\n    copy[N] = symbol[n]@pos_increment"
        repair: "where position[n] == position[N]@pos_decrement and symbol[N] in [A, B]:\n    copy[N] = position[n]@pos_increment";
    AlwaysTrue "always-true" Warning
        summary: "A condition can never fail."
        why: "It says nothing, so something else was probably meant. The test `x[N] == x[N]`, which says \"every cell\", and tests of the parse register are not reported. This speaks of plain prompts, and of structured ones that set no registers but those declared with `//@ input`."
        example: "where position[N] != A and symbol[N] == A:\n    symbol[N] = B"
        repair: "where symbol[N] == A:\n    symbol[N] = B";
    NeverFires "never-fires" Warning
        summary: "A production can never fire, although each of its conditions could hold by itself."
        why: "Its conditions contradict each other, on plain prompts and on structured ones that set no registers but those declared with `//@ input`. As a hint: it did not fire once on the file's tests, so they say nothing about it."
        example: "where symbol[N] == A and symbol[N] == B:\n    symbol[N] = B"
        repair: "where symbol[N] in [A, B]:\n    symbol[N] = B";
    MayNotTerminate "may-not-terminate" Warning
        summary: "A repeat block may never end: a register in it can go back to a value it had, or nothing in it changes what its `until` reads."
        why: "A block runs until a pass changes nothing, or until its conditions hold. Where values only move on, or move along the cells in one direction, it settles; where they can come back, a run may end with an error instead of a continuation. Conditions that read nothing the block writes never become true inside it."
        example: "repeat:\n    where symbol[N] == A:\n        symbol[N] = B\n    where symbol[n] == B and symbol[N] == B:\n        symbol[N] = A\nuntil NO_CHANGE"
        repair: "repeat:\n    where symbol[N] == A:\n        symbol[N] = B\nuntil NO_CHANGE";
    NonCausal "non-causal" Warning
        summary: "A cell may read a cell to its right."
        why: "A transformer that generates from left to right cannot do that while it reads the prompt, and in generation there is no cell to the right. As a hint: it may, but did not on any of the file's tests. Some proofs to the contrary rest on the parse or eop register: they hold for prompts that do not set it (`//@ input`), and not under `psl run --recompute`."
        example: "where symbol[n] == A and symbol[N] == B:\n    symbol[N] = symbol[n]"
        repair: "where symbol[n] == A and symbol[N] == B and position[n] == position[N]@pos_decrement:\n    symbol[N] = symbol[n]";
    ReadBeforeWrite "read-before-write" Warning
        summary: "A register is read where nothing can have written it."
        why: "It is null there. Null on the left of a condition, or on the right of `==`, fails it; null on the right of `!=` makes it hold; assigning null changes nothing. Writes further down count where a repeat block around both brings them back; where only the next generated cell does, this is a hint. A structured prompt can set the register too: `//@ input` declares that."
        example: "where mark[N] == A:\n    symbol[N] = B"
        repair: "where symbol[N] == B:\n    mark[N] = A\nwhere mark[N] == A:\n    symbol[N] = B";
    StalePrev "stale-prev" Warning
        summary: "A copy of the left neighbour's register is read after that register was written again."
        why: "A production sees two cells, so what it needs to know about their left neighbours is copied before. Where the source was written since, on every path, the copy holds what the neighbour had before. Copying under any condition counts, and so does a repeat block that copies and ends with NO_CHANGE."
        example: "where symbol[N] == A:\n    mark[N] = A\nwhere position[n] == position[N]@pos_decrement:\n    copy[N] = mark[n]\nwhere symbol[N] == B:\n    mark[N] = B\nwhere copy[N] == A:\n    symbol[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = A\nwhere symbol[N] == B:\n    mark[N] = B\nwhere position[n] == position[N]@pos_decrement:\n    copy[N] = mark[n]\nwhere copy[N] == A:\n    symbol[N] = B";
    DeadAssignment "dead-assignment" Warning
        summary: "An assignment is overwritten in the same cells before anything reads it."
        why: "It has no effect: the productions may be in the wrong order, or the later one lacks a condition. This speaks of plain prompts, and of structured ones that set no registers but those declared with `//@ input`."
        example: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    mark[N] = A\nwhere position[N] == position[N]:\n    mark[N] = B\nwhere mark[N] == symbol[N]:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwhere position[N] == position[N]:\n    mark[N] = B\nwhere symbol[N] == A:\n    mark[N] = A\nwhere mark[N] == symbol[N]:\n    symbol[N] = B";
    RoleNotTaken "role-not-taken" Warning
        summary: "A register is named like a role and does not have it."
        why: "Names give no roles: without `system`, the short names s, p, a and z do, and with it, only what it lists. The machine sets nothing else, so the register stays null, and productions that test it never fire. The other warnings treat it as having its role."
        example: "registers: {symbol: 's', position: 'p', parse: 'q'}\nconstants: {A, B, 1}\nwhere symbol[N] == A and parse[N] == 1:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p', parse: 'a'}\nconstants: {A, B, 1}\nwhere symbol[N] == A and parse[N] == 1:\n    symbol[N] = B";
    UnusedRegister "unused-register" Warning
        summary: "A declared register is never used."
        why: "Each register makes the vectors of the numeric machine longer by the size of the vocabulary. A role and a place in the watch list are uses."
        example: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B";
    UnusedConstant "unused-constant" Warning
        summary: "A declared constant is never used."
        why: "Perhaps the production that was to use it is missing or names another. What the machine itself writes counts as used: `1` where a register has the role parse, `EOP` where one has the role eop."
        example: "registers: {symbol: 's', position: 'p'}\nconstants: {A, B, C}\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "registers: {symbol: 's', position: 'p'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B";
    NeverRead "never-read" Warning
        summary: "A register is written, but never read, watched or put out."
        why: "What is written there changes nothing that anyone can see."
        example: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n    mark[N] = A"
        repair: "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwatch: [mark]\nwhere symbol[N] == A:\n    symbol[N] = B\n    mark[N] = A";
    DuplicateProduction "duplicate-production" Warning
        summary: "A production does what an earlier one did, and nothing that it reads or writes has changed since."
        why: "It costs a layer and does nothing; most often one of the two was meant to differ."
        example: "where symbol[N] == A:\n    mark[N] = B\nwhere symbol[N] == A:\n    mark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = B\nwhere symbol[N] == B:\n    mark[N] = A";
    UnindentedAssignment "unindented-assignment" Warning
        summary: "An assignment starts its line with no more indentation than its production."
        why: "Line ends mean nothing in PSL, so it belongs to the production above although it looks as if it did not; and the reference compiler does not accept it."
        example: "where symbol[N] == A:\nmark[N] = B"
        repair: "where symbol[N] == A:\n    mark[N] = B";
    NotPortable "not-portable" Warning (off)
        summary: "The reference compiler would reject this, or compile it to something else."
        why: "It reads PSL by lines and knows less of the grammar. Ask for this where a program has to run there too."
        example: "where symbol[N] != A and symbol[N] != B:\n    mark[N] = B"
        repair: "where symbol[N] not in [A, B]:\n    mark[N] = B";
    UnknownDirective "unknown-directive" Warning
        summary: "A `//@` line is no directive that the tools know."
        why: "It has no effect, which is hardly what its author wanted. The directives are test, stop, max-new, allow, allow-file and input."
        example: "//@ tset \"A\" => \"B\"\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "//@ test \"A\" => \"B\"\nwhere symbol[N] == A:\n    symbol[N] = B";
    UnusedAllow "unused-allow" Warning
        summary: "A `//@ allow` or `//@ allow-file` allows nothing."
        why: "What it once accepted is gone, or it stands in the wrong place or names no warning. Left there, it would hide the next one without a word. An allow covers the statement or declaration below it, with only comments between, or, inside one, the next entry, condition or assignment; errors cannot be allowed."
        example: "//@ allow unknown-directive: an older tool reads it\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "where symbol[N] == A:\n    symbol[N] = B";
    FailingTest "failing-test" Warning
        summary: "A `//@ test` of the file fails."
        why: "The continuation differs from the test's gold. The message shows both, and where they part: the first symbol that differs, and the layer that wrote it in which cell."
        example: "//@ test \"A\" => \"A\"\n//@ max-new 1\nwhere symbol[N] == A:\n    symbol[N] = B"
        repair: "//@ test \"A\" => \"B\"\n//@ max-new 1\nwhere symbol[N] == A:\n    symbol[N] = B";
}
