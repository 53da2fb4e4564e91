//! `psl.toml`: the severities of diagnostics, the files that belong to a folder, their maximum size, and the stop
//! symbol. Callers find the file that applies to a program, and match its patterns.

pub mod cursor_context;
pub mod keys;
mod limits;
mod problem;
mod read;
mod schema;
mod values;

pub use limits::{MAX_CONFIG_SIZE, check_pattern, limited};
pub use problem::ConfigProblem;
pub use schema::schema;
pub use values::LEVELS;
pub use values::{Config, ConfigError, MAX_FILE_SIZE, Patterns, level, located};

#[cfg(test)]
mod tests {
    use psl_syntax::{Code, Levels, Severity};

    use super::*;

    /// Checks the errors of a text, each with its line and column.
    fn check(text: &str, expected: &str) {
        let errors = Config::parse(text).expect_err("errors");
        let messages: Vec<String> = located(&errors, "psl.toml", text).collect();
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

    #[test]
    fn patterns_are_limited_before_they_are_compiled() {
        let exclude = |pattern: &str| format!("[paths]\nexclude = ['a', '{pattern}']");
        let nested = |depth| format!("{}a{}", "{".repeat(depth), "}".repeat(depth));
        check(&exclude(&nested(20_000)), "2:17: the pattern is longer than 1,000 bytes");
        check(&exclude(&nested(51)), "2:17: the pattern has more than 50 `{`");
        check(&exclude(&"[a-z]*".repeat(10_000)), "2:17: the pattern is longer than 1,000 bytes");
        let list = format!("[paths]\ninclude = [{}]", "'a', ".repeat(100_000));
        check(&list, "2:11: `include` has more than 1,000 patterns or 64 KiB: name folders instead of files");
        let list = format!("[paths]\ninclude = [{}]", format!("'{}', ", "a".repeat(1_000)).repeat(66));
        check(&list, "2:11: `include` has more than 1,000 patterns or 64 KiB: name folders instead of files");
        Config::parse(&exclude(&nested(50))).expect("a valid configuration");
        Config::parse(&exclude(&"é".repeat(500))).expect("a valid configuration");
        Config::parse(&format!("paths.include = [{}]", "'a', ".repeat(1_000))).expect("a valid configuration");
    }

    #[test]
    fn of_many_errors_the_first_are_listed_and_the_others_counted() {
        let keys = |count: usize| (0..count).map(|key| format!("k{key} = 'of'")).collect::<Vec<_>>().join("\n");
        let errors = |text: &str| Config::parse(text).expect_err("errors");
        let messages = |count| located(&errors(&keys(count)), "psl.toml", &keys(count)).collect::<Vec<_>>();
        assert_eq!(messages(100).len(), 100);
        let many = messages(40_000);
        assert_eq!(many.len(), 101);
        assert!(many[99].starts_with("psl.toml:100:1: unknown key `k99`"), "{}", many[99]);
        assert_eq!(many[100], "psl.toml:101:1: 39900 more errors in this file");
        assert_eq!(messages(101)[100], "psl.toml:101:1: 1 more error in this file");
    }

    #[test]
    fn a_large_text_is_refused_before_it_is_parsed() {
        let comment = |length: usize| format!("#{}", "a".repeat(length - 1));
        Config::parse(&comment(1 << 20)).expect("a valid configuration");
        check(&comment((1 << 20) + 1), "1:1: the text is larger than 1048576 bytes");
    }
}
