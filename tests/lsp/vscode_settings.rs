//! The settings form of the Visual Studio Code extension lists every diagnostic whose severity can be changed.

use std::{fs, path::Path};

use psl_syntax::Code;
use serde_json::{Value, json, to_string};

use crate::cases::golden;

/// The choices for a severity, with their descriptions. The description of `inherit` differs between codes.
const CHOICES: [(&str, &str); 5] = [
    ("error", "Report it as an error."),
    ("warning", "Report it as a warning."),
    ("info", "Report it as information."),
    ("hint", "Mark the place faintly, without an entry in the list of problems."),
    ("off", "Do not report it."),
];

/// The lines between this one and the next one with the same indentation are generated from the table of codes.
const SETTING: &str = "        \"psl.severity\": {\n";
const END: &str = "\n        }";

/// One property of an object, on one line.
fn line(indent: usize, name: &str, value: &Value) -> String {
    let text = to_string(value).expect("JSON").replace("\",\"", "\", \"");
    format!("{:indent$}\"{name}\": {text}", "")
}

fn severity() -> String {
    let codes: Vec<_> = Code::ALL.iter().filter(|code| !code.is_error()).map(|code| code.entry()).collect();
    let properties = codes.iter().map(|entry| {
        let usual = if entry.off { "off" } else { entry.severity.as_str() };
        let inherit = format!("Use the severity in psl.toml. Default: {usual}.");
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
    let description =
        "The severity of each diagnostic. Overrides `psl.toml`. The severity of an error cannot be changed.";
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
    let manifest = fs::read_to_string(&path).expect("the manifest");
    let (before, rest) = manifest.split_once(SETTING).expect("the setting");
    let (_, after) = rest.split_once(END).expect("the end of the setting");
    let wanted = format!("{before}{SETTING}{}{END}{after}", severity());
    golden::compare(&path, &wanted).unwrap_or_else(|problem| panic!("{problem}"));
}
