//! Real folders with programs, configuration and prompts, which change while the server runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rand::{RngExt, rngs::ChaCha8Rng, seq::IndexedRandom};
use tempfile::TempDir;

use crate::server::edits::random_text;

/// The folders. Their names are valid in a URI except for spaces.
const FOLDERS: [&str; 4] = ["a", "a/inner", "b c", "b c/deep/er"];

/// The files of programs in each folder.
const PROGRAMS: [&str; 3] = ["one.psl", "two.psl", "three é.psl"];

/// The files of prompts in each folder.
const PROMPTS: [&str; 3] = ["prompt.json", "prompt.txt", "[odd] {prompt}"];

/// The contents of prompt files. Each has a different length.
const CELLS: [&[u8]; 7] = [
    b"[]",
    b"[",
    b"[{\"symbol\": \"A\"}]",
    b"[{\"symbol\": \"A\"}, {\"symbol\": \"B\"}]",
    b"[{\"symbol\": \"A\"}, {\"symbol\": \"B\", \"mark\": \"A\"}]",
    b"[{\"symbol\": \"\xff\"}]",
    b"{\"symbol\": \"A\", \"no list\": true}",
];

/// The contents of `psl.toml`, some of them invalid.
const CONFIGS: [&[u8]; 14] = [
    b"",
    b"stop = \".\"\n",
    b"stop = \"A\"\n[severity]\nunused-register = \"error\"\n",
    b"[severity]\nunused-register = \"off\"\nunused-constant = \"hint\"\n",
    b"[severity]\nnever-fires = \"error\"\nnon-causal = \"off\"\nfailing-test = \"hint\"\n",
    b"[paths]\nexclude = [\"one.psl\", \"inner/\"]\n",
    b"[paths]\ninclude = [\"two.psl\", \"deep/\"]\n",
    b"max-file-size = 300\n",
    b"[severity]\nsyntax = \"off\"\n",
    b"[severity]\nno-such-code = \"error\"\n",
    b"[paths]\nexclude = [\"[z-a]\"]\n",
    b"stop = \n",
    b"\xff\xfe",
    b"[severity]\nnot-portable = \"warning\"\n",
];

/// Test lines with prompt files.
pub const TESTS_WITH_FILES: [&str; 6] = [
    "//@ test one json \"prompt.json\" => \"A\"\n",
    "//@ test two json \"prompt.txt\" => \"A B\"\n",
    "//@ test three json \"[odd] {prompt}\" => \"B\"\n",
    "//@ test four json \"../prompt.json\" => \"A\"\n",
    "//@ test json \"no such file\" => \"A\"\n",
    "//@ input mark\n//@ test \"A B\" => \"B\"\n",
];

/// Programs that run, to be appended to tests.
const SOUND: [&str; 3] = [
    "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nwhere symbol[N] == A:\n    symbol[N] = B\n",
    "registers: {symbol: 's', position: 'p', mark: 'm', unused: 'u'}\nconstants: {A, B, C}\nwatch: [mark]\n\
     where symbol[N] == A:\n    mark[N] = B\nwhere mark[N] == B:\n    symbol[N] = B\n",
    "registers: {symbol: 's', position: 'p', mark: 'm'}\nconstants: {A, B}\nrepeat:\n\
     \x20   where position[n] == position[N]@pos_increment:\n        mark[N] = symbol[n]\nuntil NO_CHANGE\n",
];

/// Temporary folders on the disk.
pub struct Disk {
    root: TempDir,
}

/// A change of a file, with its kind as in the protocol.
pub struct FileEvent {
    pub uri: String,
    pub kind: u8,
}

impl Disk {
    /// Creates folders with some programs.
    pub fn new(random: &mut ChaCha8Rng, programs: &[String]) -> Self {
        let disk = Self { root: TempDir::new().expect("a folder") };
        for folder in disk.folders() {
            fs::create_dir_all(folder).expect("a folder");
        }
        for _ in 0..20 {
            disk.change(random, programs);
        }
        disk
    }

    fn folders(&self) -> [PathBuf; 4] {
        FOLDERS.map(|folder| self.root.path().join(folder))
    }

    /// The URIs of all programs, whether they exist or not.
    pub fn programs(&self) -> Vec<String> {
        self.folders().iter().flat_map(|folder| PROGRAMS.map(|name| uri(&folder.join(name)))).collect()
    }

    /// The URIs that a client can open as folders. Some are nested, and some are not folders.
    pub fn roots(&self) -> Vec<String> {
        let root = self.root.path();
        let others = [root.join("nowhere"), root.join("a/one.psl")];
        self.folders().iter().chain(&others).map(|folder| uri(folder)).chain(["untitled:folder".to_owned()]).collect()
    }

    /// The text of a file, or `None` if it does not exist or is not text.
    pub fn text(&self, uri_of_file: &str) -> Option<String> {
        let files = self.folders().into_iter().flat_map(|folder| PROGRAMS.map(|name| folder.join(name)));
        fs::read_to_string(files.into_iter().find(|file| uri(file) == uri_of_file)?).ok()
    }

    /// Changes a file, and returns the event.
    pub fn change(&self, random: &mut ChaCha8Rng, programs: &[String]) -> FileEvent {
        let folders = self.folders();
        let folder = folders.choose(random).expect("some");
        let (name, content) = match random.random_range(0..10) {
            0..3 => (*PROGRAMS.choose(random).expect("some"), random_program(random, programs)),
            3..7 => (*PROMPTS.choose(random).expect("some"), CELLS.choose(random).expect("some").to_vec()),
            7..9 => ("psl.toml", CONFIGS.choose(random).expect("some").to_vec()),
            // Clients do not report this file: the server reads it at every search.
            _ => (
                ".gitignore",
                ["", "two.psl\n", "deep/\n", "*.psl\n!one.psl\n"].choose(random).expect("some").as_bytes().to_vec(),
            ),
        };
        let path = folder.join(name);
        let is_there = path.exists();
        let kind = if is_there && random.random_ratio(1, 3) {
            fs::remove_file(&path).expect("the file existed");
            3
        } else {
            fs::write(&path, content).expect("a file");
            if is_there { 2 } else { 1 }
        };
        FileEvent { uri: uri(&path), kind }
    }
}

/// A program that runs, with tests that may use prompt files.
pub fn sound_program(random: &mut ChaCha8Rng) -> String {
    let tests: String = TESTS_WITH_FILES.iter().filter(|_| random.random_ratio(1, 2)).copied().collect();
    tests + SOUND.choose(random).expect("some")
}

fn random_program(random: &mut ChaCha8Rng, programs: &[String]) -> Vec<u8> {
    let mut bytes = if random.random_ratio(1, 2) {
        sound_program(random).into_bytes()
    } else {
        random_text(random, programs).into_bytes()
    };
    if random.random_ratio(1, 10) {
        let at = random.random_range(0..=bytes.len());
        bytes.insert(at, 0xff);
    }
    bytes
}

/// The URI of a file, as written by clients.
fn uri(path: &Path) -> String {
    let path = path.to_str().expect("a path in UTF-8");
    let escaped = [(" ", "%20"), ("[", "%5B"), ("]", "%5D"), ("{", "%7B"), ("}", "%7D"), ("é", "%C3%A9")];
    let escaped = escaped.iter().fold(path.to_owned(), |path, (char, escaped)| path.replace(char, escaped));
    format!("file://{escaped}")
}
