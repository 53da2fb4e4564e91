//! Puts the explorer's page into the module, as into psl, and on macOS links it without the symbols of Python, which it
//! gets from its interpreter.

#[path = "../psl/build.rs"]
mod page;

fn main() -> std::io::Result<()> {
    pyo3_build_config::add_extension_module_link_args();
    page::main()
}
