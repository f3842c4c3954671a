//! Findings that are accepted, each with its reason.

use raywalk_audit::EntryStage::{self, All, Captures, Quiets, Sliders, Winning};
use raywalk_audit::{Check, Exception};

const EVERY: &[EntryStage] = &[All, Captures, Quiets];

/// Findings that are accepted, each with its reason. The audit fails if a named entry does not have the finding.
pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: Check::BoardLoopEnd,
        entries: &[("raylist", EVERY)],
        sources: &["raylist/src/walk.rs"],
        reason: "The ring ends when its first ray comes again. The cell selects the ray, and rays are part \
                 of the board's piece list instead of a table.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("bell/last-square", &[All, Sliders]), ("bell/steps", &[All])],
        sources: &["bell/src/walk.rs"],
        reason: "One routine serves all sliders: direction, last direction, step, end of the ray, origin, side, \
                 cell, tables, board, list and its length are more than the registers that the loops around \
                 it leave.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("bell/steps", &[All])],
        sources: &["bell/src/boards.rs"],
        reason: "The step of a direction is a value as well, one more than the registers that the routine of the other \
                 design leaves.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("mailbox/array-2d", &[Captures])],
        sources: &["mailbox/src/array.rs"],
        reason: "File and rank of the walk, their steps, origin, side, board, list and its length are more than there are \
                 registers: a capture reads some from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("goulet/steps", &[All, Quiets])],
        sources: &["goulet/src/walk.rs"],
        reason: "The rays of pawns are ranges of the database: both ends, the index, side, board, list and its length leave \
                 no register for the origin.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("mailbox/unguarded-8x8", &[All, Sliders]),
            ("mailbox/0x88", &[All, Sliders]),
            ("ox88/pair-scan", &[All]),
        ],
        sources: &["core/src/square_board/steps.rs"],
        reason: "A test of the index takes one register more than there are: the colour bit of a leap, or the \
                 board, is read from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("ox88/pair-scan", &[Captures, Winning]),
            ("reul/vector-attacks", &[Captures, Winning]),
        ],
        sources: &["core/src/square_board/differences.rs"],
        reason: "List and origin are on the stack, and only a pair that passes its rare test reads them.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("diep/branchy-advance", &[All, Captures]), ("diep/register-occupancy", &[All])],
        sources: &["diep/src/walk.rs"],
        reason: "Four promotions take one register more than there are: a part of the move is read from the \
                 stack. Only a pawn on the seventh rank comes here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("linked-list/index32-scored", &[All]),
            ("linked-list/index32-score-lookup", &[All]),
        ],
        sources: &["linked-list/src/walk.rs"],
        reason: "Four promotions with their scores take one register more than there are: the bit of the enemy's \
                 colour is read from the stack. Only captures of a pawn on the seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("linked-list/index32-streamed", &[All])],
        sources: &["linked-list/src/walk.rs"],
        reason: "A store past the caches takes its address in a register. Four of them, for a promotion, leave none for \
                 the bit of the enemy's colour, which is read from the stack. Only captures of a pawn on the \
                 seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("setwise/kogge-stone-guarded", &[All, Captures])],
        sources: &["core/src/set_wise/serialise.rs"],
        reason: "The sets that a guard leaves out or not are all kept until the writer, more than there are \
                 registers: the address of the tables is read again after a move.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("setwise/kogge-stone-delayed", &[All, Captures, Quiets])],
        sources: &["core/src/set_wise/rolled.rs"],
        reason: "The words of promotions and en passant are completed in a loop of their own, which few positions \
                 enter, and which reads the rays and the board from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("dirgolem/kogge-stone", &[All, Captures]),
            ("dirgolem/dumb7", &[All, Captures]),
            ("dirgolem/kogge-stone-branchy", &[All, Quiets]),
        ],
        sources: &["core/src/set_wise/serialise.rs", "core/src/set_wise/rays.rs"],
        reason: "Sixteen sets and those of the pins are more than there are registers: one set is read from the \
                 stack for each move.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("legal/hyperbola", EVERY), ("legal/pext", EVERY)],
        sources: &["bitboard/src/legal.rs", "bitboard/src/sets.rs"],
        reason: "Each target of the king, and each pawn, is tested against the sets of all attackers, which are \
                 more than there are registers.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("simd/legal-shuffle", &[All, Captures, Quiets, Sliders])],
        sources: &["simd/src/ready.rs"],
        reason: "The line of a pinned slider takes the rays of the king beside records, entries, patterns, wanted and occupied \
                 squares, list and its length: one value more than there are registers. Only pinned sliders and pieces \
                 without a slot enter the loop.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("linked-list/legal", &[All, Quiets, Sliders])],
        sources: &["linked-list/src/pieces/moves.rs"],
        reason: "Pinned pieces, the cells that resolve a check, king, board and list are more values than there are \
                 registers: some are read from the stack for each target.",
    },
];
