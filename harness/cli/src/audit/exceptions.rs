//! Findings that are accepted, each with its reason.
//!
//! Most are variables on the stack. Few of their loops run along rays or lists: the others visit pawns, or complete
//! rare moves. An exception states which part of the executed instructions may have the stack operands of one such
//! loop, a little more than have them today.

use raywalk_audit::EntryStage::{self, All, Captures, Quiets, Sliders, Winning};
use raywalk_audit::{Check, Exception};

const EVERY: &[EntryStage] = &[All, Captures, Quiets];
const WHOLE: &[EntryStage] = &[All, Captures, Quiets, Sliders];

/// Findings that are accepted, each with its reason. The audit fails if a named entry does not have the finding.
pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: Check::BoardJump,
        entries: &[
            ("simd/compress", WHOLE),
            ("simd/compress-obstruction", WHOLE),
            ("simd/records", WHOLE),
            ("simd/records-to-memory", WHOLE),
            ("simd/records-shuffle", WHOLE),
            ("simd/bit-rays", WHOLE),
        ],
        sources: &["simd/src/slots.rs:113", "simd/src/slots.rs:117"],
        at_most: None,
        reason: "The sets tell whether a castling move is unobstructed, and whether there are rare moves: \
                 promotions, en passant, and moves of more pieces than there are slots. The board keeps these sets, \
                 and the card allows that. All others are written without a jump.",
    },
    Exception {
        check: Check::BoardJump,
        entries: &[("simd/dirgolem", WHOLE)],
        sources: &["simd/src/dirgolem.rs:221", "simd/src/dirgolem.rs:230"],
        at_most: None,
        reason: "The sets tell whether there are rare moves: promotions, en passant, and more targets in a direction \
                 than whole vectors have room for. All others are written without a jump.",
    },
    Exception {
        check: Check::BoardJump,
        entries: &[("dense-index/by-density", &[All, Captures, Quiets, Sliders])],
        sources: &["dense-index/src/by_density.rs:92"],
        at_most: None,
        reason: "The loop for the rest of a walk tests for the end of the list before its first step: whether a \
                 walk is longer than most depends on the board, as the end of every walk does.",
    },
    Exception {
        check: Check::BoardLoopEnd,
        entries: &[("raylist", EVERY)],
        sources: &["raylist/src/walk.rs"],
        at_most: None,
        reason: "The ring ends when its first ray comes again. The cell selects the ray, and rays are part \
                 of the board's piece list instead of a table.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("mailbox/array-2d", EVERY),
            ("mailbox/unguarded-8x8", EVERY),
            ("mailbox/10x12-two-arrays", EVERY),
            ("mailbox/10x12-two-arrays-bytes", EVERY),
            ("mailbox/10x12-two-arrays-120", EVERY),
            ("mailbox/10x12-two-arrays-two-boards", EVERY),
            ("mailbox/10x12", &[Captures, Quiets]),
            ("mailbox/10x12-unrolled", &[Captures]),
            ("mailbox/10x12-captures-then-quiets", EVERY),
            ("mailbox/0x88", EVERY),
            ("mailbox/15x12", &[Captures, Quiets]),
            ("mailbox/16x12", EVERY),
            ("mailbox/10x12-ranges", EVERY),
            ("mailbox/10x12-gambiet", EVERY),
            ("mailbox/10x12-shift", &[Captures, Quiets]),
            ("mailbox/10x12-diep", EVERY),
            ("mailbox/10x12-typed-pawns", EVERY),
            ("mailbox/10x12-reul", &[Captures, Quiets]),
            ("mailbox/10x12-moves-21", EVERY),
            ("mailbox/10x12-moves-object", EVERY),
            ("mailbox/10x12-moves-32", EVERY),
            ("mailbox/10x12-moves-captured", EVERY),
            ("mailbox/10x12-moves-scored", EVERY),
            ("mailbox/10x12-moves-streamed", EVERY),
            ("mailbox/10x12-ply-lists", &[Captures, Quiets]),
            ("mailbox/10x12-ply-stack", &[Captures, Quiets]),
            ("mailbox/10x12-two-lists", EVERY),
            ("mailbox/10x12-pawn-writers", EVERY),
            ("bell/last-square", EVERY),
            ("bell/steps", EVERY),
            ("bell/empty-first", &[Captures, Quiets]),
            ("bell/two-boards", EVERY),
            ("ox88/pair-scan", &[All, Quiets]),
            ("raylist", EVERY),
            ("reul/blocker-loop", &[Captures, Quiets, Winning]),
            ("reul/vector-attacks", &[Quiets]),
            ("gambiet/flags", EVERY),
            ("gambiet/computed", EVERY),
            ("gambiet/class-table", &[All, Captures]),
            ("butterfly/i16-split", &[Quiets]),
            ("butterfly/u8-split", &[Quiets]),
            ("butterfly/gnu-captures", &[Quiets]),
            ("butterfly/colour-board", &[Quiets]),
            ("butterfly/u8-used-kinds", &[Quiets]),
            ("butterfly/branch-free", &[Quiets]),
            ("butterfly/half-board-branch-free", &[Quiets]),
            ("simd/byteboard-scalar", &[All, Captures]),
        ],
        sources: &[
            "core/src/square_board/pawns.rs",
            "core/src/square_board/list.rs",
            "butterfly/src/walk.rs:193",
            "butterfly/src/walk.rs:274",
            "mailbox/src/pawn_writers.rs:75",
            "reul/src/winning.rs:71",
            "raylist/src/walk.rs:87",
            "raylist/src/walk.rs:95",
        ],
        at_most: Some(0.02),
        reason: "An iteration of the loop over pawns reads up to four cells and writes up to twelve moves, or \
                 two cells and eight moves where only captures are wanted. The compiler \
                 keeps the board, the list, the side or a step on the stack there. It is entered once for each \
                 pawn, not for each square.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("dense-index/lock-step", &[All, Captures]),
            ("dense-index/lock-step-3", EVERY),
            ("dense-index/lock-step-4", &[All, Captures, Quiets, Sliders]),
            ("dense-index/fixed-trip", EVERY),
            ("dense-index/straight-line", &[All, Captures, Quiets, Sliders]),
            ("dense-index/by-density", EVERY),
        ],
        sources: &[
            "dense-index/src/fixed_trip.rs:103",
            "dense-index/src/fixed_trip.rs:108",
            "dense-index/src/node.rs",
        ],
        at_most: Some(0.05),
        reason: "A walk in flight takes a square, an index and an addend. Several of them, or the lists of a \
                 pawn in straight-line code, leave no registers for the addresses of table and board, which are \
                 read from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("bell/last-square", &[All]),
            ("bell/steps", &[All]),
            ("bell/two-boards", &[All]),
        ],
        sources: &["bell/src/boards.rs"],
        at_most: Some(0.03),
        reason: "One routine serves all sliders, and the loops around it keep their values in registers: the \
                 compiler reads the address of the list or of a board from the stack in each iteration, along a \
                 ray as well as for the leaps of knight and king.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("mailbox/array-2d", &[Captures])],
        sources: &["mailbox/src/array.rs:67"],
        at_most: Some(0.005),
        reason: "The compiler reads the address of the list, or the side, from the stack for a capture, and \
                 keeps registers for the loops around.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("goulet/steps", &[Quiets])],
        sources: &["goulet/src/walk.rs:43"],
        at_most: Some(0.01),
        reason: "The rays of pawns are ranges of the database. The compiler reads the address of the list, or \
                 the origin, from the stack in the loop over a range.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("mailbox/unguarded-8x8", &[All, Sliders]),
            ("mailbox/0x88", &[All, Sliders]),
            ("mailbox/10x12-gambiet", &[All, Sliders]),
            ("ox88/pair-scan", &[All]),
        ],
        sources: &["core/src/square_board/steps.rs:101", "core/src/square_board/steps.rs:115"],
        at_most: Some(0.015),
        reason: "The compiler reads the colour bit of a leap, what a leap adds to a code, or the board, from the \
                 stack for each target, and keeps registers for the loops around.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("ox88/pair-scan", &[Captures, Winning]),
            ("reul/vector-attacks", &[Captures, Winning]),
        ],
        sources: &["core/src/square_board/differences.rs"],
        at_most: Some(0.001),
        reason: "List and origin are on the stack, and only a pair that passes its rare test reads them.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("gambiet/class-table", &[Captures])],
        sources: &["gambiet/src/ray.rs:45"],
        at_most: Some(0.001),
        reason: "For an enemy on a ray the loop reads an address from the stack; for an empty square it does not. \
                 The table of classes is one address more than the loop of its sibling has.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("diep/branchy-advance", &[All, Captures]), ("diep/register-occupancy", &[All])],
        sources: &["diep/src/walk.rs:32", "diep/src/reading.rs"],
        at_most: Some(0.001),
        reason: "Four promotions take one register more than there are: a part of the move is read from the \
                 stack. Only a pawn on the seventh rank comes here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("linked-list/index32-scored", &[All]),
            ("linked-list/index32-score-lookup", &[All]),
            ("linked-list/index32-streamed", &[All]),
        ],
        sources: &["linked-list/src/walk.rs:164"],
        at_most: Some(0.001),
        reason: "Four promotions with their scores, or with addresses for stores past the caches, take one \
                 register more than there are: the bit of the enemy's colour is read from the stack. Only \
                 captures of a pawn on the seventh rank come here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("linked-list/legal", &[All, Captures, Quiets, Sliders])],
        sources: &[
            "linked-list/src/pieces/moves.rs",
            "linked-list/src/pieces/board.rs",
            "linked-list/src/pieces/safety.rs",
        ],
        at_most: Some(0.015),
        reason: "Pinned pieces, the cells that resolve a check, king, board and list live in each loop: the \
                 compiler reads some of them from the stack for each target.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("setwise/kogge-stone-guarded", &[All, Captures]),
            ("dirgolem/kogge-stone", &[All, Captures]),
            ("dirgolem/kogge-stone-branchy", &[All, Quiets]),
            ("dirgolem/dumb7", &[Captures]),
        ],
        sources: &["core/src/set_wise/serialise.rs"],
        at_most: Some(0.005),
        reason: "Sixteen sets, with those of the pins or of the guards, live across the writer. The compiler \
                 reads one of them from the stack for each move. In dirgolem/kogge-stone it keeps the set of one \
                 direction, which it empties, in the place on the stack where the fill has left it. A set that is \
                 hidden from the compiler before the loop stays in a register there, and another set of \
                 dirgolem/dumb7 goes to the stack instead, for 1.7 % more instructions.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("setwise/kogge-stone-delayed", EVERY)],
        sources: &["core/src/set_wise/rolled.rs"],
        at_most: Some(0.001),
        reason: "The words of promotions and en passant are completed in a loop of their own, which few \
                 positions enter, and which reads the rays and the board from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("setwise/kogge-stone-rolled", EVERY)],
        sources: &["setwise/src/rolled.rs"],
        at_most: Some(0.03),
        reason: "The loops over directions are the parameter: their bounds are hidden from the compiler, which \
                 keeps them and the sets that all directions read on the stack. An iteration fills a direction, \
                 and no iteration is one square.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("legal/hyperbola", &[All, Captures, Quiets, Sliders]),
            ("legal/pext", &[All, Captures, Quiets, Sliders]),
            ("legal/pext-constants", &[All, Captures, Quiets, Sliders]),
        ],
        sources: &["bitboard/src/sets.rs", "bitboard/src/sink.rs"],
        at_most: Some(0.07),
        reason: "The search for checks and pins visits each enemy slider on a line of the king, and each target of \
                 the king and each pawn is tested against the sets of all attackers. The compiler reads some of \
                 these sets from the stack.",
    },
    Exception {
        check: Check::Stack,
        entries: &[
            ("simd/legal", &[All, Captures]),
            ("simd/legal-keyed", &[All, Captures]),
            ("simd/legal-shuffle", &[All, Captures]),
            ("simd/dirgolem", &[All, Captures]),
        ],
        sources: &["simd/src/en_passant.rs"],
        at_most: Some(0.001),
        reason: "En passant is tried move by move against the attackers of the king, whose sets are on the \
                 stack. Few positions come here.",
    },
    Exception {
        check: Check::Stack,
        entries: &[("simd/legal-shuffle", &[All, Captures, Quiets, Sliders])],
        sources: &["simd/src/store.rs"],
        at_most: Some(0.001),
        reason: "The line of a pinned slider takes the rays of the king beside records, entries, patterns, \
                 wanted and occupied squares, list and its length: one value more than there are registers. Only \
                 pinned sliders and pieces without a slot enter the loop.",
    },
];
