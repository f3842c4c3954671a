//! Findings that are accepted, each with its reason.

use raywalk_audit::{Check, Exception};

/// Findings that are accepted, each with its reason. An exception that no finding needs is a finding.
pub(super) const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: Check::BoardLoopEnd,
        design: "raylist",
        stages: &[],
        source: "raylist/src/walk.rs",
        reason: "The ring ends when its first ray comes again. The cell selects the ray, and rays are part \
                 of the board's piece list instead of a table.",
    },
    Exception {
        check: Check::Stack,
        design: "bell/*",
        stages: &[],
        source: "",
        reason: "One routine serves all sliders: direction, last direction, step, end of the ray, origin, side, \
                 cell, tables, board, list and its length are more than the registers that the loops around \
                 it leave.",
    },
    Exception {
        check: Check::Stack,
        design: "mailbox/*",
        stages: &["all", "sliders"],
        source: "core/src/square_board/steps.rs",
        reason: "A test of the index, or a move of several fields, takes one register more than there are: the \
                 colour bit of a leap, or the board, is read from the stack.",
    },
    Exception {
        check: Check::Stack,
        design: "ox88/pair-scan",
        stages: &["all"],
        source: "core/src/square_board/steps.rs",
        reason: "The same code as mailbox/0x88 in this stage.",
    },
    Exception {
        check: Check::Stack,
        design: "ox88/pair-scan",
        stages: &["captures"],
        source: "core/src/square_board/differences.rs",
        reason: "List and origin are on the stack, and only a pair that passes its rare test reads them.",
    },
    Exception {
        check: Check::Stack,
        design: "reul/vector-attacks",
        stages: &["captures"],
        source: "core/src/square_board/differences.rs",
        reason: "List and origin are on the stack, and only a pair that passes its rare test reads them.",
    },
    Exception {
        check: Check::Stack,
        design: "linked-list/index32-scored",
        stages: &["all"],
        source: "linked-list/src/walk.rs",
        reason: "Four promotions with their scores take one register more than there are: the bit of the enemy's \
                 colour is read from the stack. Only captures of a pawn on the seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        design: "linked-list/index32-score-lookup",
        stages: &["all"],
        source: "linked-list/src/walk.rs",
        reason: "Four promotions with their scores take one register more than there are: the bit of the enemy's \
                 colour is read from the stack. Only captures of a pawn on the seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        design: "linked-list/index32-streamed",
        stages: &["all"],
        source: "linked-list/src/walk.rs",
        reason: "A store past the caches takes its address in a register. Four of them, for a promotion, leave none for \
                 the bit of the enemy's colour, which is read from the stack. Only captures of a pawn on the \
                 seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        design: "setwise/kogge-stone-guarded",
        stages: &["all"],
        source: "",
        reason: "The sets that a guard leaves out or not are all kept until the writer, more than there are \
                 registers: the address of the tables is read again after a move.",
    },
    Exception {
        check: Check::Stack,
        design: "dirgolem/*",
        stages: &[],
        source: "",
        reason: "Sixteen sets and those of the pins are more than there are registers: one set is read from the \
                 stack for each move.",
    },
    Exception {
        check: Check::Stack,
        design: "legal/*",
        stages: &["all", "captures", "quiets"],
        source: "",
        reason: "Each target of the king, and each pawn, is tested against the sets of all attackers, which are \
                 more than there are registers.",
    },
    Exception {
        check: Check::Stack,
        design: "simd/legal",
        stages: &["all", "captures"],
        source: "simd/src/sets.rs",
        reason: "The loop tries en passant captures, which one position in a hundred has. The sets of all attackers \
                 are more than there are registers.",
    },
];
