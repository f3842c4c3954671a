//! Digest of the sources that a binary is built from.
//!
//! A commit identifies a clean tree only; the digest also distinguishes modified trees of the same commit.
//! The build script includes this file.

use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;

/// Files and folders of the workspace that go into the binary. Documentation does not.
#[cfg_attr(not(test), allow(dead_code, reason = "only the build script uses it"))]
pub(crate) const WORKSPACE: [&str; 7] =
    ["Cargo.toml", "Cargo.lock", ".cargo", "variants", "positions", "reports", "harness"];

/// The same of the package that a registry has.
#[cfg_attr(not(test), allow(dead_code, reason = "only the build script uses it"))]
pub(crate) const PACKAGE: [&str; 5] = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "templates"];

/// Folders inside packages that no binary contains.
const EXCLUDED: [&str; 4] = ["tests", "examples", "snapshots", "target"];

/// FNV-1a 64 over the relative paths and the contents of all files below these names, sorted by path, in sixteen
/// hex digits; `None` if a file cannot be read.
///
/// The length of each path and each file is hashed before it. Otherwise bytes that move from the end of one
/// file to the start of the next would not change the digest. Hidden files and the leftovers of test tools
/// are skipped.
///
/// # Source
/// G. Fowler, L. C. Noll, K.-P. Vo, 64-bit version.
pub(crate) fn digest(root: &Path, names: &[&str]) -> Option<String> {
    let mut files = Vec::new();
    for name in names {
        collect(&root.join(name), &mut files).ok()?;
    }
    let mut named: Vec<(String, PathBuf)> = Vec::with_capacity(files.len());
    for file in files {
        let relative = file.strip_prefix(root).ok()?;
        // Joined with slashes, so that the digest is the same on Windows.
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        named.push((parts.join("/"), file));
    }
    named.sort();
    let mut hasher = FnvHasher::default();
    for (name, file) in named {
        let contents = std::fs::read(file).ok()?;
        for part in [name.as_bytes(), &contents] {
            // `write` and not `write_u64`, whose bytes depend on the endianness of the host.
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
    }
    Some(format!("{:016x}", hasher.finish()))
}

/// Collects the files at or below `path`, in no particular order.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in path.read_dir()? {
        let entry = entry?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let leftover = [".new", ".profraw"].iter().any(|end| name.ends_with(end));
        if !name.starts_with('.') && !leftover && !EXCLUDED.contains(&&*name) {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// The commit in the file `.cargo_vcs_info.json` of a package, and whether the tree had changes when the package
/// was made.
#[cfg_attr(not(test), allow(dead_code, reason = "only the build script uses it"))]
pub(crate) fn packaged_commit(info: &str) -> (Option<&str>, bool) {
    // Cargo writes the file itself, so a JSON parser is not needed in a build script.
    let after = |key: &str| info.split_once(&format!("\"{key}\": ")).map(|(_, rest)| rest);
    let quoted = after("sha1").and_then(|rest| rest.strip_prefix('"')?.split('"').next());
    let is_hash = |text: &&str| text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    (quoted.filter(is_hash), after("dirty").is_some_and(|rest| rest.starts_with("true")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for name in WORKSPACE {
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
    fn the_digest_of_a_fixed_tree_is_known() {
        // Journals keep digests, so the algorithm must not change. Calculated with an independent
        // implementation.
        assert_eq!(digest(tree().path(), &WORKSPACE).as_deref(), Some("9da319c727c6ce52"));
    }

    #[test]
    fn a_package_carries_the_commit_that_it_was_made_from() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let info = |more: &str| {
            format!(
                "{{\n  \"git\": {{\n    \"sha1\": \"{hash}\"{more}\n  }},\n  \"path_in_vcs\": \"harness/cli\"\n}}"
            )
        };
        assert_eq!(packaged_commit(&info("")), (Some(hash), false));
        assert_eq!(packaged_commit(&info(",\n    \"dirty\": true")), (Some(hash), true));
        for nothing in ["", "{}", "{\n  \"git\": {\n    \"sha1\": \"x\"\n  }\n}"] {
            assert_eq!(packaged_commit(nothing), (None, false));
        }
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        // Test vectors of draft-eastlake-fnv, appendix C.
        let hash = |text: &str| {
            let mut hasher = FnvHasher::default();
            hasher.write(text.as_bytes());
            hasher.finish()
        };
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_change_of_a_source_changes_the_digest() {
        let root = tree();
        let of = || digest(root.path(), &WORKSPACE).expect("a tree");
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
        assert_eq!(seen.len(), all, "two trees have the same digest");
        assert_eq!(seen[0].len(), 16);
    }

    #[test]
    fn files_outside_the_binary_do_not_change_the_digest() {
        let root = tree();
        let before = digest(root.path(), &WORKSPACE);
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
        assert_eq!(digest(root.path(), &WORKSPACE), before);
        // The path of the root does not count.
        assert_eq!(digest(tree().path(), &WORKSPACE), before);
    }

    #[test]
    fn the_digest_of_a_package_covers_its_sources_and_its_lock_file() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        };
        let of = || digest(root.path(), &PACKAGE);
        for name in ["Cargo.toml", "Cargo.lock", "build.rs", "src/lib.rs"] {
            assert_eq!(of(), None, "before {name}");
            write(name, name);
        }
        write("templates/lib.rs.txt", "");
        let before = of().expect("a package");
        write("README.md", "text");
        assert_eq!(of().as_ref(), Some(&before));
        for name in ["Cargo.lock", "src/lib.rs"] {
            let last = of();
            write(name, "changed");
            assert_ne!(of(), last, "{name}");
        }
    }

    #[test]
    fn a_missing_tree_has_no_digest() {
        let root = tempfile::tempdir().expect("a folder");
        assert_eq!(digest(root.path(), &WORKSPACE), None);
    }
}
