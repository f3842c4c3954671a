use super::*;

#[test]
fn every_id_is_unique() {
    for (n, entry) in DESIGNS.iter().enumerate() {
        assert!(
            DESIGNS[..n].iter().all(|other| other.card.id != entry.card.id),
            "{}",
            entry.card.id
        );
    }
    assert_eq!(named(REFERENCE).expect("a design").card.id, REFERENCE);
}

#[test]
fn every_name_in_the_list_is_the_id_of_its_design() {
    for (entry, name) in DESIGNS.iter().zip(NAMES) {
        assert_eq!(identifier(entry.card.id), *name);
    }
}

#[test]
fn designs_of_a_family_are_consecutive() {
    let mut families: Vec<_> = DESIGNS.iter().map(|entry| entry.card.family()).collect();
    families.dedup();
    let mut distinct = families.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(families.len(), distinct.len(), "{families:?}");
}

#[test]
fn a_pattern_matches_an_id_a_family_or_a_glob() {
    let ids = |patterns: &[&str]| {
        let patterns: Vec<_> = patterns.iter().map(|&p| p.to_owned()).collect();
        matching(&patterns).map(|found| found.iter().map(|e| e.card.id).collect::<Vec<_>>())
    };
    assert_eq!(ids(&[]).expect("all").len(), DESIGNS.len());
    let family = ids(&["bitboard"]).expect("a family");
    assert!(family.len() > 1 && family.iter().all(|id| id.starts_with("bitboard/")));
    assert_eq!(ids(&["bitboard/*"]).expect("a glob"), family);
    assert_eq!(ids(&["*/pext"]).expect("a glob"), ["bitboard/pext", "legal/pext"]);
    assert!(ids(&["bitbord/pext"]).expect_err("a typo").to_string().contains("did you mean"));
}

/// What is missing for the crate in `variants/<folder>` to be measured.
fn unlisted(folder: &str) -> Option<&'static str> {
    let dependency = format!("\nraywalk-{folder} = ");
    let path = format!(" raywalk_{}::", identifier(folder));
    if !include_str!("../../Cargo.toml").contains(&dependency) {
        Some("harness/cli/Cargo.toml does not depend on it")
    } else if !include_str!("../registry.rs").contains(&path) {
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
