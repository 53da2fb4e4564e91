//! `psl.toml`: the severities of diagnostics, the files that belong to a folder, their maximum size, and the stop
//! symbol. Callers find the file that applies to a program, and match its patterns.

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

    /// Checks the errors of a text and their places.
    fn check(text: &str, expected: &str) {
        let errors = Config::parse(text).expect_err("errors");
        let messages: Vec<String> = errors.iter().map(|error| error.located("psl.toml", text)).collect();
        let expected: Vec<String> = expected.split(" | ").map(|error| format!("psl.toml:{error}")).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn a_configuration_is_read() {
        let config = Config::parse("stop = '!'\nmax-file-size = 0x1_00\n[severity]\nnon-causal = 'error'\nunused-allow = 'off'\nsyntax = 'error'\n")
            .expect("a valid configuration");
        assert_eq!((config.stop.as_deref(), config.max_file_size()), (Some("!"), 256));
        assert!(config.levels.is_off(Code::UnusedAllow));
        let mut levels = Levels::default();
        levels.set(Code::NonCausal, Some(Severity::Error));
        levels.set(Code::UnusedAllow, None);
        levels.set(Code::Syntax, Some(Severity::Error));
        assert_eq!(config.levels, levels);
        let empty = Config::parse("").expect("an empty text is valid");
        assert_eq!((empty.levels.clone(), empty.max_file_size()), (Levels::default(), MAX_FILE_SIZE));
    }

    #[test]
    fn errors_have_a_place() {
        check("[sevrity]\n", "1:2: unknown key `sevrity`; did you mean `severity`?");
        check("é = 1", "1:1: invalid unquoted key, expected letters, numbers, `-`, `_`");
        check("'é é' = 1", "1:1: unknown key `é é`; expected one of max-file-size, paths, severity, stop");
        check("max-file-size = 0", "1:17: `max-file-size` must be a number of bytes from 1 to 1073741824");
        check("max-file-size = '1 MiB'", "1:17: `max-file-size` must be a number of bytes from 1 to 1073741824");
        check("stop = 1", "1:8: `stop` must be one symbol, such as `stop = \".\"`");
        check("severity = 1", "1:12: `severity` must be a table: write its keys under `[severity]`");
        check("[severity]\nnon-casual = 'off'", "2:1: unknown diagnostic `non-casual`; did you mean `non-causal`?");
        check(
            "[severity]\nnon-causal = 'of'",
            "2:14: unknown severity `of`; expected one of error, warning, info, hint, off",
        );
        check("[severity]\nnon-causal = 'hnit'", "2:14: unknown severity `hnit`; did you mean `hint`?");
        check(
            "[severity]\nnon-causal = 0",
            "2:14: expected a severity in quotes: one of error, warning, info, hint, off",
        );
        check("[severity]\nsyntax = 'off'", "2:10: `syntax` is an error: its severity cannot be changed");
        check("[paths]\nexclud = []", "2:1: unknown key `exclud` in `paths`; did you mean `exclude`?");
        check(
            "[paths]\nexclude = ['a', 1]",
            "2:17: `exclude` must be a list of patterns, such as `exclude = [\"drafts/\"]`",
        );
        check(
            "stop = 1\n[severity]\nsyntx = 'off'\nnon-causal = 'of'\n[path]",
            "1:8: `stop` must be one symbol, such as `stop = \".\"` | \
             3:1: unknown diagnostic `syntx`; did you mean `syntax`? | \
             4:14: unknown severity `of`; expected one of error, warning, info, hint, off | \
             5:2: unknown key `path`; did you mean `paths`?",
        );
        check("stop = ", "1:8: string values must be quoted, expected literal string");
    }
}
