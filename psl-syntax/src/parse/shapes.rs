//! The form of each declaration and statement, as help for syntax errors.

use crate::{
    diagnostic::Diagnostic,
    token::{Kind, Token},
};

/// Adds help on the form of the surrounding declaration or statement to each error without help. The errors must be
/// in text order. What follows a whole declaration has the form of a production.
pub fn explain(errors: &mut [Diagnostic], code: &[Token]) {
    let mut code = code.iter().peekable();
    let mut within = None;
    for error in errors {
        while let Some(token) = code.next_if(|token| token.span.start <= error.span.start) {
            let at_error = token.span.start == error.span.start;
            match token.kind {
                kind if kind.starts_segment() => within = Some(kind),
                Kind::CloseBrace | Kind::True | Kind::False | Kind::Reverse if !at_error && declares(within) => {
                    within = Some(Kind::Where);
                }
                Kind::CloseBracket if !at_error && within == Some(Kind::Watch) => within = Some(Kind::Where),
                _ => {}
            }
        }
        error.help.get_or_insert_with(|| shape(within).to_owned());
    }
}

const fn declares(start: Option<Kind>) -> bool {
    matches!(start, Some(Kind::Registers | Kind::Constants | Kind::System | Kind::CausalAttn))
}

const fn shape(start: Option<Kind>) -> &'static str {
    match start {
        Some(Kind::Registers) => "declare registers as in `registers: {symbol: 's', position: 'p'}`",
        Some(Kind::Constants) => "declare constants as in `constants: {A, B, SPACE: ' '}`",
        Some(Kind::System) => "give roles as in `system: {symbol: symbol, position: position, output: symbol}`",
        Some(Kind::Watch) => "list the registers to watch as in `watch: [mark, copy]`",
        Some(Kind::CausalAttn) => "write `causal_attn: true`, `causal_attn: false` or `causal_attn: reverse`",
        Some(Kind::Repeat | Kind::Until) => {
            "write `repeat:`, then productions, then `until NO_CHANGE` or `until` and conditions"
        }
        Some(_) => {
            "write a production as in `where symbol[N] == A and mark[N] != B:` and, on the next line, `mark[N] = B`"
        }
        None => "start with declarations, such as `registers: {…}`, and continue with productions, `where …`",
    }
}
