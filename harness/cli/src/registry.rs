//! The designs of a command: the [built-in ones](raywalk_registry), and those of plug-ins.

use anyhow::{Result, anyhow};
use raywalk_core::{Card, Feature, Position, StageId};
use raywalk_measure::design::Design;
use raywalk_registry::{BUILT_IN, BuiltIn, Compiled};
use raywalk_results::schema;

use crate::plugin::Plugin;

mod record;
mod select;

pub(crate) use raywalk_registry::NAMES;
pub use raywalk_registry::identifier;
pub(crate) use select::Designs;
pub use select::{matching, named};

/// A design: its card, its compiled entry and its constructor.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Facts and claims from the source.
    pub card: Card,
    /// Bytes that one board needs.
    pub board_bytes: usize,
    /// Cells of its board, if it has cells.
    pub board_cells: Option<usize>,
    /// Bytes of a move in its list.
    pub move_bytes: usize,
    /// Whether it stores moves by whole vectors; `None` for a plug-in, which does not say.
    pub whole_vectors: Option<bool>,
    code: Code,
}

/// Origin of the code of a design.
#[derive(Clone, Copy)]
enum Code {
    /// A built-in design, linked into this program.
    BuiltIn(&'static BuiltIn),
    /// A library of a user.
    Plugin(&'static Plugin),
}

impl Entry {
    const fn of(design: &'static BuiltIn) -> Entry {
        let &BuiltIn { card, board_bytes, board_cells, move_bytes, whole_vectors, .. } = design;
        Entry {
            card,
            board_bytes,
            board_cells,
            move_bytes,
            whole_vectors: Some(whole_vectors),
            code: Code::BuiltIn(design),
        }
    }

    /// The entry of a design of a plug-in.
    fn of_plugin(plugin: &'static Plugin) -> Entry {
        Entry {
            card: *plugin.card(),
            board_bytes: plugin.board_bytes(),
            board_cells: None,
            move_bytes: plugin.move_bytes(),
            whole_vectors: None,
            code: Code::Plugin(plugin),
        }
    }

    /// Whether it offers a call and this machine has what it needs. No table is built to ask; a plug-in may still
    /// refuse to run.
    pub(crate) fn offers(&self, call: schema::Call) -> bool {
        match &self.code {
            Code::BuiltIn(design) => {
                (design.offers)(call) && self.card.needs.iter().all(|feature| feature.present())
            }
            Code::Plugin(plugin) => plugin.offers(call),
        }
    }

    /// Builds the tables: those of a plug-in in a process of its own, where it is checked and not timed.
    ///
    /// # Errors
    /// The CPU feature that the design needs and this machine lacks. That of a plug-in is a
    /// [`Failure`](raywalk_measure::design::Failure).
    pub fn build(&self) -> Result<Box<dyn Design>, Feature> {
        match &self.code {
            Code::BuiltIn(design) => (design.build)(),
            Code::Plugin(plugin) => Ok(plugin.apart()),
        }
    }

    /// Builds the tables in this process, to time or trace the design.
    ///
    /// # Errors
    /// Why it cannot run on this machine, as the end of a sentence.
    pub(crate) fn here(&self) -> Result<Box<dyn Design>, String> {
        match &self.code {
            Code::BuiltIn(design) => (design.build)().map_err(|feature| format!("needs {feature}")),
            Code::Plugin(plugin) => plugin.here(),
        }
    }

    /// The design in this process, to trace these stages on these positions. A plug-in has generated the moves in
    /// another process before: what crashes or hangs does so there.
    ///
    /// # Errors
    /// The CPU feature that a design of this program lacks, inside; one sentence about a plug-in, outside.
    pub(crate) fn tried<'a>(
        &self,
        stages: &[schema::Stage],
        positions: impl Iterator<Item = &'a Position>,
    ) -> Result<Result<Box<dyn Design>, Feature>> {
        match &self.code {
            Code::BuiltIn(design) => Ok((design.build)()),
            Code::Plugin(plugin) => plugin.tried(stages, positions).map(Ok),
        }
    }

    /// The plug-in that the design comes from.
    pub(crate) fn plugin(&self) -> Option<&'static Plugin> {
        match &self.code {
            Code::BuiltIn(_) => None,
            Code::Plugin(plugin) => Some(plugin),
        }
    }

    /// Address of the compiled entry of a stage.
    pub(crate) fn address(&self, stage: StageId) -> usize {
        match &self.code {
            Code::BuiltIn(design) => {
                let Compiled { all, captures, quiets, .. } = design.compiled;
                match stage {
                    StageId::All => all(),
                    StageId::Captures => captures(),
                    StageId::Quiets => quiets(),
                }
            }
            Code::Plugin(plugin) => plugin.entry(stage),
        }
    }

    /// Address of the compiled entry for sliders; `None` if the design does not support this scope.
    pub(crate) fn address_of_sliders(&self) -> Option<usize> {
        match &self.code {
            Code::BuiltIn(design) => design.compiled.sliders.map(|address| address()),
            Code::Plugin(_) => None,
        }
    }

    /// Address of the compiled entry for winning captures; `None` if the design does not offer them.
    pub(crate) fn address_of_winning(&self) -> Option<usize> {
        match &self.code {
            Code::BuiltIn(design) => design.compiled.winning.map(|address| address()),
            Code::Plugin(_) => None,
        }
    }

    /// Offset of the length in its move list, in bytes from the beginning of the list; `None` if that of a
    /// plug-in does not.
    pub(crate) fn length_at(&self) -> Option<usize> {
        match self.code {
            Code::BuiltIn(design) => Some(design.length_at),
            Code::Plugin(_) => None,
        }
    }

    /// [`Entry::build`], with the missing feature in a sentence as the error.
    pub(crate) fn built(&self) -> Result<Box<dyn Design>> {
        self.build().map_err(|feature| anyhow!("`{}` needs {feature}", self.card.id))
    }
}

/// All built-in designs, grouped by family.
pub static DESIGNS: &[Entry] = &entries(&BUILT_IN);

const fn entries<const N: usize>(built_in: &'static [BuiltIn; N]) -> [Entry; N] {
    let mut entries = [Entry::of(&built_in[0]); N];
    let mut at = 1;
    // A constant function has no iterators.
    while at < N {
        entries[at] = Entry::of(&built_in[at]);
        at += 1;
    }
    entries
}

/// The default design of commands for which any correct design will do. It runs on every machine and
/// its tables are small.
pub const REFERENCE: &str = "bitboard/hyperbola";

/// Ids of the designs in the quick plan and in `cargo bench`: the published designs of the nine
/// families in the README, the other kinds of bitboard, a legal generator, and the fastest designs of both legalities
/// with the vector instructions of this machine.
pub fn quick() -> Vec<String> {
    const QUICK: [&str; 11] = [
        "bell/last-square",
        "butterfly/i16",
        "butterfly/u8-split",
        "ferret/pointer",
        "diep/conditional-write",
        "linked-list/pointer",
        "dense-index/u32",
        "bitboard/hyperbola",
        "bitboard/magic",
        "bitboard/pext",
        "legal/pext",
    ];
    let vectors = match Feature::Avx512Vbmi2.present() {
        true => ["simd/bit-rays", "simd/legal-rays"],
        false => ["simd/records-shuffle", "simd/legal-shuffle"],
    };
    QUICK.into_iter().chain(vectors).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
