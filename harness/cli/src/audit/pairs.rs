//! The pairs of designs that differ in one parameter, with the claims that they decide.

use raywalk_audit::Pair;

const PAIRS: &str = include_str!("pairs.toml");

/// All pairs, in the order of the file.
pub(super) fn pairs() -> Vec<Pair> {
    Pair::parse_all(PAIRS).expect("a file that a test reads")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;
    use crate::registry::DESIGNS;

    #[test]
    fn each_pair_is_of_two_designs_and_stands_there_once() {
        let mut seen = HashSet::new();
        for Pair { designs, differ, .. } in pairs() {
            let known = |id: &String| DESIGNS.iter().any(|entry| entry.card.id == id);
            assert!(designs.iter().all(known) && designs[0] != designs[1], "{designs:?}");
            assert!(!differ.is_empty(), "{designs:?}");
            let [one, other] = designs.clone();
            assert!(seen.insert([one.clone(), other.clone()]), "{designs:?}");
            assert!(!seen.contains(&[other, one]), "{designs:?}");
        }
    }

    #[test]
    fn every_design_of_a_family_is_compared_with_another_one() {
        let mut families: BTreeMap<&str, usize> = BTreeMap::new();
        DESIGNS.iter().for_each(|entry| *families.entry(entry.card.family()).or_default() += 1);
        let pairs = pairs();
        let compared: HashSet<_> = pairs.iter().flat_map(|pair| &pair.designs).collect();
        for entry in DESIGNS.iter().filter(|entry| families[entry.card.family()] > 1) {
            assert!(
                compared.contains(&entry.card.id.to_owned()),
                "{} is in no pair",
                entry.card.id
            );
        }
    }

    #[test]
    fn every_source_of_claims_has_pairs() {
        let pairs = pairs();
        let claims: HashSet<_> = pairs.iter().flat_map(|pair| &pair.claims).collect();
        for claim in &claims {
            let (letter, number) = claim.split_at(1);
            assert!("TPGB".contains(letter) && number.parse::<u8>().is_ok(), "{claim}");
        }
        for letter in ["T", "P", "G", "B"] {
            assert!(claims.iter().any(|claim| claim.starts_with(letter)), "{letter}");
        }
    }
}
