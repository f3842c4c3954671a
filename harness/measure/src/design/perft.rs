//! Perft with a hash table of counts by position and depth, so that a transposition is counted once.
//!
//! It does not measure a generator, because it generates fewer moves. It makes deeper counts feasible and
//! checks that make, unmake and keys agree.

use raywalk_core::{Board, Entries, Generator, Hashed, Key, Leaves, Legality, MoveList};

/// Counts by key and depth. A new entry replaces the old one.
pub(super) struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

/// The top byte of `count` is the depth. No feasible perft reaches 2^56.
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

/// As [`raywalk_core::perft`], with a table. Depth 1 is not stored, because generating is as fast.
pub(super) fn hashed_perft<G: Entries>(
    generator: &G,
    board: &mut Hashed<G::Board>,
    depth: u32,
    leaves: Leaves,
    table: &mut Table,
) -> u64 {
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
    for word in list.moves() {
        let mv = generator.unpack(board.board(), word);
        let undo = board.make(mv);
        if legal || !board.board().in_check(side) {
            count += hashed_perft(generator, board, depth - 1, leaves, table);
        }
        board.unmake(mv, undo);
    }
    if depth > 1 {
        table.put(board.key(), depth, count);
    }
    count
}
