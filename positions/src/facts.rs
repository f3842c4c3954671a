//! The bundled perft facts: 220 positions with published or recomputed perft counts.

use std::sync::LazyLock;

use raywalk_core::{Key, Position};

use crate::epd::{self, Fact};

/// The file, with the source of each group in its comments.
pub(crate) const PERFT: &str = include_str!("../facts/perft.epd");

/// The bundled positions with their perft counts, in the order of the file.
pub fn perft() -> &'static [Fact] {
    static FACTS: LazyLock<Vec<Fact>> =
        LazyLock::new(|| epd::read(PERFT).expect("a test reads the bundled file"));
    &FACTS
}

/// The bundled position of this name.
pub(crate) fn named(name: &str) -> Option<&'static Fact> {
    perft().iter().find(|fact| fact.name == name)
}

/// The six positions of the Chess Programming Wiki that perft is compared on; the others of its page are variants
/// of them.
pub(crate) const SIX: [&str; 6] = ["start", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6"];

/// Upper bound on the leaves of a perft that is timed. The slowest designs take five milliseconds for as many. A
/// longer call would be interrupted by the scheduler in nearly every round.
const MOST_LEAVES: u64 = 100_000;

/// The perft to time of one of the six positions: the deepest with at most 100,000 leaves, and their published
/// number. `None` for any other position.
pub fn timed_perft(position: &Position) -> Option<(u32, u64)> {
    static KEYS: LazyLock<Vec<(Key, &Fact)>> = LazyLock::new(|| {
        let six = SIX.iter().filter_map(|name| named(name));
        six.map(|fact| (Key::of(&fact.position), fact)).collect()
    });
    let key = Key::of(position);
    let &(_, fact) = KEYS.iter().find(|(known, _)| *known == key)?;
    deepest(fact)
}

/// The deepest perft of a fact that is not too long to be timed, with its leaves.
pub(crate) fn deepest(fact: &Fact) -> Option<(u32, u64)> {
    fact.perft.iter().copied().rfind(|&(_, leaves)| leaves <= MOST_LEAVES)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::oracle::{self, Board};

    /// Perft by the oracle.
    fn count(board: &Board, depth: u32) -> u64 {
        if depth == 1 {
            return u64::from(oracle::count_moves(board).0);
        }
        let mut leaves = 0;
        oracle::each_move(board, |mv, _| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += count(&child, depth - 1);
        });
        leaves
    }

    #[test]
    fn the_file_is_complete() {
        let facts = perft();
        assert_eq!(facts.len(), 220);
        // The full collection has 1483 counts; six of them belong to the position left out.
        assert_eq!(facts.iter().map(|fact| fact.perft.len()).sum::<usize>(), 1483 - 6);
        let mut groups: Vec<_> = facts.iter().map(|fact| fact.group.as_str()).collect();
        groups.dedup();
        let known =
            ["cpw", "sharper", "merlino", "roce", "sedlak", "jones", "shakmaty", "record", "own"];
        assert_eq!(groups, known);
        let names: HashSet<_> = facts.iter().map(|fact| fact.name.as_str()).collect();
        assert_eq!(names.len(), facts.len(), "two positions share a name");
        for fact in facts {
            let depths = fact.perft.iter().map(|&(depth, _)| depth);
            assert!(depths.eq(1..=fact.perft.len() as u32), "{}: a depth is missing", fact.name);
        }
    }

    #[test]
    fn well_known_counts_belong_to_their_positions() {
        let of = |name| perft().iter().find(|fact| fact.name == name).expect("a name in the file");
        assert_eq!(of("start").count(13), Some(1_981_066_775_000_396_239));
        assert_eq!(of("kiwipete").count(4), Some(4_085_603));
        assert_eq!(of("max-218-petrovic").count(1), Some(218));
        assert_eq!(of("stalemate-now").count(1), Some(0));
    }

    #[test]
    fn six_positions_have_a_perft_to_time() {
        let found: Vec<_> = perft()
            .iter()
            .filter_map(|fact| Some((fact.name.as_str(), timed_perft(&fact.position)?)))
            .collect();
        let known = [
            ("start", (3, 8_902)),
            ("kiwipete", (3, 97_862)),
            ("cpw-3", (4, 43_238)),
            ("cpw-4", (3, 9_467)),
            ("cpw-5", (3, 62_379)),
            ("cpw-6", (3, 89_890)),
        ];
        assert_eq!(found, known);
    }

    #[test]
    fn the_oracle_agrees_with_every_count_to_depth_three() {
        for fact in perft() {
            let board = oracle::board(&fact.position).expect("the oracle accepts all facts");
            for &(depth, known) in fact.perft.iter().filter(|&&(depth, _)| depth <= 3) {
                assert_eq!(count(&board, depth), known, "{} at depth {depth}", fact.name);
            }
        }
    }

    #[test]
    #[ignore = "about 2 s; run by CI with --include-ignored"]
    fn the_oracle_agrees_with_every_count_at_depth_four() {
        for fact in perft() {
            let board = oracle::board(&fact.position).expect("the oracle accepts all facts");
            if let Some(known) = fact.count(4) {
                assert_eq!(count(&board, 4), known, "{}", fact.name);
            }
        }
    }
}
