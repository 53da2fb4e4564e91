//! Instructions as text, with short names as in QKVL.

use std::fmt;

use super::program::{Source, Term};

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(name, None) => out.write_str(name),
            Self::Register(name, Some(function)) => write!(out, "{name}@{}", function.as_str()),
            Self::Constant(value) => out.write_str(value),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(term) => term.fmt(out),
            Self::Not(term) => write!(out, "!= {term}"),
            Self::In(list) => write!(out, "in {}", list.join(", ")),
            Self::NotIn(list) => write!(out, "not in {}", list.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use psl_syntax::program::Function;

    use super::{Source, Term};

    #[test]
    fn sources_read_as_conditions() {
        let position = || Term::Register("p".into(), Some(Function::PosDecrement));
        let list = || vec!["A".to_owned(), "B".to_owned()];
        let sources = [
            Source::Is(Term::Register("s".into(), None)),
            Source::Is(position()),
            Source::Not(position()),
            Source::Not(Term::Constant("A".into())),
            Source::In(list()),
            Source::NotIn(list()),
        ];
        let words = ["s", "p@pos_decrement", "!= p@pos_decrement", "!= A", "in A, B", "not in A, B"];
        assert_eq!(sources.map(|source| source.to_string()), words);
    }
}
