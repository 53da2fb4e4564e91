//! Cycles of files that use each other.

use std::collections::{BTreeMap, BTreeSet};

/// The names that files use from others: from the path of the user and the path of the used file.
pub type Uses = BTreeMap<(String, String), BTreeSet<String>>;

/// The cycles, each as lines `file -> file: names`.
pub fn circles(uses: &Uses) -> Vec<String> {
    let files: BTreeSet<&str> = uses.keys().flat_map(|(from, to)| [&**from, &**to]).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> = files.into_iter().map(|file| (file, reach(uses, file))).collect();
    let mut shown = Vec::new();
    for (file, others) in &reached {
        let circle: BTreeSet<&str> = others.iter().copied().filter(|other| reached[other].contains(file)).collect();
        // The first file stands for the others.
        if circle.first() != Some(file) {
            continue;
        }
        let inside = uses.iter().filter(|((from, to), _)| circle.contains(&**from) && circle.contains(&**to));
        let lines = inside.map(|((from, to), names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{from} -> {to}: {}", names.join(", "))
        });
        shown.push(lines.collect::<Vec<_>>().join("\n"));
    }
    shown
}

fn reach<'u>(uses: &'u Uses, from: &str) -> BTreeSet<&'u str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        let first = (file.to_owned(), String::new());
        for (_, to) in uses.range(first..).map(|(pair, _)| pair).take_while(|(from, _)| from == file) {
            if reached.insert(&**to) {
                open.push(to);
            }
        }
    }
    reached
}

#[test]
fn each_cycle_is_found_once() {
    let check = |pairs: &[(&str, &str)], expected: &[&str]| {
        let used = |(from, to): &(&str, &str)| ((from.to_string(), to.to_string()), BTreeSet::from(["x".to_owned()]));
        assert_eq!(circles(&pairs.iter().map(used).collect()), expected);
    };
    check(&[("a", "b"), ("b", "c"), ("a", "c")], &[]);
    check(&[("a", "b"), ("b", "a"), ("c", "a")], &["a -> b: x\nb -> a: x"]);
    check(
        &[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e"), ("e", "d")],
        &["b -> c: x\nc -> b: x", "d -> e: x\ne -> d: x"],
    );
    check(&[("a", "c"), ("c", "b"), ("b", "a"), ("b", "c")], &["a -> c: x\nb -> a: x\nb -> c: x\nc -> b: x"]);
}
