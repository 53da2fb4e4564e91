//! The explorer's page: the one that `scripts/explorer` builds, with a program in it.

use std::collections::{BTreeMap, BTreeSet};

use psl_program::{File, StructuredPrompt, layers_in_new_version};
use serde::Serialize;

use crate::{explorer_prompt::FirstPrompt, request::SetValue};

/// The placeholder for the data in the built page.
const MARKER: &str = "<!--psl-data-->";

/// The data in the page: a program, what to open in it, and where its changes come from.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageData<'p> {
    #[serde(flatten)]
    pub program: PageProgram<'p>,
    #[serde(flatten)]
    pub first: FirstPrompt,
    /// The layers that write nothing in that run.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub ablated: BTreeSet<usize>,
    /// Values that that run has in place of its own.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub set: Vec<SetValue>,
    /// Another version of the program. Its run on the same prompt is the second one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub against: Option<PageAgainst<'p>>,
    /// Programs to choose from.
    pub examples: &'p [PageExample],
    /// The server of the page. A page in a file has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub serve: Option<PageServer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageProgram<'p> {
    pub name: &'p str,
    pub text: &'p str,
    /// The stop symbol, if the program does not name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub stop: Option<&'p str>,
    /// The prompt files of its tests: their contents by name.
    pub prompts: BTreeMap<&'p str, String>,
}

/// Another version of the program in a page.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageAgainst<'p> {
    #[serde(flatten)]
    pub program: PageProgram<'p>,
    /// For each layer of this version, the 1-based layer of the program, or null if the program lacks it.
    pub layers: Vec<Option<usize>>,
}

/// An example to choose.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageExample {
    pub name: &'static str,
    pub text: &'static str,
}

/// A server that sends the changes of the program.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PageServer {
    /// Whether the server can show a line of the program in an editor.
    pub reveal: bool,
}

impl<'p> PageData<'p> {
    /// Creates the data of a program. Prompt files without a structured prompt are left out.
    pub fn new(name: &'p str, file: &'p File, examples: &'p [PageExample]) -> Self {
        let program = PageProgram::new(name, file);
        Self {
            program,
            first: FirstPrompt::default(),
            ablated: BTreeSet::new(),
            set: Vec::new(),
            against: None,
            examples,
            serve: None,
        }
    }

    /// Adds a server, which sends changes. `reveal` is whether it can show a line in an editor.
    #[must_use]
    pub fn served(self, reveal: bool) -> Self {
        Self { serve: Some(PageServer { reveal }), ..self }
    }

    /// Returns the data as one line of JSON that is safe inside a script element.
    ///
    /// # Errors
    ///
    /// Fails with the message of the serializer.
    pub fn to_json(&self) -> Result<String, String> {
        let json = serde_json::to_string(self).map_err(|error| error.to_string())?;
        // JSON has these characters only in strings. `<` could end the script, and the others end a line of JavaScript.
        Ok(json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029"))
    }
}

impl<'p> PageProgram<'p> {
    fn new(name: &'p str, file: &'p File) -> Self {
        let prompts = file.compiled().prompts();
        let content = |file| Some((file, prompts.get(file).map(StructuredPrompt::to_json).ok()?.to_string()));
        Self {
            name,
            text: file.text(),
            stop: file.config().stop.as_deref(),
            prompts: file.prompt_files().filter_map(content).collect(),
        }
    }
}

impl<'p> PageAgainst<'p> {
    /// Creates the data of the version in `file`, which is compared with `program`.
    pub fn new(name: &'p str, file: &'p File, program: &File) -> Self {
        Self { program: PageProgram::new(name, file), layers: layers_in_new_version(file, program) }
    }
}

/// Returns the built page with data from [`PageData::to_json`], or `None` if it lacks the placeholder.
pub fn explorer_page(built: &str, data: &str) -> Option<String> {
    let (before, after) = built.split_once(MARKER)?;
    Some(format!("{before}<script type=\"application/json\" id=\"psl-data\">{data}</script>{after}"))
}

#[cfg(test)]
mod tests {
    use psl_program::TestPrompts;
    use serde_json::{Value, json};

    use super::*;
    use crate::{fixture::file, request::PagePrompt};

    fn parsed(data: &PageData<'_>) -> Value {
        let json = data.to_json().expect("JSON");
        assert!(!json.contains(['<', '\n', '\u{2028}', '\u{2029}']), "{json}");
        serde_json::from_str(&json).expect("JSON")
    }

    #[test]
    fn a_page_contains_its_program_as_inert_text() {
        let text = "# </script><!--psl-data--> \u{2028}\u{2029} 'é'\n//@ test \"A\" => \"A\"\n";
        let hostile = file(text);
        let examples = [PageExample { name: "one", text: "watch: []" }];
        let data = PageData {
            first: FirstPrompt { prompt: Some(PagePrompt::Test { test: 0 }), gold: None },
            ..PageData::new("</script>.psl", &hostile, &examples)
        };
        let expected = json!({
            "name": "</script>.psl", "text": text, "prompts": {}, "open": {"test": 0},
            "examples": [{"name": "one", "text": "watch: []"}],
        });
        assert_eq!(parsed(&data), expected);
        let json = data.to_json().expect("JSON");
        let page = explorer_page("<b><!--psl-data--></b>", &json).expect("a page");
        assert_eq!(page, format!("<b><script type=\"application/json\" id=\"psl-data\">{json}</script></b>"));
        assert_eq!(explorer_page("<b></b>", &json), None);
    }

    #[test]
    fn a_page_contains_the_prompts_of_its_tests() {
        let text =
            "//@ test json \"a.json\" => \"A\"\n//@ test json \"none.json\" => \"A\"\nregisters: {symbol: 's'}\n";
        let file = file(text).with_prompts(|name| match name {
            "a.json" => Ok("[ {\"symbol\": \"<A>\"} ]".to_owned()),
            _ => Err("missing".to_owned()),
        });
        let first = FirstPrompt { prompt: Some(PagePrompt::Plain("A".to_owned())), gold: Some("B".to_owned()) };
        let data = parsed(&PageData { first, ..PageData::new("a.psl", &file, &[]) });
        assert_eq!((&data["open"], &data["gold"], data["serve"].is_null()), (&json!("A"), &json!("B"), true));
        assert_eq!(data["prompts"], json!({"a.json": "[{\"symbol\":\"<A>\"}]"}));
        let read = |name: &str| Ok(data["prompts"][name].as_str().expect("a text").to_owned());
        let tests = &file.program().tests;
        let again = TestPrompts::read(&tests[..1], read);
        assert_eq!(again.get("a.json"), file.compiled().prompts().get("a.json"));
    }
}
