//! Renaming to a fresh name changes nothing in the compiled program except that name.

use psl_runtime::compile;
use psl_syntax::{Checked, check, diagnostic::Edit, renamable, rename, tree::Entries};

use crate::common::{files, random::Random, scattered::scattered};

/// A register's name, a short name and a constant's name that no program has, and whether only strings may have them.
const FRESH: [(&str, bool); 3] = [("fresh_name", false), ("fresh'\"\\ name", true), ("fresh_name*", true)];

fn qkvl(checked: &Checked) -> String {
    serde_json::to_string(&compile(&checked.analysis.program)).unwrap()
}

fn in_json(text: &str) -> String {
    serde_json::to_string(text).unwrap().trim_matches('"').to_owned()
}

/// Renames each declared name. Returns how many were renamed.
fn rename_each(text: &str) -> usize {
    let before = check(text);
    assert!(before.compiles(), "{text}");
    let expected = qkvl(&before);
    let mut renamed = 0;
    for declaration in &before.tree.declarations {
        let offsets: Vec<(u32, bool)> = match &declaration.entries {
            Entries::Registers(names) => {
                names.iter().flat_map(|(long, short)| [(long.span.start, false), (short.span.end, true)]).collect()
            }
            Entries::Constants(names) => names.iter().map(|(name, _)| (name.span.start, true)).collect(),
            Entries::System(_) | Entries::Watch(_) => Vec::new(),
        };
        for (offset, any_text) in offsets {
            let it = renamable(&before, offset).unwrap();
            for (new, _) in FRESH.into_iter().filter(|(_, special)| any_text || !special) {
                let edits = match rename(&before, &it, new) {
                    Ok(edits) => edits,
                    Err(reason) => panic!("{} to {new}: {reason}\n{text}", it.name),
                };
                let after = Edit::apply(&edits, text).unwrap();
                let got = qkvl(&check(&after)).replace(&in_json(new), &in_json(&it.name));
                assert_eq!(got, expected, "{} to {new}\n{after}", it.name);
                renamed += 1;
            }
        }
    }
    renamed
}

#[test]
fn programs_of_the_paper() {
    let mut renamed = 0;
    for folder in ["../examples", "programs", "golden/programs"] {
        for file in files(folder, ".psl") {
            let program = std::fs::read_to_string(file).unwrap();
            if check(&program).compiles() {
                renamed += rename_each(&program);
            }
        }
    }
    assert!(renamed > 500, "{renamed}");
}

#[test]
fn random_programs_in_random_layout() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let program = random.program();
        let renamed = rename_each(&scattered(&mut random, &program));
        assert!(renamed > 0, "seed {seed}: nothing is renamed");
    }
}
