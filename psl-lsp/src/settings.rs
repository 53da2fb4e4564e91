//! The editor's settings for PSL: the section `psl` of its configuration.

use psl_ide::{InlayHintSettings, config::level};
use psl_syntax::{Code, Levels, nearest};
use serde_json::Value;

use crate::client_capabilities::ClientCapabilities;

/// What the user has set; defaults elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// How bad diagnostics are: `psl.severity`. It counts before what `psl.toml` says.
    pub levels: Levels,
    /// Which inlay hints are shown: `psl.inlayHints`.
    pub hints: InlayHintSettings,
}

const KEYS: [&str; 6] = ["inlayHints", "path", "severity", "showResults", "showStatus", "trace"];
/// In place of a severity: what `psl.toml` says counts. An editor's form has it for codes that are not set.
const INHERIT: &str = "inherit";
const HINTS: [&str; 4] = ["domains", "layers", "lookAhead", "values"];

impl Settings {
    /// Reads them, and says what is wrong with those that it leaves out. No settings are null. Where nothing else is set, the
    /// numbers of layers are hints only for a client that shows no lenses, which have them too.
    pub fn read(settings: &Value, client: ClientCapabilities) -> (Self, Vec<String>) {
        let hints = InlayHintSettings { layers: !client.lenses, ..InlayHintSettings::default() };
        let mut reader = Reader { settings: Self { hints, ..Self::default() }, wrong: Vec::new() };
        for (key, value) in reader.entries("psl", settings) {
            match key {
                "severity" => reader.severity(value),
                "inlayHints" => reader.hints(value),
                // These are between the editor and its extension.
                "path" | "showResults" | "showStatus" | "trace" => {}
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
    /// The entries that are set: editors send null for the others.
    fn entries<'v>(&mut self, section: &str, value: &'v Value) -> Vec<(&'v str, &'v Value)> {
        match value {
            Value::Object(entries) => {
                entries.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.as_str(), value)).collect()
            }
            Value::Null => Vec::new(),
            other => {
                self.wrong.push(format!("`{section}` is a group of settings, but {other} is set"));
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
            match wanted.as_str().map_or_else(
                || Err(format!("a severity is a word in quotes, but {wanted} is set")),
                |it| level(code, it),
            ) {
                Ok(level) => self.settings.levels.set(code, level),
                Err(why) => self.wrong.push(format!("`psl.severity.{name}`: {why}")),
            }
        }
    }

    fn hints(&mut self, value: &Value) {
        for (name, wanted) in self.entries("psl.inlayHints", value) {
            let hints = &mut self.settings.hints;
            let switch = match name {
                "layers" => &mut hints.layers,
                "domains" => &mut hints.domains,
                "lookAhead" => &mut hints.look_ahead,
                "values" => &mut hints.values,
                _ => {
                    self.unknown("psl.inlayHints", name, &HINTS);
                    continue;
                }
            };
            match wanted.as_bool() {
                Some(on) => *switch = on,
                None => self.wrong.push(format!("`psl.inlayHints.{name}` is true or false, but {wanted} is set")),
            }
        }
    }

    fn unknown(&mut self, section: &str, name: &str, known: &[&str]) {
        let near = nearest(name, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{section}.{near}`?"));
        self.wrong.push(format!("there is no setting `{section}.{name}`{hint}"));
    }
}

#[cfg(test)]
mod tests {
    use psl_syntax::Severity;
    use serde_json::json;

    use super::*;

    /// What is wrong with settings.
    fn check(settings: &Value, wrong: &[&str]) -> Settings {
        let (read, said) = Settings::read(settings, ClientCapabilities::default());
        assert_eq!(said, wrong, "{settings}");
        read
    }

    #[test]
    fn what_is_set_counts_and_what_is_wrong_is_said() {
        check(&Value::Null, &[]);
        let set = json!({
            "path": "psl", "severity": {"unused-allow": "error", "never-read": "inherit", "syntax": "inherit", "late-declaration": null},
            "inlayHints": {"layers": false, "values": null},
        });
        let read = check(&set, &[]);
        let mut levels = Levels::default();
        levels.set(Code::UnusedAllow, Some(Severity::Error));
        assert_eq!(
            (read.levels, read.hints),
            (levels, InlayHintSettings { layers: false, ..InlayHintSettings::default() })
        );
        let shows =
            |lenses| Settings::read(&json!({}), ClientCapabilities { lenses, ..Default::default() }).0.hints.layers;
        assert_eq!([true, false].map(shows), [false, true]);
        check(&json!(1), &["`psl` is a group of settings, but 1 is set"]);
        check(&json!({"inlayHint": {}}), &["there is no setting `psl.inlayHint`; did you mean `psl.inlayHints`?"]);
        check(
            &json!({"inlayHints": {"layer": true, "values": 1}}),
            &[
                "there is no setting `psl.inlayHints.layer`; did you mean `psl.inlayHints.layers`?",
                "`psl.inlayHints.values` is true or false, but 1 is set",
            ],
        );
        check(
            &json!({"severity": {"sintax": "off", "syntax": "off", "unused-allow": "of", "never-read": 3}}),
            &[
                "there is no setting `psl.severity.sintax`; did you mean `psl.severity.syntax`?",
                "`psl.severity.syntax`: `syntax` is an error, and errors can be nothing else",
                "`psl.severity.unused-allow`: no severity is called `of`; there are error, warning, info, hint, off",
                "`psl.severity.never-read`: a severity is a word in quotes, but 3 is set",
            ],
        );
    }
}
