//! The tables of the legal designs, of which their lists and their perft read parts.

use raywalk_core::bitboards::attacks::leaper_table_bytes;

use crate::compress_pext::PextAttacks;
use crate::cpu::Shuffles;
use crate::patterns::Patterns;
use crate::ready::ReadyMoves;
use crate::threats::Rays;

/// Those of the design that writes lists by word compress.
#[repr(C, align(64))]
pub(crate) struct CompressTables {
    pub(crate) rays: Rays,
    pub(crate) ready: ReadyMoves,
}

impl CompressTables {
    pub(crate) fn build() -> CompressTables {
        CompressTables { rays: Rays::build(), ready: ReadyMoves::build() }
    }

    /// With the tables of leapers, by which [`Sides`](crate::sides::Sides) finds attacked squares and checks.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.rays) + self.ready.table_bytes() + leaper_table_bytes()
    }
}

/// Those of the design that writes lists by shuffles.
#[repr(C, align(64))]
pub(crate) struct ShuffleTables {
    pub(crate) rays: Rays,
    pub(crate) ready: ReadyMoves,
    pub(crate) patterns: Patterns,
    /// Attack sets of sliders, which only perft reads.
    pub(crate) sliders: PextAttacks,
}

impl ShuffleTables {
    pub(crate) fn build(shuffles: Shuffles) -> ShuffleTables {
        ShuffleTables {
            rays: Rays::build(),
            ready: ReadyMoves::build(),
            patterns: Patterns::build(),
            sliders: PextAttacks::new(shuffles.into()),
        }
    }

    /// Without those of perft, and with the tables of leapers, as [`CompressTables::bytes`].
    pub(crate) fn bytes_of_lists(&self) -> usize {
        let patterns = size_of_val(&self.patterns);
        size_of_val(&self.rays) + self.ready.table_bytes() + patterns + leaper_table_bytes()
    }
}
