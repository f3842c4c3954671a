//! Calls of the functions of a plug-in.

use std::ffi::{CString, c_int, c_void};

use raywalk_core::{Color, Leaves, Square, StageId};

use super::{Generate, Perft, Table};
use crate::plugin::offered::Offered;
use crate::plugin::slots::{ALIGN, Slots};

/// Stands for a text that is no move.
const TOO_LONG: [u8; 8] = *b"too long";

pub(super) const CHECKED: &str = "a function, which was checked when the library was loaded";

pub(super) fn generate(table: &Table, stage: StageId) -> Generate {
    let number = match stage {
        StageId::All => 0,
        StageId::Captures => 1,
        StageId::Quiets => 2,
    };
    table.generate[number].expect(CHECKED)
}

/// The functions of a design whose tables are built, behind a safe surface: places are checked, and memory
/// has the sizes that the design states.
#[derive(Clone, Copy)]
pub(in crate::plugin) struct Functions {
    pub(super) table: &'static Table,
    pub(super) tables: *const c_void,
    pub(in crate::plugin) table_bytes: u64,
}

// SAFETY: the header promises that tables do not change after `build`.
unsafe impl Send for Functions {}
// SAFETY: as above. Calls of one library are made one at a time, by whoever holds its boards and lists.
unsafe impl Sync for Functions {}

/// Stands for the timed function in an empty call.
unsafe extern "C" fn nothing(_: *const c_void, _: *mut c_void, _: *mut c_void) -> u32 {
    0
}

impl Functions {
    pub(in crate::plugin) fn boards(&self) -> Slots {
        let align = self.table.board_align as usize;
        Slots::of((self.table.board_bytes as usize).next_multiple_of(align))
    }

    pub(in crate::plugin) fn lists(&self) -> Slots {
        let bytes = self.list_moves() * self.table.move_bytes as usize;
        Slots::of(bytes.next_multiple_of(ALIGN))
    }

    pub(in crate::plugin) fn moves(&self) -> Slots {
        Slots::of(self.table.move_bytes as usize)
    }

    pub(in crate::plugin) fn undos(&self) -> Slots {
        // At least one byte, so that each record has an address of its own.
        Slots::of((self.table.undo_bytes as usize).max(1).next_multiple_of(ALIGN))
    }

    fn list_moves(&self) -> usize {
        self.table.list_moves as usize
    }

    pub(in crate::plugin) fn makes_moves(&self) -> bool {
        self.table.make.is_some()
    }

    pub(in crate::plugin) fn is_legal(&self) -> bool {
        self.table.is_legal()
    }

    pub(in crate::plugin) fn offered(&self) -> Offered {
        self.table.offered()
    }

    /// The perft of the design itself, if it has one.
    fn own_perft(&self, leaves: Leaves) -> Option<Perft> {
        match leaves {
            Leaves::Bulk => self.table.perft,
            Leaves::Made => self.table.perft_made,
        }
    }

    pub(in crate::plugin) fn has_perft(&self, leaves: Leaves) -> bool {
        self.own_perft(leaves).is_some()
    }

    /// Sets up a board. False if the design refuses the FEN.
    #[must_use]
    pub(in crate::plugin) fn load(&self, fen: &str, boards: &mut Slots, board: usize) -> bool {
        let Ok(fen) = CString::new(fen) else { return false };
        let load = self.table.load.expect(CHECKED);
        // SAFETY: a board of the stated size, and a text that ends with a zero.
        unsafe { load(self.tables, boards.at(board), fen.as_ptr()) != 0 }
    }

    /// Generates a stage into a list and returns the number of moves.
    #[inline(always)]
    pub(in crate::plugin) fn generate(
        &self,
        stage: StageId,
        [boards, lists]: [&mut Slots; 2],
        [board, list]: [usize; 2],
    ) -> usize {
        // SAFETY: a board and a list of the stated sizes.
        let count =
            unsafe { generate(self.table, stage)(self.tables, boards.at(board), lists.at(list)) };
        // A design that says more has written behind the list, and fails its checks with what is in it.
        (count as usize).min(self.list_moves())
    }

    /// The function that generates a stage, or that of the empty call.
    pub(in crate::plugin) fn entry(&self, stage: Option<StageId>) -> Generate {
        stage.map_or(nothing, |stage| generate(self.table, stage))
    }

    /// The timed loop: calls an entry for each board, with the list that `next` chooses, and counts the moves.
    #[inline(always)]
    pub(in crate::plugin) fn count(
        &self,
        calls: impl Iterator<Item = (Generate, *mut c_void)>,
        mut next: impl FnMut() -> *mut c_void,
    ) -> u64 {
        let mut moves = 0;
        for (entry, board) in calls {
            // SAFETY: a board and a list of the stated sizes, which the callers take from their slots.
            moves += u64::from(unsafe { entry(self.tables, board, next()) });
        }
        moves
    }

    /// A move of a list in coordinate notation, or what the design wrote in its place. A zero ends it, unless it has
    /// eight bytes.
    pub(in crate::plugin) fn uci_of(
        &self,
        [boards, lists]: [&Slots; 2],
        [board, list]: [usize; 2],
        number: usize,
    ) -> [u8; 8] {
        // More room than is stated, so that a text that is too long is seen.
        let mut text = [[0; 8]; 8];
        let to_uci = self.table.to_uci.expect(CHECKED);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board and a move of the stated sizes, and the text has more than the size that the header states.
        unsafe {
            to_uci(self.tables, boards.get(board), mv, text.as_mut_ptr().cast());
        }
        let [text, behind @ ..] = text;
        if behind == [[0; 8]; 7] { text } else { TOO_LONG }
    }

    /// Writes the move that a text means. False if the design does not have it.
    #[must_use]
    pub(in crate::plugin) fn move_of(
        &self,
        text: &str,
        boards: &Slots,
        board: usize,
        moves: &mut Slots,
        mv: usize,
    ) -> bool {
        let Ok(text) = CString::new(text) else { return false };
        let from_uci = self.table.from_uci.expect(WALKS);
        // SAFETY: a board and a move of the stated sizes, and a text that ends with a zero.
        unsafe { from_uci(self.tables, boards.get(board), text.as_ptr(), moves.at(mv)) != 0 }
    }

    /// Makes a move. False if it left the own king in check.
    #[inline(always)]
    #[must_use]
    pub(in crate::plugin) fn make(
        &self,
        boards: &mut Slots,
        moves: &Slots,
        undos: &mut Slots,
        [board, mv, undo]: [usize; 3],
    ) -> bool {
        let make = self.table.make.expect(WALKS);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { make(self.tables, boards.at(board), moves.get(mv), undos.at(undo)) != 0 }
    }

    #[inline(always)]
    pub(in crate::plugin) fn unmake(
        &self,
        boards: &mut Slots,
        moves: &Slots,
        undos: &Slots,
        [board, mv, undo]: [usize; 3],
    ) {
        let unmake = self.table.unmake.expect(WALKS);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { unmake(self.tables, boards.at(board), moves.get(mv), undos.get(undo)) }
    }

    /// The address of a move of a list.
    #[inline(always)]
    fn listed(&self, lists: &Slots, list: usize, number: usize) -> *const c_void {
        assert!(number < self.list_moves(), "a move of the list");
        lists.get(list).wrapping_byte_add(number * self.table.move_bytes as usize)
    }

    /// Makes a move of a list. False if it left the own king in check.
    #[inline(always)]
    #[must_use]
    pub(in crate::plugin) fn make_listed(
        &self,
        boards: &mut Slots,
        lists: &Slots,
        undos: &mut Slots,
        [board, list, number, undo]: [usize; 4],
    ) -> bool {
        let make = self.table.make.expect(WALKS);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { make(self.tables, boards.at(board), mv, undos.at(undo)) != 0 }
    }

    /// Takes a move of a list back.
    #[inline(always)]
    pub(in crate::plugin) fn unmake_listed(
        &self,
        boards: &mut Slots,
        lists: &Slots,
        undos: &Slots,
        [board, list, number, undo]: [usize; 4],
    ) {
        let unmake = self.table.unmake.expect(WALKS);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { unmake(self.tables, boards.at(board), mv, undos.get(undo)) }
    }

    /// Whether a piece of a side attacks a square.
    #[inline(always)]
    pub(in crate::plugin) fn attacked(
        &self,
        boards: &Slots,
        board: usize,
        square: Square,
        by: Color,
    ) -> bool {
        let attacked =
            self.table.attacked.expect("a function, because only offered calls are made");
        let (square, white) = (u32::from(square.number()), c_int::from(by == Color::White));
        // SAFETY: a board of the stated size.
        unsafe { attacked(self.tables, boards.get(board), square, white) != 0 }
    }

    /// The perft of the design itself.
    pub(in crate::plugin) fn perft(
        &self,
        boards: &mut Slots,
        board: usize,
        depth: u32,
        leaves: Leaves,
    ) -> u64 {
        let perft = self.own_perft(leaves).expect("a perft, because `has_perft` was asked");
        // SAFETY: a board of the stated size.
        unsafe { perft(self.tables, boards.at(board), depth) }
    }
}

const WALKS: &str = "a function, because only designs that can walk are asked to";
