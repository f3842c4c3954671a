//! `raywalk new-design` in a copy of the workspace.

use std::fs;
use std::path::Path;
use std::process::Command;

use predicates::prelude::*;

use crate::folder::raywalk;

/// Copies what Cargo reads to know the packages of a workspace: manifests, and a source of each target. Licences are
/// copied too, because a new package gets them.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !hidden && name != "target" && name != "docs" {
            copy(&path, &to.join(&name));
        } else if path.extension().is_some_and(|end| end == "rs" || end == "toml" || end == "lock")
            || name.to_string_lossy().starts_with("LICENSE-")
        {
            fs::copy(&path, to.join(&name)).expect("copied");
        }
    }
}

fn metadata(root: &Path) -> std::process::Output {
    Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .expect("cargo")
}

#[test]
fn the_workspace_resolves_after_every_accepted_name_and_is_untouched_by_a_refused_one() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    copy(&source, root);
    let before = metadata(root);
    assert!(before.status.success(), "{before:?}");
    let create =
        |name: &str| raywalk(&["new-design", name, "--root", &root.to_string_lossy()]).assert();
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a file");
    let registered = || (read("harness/registry/Cargo.toml"), read("harness/registry/src/lib.rs"));
    let untouched = registered();
    for name in [
        "harness",
        "bench-timing",
        "reports",
        "positions",
        "results",
        "judge",
        "page",
        "measure",
        "cli",
        "self",
        "box",
        "walk",
        "kind",
        "card",
        "move",
        "generator",
        "visitor",
        "test",
        "core",
        "std",
        "deps",
        "bell",
        "bell-steps",
        "conformance",
    ] {
        create(name).code(2).stdout("").stderr(
            predicate::str::contains(name).or(predicate::str::contains("which the template uses")),
        );
        let folder = |root: &Path| root.join("variants").join(name).exists();
        assert_eq!(folder(root), folder(&source), "{name}");
        assert_eq!(registered(), untouched, "{name}");
    }
    let accepted =
        ["mine", "a", "ray-loop", "walker", "tests2", "mailbox-8", "my-2-d", "timing2", "x86"];
    for name in accepted {
        create(name).success();
        let after = metadata(root);
        assert!(after.status.success(), "{name}: {}", String::from_utf8_lossy(&after.stderr));
        let text = String::from_utf8_lossy(&after.stdout).into_owned();
        assert!(text.contains(&format!("\"raywalk-{name}\"")), "{name}");
    }
}
