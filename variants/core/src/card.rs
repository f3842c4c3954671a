//! The card of a design: what its source says, never what was measured.

use std::fmt;

/// A design's constant card. Everything on it is a claim or a fact of its history; sizes, branches
/// and times are counted by the machine and stand elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// `family` or `family/variant`, lower case: the name on the command line and in every file.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Who thought of it.
    pub author: &'static str,
    /// When it was published or first used; `None` where the source has no date.
    pub year: Option<u16>,
    /// Where it can be read.
    pub source: &'static str,
    /// The control flow that its source claims; judged by counted branches.
    pub control: Control,
    /// Whether the moves are pseudo-legal or strictly legal. Never compared in one column silently.
    pub legality: Legality,
    /// Table bytes as its source published them; judged by what the machine counts.
    pub published_bytes: Option<usize>,
    /// CPU features without which it does not run.
    pub needs: &'static [Feature],
    /// What the sources do not show and we completed. Empty if nothing of note.
    pub reconstructed: &'static str,
}

impl Card {
    /// The part of the id before the slash: designs of one family differ in one parameter.
    pub fn family(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }
}

/// The control flow that a design claims for finding targets and writing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// A branch decides about each visited square.
    Branchy,
    /// No branch depends on what stands on a square; loop ends excepted.
    Branchless,
    /// Branch-free in one half (say, finding targets), branchy in the other (writing moves).
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

/// What a generator promises about the king it leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legality {
    /// The own king may be left in check; castling is complete all the same.
    Pseudo,
    /// Every move is legal.
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

/// A CPU feature that a design cannot do without, asked for once, when its tables are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Feature {
    /// `pext` and `pdep`.
    #[error("BMI2 (pext), which this machine lacks")]
    Bmi2,
    /// 256-bit integer vectors.
    #[error("AVX2, which this machine lacks")]
    Avx2,
    /// `vpcompressb` and its registers (F, BW, VL, VBMI, VBMI2).
    #[error("AVX-512 VBMI2, which this machine lacks")]
    Avx512Vbmi2,
    /// Inline assembly of x86-64.
    #[error("an x86-64 processor")]
    X86_64,
}

impl Feature {
    /// Whether this machine has it.
    pub fn present(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Feature::Bmi2 => is_x86_feature_detected!("bmi2"),
            Feature::Avx2 => is_x86_feature_detected!("avx2"),
            Feature::Avx512Vbmi2 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
            }
            Feature::X86_64 => true,
        };
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Itself as an error where it is missing: `Feature::Bmi2.require()?` opens a `build`.
    pub fn require(self) -> Result<(), Feature> {
        if self.present() { Ok(()) } else { Err(self) }
    }
}
