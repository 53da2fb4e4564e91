//! `psl.toml`: how bad diagnostics are, which files belong to a folder, how large they may be, and the stop symbol of its
//! programs. Callers find the file that counts for a program, and match its patterns.

pub(crate) mod keys;
pub(crate) mod place;
mod read;
mod schema;
mod values;

pub use schema::schema;
pub(crate) use values::LEVELS;
pub use values::{Config, ConfigError, MAX_FILE_SIZE, Patterns, level};

#[cfg(test)]
mod tests {
    use psl_syntax::{Code, Levels, Severity};

    use super::*;

    /// Checks that a text is refused, where and why.
    fn check(text: &str, expected: &str) {
        let errors = Config::parse(text).expect_err("it is wrong");
        let said: Vec<String> = errors.iter().map(|error| error.located("psl.toml", text)).collect();
        let expected: Vec<String> = expected.split(" | ").map(|error| format!("psl.toml:{error}")).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn what_it_says() {
        let config = Config::parse("stop = '!'\nmax-file-size = 0x1_00\n[severity]\nnon-causal = 'error'\nunused-allow = 'off'\nsyntax = 'error'\n")
            .expect("it is right");
        assert_eq!((config.stop.as_deref(), config.max_file_size()), (Some("!"), 256));
        assert!(config.levels.is_off(Code::UnusedAllow));
        let mut levels = Levels::default();
        levels.set(Code::NonCausal, Some(Severity::Error));
        levels.set(Code::UnusedAllow, None);
        levels.set(Code::Syntax, Some(Severity::Error));
        assert_eq!(config.levels, levels);
        let empty = Config::parse("").expect("nothing is right too");
        assert_eq!((empty.levels.clone(), empty.max_file_size()), (Levels::default(), MAX_FILE_SIZE));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        check("[sevrity]\n", "1:2: no key is called `sevrity`; did you mean `severity`?");
        check("é = 1", "1:1: invalid unquoted key, expected letters, numbers, `-`, `_`");
        check("'é é' = 1", "1:1: no key is called `é é`; there are max-file-size, paths, severity, stop");
        check("max-file-size = 0", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("max-file-size = '1 MiB'", "1:17: `max-file-size` is a number of bytes, from 1 to 1073741824");
        check("stop = 1", "1:8: `stop` is one symbol, as in `stop = \".\"`");
        check("severity = 1", "1:12: `severity` is a table, written under `[severity]`");
        check(
            "[severity]\nnon-casual = 'off'",
            "2:1: no diagnostic is called `non-casual`; did you mean `non-causal`?",
        );
        check(
            "[severity]\nnon-causal = 'of'",
            "2:14: no severity is called `of`; there are error, warning, info, hint, off",
        );
        check("[severity]\nnon-causal = 'hnit'", "2:14: no severity is called `hnit`; did you mean `hint`?");
        check("[severity]\nnon-causal = 0", "2:14: a severity is one of error, warning, info, hint, off, in quotes");
        check("[severity]\nsyntax = 'off'", "2:10: `syntax` is an error, and errors can be nothing else");
        check("[paths]\nexclud = []", "2:1: no key of `paths` is called `exclud`; did you mean `exclude`?");
        check("[paths]\nexclude = ['a', 1]", "2:17: `exclude` is a list of patterns, as in `exclude = [\"drafts/\"]`");
        check(
            "stop = 1\n[severity]\nsyntx = 'off'\nnon-causal = 'of'\n[path]",
            "1:8: `stop` is one symbol, as in `stop = \".\"` | \
             3:1: no diagnostic is called `syntx`; did you mean `syntax`? | \
             4:14: no severity is called `of`; there are error, warning, info, hint, off | \
             5:2: no key is called `path`; did you mean `paths`?",
        );
        check("stop = ", "1:8: string values must be quoted, expected literal string");
    }
}
