use super::select::glob;
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

#[test]
fn a_glob_matches_as_its_definition_says() {
    // By definition: a star takes any number of letters.
    fn defined(pattern: &[u8], text: &[u8]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, _) => text.is_empty(),
            (Some((b'*', rest)), _) => (0..=text.len()).any(|n| defined(rest, &text[n..])),
            (Some((one, rest)), Some((other, text))) => one == other && defined(rest, text),
            (Some(_), None) => false,
        }
    }
    let words = |letters: &'static [u8], longest: u32| {
        let base = letters.len();
        (0..=longest).flat_map(move |length| {
            (0..base.pow(length)).map(move |word| {
                (0..length).map(|n| letters[word / base.pow(n) % base]).collect::<Vec<_>>()
            })
        })
    };
    for pattern in words(b"ab*", 5) {
        for text in words(b"ab", 5) {
            let found = glob(&pattern, &text);
            assert_eq!(found, defined(&pattern, &text), "{pattern:?} {text:?}");
        }
    }
}

#[test]
fn a_pattern_of_many_stars_is_answered_at_once() {
    let stars = "*".repeat(100_000);
    assert!(is_match(&stars, "bitboard/hyperbola"));
    assert!(!is_match(&format!("{stars}x"), "bitboard/hyperbola"));
    assert!(!is_match(&"*a".repeat(30), &"a".repeat(29)));
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
