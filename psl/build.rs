//! Puts the explorer's page into psl, if scripts/explorer has built it. The page in this folder is a link to it, and in
//! the package of the crate a file.

use std::{env, fs, io, path::Path};

pub fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (page, built) = (folder.join("page.html"), folder.join("../web"));
    let embedded = Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("page.html");
    println!("cargo::rerun-if-changed=build.rs");
    if page.exists() {
        // Cargo looks at the time of a link itself.
        println!("cargo::rerun-if-changed={}", page.canonicalize()?.display());
        fs::copy(page, embedded)?;
    } else {
        // A missing file counts as changed, and psl would always compile again.
        if built.exists() {
            println!("cargo::rerun-if-changed={}", built.display());
        }
        fs::write(embedded, "")?;
    }
    Ok(())
}
