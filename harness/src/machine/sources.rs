//! A digest of the sources that go into the binary.
//!
//! The commit tells a clean tree; two changed trees of one commit are told apart by this. It is
//! part of the build script, and of the library only for its tests.

use std::io;
use std::path::{Path, PathBuf};

/// What the binary is built from, below the root. Documentation is not among it.
pub const ROOTS: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", ".cargo", "variants", "positions", "reports", "harness"];

/// Folders of any package that no binary holds.
const LEFT_OUT: [&str; 4] = ["tests", "examples", "snapshots", "target"];

/// FNV-1a 64 over the paths, relative and sorted, and the contents of all files, in sixteen hex
/// digits; `None` where the tree cannot be read.
///
/// Paths and contents are preceded by their lengths, so that nothing can move from one file to the
/// next unnoticed. Hidden files and what test tools leave behind do not count.
///
/// # Source
/// G. Fowler, L. C. Noll, K.-P. Vo; the constants are those of their 64-bit version.
pub fn digest(root: &Path) -> Option<String> {
    let mut files = Vec::new();
    for name in ROOTS {
        collect(&root.join(name), &mut files).ok()?;
    }
    let mut named: Vec<(String, PathBuf)> = Vec::with_capacity(files.len());
    for file in files {
        let relative = file.strip_prefix(root).ok()?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        named.push((parts.join("/"), file));
    }
    named.sort();
    let mut state = 0xcbf2_9ce4_8422_2325;
    for (name, file) in named {
        let contents = std::fs::read(file).ok()?;
        for part in [name.as_bytes(), &contents] {
            state = fnv(state, &(part.len() as u64).to_le_bytes());
            state = fnv(state, part);
        }
    }
    Some(format!("{state:016x}"))
}

fn fnv(state: u64, bytes: &[u8]) -> u64 {
    let step = |state: u64, &byte: &u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(state, step)
}

/// The files at or below `path`, in no order.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in path.read_dir()? {
        let entry = entry?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let left_behind = [".new", ".profraw"].iter().any(|end| name.ends_with(end));
        if !name.starts_with('.') && !left_behind && !LEFT_OUT.contains(&&*name) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for name in ROOTS {
            if name.starts_with("Cargo") {
                fs::write(root.path().join(name), name).expect("a file");
            } else {
                fs::create_dir_all(root.path().join(name).join("src")).expect("a folder");
                fs::write(root.path().join(name).join("src/lib.rs"), name).expect("a file");
            }
        }
        root
    }

    #[test]
    fn the_hash_is_the_one_that_its_authors_publish() {
        // Second source: the test vectors of draft-eastlake-fnv, appendix C.
        let of = |text: &str| fnv(0xcbf2_9ce4_8422_2325, text.as_bytes());
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn whatever_goes_into_the_binary_changes_the_digest() {
        let root = tree();
        let of = || digest(root.path()).expect("a tree");
        let mut seen = vec![of()];
        let mut change = |file: &str, text: &str| {
            fs::write(root.path().join(file), text).expect("a file");
            seen.push(of());
        };
        change("variants/src/lib.rs", "changed");
        change("harness/src/new_file.rs", "");
        change("Cargo.lock", "another version");
        change(".cargo/config.toml", "flags");
        fs::rename(root.path().join("reports/src/lib.rs"), root.path().join("reports/src/a.rs"))
            .expect("renamed");
        seen.push(of());
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), all, "every change was seen");
        assert_eq!(seen[0].len(), 16);
    }

    #[test]
    fn what_does_not_go_into_the_binary_leaves_it_alone() {
        let root = tree();
        let before = digest(root.path());
        for file in [
            "docs/page.md",
            "README.md",
            "harness/tests/run.rs",
            "harness/src/.hidden",
            "variants/a.snap.new",
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "text").expect("a file");
        }
        assert_eq!(digest(root.path()), before);
        // The same tree elsewhere is the same.
        assert_eq!(digest(tree().path()), before);
    }

    #[test]
    fn a_tree_that_is_not_there_has_no_digest() {
        let root = tempfile::tempdir().expect("a folder");
        assert_eq!(digest(root.path()), None);
    }
}
