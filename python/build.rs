//! Puts the explorer's page into the module, as into psl.

#[path = "../psl/build.rs"]
mod page;

fn main() -> std::io::Result<()> {
    page::main()
}
