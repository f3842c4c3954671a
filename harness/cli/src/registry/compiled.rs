//! The compiled entries of a design, by address: what the audit examines.

use raywalk_core::{Entries, Scope};

/// Functions that return the addresses of the compiled entries of a design that generate moves.
pub(super) struct Compiled {
    pub(super) all: fn() -> usize,
    pub(super) captures: fn() -> usize,
    pub(super) quiets: fn() -> usize,
    /// `None` if the design does not support this scope.
    pub(super) sliders: Option<fn() -> usize>,
    /// `None` if the design does not offer winning captures.
    pub(super) winning: Option<fn() -> usize>,
}

impl Compiled {
    pub(super) const fn of<G: Entries>() -> Compiled {
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
