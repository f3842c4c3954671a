//! The compiled entries of a design, by address: what the audit examines.

use raywalk_core::{Entries, Scope};

/// Functions that return the addresses of the compiled entries of a design that generate moves.
#[derive(Clone, Copy)]
pub struct Compiled {
    /// The entry for all moves: captures and quiet moves.
    pub all: fn() -> usize,
    /// Captures, as the stage defines them.
    pub captures: fn() -> usize,
    /// Quiet moves: all moves that the stage of captures leaves out.
    pub quiets: fn() -> usize,
    /// All moves of sliders; `None` if the design does not support this scope.
    pub sliders: Option<fn() -> usize>,
    /// Winning captures; `None` if the design does not offer them.
    pub winning: Option<fn() -> usize>,
}

impl Compiled {
    pub(crate) const fn of<G: Entries>() -> Compiled {
        Compiled {
            all: || (G::all as *const ()).addr(),
            captures: || (G::captures as *const ()).addr(),
            quiets: || (G::quiets as *const ()).addr(),
            sliders: if Scope::Sliders.is_in(G::SCOPES) {
                Some(|| (G::sliders as *const ()).addr())
            } else {
                None
            },
            winning: match G::OPTIONAL.winning_captures {
                Some(_) => Some(|| {
                    G::OPTIONAL.winning_captures.map_or(0, |entry| (entry as *const ()).addr())
                }),
                None => None,
            },
        }
    }
}
