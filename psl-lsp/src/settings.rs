//! The editor's settings: the section `psl` of its configuration.

use psl_ide::InlayHintSettings;
use psl_program::config::level;
use psl_syntax::{Code, Levels, nearest};
use serde_json::Value;

use crate::client_capabilities::ClientCapabilities;

/// The user's settings, with defaults for those that are not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The severities of diagnostics: `psl.severity`. They override `psl.toml`.
    pub levels: Levels,
    /// The inlay hints to show: `psl.inlayHints`.
    pub hints: InlayHintSettings,
    /// Whether to search for repairs of failing tests and for what belongs in holes: `psl.backgroundSearch`.
    pub background_search: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { levels: Levels::default(), hints: InlayHintSettings::default(), background_search: true }
    }
}

const KEYS: [&str; 10] = [
    "backgroundSearch",
    "debug",
    "inlayHints",
    "linkLines",
    "path",
    "severity",
    "showDebug",
    "showResults",
    "showStatus",
    "trace",
];
/// The value for a severity that `psl.toml` decides. The settings form of an editor uses it for codes that are not set.
const INHERIT: &str = "inherit";
const HINTS: [&str; 5] = ["allDomains", "domains", "layers", "lookAhead", "values"];

impl Settings {
    /// Reads the settings, and returns them with messages about invalid ones, which are ignored. Null means no
    /// settings. By default, hints show the numbers of layers only for clients without lenses, since lenses show them
    /// too.
    pub fn read(settings: &Value, client: ClientCapabilities) -> (Self, Vec<String>) {
        let hints = InlayHintSettings { layers: !client.lenses, ..InlayHintSettings::default() };
        let mut reader = Reader { settings: Self { hints, ..Self::default() }, wrong: Vec::new() };
        for (key, value) in reader.entries("psl", settings) {
            match key {
                "severity" => reader.severity(value),
                "inlayHints" => reader.hints(value),
                "backgroundSearch" => reader.switch("psl.backgroundSearch", value, |read| &mut read.background_search),
                // Settings of the editor's extension.
                "debug" | "linkLines" | "path" | "showDebug" | "showResults" | "showStatus" | "trace" => {}
                _ => reader.unknown("psl", key, &KEYS),
            }
        }
        (reader.settings, reader.wrong)
    }
}

struct Reader {
    settings: Settings,
    wrong: Vec<String>,
}

impl Reader {
    /// The entries that are set. Editors send null for the others.
    fn entries<'v>(&mut self, section: &str, value: &'v Value) -> Vec<(&'v str, &'v Value)> {
        match value {
            Value::Object(entries) => {
                entries.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.as_str(), value)).collect()
            }
            Value::Null => Vec::new(),
            other => {
                self.wrong.push(format!("`{section}` must be a group of settings, found {other}"));
                Vec::new()
            }
        }
    }

    fn severity(&mut self, value: &Value) {
        for (name, wanted) in self.entries("psl.severity", value) {
            let Some(code) = Code::from_name(name) else {
                let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
                self.unknown("psl.severity", name, &codes);
                continue;
            };
            if wanted == INHERIT {
                continue;
            }
            match wanted
                .as_str()
                .map_or_else(|| Err(format!("expected a severity in quotes, found {wanted}")), |it| level(code, it))
            {
                Ok(level) => self.settings.levels.set(code, level),
                Err(why) => self.wrong.push(format!("`psl.severity.{name}`: {why}")),
            }
        }
    }

    fn hints(&mut self, value: &Value) {
        for (name, wanted) in self.entries("psl.inlayHints", value) {
            let switch: fn(&mut Settings) -> &mut bool = match name {
                "layers" => |read| &mut read.hints.layers,
                "allDomains" => |read| &mut read.hints.all_domains,
                "domains" => |read| &mut read.hints.domains,
                "lookAhead" => |read| &mut read.hints.look_ahead,
                "values" => |read| &mut read.hints.values,
                _ => {
                    self.unknown("psl.inlayHints", name, &HINTS);
                    continue;
                }
            };
            self.switch(&format!("psl.inlayHints.{name}"), wanted, switch);
        }
    }

    fn switch(&mut self, name: &str, wanted: &Value, switch: fn(&mut Settings) -> &mut bool) {
        match wanted.as_bool() {
            Some(on) => *switch(&mut self.settings) = on,
            None => self.wrong.push(format!("`{name}` must be `true` or `false`, found {wanted}")),
        }
    }

    fn unknown(&mut self, section: &str, name: &str, known: &[&str]) {
        let near = nearest(name, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{section}.{near}`?"));
        self.wrong.push(format!("unknown setting `{section}.{name}`{hint}"));
    }
}

#[cfg(test)]
mod tests {
    use psl_syntax::Severity;
    use serde_json::json;

    use super::*;

    /// Checks the messages about settings.
    fn check(settings: &Value, wrong: &[&str]) -> Settings {
        let (read, messages) = Settings::read(settings, ClientCapabilities::default());
        assert_eq!(messages, wrong, "{settings}");
        read
    }

    #[test]
    fn settings_are_read_and_errors_are_reported() {
        check(&Value::Null, &[]);
        let set = json!({
            "path": "psl", "severity": {"unused-allow": "error", "never-read": "inherit", "syntax": "inherit", "late-declaration": null},
            "inlayHints": {"layers": false, "values": null}, "backgroundSearch": false,
        });
        let read = check(&set, &[]);
        let mut levels = Levels::default();
        levels.set(Code::UnusedAllow, Some(Severity::Error));
        assert_eq!(
            (read.levels, read.hints, read.background_search),
            (levels, InlayHintSettings { layers: false, ..InlayHintSettings::default() }, false)
        );
        let shows =
            |lenses| Settings::read(&json!({}), ClientCapabilities { lenses, ..Default::default() }).0.hints.layers;
        assert_eq!([true, false].map(shows), [false, true]);
        assert!(
            check(&json!({"backgroundSearch": 1}), &["`psl.backgroundSearch` must be `true` or `false`, found 1"])
                .background_search
        );
        check(&json!(1), &["`psl` must be a group of settings, found 1"]);
        check(&json!({"inlayHint": {}}), &["unknown setting `psl.inlayHint`; did you mean `psl.inlayHints`?"]);
        check(
            &json!({"inlayHints": {"layer": true, "values": 1}}),
            &[
                "unknown setting `psl.inlayHints.layer`; did you mean `psl.inlayHints.layers`?",
                "`psl.inlayHints.values` must be `true` or `false`, found 1",
            ],
        );
        check(
            &json!({"severity": {"sintax": "off", "syntax": "off", "unused-allow": "of", "never-read": 3}}),
            &[
                "unknown setting `psl.severity.sintax`; did you mean `psl.severity.syntax`?",
                "`psl.severity.syntax`: `syntax` is an error: its severity cannot be changed",
                "`psl.severity.unused-allow`: unknown severity `of`; expected one of error, warning, info, hint, off",
                "`psl.severity.never-read`: expected a severity in quotes, found 3",
            ],
        );
    }
}
