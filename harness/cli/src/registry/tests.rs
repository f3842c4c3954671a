use super::*;

#[test]
fn the_reference_is_a_design() {
    assert_eq!(named(REFERENCE).expect("a design").card.id, REFERENCE);
}

#[test]
fn the_public_table_of_look_ups_is_about_designs() {
    for id in raywalk_judge::lookups::PUBLISHED.millions.keys() {
        named(id).expect("a design");
    }
}

#[test]
fn the_quick_plan_names_designs_with_vectors_among_them() {
    let found = matching(&quick()).expect("designs");
    assert_eq!(found.len(), quick().len());
    assert!(found.iter().any(|entry| entry.card.id.starts_with("simd/")));
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
