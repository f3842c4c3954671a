//! The bundled perft facts: 220 positions with published or recomputed perft counts.

use std::sync::LazyLock;

use crate::epd::{self, Fact};

/// The file, with the source of each group in its comments.
const PERFT: &str = include_str!("../facts/perft.epd");

/// The bundled positions with their perft counts, in the order of the file.
pub fn perft() -> &'static [Fact] {
    static FACTS: LazyLock<Vec<Fact>> =
        LazyLock::new(|| epd::read(PERFT).expect("a test reads the bundled file"));
    &FACTS
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
