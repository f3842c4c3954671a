//! Names that a new design cannot have, because someone else owns them.
//!
//! The name becomes a folder of the workspace, the package `raywalk-NAME`, a Rust type, the id of the
//! design, and a function of the Callgrind benchmark. A conflict in any of these would break the build of
//! the whole workspace, so all are checked before a file is written.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::{LIBRARY, TESTS, type_of};
use crate::peers;
use crate::registry::{DESIGNS, identifier};

/// Longer names are rarely meant, and some file systems do not accept them.
const LONGEST: usize = 40;

/// Keywords of Rust, of every edition, reserved ones included.
const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else enum \
    extern false final fn for gen if impl in let loop macro match mod move mut override priv pub raw ref \
    return safe self static struct super trait true try type typeof union unsafe unsized use virtual \
    where while yield";

/// Types and traits of Rust's prelude.
const PRELUDE: &str = "AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err \
    ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Hash Into IntoIterator Iterator None Ok \
    Option Ord PartialEq PartialOrd Result Self Send Sized Some String Sync ToOwned ToString TryFrom \
    TryInto Unpin Vec";
const PRIMITIVES: &str = "bool char f16 f32 f64 f128 i8 i16 i32 i64 i128 isize never slice str tuple u8 \
    u16 u32 u64 u128 usize";

/// Crates of the standard library, folders that Cargo writes to, and names that it treats specially.
const CARGO: &str = "alloc bench benches bin build cargo core debug deps doc example examples incremental \
    main package proc-macro release rustc std target test tests workspace";

/// Device names, which Windows accepts for no file.
const WINDOWS: &str = "aux com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 con lpt0 lpt1 lpt2 lpt3 lpt4 \
    lpt5 lpt6 lpt7 lpt8 lpt9 nul prn";

/// Names in the scope of the Callgrind benchmark, which declares a function per design.
const BENCHMARK: &str = "black_box counts designs entry_point filter gungraun hint library_benchmark \
    library_benchmark_group load main raywalk_bench_counts raywalk_results schema work";

/// Checks the form of the name and that neither Rust, Cargo nor the templates own it.
pub(in crate::commands) fn check(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = name.chars().all(plain)
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--")
        && name.len() <= LONGEST;
    ensure!(
        good,
        "`{name}` is not a valid name; use at most {LONGEST} lower-case letters, digits and single \
         dashes, with a letter first"
    );
    let (module, type_name) = (identifier(name), type_of(name));
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|one| one == word);
    if is_in(KEYWORDS, &module) {
        bail!("`{name}` is a keyword of Rust; choose another name");
    }
    if is_in(PRELUDE, &type_name) || is_in(PRIMITIVES, &module) {
        bail!("`{name}` is the name of a type of Rust; choose another name");
    }
    if is_in(CARGO, name) {
        bail!("`{name}` is reserved by Cargo or the standard library; choose another name");
    }
    if is_in(WINDOWS, name) {
        bail!(
            "`{name}` is a device on Windows, so no folder can have this name; choose another name"
        );
    }
    if is_in(BENCHMARK, &module) {
        bail!("`{name}` is used by the Callgrind benchmark; choose another name");
    }
    if name.split('-').next() == Some("raywalk") {
        bail!("`{name}` begins with the name of the workspace, which is added to it; leave it out");
    }
    if in_templates(&type_name) {
        bail!(
            "`{name}` would make the type `{type_name}`, which the template uses; choose another name"
        );
    }
    // The registry calls both `bell-steps` and `bell/steps` `bell_steps`.
    let taken = |id: &str| identifier(id) == module;
    if let Some(entry) = DESIGNS.iter().find(|one| one.card.family() == name || taken(one.card.id))
    {
        bail!(
            "`{name}` is taken by the design {}; `raywalk list` shows all designs",
            entry.card.id
        );
    }
    // Plan files and `--design` would select both by this name.
    if let Some(peer) = peers::named(&[name.to_owned()]).first() {
        bail!("`{name}` is the family of the peers, such as {peer}; choose another name");
    }
    Ok(())
}

/// Checks that neither a folder nor a package of the workspace has this name.
pub(super) fn check_in(root: &Path, name: &str) -> Result<()> {
    let package = format!("raywalk-{name}");
    let top = folders(root);
    let below = top.iter().flat_map(|folder| folders(folder));
    for folder in top.iter().cloned().chain(below) {
        let shown = folder.strip_prefix(root).unwrap_or(&folder).display();
        ensure!(
            folder.file_name().is_none_or(|one| one != name),
            "`{name}` is taken by the folder {shown} of the workspace; choose another name"
        );
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        ensure!(
            package_name(&manifest) != Some(&package),
            "`{name}` would make the package `{package}`, which is in {shown}; choose another name"
        );
    }
    Ok(())
}

/// The folders in a folder, sorted, without hidden ones and without Cargo's.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let counts = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        path.is_dir() && !name.starts_with('.') && name != "target"
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(counts).collect();
    found.sort();
    found
}

/// The first `name` of a manifest, which is that of the package in every manifest of the workspace.
fn package_name(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("name"))?;
    Some(line.trim_start().strip_prefix('=')?.trim().trim_matches('"'))
}

/// Whether the templates use a type, in code.
fn in_templates(type_name: &str) -> bool {
    let mut lines = LIBRARY.lines().chain(TESTS.lines());
    lines.any(|line| {
        let code = line.split("//").next().unwrap_or_default();
        // Every second part is a string.
        let code = code.split('"').step_by(2);
        let mut words =
            code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'));
        words.any(|word| word == type_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_wrong_form_are_refused() {
        let long = "x".repeat(41);
        let names =
            ["", "Mine", "my design", "-mine", "mine-", "my--design", "7th", "é", "a/b", &long];
        for name in names {
            let error = check(name).expect_err(name).to_string();
            assert!(error.contains("is not a valid name"), "{error}");
        }
    }

    #[test]
    fn a_name_that_someone_owns_is_refused_and_the_owner_named() {
        for (names, owner) in [
            ("self box move super union gen", "a keyword of Rust"),
            ("result option vec string u8 to-owned", "a type of Rust"),
            ("test core std deps build target", "reserved by Cargo"),
            ("con nul lpt1", "a device on Windows"),
            ("load designs black-box gungraun", "the Callgrind benchmark"),
            ("raywalk raywalk-mine", "the name of the workspace"),
            (
                "walk kind card generator visitor board8x8 phantom-data entries position",
                "which the template uses",
            ),
            ("bell legal mailbox-10x12 bell-steps", "taken by the design"),
            ("peer", "the family of the peers, such as peer/cozy-chess-pext"),
        ] {
            for name in names.split_whitespace() {
                let error = check(name).expect_err(name).to_string();
                assert!(error.contains(owner), "{name}: {error}");
            }
        }
        for name in ["my-design2", "mine", "ray-loop", "a", "walker", "cardinal"] {
            assert!(check(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn folders_and_packages_of_the_workspace_are_refused() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let names = "harness reports positions results judge page measure cli benches bench-timing \
                     bench-counts conformance counts dense-index";
        for name in names.split_whitespace() {
            let error = check_in(&root, name).expect_err(name).to_string();
            assert!(error.contains("choose another name"), "{name}: {error}");
        }
        assert!(check_in(&root, "mine").is_ok());
    }

    #[test]
    fn every_name_that_the_callgrind_benchmark_imports_is_reserved() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let path = root.join("benches/counts/benches/counts.rs");
        let text = std::fs::read_to_string(path).expect("the benchmark");
        let imports = text.split("\nuse ").skip(1).filter_map(|rest| rest.split(';').next());
        let words = imports.flat_map(|one| one.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let lower = |word: &&str| {
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            !word.is_empty() && word.chars().all(fits)
        };
        let mut checked = 0;
        for word in words.filter(lower) {
            assert!(check(&word.replace('_', "-")).is_err(), "{word}");
            checked += 1;
        }
        assert!(checked > 5, "{checked}");
    }
}
