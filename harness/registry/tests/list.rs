//! The list of designs is complete and consistent.

use raywalk_registry::{BUILT_IN, NAMES, identifier};

#[test]
fn every_id_is_unique() {
    for (n, entry) in BUILT_IN.iter().enumerate() {
        assert!(
            BUILT_IN[..n].iter().all(|other| other.card.id != entry.card.id),
            "{}",
            entry.card.id
        );
    }
}

#[test]
fn every_name_in_the_list_is_the_id_of_its_design() {
    for (entry, name) in BUILT_IN.iter().zip(NAMES) {
        assert_eq!(identifier(entry.card.id), *name);
    }
}

#[test]
fn designs_of_a_family_are_consecutive() {
    let mut families: Vec<_> = BUILT_IN.iter().map(|entry| entry.card.family()).collect();
    families.dedup();
    let mut distinct = families.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(families.len(), distinct.len(), "{families:?}");
}

/// What is missing for the crate in `variants/<folder>` to be measured.
fn unlisted(folder: &str) -> Option<&'static str> {
    let dependency = format!("\nraywalk-{folder} = ");
    let path = format!(" raywalk_{}::", identifier(folder));
    if !include_str!("../Cargo.toml").contains(&dependency) {
        Some("harness/registry/Cargo.toml does not depend on it")
    } else if !include_str!("../src/lib.rs").contains(&path) {
        Some("the list of designs has none of its types")
    } else {
        None
    }
}

#[test]
fn every_design_crate_is_in_the_list() {
    let variants = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants");
    let mut checked = 0;
    for folder in std::fs::read_dir(variants).expect("variants/").flatten() {
        let name = folder.file_name().into_string().expect("a plain name");
        if folder.path().is_dir() && !["core", "conformance", "peers"].contains(&name.as_str()) {
            assert_eq!(unlisted(&name), None, "variants/{name}");
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} design crates were found");
    // A prefix of a listed crate is another crate.
    for name in ["no-such-crate", "mail"] {
        assert!(unlisted(name).is_some(), "{name}");
    }
}

/// The names of the types of a design crate in the list.
fn types(folder: &str) -> Vec<&'static str> {
    let list = include_str!("../src/lib.rs");
    let list = &list[..list.find("designs!(entries)").expect("the end of the list")];
    let path = format!(" raywalk_{}::", identifier(folder));
    list.split(path.as_str())
        .skip(1)
        .map(|rest| rest.split([';', ' ']).next().unwrap_or(rest))
        .collect()
}

#[test]
fn the_conformance_kit_runs_on_every_design_of_the_list() {
    let variants = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants");
    let mut tested = 0;
    for folder in std::fs::read_dir(variants).expect("variants/").flatten() {
        let name = folder.file_name().into_string().expect("a plain name");
        let Ok(kit) = std::fs::read_to_string(folder.path().join("tests/conformance.rs")) else {
            continue;
        };
        for listed in types(&name) {
            let run = [format!(": {listed})"), format!("::{listed})")];
            assert!(run.iter().any(|end| kit.contains(end)), "{name}: {listed} is not tested");
            tested += 1;
        }
    }
    assert_eq!(tested, BUILT_IN.len());
}
