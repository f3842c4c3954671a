//! The pairs of designs that differ in one parameter, with the claims that they decide.

use raywalk_audit::{Difference, Pair};

const PAIRS: &str = include_str!("pairs.toml");

/// All pairs, in the order of the file.
pub(crate) fn pairs() -> Vec<Pair> {
    Pair::parse_all(PAIRS).expect("a file that a test reads")
}

/// The pairs of a design whose code differs in more than the parameter, because the parameter is about that, each with
/// the other design and what differs.
pub(crate) fn also_different(design: &str) -> Vec<(String, Pair)> {
    let declared = pairs().into_iter().filter(|pair| !pair.also.is_empty());
    let other = |pair: Pair| {
        let place = pair.designs.iter().position(|id| id == design)?;
        Some((pair.designs[1 - place].clone(), pair))
    };
    declared.filter_map(other).collect()
}

/// In what the code of a pair also differs: `copies of a loop in the walk, unrolling in the rest`.
pub(crate) fn also_of(pair: &Pair) -> String {
    let mut labels: Vec<_> = pair.also.iter().map(Difference::label).collect();
    labels.dedup();
    labels.join(", ")
}

/// Why the code of a pair also differs in that.
pub(crate) fn why(pair: &Pair) -> &str {
    pair.why.as_deref().expect("a test asks for it where the code differs in more")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet, VecDeque};

    use raywalk_judge::claims::{self, Claim};

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
    fn a_pair_that_differs_in_more_than_its_parameter_says_why_and_no_other_does() {
        for Pair { designs, also, why, .. } in pairs() {
            assert_eq!(also.is_empty(), why.is_none(), "{designs:?}");
            let is_sentence = |why: &String| why.ends_with('.') && why.len() > 20;
            assert!(why.is_none_or(|why| is_sentence(&why)), "{designs:?}");
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

    /// The claims of the literature and the pairs that name them.
    struct Links {
        claims: Vec<Claim>,
        pairs: Vec<Pair>,
    }

    impl Links {
        fn new() -> Links {
            Links { claims: claims::all(), pairs: pairs() }
        }

        /// The fewest pairs naming a claim that lead from one design to another, by their numbers.
        fn way(&self, claim: &str, one: &str, other: &str) -> Option<Vec<usize>> {
            let mut ways = VecDeque::from([(one, Vec::new())]);
            let mut seen = HashSet::from([one]);
            while let Some((design, way)) = ways.pop_front() {
                if design == other {
                    return Some(way);
                }
                for (number, Pair { claims, designs: [a, b], .. }) in self.pairs.iter().enumerate()
                {
                    let next = [(a, b), (b, a)].into_iter().find(|(from, _)| *from == design);
                    let Some((_, next)) = next.filter(|_| claims.iter().any(|id| id == claim))
                    else {
                        continue;
                    };
                    if seen.insert(next) {
                        ways.push_back((next, way.iter().copied().chain([number]).collect()));
                    }
                }
            }
            None
        }
    }

    /// The two sides of each comparison of a claim, and whether it calls itself audited. A design that is compared
    /// with itself differs in nothing but the call.
    fn sides(claim: &Claim) -> Vec<([&[String]; 2], bool)> {
        let times =
            claim.compare.iter().map(|test| ([&test.one[..], &test.other[..]], test.audited));
        let counts =
            claim.count.iter().map(|test| ([&test.one[..], &test.other[..]], test.audited));
        times.chain(counts).filter(|([one, other], _)| one != other).collect()
    }

    #[test]
    fn every_audited_comparison_of_a_claim_is_a_pair_or_a_chain_of_pairs_that_name_the_claim() {
        let links = Links::new();
        for claim in &links.claims {
            for ([one, other], audited) in sides(claim) {
                let way = links.way(&claim.id, &one[0], &other[0]);
                assert!(!audited || way.is_some(), "{}: {one:?} and {other:?}", claim.id);
                // A comparison of one parameter says so.
                let named = one.len() == 1 && other.len() == 1 && way.is_some();
                assert!(audited || !named, "{}: {one:?} and {other:?} are a pair", claim.id);
            }
        }
    }

    #[test]
    fn every_pair_that_names_a_claim_is_needed_by_one_of_its_comparisons() {
        let links = Links::new();
        let mut needed: HashSet<(&str, usize)> = HashSet::new();
        for claim in &links.claims {
            for ([one, other], _) in sides(claim).into_iter().filter(|(_, audited)| *audited) {
                let way = links.way(&claim.id, &one[0], &other[0]).unwrap_or_default();
                needed.extend(way.into_iter().map(|number| (claim.id.as_str(), number)));
            }
        }
        for (number, pair) in links.pairs.iter().enumerate() {
            for id in &pair.claims {
                assert!(needed.contains(&(id, number)), "{:?} and {id}", pair.designs);
            }
        }
        let letters: HashSet<char> =
            needed.iter().filter_map(|(id, _)| id.chars().next()).collect();
        assert_eq!(letters, HashSet::from(['T', 'P', 'G', 'B', 'W', 'M']));
    }

    #[test]
    fn every_claim_that_can_be_tested_has_a_pair_or_the_reason_why_it_has_none() {
        let links = Links::new();
        for claim in &links.claims {
            let has_pair = links.pairs.iter().any(|pair| pair.claims.contains(&claim.id));
            let needs_none = has_pair || claim.untestable.is_some();
            assert_ne!(needs_none, claim.no_pair.is_some(), "{}", claim.id);
        }
    }

    #[test]
    fn a_claim_says_what_else_differs_where_it_compares_no_pair() {
        for claim in &Links::new().claims {
            let is_wide = sides(claim).iter().any(|(_, audited)| !audited);
            assert_eq!(is_wide, claim.wide.is_some(), "{}", claim.id);
        }
    }
}
