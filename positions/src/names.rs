//! Suggestions for mistyped names.

/// Upper bound on the number of suggestions.
const SUGGESTIONS: usize = 4;

/// The candidates that a name may be a misspelling of, the closest first; at most four.
///
/// The distance is that of Levenshtein, to the candidate or to its part after the last slash. It is at
/// most a third of the length of the name, and one for shorter names. Candidates at the same distance keep
/// their order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let length = name.chars().count();
    let farthest = (length / 3).max(1);
    let to = |candidate: &str| {
        // A candidate of another length is at least as far away as the lengths differ.
        let near = candidate.chars().count().abs_diff(length) <= farthest;
        near.then(|| strsim::levenshtein(name, candidate)).filter(|&by| by <= farthest)
    };
    let distance = |candidate: &str| {
        let last = candidate.rsplit_once('/').and_then(|(_, last)| to(last));
        to(candidate).into_iter().chain(last).min()
    };
    let candidates = candidates.into_iter();
    let mut near: Vec<_> = candidates.filter_map(|name| Some((distance(name)?, name))).collect();
    // The sort is stable, which keeps the order of equals.
    near.sort_by_key(|&(by, _)| by);
    near.into_iter().map(|(_, name)| name).take(SUGGESTIONS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_names_come_first_and_equals_keep_their_order() {
        let names = ["knight", "eight", "rook", "night", "rock", "light", "fight"];
        assert_eq!(nearest("wight", names), ["eight", "night", "light", "fight"]);
        assert_eq!(nearest("rok", names), ["rook", "rock"]);
        assert!(nearest("x", []).is_empty());
    }

    #[test]
    fn names_that_have_little_in_common_are_not_suggested() {
        let names = ["raylist", "diep/mixed", "bell/steps", "bitboard/pext"];
        assert!(nearest("nope", names).is_empty());
        assert_eq!(nearest("bell/step", names), ["bell/steps"]);
        // Three letters of ten are wrong, then four.
        assert_eq!(nearest("zzzl/steps", names), ["bell/steps"]);
        assert!(nearest("zzzz/steps", names).is_empty());
        assert!(nearest(&"x".repeat(1_000_000), names).is_empty());
    }

    #[test]
    fn the_part_after_the_slash_is_enough() {
        assert_eq!(
            nearest("pext", ["bell/steps", "bitboard/pext", "ext"]),
            ["bitboard/pext", "ext"]
        );
        assert_eq!(nearest("mixd", ["diep/mixed"]), ["diep/mixed"]);
    }
}
