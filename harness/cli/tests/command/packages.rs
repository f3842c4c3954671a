//! Every published crate has the fields that a registry shows, and depends on published crates only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The packages of the workspace, by name, as Cargo describes them.
fn packages() -> BTreeMap<String, Value> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let list = metadata["packages"].as_array().expect("packages").clone();
    list.into_iter().map(|one| (text(&one["name"]).to_owned(), one)).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Cargo writes an empty list for `publish = false`.
fn is_published(package: &Value) -> bool {
    package["publish"] != Value::Array(Vec::new())
}

/// What a package lacks, in sentences.
fn faults(package: &Value, published: &BTreeSet<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut lacks = |what: &str, is_there: bool| {
        if !is_there {
            faults.push(format!("{} lacks {what}", text(&package["name"])));
        }
    };
    for key in ["description", "license", "repository", "rust_version"] {
        lacks(key, !text(&package[key]).is_empty());
    }
    for key in ["keywords", "categories"] {
        let count = package[key].as_array().map_or(0, Vec::len);
        lacks(&format!("one to five {key}"), (1..=5).contains(&count));
    }
    let folder = PathBuf::from(text(&package["manifest_path"])).with_file_name("");
    let title = format!("# {}\n", text(&package["name"]));
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    lacks("a README.md that begins with its name", readme.starts_with(&title));
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let licence_text = std::fs::read_to_string(folder.join(licence)).unwrap_or_default();
        lacks(licence, licence_text.len() > 1_000);
    }
    let exact = format!("={}", text(&package["version"]));
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let name = text(&dependency["name"]);
        // Cargo leaves development dependencies without a version out of the package.
        let stays = dependency["kind"] != "dev" || dependency["req"] != "*";
        if dependency["path"].is_string() && stays {
            lacks(&format!("a published {name}"), published.contains(name));
            lacks(&format!("the exact version of {name}"), dependency["req"] == exact.as_str());
        }
    }
    faults
}

#[test]
fn published_crates_have_all_that_a_registry_needs() {
    let packages = packages();
    let published: BTreeSet<&str> =
        packages.iter().filter(|(_, one)| is_published(one)).map(|(name, _)| &**name).collect();
    assert!(published.contains("raywalk") && published.len() > 20, "{published:?}");
    let others: Vec<&str> =
        packages.keys().map(|name| &**name).filter(|name| !published.contains(name)).collect();
    assert_eq!(others, ["raywalk-bench-counts", "raywalk-bench-timing", "raywalk-conformance"]);
    let faults: Vec<String> =
        published.iter().flat_map(|name| faults(&packages[*name], &published)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // A crate that is not published has faults, so the test can fail.
    let found = self::faults(&packages["raywalk-bench-timing"], &published);
    for part in
        ["lacks one to five keywords", "lacks LICENSE-MIT", "lacks the exact version of raywalk"]
    {
        assert!(found.iter().any(|fault| fault.contains(part)), "{part}: {found:#?}");
    }
}
