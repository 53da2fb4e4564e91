//! The options with which macOS links a module that gets the symbols of Python from its interpreter.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    pyo3_build_config::add_extension_module_link_args();
}
