//! The conformance kit: the tests that every design must pass before it is timed.
//!
//! One line in the `tests/conformance.rs` of a design creates one test per obligation:
//!
//! ```ignore
//! raywalk_conformance::conformance!(raywalk_reul::BlockerLoop);
//! raywalk_conformance::conformance!(bytes: raywalk_butterfly::U8Split);
//! ```
//!
//! The expected results come from three sources that share no code with any design: published perft
//! counts, cozy-chess for legal moves, and a short naive generator for pseudo-legal moves.
//!
//! A failure names the design, the moves that are missing and those that are too many, and the
//! position as FEN and as a diagram. An illegal move is reported as such before any move is made.
//!
//! `RAYWALK_KIT=small` makes the kit faster, for user-mode emulators: the same obligations on the same rule positions,
//! with fewer random games and smaller perft counts.

#![allow(clippy::missing_panics_doc, reason = "an obligation is a test and fails by panicking")]

mod cases;
mod design;
mod failure;
mod naive;
pub mod obligations;
mod size;

pub use design::Design;

/// Creates one `#[test]` per obligation for a design. With a name in front, the tests are in a
/// module of that name, so that one file can test several designs.
#[macro_export]
macro_rules! conformance {
    ($name:ident: $design:ty) => {
        mod $name {
            $crate::conformance!($design);
        }
    };
    ($design:ty) => {
        $crate::conformance!(@each $design:
            the_card_is_complete_and_has_a_valid_id,
            perft_gives_the_published_counts,
            the_legal_moves_equal_those_of_an_independent_oracle,
            the_pseudo_legal_moves_equal_those_of_a_naive_generator,
            captures_and_quiets_partition_all_moves,
            the_stage_captures_has_exactly_the_captures,
            the_entry_sliders_has_the_slider_moves_of_the_entry_all,
            a_mirrored_position_has_mirrored_moves,
            moves_are_appended_to_the_list,
            the_positions_with_most_moves_fit_the_list,
            unmake_restores_what_make_changed,
            the_incremental_key_equals_the_key_from_scratch,
            make_leads_to_the_position_of_an_independent_oracle,
            the_board_finds_the_checks_that_an_independent_oracle_finds,
            attack_sets_equal_those_of_an_independent_oracle,
            the_attack_sets_of_queens_equal_those_of_an_independent_oracle,
            the_first_moves_are_moves_of_their_stage,
            the_moves_to_a_square_are_those_that_end_there,
            the_winning_captures_equal_those_of_an_independent_oracle,
            the_count_without_a_list_is_the_number_of_legal_moves,
            perft_by_copies_gives_the_counts_that_are_published_and_those_of_lists,
        );
    };
    (@each $design:ty: $($obligation:ident),+ $(,)?) => {$(
        #[test]
        fn $obligation() {
            $crate::obligations::$obligation(&$crate::Design::of::<$design>());
        }
    )+};
}
