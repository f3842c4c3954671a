//! A perft that remembers: counts by position and depth, so that a transposition is counted once.
//!
//! Not a measure of a generator, since it generates less; a way to deep counts, and one more check
//! that make, unmake and keys agree.

use raywalk_core::{Entries, Generator, Hashed, Key, Leaves, Legality, MoveList};

/// Counts by key and depth; the newest stays.
pub struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

/// The depth stands in the top byte of `count`: no perft below 2^56 needs it, and deeper ones do not
/// end.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    count: u64,
}

const COUNT: u64 = (1 << 56) - 1;

impl Table {
    /// A table of at most this many MiB, at least one entry: the largest power of two that fits.
    pub fn new(mebibytes: usize) -> Table {
        let fitting = (mebibytes << 20) / size_of::<Entry>();
        let length = if fitting == 0 { 1 } else { 1 << fitting.ilog2() };
        Table { entries: vec![Entry::default(); length], mask: length - 1 }
    }

    fn get(&self, key: Key, depth: u32) -> Option<u64> {
        let entry = self.entries[key.0 as usize & self.mask];
        (entry.key == key.0 && entry.count >> 56 == u64::from(depth)).then_some(entry.count & COUNT)
    }

    fn put(&mut self, key: Key, depth: u32, count: u64) {
        if count <= COUNT {
            self.entries[key.0 as usize & self.mask] =
                Entry { key: key.0, count: u64::from(depth) << 56 | count };
        }
    }
}

/// As [`raywalk_core::perft`], with a table. Depth 1 is not remembered: generating is as fast.
pub fn perft<G: Entries>(
    generator: &G,
    board: &mut Hashed<G::Board>,
    depth: u32,
    leaves: Leaves,
    table: &mut Table,
) -> u64 {
    use raywalk_core::Board;

    if depth == 0 {
        return 1;
    }
    if depth > 1
        && let Some(count) = table.get(board.key(), depth)
    {
        return count;
    }
    let mut list = MoveList::new();
    generator.all(board.board(), &mut list);
    let legal = <G as Generator>::CARD.legality == Legality::Legal;
    if legal && depth == 1 && leaves == Leaves::Bulk {
        return list.len() as u64;
    }
    let side = board.board().state().side;
    let mut count = 0;
    for mv in list.moves() {
        let undo = board.make(mv);
        if legal || !board.board().in_check(side) {
            count += perft(generator, board, depth - 1, leaves, table);
        }
        board.unmake(mv, undo);
    }
    if depth > 1 {
        table.put(board.key(), depth, count);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use raywalk_positions::facts;

    #[test]
    fn a_tiny_table_forgets_and_a_large_one_remembers_but_both_count_right() {
        let design = registry::named(registry::REFERENCE).expect("the reference").build();
        let design = design.expect("it needs nothing");
        for mebibytes in [0, 1, 16] {
            for fact in facts::perft() {
                for &(depth, nodes) in fact.perft.iter().filter(|(_, nodes)| *nodes < 20_000) {
                    let found = design.perft_hashed(&fact.position, depth, Leaves::Made, mebibytes);
                    assert_eq!(found, nodes, "{} D{depth}, {mebibytes} MiB", fact.name);
                }
            }
        }
    }
}
