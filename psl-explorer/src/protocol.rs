//! `web/src/protocol.ts`: the messages and data of the page as TypeScript types, generated from those of this crate.

use std::{collections::BTreeMap, env, fs};

use ts_rs::{Config, Dummy, TS, TypeVisitor};

use crate::{
    answers::{
        attention::Attention,
        debug::{Completed, Debugged},
        difference::Difference,
        history::Write,
        latent_codes::Codes,
        origin::Link,
        parse::Parse,
        patch::Patches,
        program::Program,
        residual::Residual,
        run::Run,
        schedule::Schedule,
        tensors::{BlockNumbers, LayerTensors},
        tile::Tile,
        update::UpdateDetail,
        why::Why,
    },
    explorer_page::PageData,
    request::Request,
    response::Response,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/src/protocol.ts");

const HEAD: &str = "\
// The messages between the page and the module, and the data in the page. Generated from the types of psl-explorer:
// `UPDATE=1 cargo test -p psl-explorer protocol` rewrites this file.
";

/// The answer to each request.
#[derive(TS)]
#[allow(dead_code, reason = "only the page reads it")]
struct Answers {
    open: Program,
    run: Run<'static>,
    tile: Tile<'static>,
    update: UpdateDetail<'static>,
    why: Why<'static>,
    history: Vec<Write<'static>>,
    origin: Vec<Link<'static>>,
    difference: Difference<'static>,
    patch: Patches,
    tensors: LayerTensors<'static>,
    block: BlockNumbers<'static>,
    attention: Attention,
    residual: Residual<'static>,
    parse: Parse,
    schedule: Schedule,
    codes: Codes,
    debug: Debugged<'static>,
    complete: Vec<Completed>,
}

/// The declarations by name, since the library visits types in any order.
struct Declarations {
    config: Config,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types of the standard library have neither a path nor a declaration.
        if T::output_path().is_none() || self.found.contains_key(&T::ident(&self.config)) {
            return;
        }
        let declaration = format!("{}export {}", T::docs().unwrap_or_default(), T::decl(&self.config));
        self.found.insert(T::ident(&self.config), laid_out(&declaration));
        T::visit_dependencies(self);
    }
}

/// Puts each short comment and each member of a union on one line, and indents the lines.
fn laid_out(declaration: &str) -> String {
    let text = declaration.replace("/**\n * ", "/** ").replace("\n */", " */");
    let text = text.replace(", } | {", " }\n| {").replace(", };", " };");
    let (mut lines, mut inside) = (Vec::new(), false);
    for line in text.lines().map(str::trim_end) {
        lines.push(if inside { format!("  {line}") } else { line.to_owned() });
        inside |= line.starts_with("export ");
    }
    lines.join("\n")
}

#[test]
fn the_types_of_the_page_are_those_of_this_crate() {
    let config = Config::new().with_large_int("number");
    let mut types = Declarations { config, found: BTreeMap::new() };
    types.visit::<PageData<'_>>();
    types.visit::<Request>();
    types.visit::<Response<Dummy>>();
    types.visit::<Answers>();
    let declarations: Vec<String> = types.found.into_values().collect();
    let text = format!("{HEAD}\n{}\n", declarations.join("\n\n"));
    if env::var_os("UPDATE").is_some() {
        fs::write(PATH, &text).expect("the file can be written");
    }
    let written = fs::read_to_string(PATH).expect("the file can be read");
    let update = "UPDATE=1 cargo test -p psl-explorer protocol";
    assert!(written == text, "web/src/protocol.ts is out of date: `{update}` rewrites it");
}
