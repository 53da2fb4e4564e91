//! Code that builds values of the protocol's types.

use std::collections::BTreeSet;

use syn::{
    Expr, ExprCall, ExprMethodCall, ExprStruct, Path,
    visit::{Visit, visit_expr_call, visit_expr_method_call, visit_expr_struct},
};

use super::{
    names::{UseKind, names},
    source::Source,
};

/// A URI names a document and is not specific to the protocol.
const NO_MESSAGE: &str = "Uri";

/// The lines on which a file builds values of `gen_lsp_types`: `X { … }`, `X::new(…)`, `X::Variant(…)`,
/// `.map(X::Variant)`.
pub fn built(source: &Source) -> Vec<String> {
    let mut aliases = BTreeSet::from(["gen_lsp_types".to_owned()]);
    let mut types = BTreeSet::new();
    for name in names(&source.tokens).into_iter().filter(|name| name.path[0] == "gen_lsp_types") {
        if let UseKind::Import(bound) = name.place {
            let set = if name.path.len() == 1 { &mut aliases } else { &mut types };
            set.insert(bound);
        }
    }
    let file = syn::parse2(source.tokens.clone()).unwrap_or_else(|error| panic!("{}: {error}", source.path));
    let mut finder = Finder { path: &source.path, aliases, types, found: Vec::new() };
    finder.visit_file(&file);
    finder.found
}

struct Finder<'s> {
    path: &'s str,
    aliases: BTreeSet<String>,
    types: BTreeSet<String>,
    found: Vec<String>,
}

impl Finder<'_> {
    /// Records a path into the protocol's crate.
    fn note(&mut self, path: &Path) {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let of_the_protocol = match &words[..] {
            [alias, name, ..] if self.aliases.contains(alias) => name != NO_MESSAGE,
            [name, ..] => name != NO_MESSAGE && self.types.contains(name),
            [] => false,
        };
        if let Some(first) = path.segments.first().filter(|_| of_the_protocol) {
            self.found.push(format!("{}:{}: {}", self.path, first.ident.span().start().line, words.join("::")));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_struct(&mut self, value: &'ast ExprStruct) {
        self.note(&value.path);
        visit_expr_struct(self, value);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(function) = &*call.func {
            self.note(&function.path);
        }
        visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method.to_string().contains("map") {
            for argument in &call.args {
                if let Expr::Path(function) = argument {
                    self.note(&function.path);
                }
            }
        }
        visit_expr_method_call(self, call);
    }
}

#[test]
fn built_values_are_reported() {
    let check = |text: &str, expected: &[&str]| assert_eq!(built(&Source::new("c/src/a.rs", text)), expected);
    let file = "use gen_lsp_types as lsp; use gen_lsp_types::{Hover, Uri};
         fn f(hover: lsp::Hover) -> lsp::Hover { let lsp::Position { line, .. } = position; Uri::parse(text); g(Hover { a }) }
         fn g() { lsp::Position::new(1, 2); lsp::Hover::default(); found.map(lsp::Answer::Flat) }
         fn h() { match it { lsp::Answer::Flat(all) => all, lsp::Answer::Other { .. } => lsp::Kind::FIELD } }";
    check(
        file,
        &[
            "c/src/a.rs:2: Hover",
            "c/src/a.rs:3: lsp::Position::new",
            "c/src/a.rs:3: lsp::Hover::default",
            "c/src/a.rs:3: lsp::Answer::Flat",
        ],
    );
}
