//! Compiles the parser.

fn main() {
    let sources = ["src/parser.c", "src/scanner.c"];
    cc::Build::new().std("c11").include("src").files(sources).compile("tree-sitter-psl");
    for source in sources {
        println!("cargo:rerun-if-changed={source}");
    }
}
