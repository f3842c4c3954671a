//! Suggestions for mistyped names.

/// Number of suggestions.
const SUGGESTIONS: usize = 4;

/// The candidates closest to a name by Levenshtein distance, the closest first; at most four.
/// Candidates at the same distance keep their order.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<_> = candidates.into_iter().collect();
    // The sort is stable, which keeps the order of equals.
    names.sort_by_cached_key(|candidate| strsim::levenshtein(name, candidate));
    names.truncate(SUGGESTIONS);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_names_come_first_and_equals_keep_their_order() {
        let names = ["knight", "night", "rook", "rock", "light"];
        assert_eq!(nearest("right", names), ["night", "light", "knight", "rook"]);
        assert_eq!(nearest("rok", names)[..2], ["rook", "rock"]);
        assert!(nearest("x", []).is_empty());
    }
}
