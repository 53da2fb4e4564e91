//! The settings of the Visual Studio Code extension know every diagnostic whose severity can be changed.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

mod cases;

use std::{fs, path::Path};

use cases::golden;
use psl_syntax::Code;
use serde_json::{Value, json, to_string};

/// The choices for a code's severity, and what they do; `inherit` says more for each code.
const CHOICES: [(&str, &str); 5] = [
    ("error", "It is shown as an error."),
    ("warning", "It is shown as a warning."),
    ("info", "It is shown as information."),
    ("hint", "It is marked faintly, and not listed among the problems."),
    ("off", "It is not shown."),
];

/// The lines between this one and the next as far in are made from the table of codes.
const SETTING: &str = "        \"psl.severity\": {\n";
const END: &str = "\n        }";

/// One property of an object, on a line.
fn line(indent: usize, name: &str, value: &Value) -> String {
    let text = to_string(value).expect("it is JSON").replace("\",\"", "\", \"");
    format!("{:indent$}\"{name}\": {text}", "")
}

fn severity() -> String {
    let codes: Vec<_> = Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.entry()).collect();
    let properties = codes.iter().map(|entry| {
        let usual = if entry.off { "off" } else { entry.severity.as_str() };
        let inherit = format!("As psl.toml says; where it says nothing, {usual}.");
        let choices: Vec<_> = [("inherit", &*inherit)].into_iter().chain(CHOICES).collect();
        let parts = [
            line(14, "type", &json!("string")),
            line(14, "enum", &choices.iter().map(|(choice, _)| *choice).collect()),
            line(14, "enumDescriptions", &choices.iter().map(|(_, does)| *does).collect()),
            line(14, "default", &json!("inherit")),
            line(14, "description", &json!(entry.summary)),
        ];
        format!("            \"{}\": {{\n{}\n            }}", entry.name, parts.join(",\n"))
    });
    let defaults = codes.iter().map(|entry| line(12, entry.name, &json!("inherit")));
    let description = "How each diagnostic is shown. What is chosen here counts before `psl.toml`. Errors stay errors.";
    [
        line(10, "type", &json!("object")),
        line(10, "markdownDescription", &json!(description)),
        line(10, "additionalProperties", &json!(false)),
        format!("          \"default\": {{\n{}\n          }}", defaults.collect::<Vec<_>>().join(",\n")),
        format!("          \"properties\": {{\n{}\n          }}", properties.collect::<Vec<_>>().join(",\n")),
    ]
    .join(",\n")
}

#[test]
fn each_code_whose_severity_can_change_has_a_row_in_the_form() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/vscode/package.json");
    let manifest = fs::read_to_string(&path).expect("the manifest is there");
    let (before, rest) = manifest.split_once(SETTING).expect("it has the setting");
    let (_, after) = rest.split_once(END).expect("the setting ends");
    let wanted = format!("{before}{SETTING}{}{END}{after}", severity());
    golden::compare(&path, &wanted).unwrap_or_else(|problem| panic!("{problem}"));
}
