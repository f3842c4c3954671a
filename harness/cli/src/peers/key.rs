//! Key of a cached library: its sources, the compiler, and the CPU that it is compiled for.

use std::hash::Hasher;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, ensure};
use fnv::FnvHasher;
use raywalk_measure::machine::program::{self, Answer, Stderr};

use crate::{sources, workspace};

/// The compiler flag: the features of this CPU, as its users build it.
pub(super) const FLAGS: &str = "-Ctarget-cpu=native";

/// Files and folders of the package that go into a library.
const SOURCES: [&str; 3] = ["Cargo.toml", "Cargo.lock", "src"];

/// FNV-1a 64 over the digest of the sources, the version of the compiler and the features that it finds in
/// this CPU, in sixteen hex digits.
///
/// # Errors
/// The sources or the compiler are not at hand.
pub(super) fn of(source: &Path) -> Result<String> {
    let sources = sources::digest(source, &SOURCES);
    let sources = sources.with_context(|| format!("cannot read {}", source.display()))?;
    let parts = [sources, asked(source, &["-vV"])?, asked(source, &["--print", "cfg", FLAGS])?];
    let mut hasher = FnvHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        // No text contains it.
        hasher.write(&[0]);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Version output of the compiler in this folder, which may select a toolchain.
fn asked(folder: &Path, arguments: &[&str]) -> Result<String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(arguments).current_dir(folder);
    let Answer { status, stdout, .. } = program::run(&mut rustc, workspace::DESCRIBE, Stderr::Read)
        .map_err(|failure| anyhow!("rustc {failure}"))?;
    ensure!(status.success(), "rustc does not answer `{}`", arguments.join(" "));
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_changes_with_the_sources() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("written");
        };
        let error = of(folder.path()).expect_err("no sources").to_string();
        assert!(error.starts_with("cannot read"), "{error}");
        for name in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
            write(name, "");
        }
        let before = of(folder.path()).expect("a key");
        assert_eq!(before, of(folder.path()).expect("the same"));
        write("notes.md", "no source");
        assert_eq!(before, of(folder.path()).expect("the same"));
        write("src/lib.rs", "changed");
        assert_ne!(before, of(folder.path()).expect("another one"));
    }
}
