//! The card of a design: facts and claims from its source, never measured values.

use std::fmt;

/// The description of a design. Table sizes, branches and times are measured and reported
/// elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// `family` or `family/variant` in lower case: the name in commands and in every file.
    pub id: &'static str,
    /// The name in tables and reports.
    pub name: &'static str,
    /// Who made the design: people, the developers of a program, or a wiki.
    pub author: &'static str,
    /// Year of publication or first use; `None` if the source has no date.
    pub year: Option<u16>,
    /// Publication, program or thread that describes the design.
    pub source: &'static str,
    /// The control flow that the source claims. Reports compare it with counted branches.
    pub control: Control,
    /// Whether the moves are pseudo-legal or legal. Reports never compare the two without a mark.
    pub legality: Legality,
    /// Table size in bytes as the source states it. Reports compare it with
    /// [`Generator::table_bytes`](crate::Generator::table_bytes).
    pub published_bytes: Option<usize>,
    /// CPU features that the design requires.
    pub needs: &'static [Feature],
    /// Parts that the sources do not show and this project completed; may be empty.
    pub reconstructed: &'static str,
}

impl Card {
    /// The part of the id before the slash. Designs of one family are in one crate.
    pub fn family(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }
}

/// The control flow that a design claims for finding targets and writing moves.
///
/// Rare moves are castling, en passant, promotions and the moves of pieces that only promotions bring. Most designs
/// test for them by branches. These do not count if the shared rules make them, or if they test sets that the board
/// keeps. They do count if the design itself finds out from the squares of its board: it is mixed then, and its card
/// says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// A branch depends on each visited square.
    Branchy,
    /// No branch depends on the contents of a square, except the ends of loops.
    Branchless,
    /// Branchless in one part and branchy in another: finding targets and writing moves, or usual moves and rare ones.
    Mixed,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Control::Branchy => "branchy",
            Control::Branchless => "branchless",
            Control::Mixed => "mixed",
        })
    }
}

/// Whether generated moves may leave the own king in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legality {
    /// A move may leave the own king in check. Castling moves are legal all the same.
    Pseudo,
    /// No generated move leaves the own king in check.
    Legal,
}

impl fmt::Display for Legality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Legality::Pseudo => "pseudo-legal",
            Legality::Legal => "legal",
        })
    }
}

/// A CPU feature that a design requires; tested once, when its tables are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Feature {
    /// The instructions `pext` and `pdep`.
    #[error("BMI2 (pext), which this machine lacks")]
    Bmi2,
    /// 256-bit integer vectors.
    #[error("AVX2, which this machine lacks")]
    Avx2,
    /// `vpcompressb` and the extensions it needs here (F, BW, CD, DQ, VL, VBMI, VBMI2, BITALG, VPOPCNTDQ).
    #[error("AVX-512 VBMI2, which this machine lacks")]
    Avx512Vbmi2,
    /// An x86-64 processor, for designs in inline assembly.
    #[error("an x86-64 processor")]
    X86_64,
}

impl Feature {
    /// Whether this machine has the feature.
    pub fn present(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Feature::Bmi2 => is_x86_feature_detected!("bmi2"),
            Feature::Avx2 => is_x86_feature_detected!("avx2"),
            Feature::Avx512Vbmi2 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
                    && is_x86_feature_detected!("avx512bitalg")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            Feature::X86_64 => true,
        };
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Fails with the feature itself if it is missing, as in `Feature::Bmi2.require()?` at the
    /// start of [`Generator::build`](crate::Generator::build).
    pub fn require(self) -> Result<(), Feature> {
        if self.present() { Ok(()) } else { Err(self) }
    }
}
