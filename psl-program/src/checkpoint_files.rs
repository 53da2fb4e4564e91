//! The files of a checkpoint, as its `psl.json` lists them.

use crc32fast::Hasher;
use indexmap::IndexMap;
use psl_runtime::gpt2::CheckpointFile;
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::Value;

/// The length of a file, and the checksum of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    bytes: u64,
    /// In 8 hexadecimal digits.
    crc32: String,
}

/// The sum of the bytes so far.
#[derive(Clone, Debug, Default)]
pub struct Summing {
    bytes: u64,
    crc32: Hasher,
}

impl Summing {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc32.update(bytes);
    }

    /// The sum.
    pub fn finish(self) -> Sum {
        Sum { bytes: self.bytes, crc32: format!("{:08x}", self.crc32.finalize()) }
    }
}

/// The files of a checkpoint in a folder.
#[derive(Deserialize)]
pub struct CheckpointFiles {
    /// The sums of the files but `psl.json`. Version 0.2 listed none.
    files: Option<IndexMap<String, Sum>>,
    // The form of `psl.json`, in all versions.
    #[serde(rename = "program")]
    _program: IgnoredAny,
    #[serde(rename = "symbols")]
    _symbols: Vec<IgnoredAny>,
    #[serde(rename = "registers")]
    _registers: Vec<IgnoredAny>,
    #[serde(rename = "components")]
    _components: IgnoredAny,
    #[serde(rename = "blocks")]
    _blocks: Vec<IgnoredAny>,
}

/// A file that a checkpoint has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedFile<'f> {
    /// A file with this sum.
    Summed(&'f Sum),
    /// A file whose sum is unknown.
    Unsummed,
}

impl CheckpointFiles {
    /// The name of the file that lists the others.
    pub const MEANING: &'static str = "psl.json";
    /// The name of the configuration.
    pub const CONFIG: &'static str = "config.json";
    const CARD: &'static str = "README.md";
    /// The names of all files.
    pub const NAMES: [&'static str; 7] = [
        Self::CARD,
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
        Self::MEANING,
        Self::CONFIG,
    ];

    /// Reads the list of a folder from its `psl.json`. `None` if that is another file. Without a list, as in version
    /// 0.2, the configuration must be that of a GPT-2.
    pub fn read(meaning: &[u8], config: Option<&[u8]>) -> Option<Self> {
        let files: Self = serde_json::from_slice(meaning).ok()?;
        let is_gpt2 = || {
            let config: Value = serde_json::from_slice(config?).ok()?;
            (config.get("model_type")? == "gpt2").then_some(())
        };
        (files.files.is_some() || is_gpt2().is_some()).then_some(files)
    }

    /// The file with this name, or `None` if it is not of the checkpoint.
    pub fn get(&self, name: &str) -> Option<ListedFile<'_>> {
        match &self.files {
            Some(files) if name != Self::MEANING => files.get(name).map(ListedFile::Summed),
            _ => Some(ListedFile::Unsummed),
        }
    }
}

/// Adds the model card, and then the list of the files to `psl.json`.
pub fn with_card(mut files: Vec<CheckpointFile>, card: String) -> Vec<CheckpointFile> {
    files.push(CheckpointFile { name: CheckpointFiles::CARD, bytes: card.into_bytes() });
    list_files(&mut files);
    files
}

fn list_files(files: &mut [CheckpointFile]) {
    let sum = |file: &CheckpointFile| {
        let mut sum = Summing::default();
        sum.add(&file.bytes);
        (file.name, sum.finish())
    };
    let sums: IndexMap<&str, Sum> =
        files.iter().filter(|file| file.name != CheckpointFiles::MEANING).map(sum).collect();
    let meaning = files.iter_mut().find(|file| file.name == CheckpointFiles::MEANING);
    if let Some(meaning) = meaning
        && let Ok(Value::Object(mut object)) = serde_json::from_slice(&meaning.bytes)
        && let Ok(sums) = serde_json::to_value(sums)
    {
        object.insert("files".to_owned(), sums);
        meaning.bytes = format!("{:#}\n", Value::Object(object)).into_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEANING: &str = r#"{"program": {}, "symbols": [], "registers": [], "components": {}, "blocks": []}"#;

    fn file(name: &'static str, text: &str) -> CheckpointFile {
        CheckpointFile { name, bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn files_are_listed_with_their_sums() {
        let mut files = [file("config.json", "123456789"), file("psl.json", MEANING)];
        list_files(&mut files);
        let listed = CheckpointFiles::read(&files[1].bytes, None).expect("a list");
        let sum = Sum { bytes: 9, crc32: "cbf43926".to_owned() };
        assert_eq!(listed.get("config.json"), Some(ListedFile::Summed(&sum)));
        assert_eq!(listed.get("README.md"), None);
        assert_eq!(listed.get("psl.json"), Some(ListedFile::Unsummed));
    }

    #[test]
    fn without_a_list_a_gpt2_is_a_checkpoint() {
        let read =
            |meaning: &str, config: Option<&str>| CheckpointFiles::read(meaning.as_bytes(), config.map(str::as_bytes));
        let gpt2 = Some(r#"{"model_type": "gpt2"}"#);
        assert!(read(MEANING, gpt2).is_some_and(|files| files.get("README.md") == Some(ListedFile::Unsummed)));
        assert!(read(MEANING, None).is_none());
        assert!(read(MEANING, Some(r#"{"model_type": "llama"}"#)).is_none());
        assert!(read(r#"{"name": "psl"}"#, gpt2).is_none());
        assert!(read("no JSON", gpt2).is_none());
    }
}
