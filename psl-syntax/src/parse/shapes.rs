//! What a declaration or statement looks like, for those who wrote it otherwise.

use crate::{
    diagnostic::Diagnostic,
    token::{Kind, Token},
};

/// Adds to each of the errors, which are in the order of the text, how what it stands in is written; unless it says already
/// what to do.
pub fn explain(errors: &mut [Diagnostic], code: &[Token]) {
    let mut starts = code.iter().filter(|token| token.kind.starts_segment()).peekable();
    let mut within = None;
    for error in errors {
        while let Some(start) = starts.next_if(|start| start.span.start <= error.span.start) {
            within = Some(start.kind);
        }
        error.help.get_or_insert_with(|| shape(within).to_owned());
    }
}

const fn shape(start: Option<Kind>) -> &'static str {
    match start {
        Some(Kind::Registers) => "registers are declared as in `registers: {symbol: 's', position: 'p'}`",
        Some(Kind::Constants) => "constants are declared as in `constants: {A, B, SPACE: ' '}`",
        Some(Kind::System) => "roles are given as in `system: {symbol: symbol, position: position, output: symbol}`",
        Some(Kind::Watch) => "watched registers are listed as in `watch: [mark, copy]`",
        Some(Kind::CausalAttn) => "it is written `causal_attn: true`, `false` or `reverse`",
        Some(Kind::Repeat | Kind::Until) => {
            "a block is written `repeat:`, its productions, and `until NO_CHANGE`, or `until` and conditions"
        }
        Some(_) => "a production is written as in `where symbol[N] == A and mark[N] != B:` and, below, `mark[N] = B`",
        None => "a program is declarations, such as `registers: {…}`, and then productions, `where …`",
    }
}
