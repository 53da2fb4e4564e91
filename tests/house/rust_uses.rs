//! The names that files of Rust use from each other.

use std::collections::BTreeMap;

use super::{
    circles::Uses,
    names::{Name, UseKind, names},
    source::Source,
};

/// Maximum number of `use` declarations from a name to its path.
const HOPS: usize = 8;

/// The names that the files of a crate use from each other. A `mod` is a use of the child. A name counts as used from
/// the file named in its path, even if that only re-exports it.
pub fn uses(sources: &[Source]) -> Uses {
    let krate = Crate {
        files: sources.iter().enumerate().map(|(file, source)| (&source.module[..], file)).collect(),
        names: sources.iter().map(|source| names(&source.tokens)).collect(),
        sources,
    };
    krate.uses()
}

struct Crate<'s> {
    sources: &'s [Source],
    files: BTreeMap<&'s [String], usize>,
    names: Vec<Vec<Name>>,
}

impl Crate<'_> {
    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (from, names) in self.names.iter().enumerate() {
            for name in names {
                let found = match name.place {
                    UseKind::Module => self.child(from, &name.path[0]).map(|child| (child, "mod".to_owned())),
                    // A single word is a variable, or an import that already counts.
                    UseKind::Mention if name.path.len() == 1 => None,
                    UseKind::Import(_) | UseKind::Mention => self.resolve(from, &name.path, HOPS),
                };
                if let Some((to, what)) = found.filter(|(to, _)| *to != from) {
                    let pair = [from, to].map(|file| self.sources[file].path.clone());
                    uses.entry(pair.into()).or_default().insert(what);
                }
            }
        }
        uses
    }

    fn child(&self, file: usize, name: &str) -> Option<usize> {
        self.files.get(&[&self.sources[file].module[..], &[name.to_owned()]].concat()[..]).copied()
    }

    /// The file of a path and the name in it, or `None` outside the crate.
    fn resolve(&self, file: usize, path: &[String], hops: usize) -> Option<(usize, String)> {
        let module = &self.sources[file].module;
        let (first, rest) = path.split_first()?;
        let hops = hops.checked_sub(1)?;
        match first.as_str() {
            "crate" => self.absolute(rest),
            "self" => self.absolute(&[module, rest].concat()),
            "super" => {
                let up = path.iter().take_while(|word| *word == "super").count();
                let above = module.get(..module.len().checked_sub(up)?)?;
                self.absolute(&[above, &path[up..]].concat())
            }
            name if self.child(file, name).is_some() => self.absolute(&[module, path].concat()),
            name => self.resolve(file, &[self.import(file, name)?, rest].concat(), hops),
        }
    }

    fn absolute(&self, path: &[String]) -> Option<(usize, String)> {
        let (file, rest) =
            (0..=path.len()).rev().find_map(|end| Some((*self.files.get(&path[..end])?, &path[end..])))?;
        // An imported module counts as used where a name in it is used.
        Some((file, rest.first()?.clone()))
    }

    /// The path that a file imports under a name.
    fn import(&self, file: usize, name: &str) -> Option<&[String]> {
        let found = self.names[file].iter().find(|it| matches!(&it.place, UseKind::Import(bound) if bound == name));
        found.map(|it| &it.path[..])
    }
}

#[test]
fn cycles_are_reported_with_their_names() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let sources: Vec<_> = files.iter().map(|(path, text)| Source::new(path, text)).collect();
        assert_eq!(super::circles::circles(&uses(&sources)), expected);
    };
    check(
        &[("c/src/lib.rs", "mod a; mod b;"), ("c/src/a.rs", "use crate::b::{X, Y};"), ("c/src/b.rs", "crate::a::f()")],
        &["c/src/a.rs -> c/src/b.rs: X, Y\nc/src/b.rs -> c/src/a.rs: f"],
    );
    // A child that uses its parent, even if the parent only declares it.
    check(
        &[("c/src/lib.rs", "mod a;"), ("c/src/a.rs", "mod b; struct X;"), ("c/src/a/b.rs", "fn f(x: super::X) {}")],
        &["c/src/a.rs -> c/src/a/b.rs: mod\nc/src/a/b.rs -> c/src/a.rs: X"],
    );
    // Through an imported module, and through three files.
    check(
        &[
            ("c/src/lib.rs", "mod a; mod b; mod d;"),
            ("c/src/a.rs", "use crate::b; fn f() { b::f() }"),
            ("c/src/b.rs", "use super::d::g; fn f() {}"),
            ("c/src/d.rs", "use crate::a::h;"),
        ],
        &["c/src/a.rs -> c/src/b.rs: f\nc/src/b.rs -> c/src/d.rs: g\nc/src/d.rs -> c/src/a.rs: h"],
    );
    // A re-export counts as the file it is imported from. Tests may use what they test.
    let files = |taken| {
        [("c/src/lib.rs", "mod a; mod b; pub use a::X;"), ("c/src/a.rs", "pub struct X;"), ("c/src/b.rs", taken)]
    };
    check(&files("use crate::X;"), &["c/src/b.rs -> c/src/lib.rs: X\nc/src/lib.rs -> c/src/b.rs: mod"]);
    check(&files("use crate::a::X; #[cfg(test)] mod tests { use super::super::f; }"), &[]);
}
